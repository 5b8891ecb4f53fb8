package feature

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// committed are the files of a module at HEAD.
type committed map[string]string

func (c committed) Committed(_, name string) ([]byte, bool) {
	text, ok := c[name]
	return []byte(text), ok
}

var creator = &Client{DocumentChanges: true, CreatesFiles: true}

// movedAt returns the actions at the first occurrence of a text in main.tf.
func movedAt(t *testing.T, c *Client, was committed, is map[string]string, mark string) (*view.View, []protocol.CodeAction) {
	t.Helper()
	files := map[string][]byte{}
	for name, text := range is {
		files[name] = []byte(text)
	}
	v := viewOf(t, files, engine.Default(), protocol.UTF16)
	at := v.Text("main.tf").Range(strings.Index(is["main.tf"], mark), strings.Index(is["main.tf"], mark), v.Encoding)
	return v, MoveChange(v, c, was, "main.tf", protocol.CodeActionParams{TextDocumentRangeParams: protocol.TextDocumentRangeParams{Range: at}})
}

// web is a block with some arguments.
func web(arguments ...string) string {
	return "resource \"aws_instance\" \"web\" {\n  " + strings.Join(arguments, "\n  ") + "\n}\n"
}

const rest = "\nresource \"aws_instance\" \"other\" {\n  ami = \"ami-1\"\n}\n"

// TestMoveChange has a case for each kind of change: the file that is made, or none.
func TestMoveChange(t *testing.T) {
	base := web(`ami           = "ami-1"`, `instance_type = "m5"`, `# note`, `monitoring    = true`) + rest
	edited := strings.Replace(base, `"ami-1"`, `"ami-2" # new`, 1)
	for about, c := range map[string]struct {
		was, is     string
		more        map[string]string
		mark        string
		name, makes string // nothing if no action is offered
		stays       string // of main.tf, if something remains
	}{
		"an argument":      {base, edited, nil, "ami-2", "extract_override.tf", web(`ami = "ami-2" # new`), ""},
		"the block's name": {base, edited, nil, "resource", "", "", ""},
		"a line without":   {base, edited, nil, "monitoring", "", "", ""},
		"the next line":    {base, edited, nil, "  instance_type", "", "", ""},
		"a new argument":   {base, strings.Replace(base, "  # note", "  tags = { a = 1 }\n  # note", 1), nil, "tags", "extract_override.tf", web(`tags = { a = 1 }`), ""},
		"one of two": {
			base, strings.Replace(edited, "monitoring    = true", "monitoring    = false", 1), nil, "monitoring",
			"extract_override.tf", web(`monitoring = false`), strings.Replace(base, `"ami-1"`, `"ami-2" # new`, 1),
		},
		"into a file": {
			base, edited, map[string]string{"extract_override.tf": "# mine\n" + web(`monitoring = false`)}, "ami-2",
			"extract_override.tf", "# mine\n" + web(`monitoring = false`, `ami        = "ami-2" # new`), "",
		},
		"behind a file":       {base, edited, map[string]string{"override.tf": web(`monitoring = false`)}, "ami-2", "z_extract_override.tf", "", ""},
		"a .tofu file":        {base, edited, map[string]string{"a.tofu": "locals {}\n"}, "ami-2", "extract_override.tofu", web(`ami = "ami-2" # new`), ""},
		"a removed argument":  {base, strings.Replace(base, "  monitoring    = true\n", "", 1), nil, "}", "", "", ""},
		"a new depends_on":    {base, strings.Replace(base, "  # note", "  depends_on = [aws_instance.other]\n  # note", 1), nil, "depends_on", "", "", ""},
		"a new resource":      {base, base + "\nresource \"x\" \"y\" {\n}\n", nil, `"x"`, "", "", ""},
		"nothing but layout":  {base, strings.Replace(base, "# note", "# a note", 1), nil, "# a note", "", "", ""},
		"a module with error": {base, strings.Replace(edited, "true", "true true", 1), nil, "ami-2", "", "", ""},
	} {
		t.Run(about, func(t *testing.T) {
			is := map[string]string{"main.tf": c.is}
			for name, text := range c.more {
				is[name] = text
			}
			v, list := movedAt(t, creator, committed{"main.tf": c.was}, is, c.mark)
			if c.name == "" {
				if len(list) > 0 {
					t.Errorf("%s is offered", list[0].Title)
				}
				return
			}
			if len(list) != 1 || list[0].Title != "Move this change to "+c.name || list[0].Kind != quickRewrite {
				t.Fatalf("%+v", list)
			}
			if c.stays == "" {
				c.stays = c.was
			}
			after := applied(t, v, list[0].Edit)
			if string(after["main.tf"]) != c.stays {
				t.Errorf("main.tf is\n%s", after["main.tf"])
			}
			made := string(after[c.name])
			for _, d := range list[0].Edit.DocumentChanges {
				if d.TextDocument.URI == v.URI(c.name) && is[c.name] == "" {
					made = d.Edits[0].NewText
				}
			}
			if c.makes != "" && made != c.makes {
				t.Errorf("%s is\n%s", c.name, made)
			}
		})
	}
}

// TestMoveChangeOnTheWire shows the edit as a client gets it: a file is created before it is filled. A
// client that can't create files gets no such edit, and one that asks for other actions gets none.
func TestMoveChangeOnTheWire(t *testing.T) {
	was, is := committed{"main.tf": web("ami = 1")}, map[string]string{"main.tf": web("ami = 2")}
	_, list := movedAt(t, creator, was, is, "ami")
	if len(list) != 1 {
		t.Fatal("nothing is offered")
	}
	text, err := json.Marshal(list[0].Edit)
	const want = `{"documentChanges":[` +
		`{"textDocument":{"uri":"file:///m/main.tf","version":null},"edits":[{"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":0}},"newText":"  ami = 1\n"}]},` +
		`{"kind":"create","uri":"file:///m/extract_override.tf"},` +
		`{"textDocument":{"uri":"file:///m/extract_override.tf","version":null},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"resource \"aws_instance\" \"web\" {\n  ami = 2\n}\n"}]}]}`
	if err != nil || string(text) != want {
		t.Errorf("%v %s", err, text)
	}
	if _, list := movedAt(t, &Client{DocumentChanges: true}, was, is, "ami"); len(list) > 0 {
		t.Error("a client that can't create files gets an edit that does")
	}
	is["extract_override.tf"] = "# mine\n"
	if _, list := movedAt(t, &Client{}, was, is, "ami"); len(list) != 1 || len(list[0].Edit.Changes) != 2 {
		t.Errorf("a client that can't create files gets no edit of files that exist: %+v", list)
	}
	if _, list := movedAt(t, creator, committed{}, is, "ami"); len(list) > 0 {
		t.Error("a change of a file that is not committed is offered")
	}
}

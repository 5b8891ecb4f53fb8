package extract_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/layout"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// An editor edits the native primary files of a module in random ways, as people do.
type editor struct {
	*rand.Rand
	Files  map[string]string
	Engine engine.Release
	// Kinds are the names of the edits that were made.
	Kinds []string
}

// edits are the ways to edit an item.
var edits = []struct {
	name string
	edit func(*editor, source.Item) (text string, ok bool)
}{
	{"set", (*editor).set},
	{"set", (*editor).set},
	{"set", (*editor).set},
	{"remove", func(*editor, source.Item) (string, bool) { return "", true }},
	{"add", (*editor).add},
	{"add", (*editor).add},
	{"repeat", (*editor).repeat},
	{"comment", (*editor).comment},
	{"rename", (*editor).rename},
}

// Edit makes some edits.
func (ed *editor) Edit(n int) {
	ed.Files = maps.Clone(ed.Files)
	for range n {
		switch ed.IntN(20) {
		case 0:
			ed.format()
		case 1:
			ed.renameFile()
		case 2:
			ed.append()
		default:
			ed.editItem()
		}
	}
}

// primary returns the name of a native primary file, or "".
func (ed *editor) primary() string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(ed.Files)), func(name string) bool {
		return strings.Contains(name, "override") || !strings.HasSuffix(name, ".tf") && !strings.HasSuffix(name, ".tofu")
	})
	if len(names) == 0 {
		return ""
	}
	return names[ed.IntN(len(names))]
}

func (ed *editor) editItem() {
	name := ed.primary()
	src, _, err := load.Dir(".", mergetest.InMemory(map[string]string{name: ed.Files[name]}, ed.Engine))
	if err != nil || len(src.Files) == 0 || src.Files[0].Broken {
		return
	}
	var items []source.Item
	f := src.Files[0]
	for i := range f.Len() {
		items = append(items, everyItem(f.Block(i))...)
	}
	if len(items) == 0 {
		return
	}
	it := items[ed.IntN(len(items))]
	way := edits[ed.IntN(len(edits))]
	text, ok := way.edit(ed, it)
	if !ok {
		return
	}
	around := source.TriviaOf(it)
	ed.Files[name] = string(textedit.Apply(f.Native, 0, len(f.Native), []textedit.Edit{textedit.Replace(around.Start, around.End, text)}))
	ed.Kinds = append(ed.Kinds, way.name)
}

func everyItem(b *source.Block) []source.Item {
	list := []source.Item{b}
	for _, it := range b.Items() {
		if inner, ok := it.(*source.Block); ok {
			list = append(list, everyItem(inner)...)
			continue
		}
		list = append(list, it)
	}
	return list
}

func (ed *editor) pick(from ...string) string { return from[ed.IntN(len(from))] }

func (ed *editor) value() string {
	return ed.pick("1", "true", "false", `"text"`, `"a"`, "null", "[1, 2]", "[]", "{ a = 1, b = 3 }", "var.x", "all", "string", "number", `"> 1.2"`, "\"${var.a}-%{if true}x%{endif}\"")
}

// set gives an argument another value, sometimes one that it has elsewhere.
func (ed *editor) set(it source.Item) (string, bool) {
	a, ok := it.(*source.Attr)
	if !ok {
		return "", false
	}
	return a.Name + " = " + ed.value(), true
}

// add puts an argument or a block before an item of a block.
func (ed *editor) add(it source.Item) (string, bool) {
	if it.Within() == nil {
		return "", false
	}
	more := ed.pick("alpha = 1", "be = 2", "extra = \"x\"", "count = 2", "for_each = {}", "description = \"more\"", "type = number", "default = 7", "sensitive = true", "nullable = false",
		"disk {\n  a = 4\n}", "fresh {\n  b = 1\n}", "lifecycle {\n  prevent_destroy = true\n}", "provisioner \"local-exec\" {\n  command = \"d\"\n}", "depends_on = [x_y.z]", "provider = x.west",
		"create_before_destroy = false", "required_version = \"> 1.3\"", "backend \"gcs\" {\n  bucket = \"c\"\n}", "cloud {\n  organization = \"p\"\n}", "enabled = true", "ignore_changes = [be]")
	return more + "\n" + string(it.Source().Text(it.Extent())) + "\n", true
}

// repeat has a nested block twice, or another top-level block like one.
func (ed *editor) repeat(it source.Item) (string, bool) {
	b, ok := it.(*source.Block)
	if !ok {
		return "", false
	}
	text := string(b.File.Text(b.Extent()))
	again := text
	if n := len(b.Labels); n > 0 && b.Within() == nil {
		again = strings.Replace(text, `"`+b.Labels[n-1]+`"`, fmt.Sprintf(`"%s%d"`, b.Labels[n-1], ed.IntN(9)), 1)
	}
	return text + "\n" + again + "\n", true
}

func (ed *editor) comment(it source.Item) (string, bool) {
	return string(it.Source().Text(it.Extent())) + " # edited\n", !strings.Contains(string(it.Source().Text(it.Extent())), "<<")
}

// rename gives an argument or a block another name or label.
func (ed *editor) rename(it source.Item) (string, bool) {
	text := string(it.Source().Text(it.Extent()))
	if b, ok := it.(*source.Block); ok {
		if len(b.Labels) == 0 {
			return "", false
		}
		return strings.Replace(text, b.Labels[0], ed.pick("x_z", "other"), 1), true
	}
	return strings.Replace(text, it.Called(), ed.pick("alpha", "be", "other"), 1), true
}

// format lays out a file.
func (ed *editor) format() {
	if name := ed.primary(); name != "" {
		ed.Files[name] = string(layout.Format([]byte(ed.Files[name])))
		ed.Kinds = append(ed.Kinds, "format")
	}
}

func (ed *editor) renameFile() {
	name := ed.primary()
	if to := ed.pick("moved.tf", "a.tf", "zz.tf"); name != "" && ed.Files[to] == "" {
		ed.Files[to] = ed.Files[name]
		delete(ed.Files, name)
		ed.Kinds = append(ed.Kinds, "file")
	}
}

// append adds a block to a file.
func (ed *editor) append() {
	name := ed.primary()
	if name == "" {
		return
	}
	ed.Files[name] = strings.TrimRight(ed.Files[name], "\r\n") + "\n" + ed.pick("resource \"x_y\" \"more\" {\n  a = 1\n}\n", "locals {\n  more = 1\n}\n", "provider \"more\" {\n  a = 1\n}\n", "moved {\n  from = x_y.q\n  to   = x_y.r\n}\n",
		"variable \"more\" {}\n", "terraform {\n  required_providers {\n    more = { source = \"a/more\" }\n  }\n}\n", "terraform {\n  required_version = \"> 1.1\"\n}\n", "check \"more\" {\n  assert {\n    condition     = true\n    error_message = \"No.\"\n  }\n}\n")
	ed.Kinds = append(ed.Kinds, "append")
}

package relocate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
)

// flat is main.tf after flattening. Lines 3 and 4 come from the override file, and line 5 from both.
const flat = `resource "a" "b" {
  x = 1
  y   = "small"
  z = true
  v = 12
}
`

const override = `# in tests
resource "a" "b" {
    y = "small"
    z = true
}
`

func newMapper() *Mapper {
	f := &File{
		Text: []byte(flat),
		Lines: lines(sourcemap.Lines{
			{{File: "main.tf", Line: 11}},
			{{File: "main.tf", Line: 12}},
			{{File: "a_override.tf", Line: 3}},
			{{File: "a_override.tf", Line: 4}},
			{{File: "b&_override.tf", Line: 1}, {File: "main.tf", Line: 14}},
			{{File: "main.tf", Line: 15}},
		}),
		Original: func(name string) []byte {
			if name == "a_override.tf" {
				return []byte(override)
			}
			return nil
		},
	}
	return &Mapper{Copy: "/tmp/copy", File: func(name string) *File {
		switch strings.TrimPrefix(name, "/tmp/copy/home/") {
		case "main.tf", "my dir/main.tf", "/main.tf":
			return f
		}
		return nil
	}}
}

func lines(list sourcemap.Lines) func() sourcemap.Lines {
	return func() sourcemap.Lines { return list }
}

// through writes a text in steps.
func through(t *testing.T, m *Mapper, form Form, text string, step int) string {
	t.Helper()
	var out bytes.Buffer
	w := m.NewWriter(&out, form)
	for at := 0; at < len(text); at += step {
		if _, err := w.Write([]byte(text[at:min(len(text), at+step)])); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"main.tf:1:3: bad, main.tf:6\n":                                          "main.tf:11:3: bad, main.tf:15\n",
		"main.tf:3:9: bad\r\n":                                                   "a_override.tf:3:9: bad\r\n",
		"main.tf:3:3: main.tf:3:7\n":                                             "a_override.tf:3:5: a_override.tf:3:7\n",
		"  on main.tf line 4, in x:\nother.tf:1\n":                               "  on a_override.tf line 4, in x:\nother.tf:1\n",
		"File: /main.tf:1-6 and my dir/main.tf:3-4\n":                            "File: /main.tf:11-15 and my dir/a_override.tf:3-4\n",
		"main.tf:3,3-12: x, main.tf:3,3-4,7":                                     "a_override.tf:3,5-12: x, a_override.tf:3,5-4,9",
		"/tmp/copy/home/main.tf:3 in /tmp/copy/home/x":                           "/home/a_override.tf:3 in /home/x",
		"\x1b[1mmain.tf\x1b[0m:3: x":                                             "\x1b[1ma_override.tf\x1b[0m:3: x",
		" \x1b[34mmain.tf\x1b[2m:\x1b[0m\x1b[34m3\x1b[34m-4":                     " \x1b[34ma_override.tf\x1b[2m:\x1b[0m\x1b[34m3\x1b[34m-4",
		"main.tf:3:1: main.tf:3:2\n":                                             "a_override.tf:3:1: a_override.tf:3:2\n",
		"::error file=main.tf,line=3,endLine=4,col=1::hm":                        "::error file=a_override.tf,line=3,endLine=4,col=1::hm",
		"main.tf:9 \xff\x00\r\n":                                                 "main.tf:9 \xff\x00\r\n",
		"xmain.tf:1 main.tf main.tf:x\n":                                         "xmain.tf:1 main.tf main.tf:x\n",
		"File: /main.tf: 3-4, main.tf: 3 errors\n":                               "File: /a_override.tf: 3-4, main.tf: 3 errors\n",
		"  on main.tf line 3:\n  3:   y   = \"small\"\n  5:   v = 12\n 100: x\n": "  on a_override.tf line 3:\n  3:   y   = \"small\"\n  1:   v = 12\n 100: x\n",
		"\x1b[31m│\x1b[0m \x1b[0m  on main.tf line 3:\n\x1b[31m│\x1b[0m \x1b[0m   5:   v = \x1b[4m12\x1b[0m\n": "\x1b[31m│\x1b[0m \x1b[0m  on a_override.tf line 3:\n\x1b[31m│\x1b[0m \x1b[0m   1:   v = \x1b[4m12\x1b[0m\n",
		"  on main.tf line 1:\n 1: resource \"a\" \"b\" {\n":                                                   "  on main.tf line 11:\n11: resource \"a\" \"b\" {\n",
		"[INFO] main.tf:3\n": "[INFO] a_override.tf:3\n",
		// A line is a quotation only if it has the text of that line.
		"  on main.tf line 3:\n  5:   w = 12\n": "  on a_override.tf line 3:\n  5:   w = 12\n",
		"{main.tf:3}\n":                         "{a_override.tf:3}\n",
		"<b>main.tf:3</b>\n":                    "<b>a_override.tf:3</b>\n",
		"\xef\xbb\xbf\n <a>\n<b c='main.tf:5'/>\nfile=main.tf,line=5\n": "\xef\xbb\xbf\n <a>\n<b c='b&amp;_override.tf:1'/>\nfile=b&amp;_override.tf,line=1\n",
		"main.tf:5\n<a>main.tf:5\n":                                     "b&_override.tf:1\n<a>b&_override.tf:1\n",
		"<error line=\"3\"/><file name=\"main.tf\">":                    "<error line=\"3\"/><file name=\"main.tf\">",
		"":    "",
		" \n": " \n",
	} {
		for _, step := range []int{1, 7, len(text) + 1} {
			for _, form := range []Form{Auto, Text} {
				if got := through(t, newMapper(), form, text, step); got != want {
					t.Errorf("%q in steps of %d becomes %q, not %q", text, step, got, want)
				}
			}
		}
	}
	m := newMapper()
	m.mapLine([]byte("main.tf:9 main.tf:1"), &quotation{}, harmless)
	if unmapped := m.Unmapped(); unmapped != 1 {
		t.Errorf("%d are not mapped", unmapped)
	}
}

// TestQuestion checks that a line without an end is passed on when nothing follows.
func TestQuestion(t *testing.T) {
	got := make(chan string, 1)
	w := newMapper().NewWriter(writerFunc(func(text []byte) (int, error) {
		got <- string(text)
		return len(text), nil
	}), Text)
	if _, err := w.Write([]byte("main.tf:3 is wrong. Go on? ")); err != nil {
		t.Fatal(err)
	}
	select {
	case text := <-got:
		if want := "a_override.tf:3 is wrong. Go on? "; text != want {
			t.Errorf("%q, not %q", text, want)
		}
	case <-time.After(10 * time.Second):
		t.Error("the question is held back")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }

// TestLongLine checks that a line without an end takes no more memory than a short one.
func TestLongLine(t *testing.T) {
	var out bytes.Buffer
	w := newMapper().NewWriter(&out, Text)
	piece := bytes.Repeat([]byte("main.tf:3 "), 1<<14)
	for range 64 {
		if _, err := w.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if n := out.Len(); n < 60*len(piece)-1<<21 {
		t.Errorf("only %d bytes were passed on", n)
	}
	if _, err := w.Write([]byte("\nmain.tf:3\n")); err != nil || !strings.HasSuffix(out.String(), "main.tf:3 \na_override.tf:3\n") {
		t.Errorf("the next line is %q (%v)", out.String()[out.Len()-40:], err)
	}
}

func TestJSON(t *testing.T) {
	for name, c := range map[string][2]string{
		"tflint": {
			`{"issues":[{"range":{"filename":"main.tf","start":{"line":3,"column":3},"end":{"line":3,"column":12}}}],"n":1e3}`,
			`{"issues":[{"range":{"filename":"a_override.tf","start":{"line":3,"column":5},"end":{"line":3,"column":12}}}],"n":1e3}`,
		},
		"validate": {
			`{"diagnostics":[{"range":{"filename":"main.tf","start":{"line":3,"column":3,"byte":30},"end":{"line":3,"column":4,"byte":31}},
			 "snippet":{"start_line":3,"code":"y"}}]}`,
			`{"diagnostics":[{"range":{"filename":"a_override.tf","start":{"line":3,"column":5,"byte":34},"end":{"line":3,"column":7,"byte":36}},
			 "snippet":{"start_line":3,"code":"y"}}]}`,
		},
		"sarif": {
			`{"runs":[{"originalUriBaseIds":{"R":{"uri":"file:///tmp/copy/home/"}},"results":[{"locations":[{"physicalLocation":{
			"artifactLocation":{"uri":"my%20dir/main.tf","index":0},"region":{"startLine":2,"endLine":5,"charOffset":7}}}]}]}]}`,
			`{"runs":[{"originalUriBaseIds":{"R":{"uri":"file:///home/"}},"results":[{"locations":[{"physicalLocation":{
			"artifactLocation":{"uri":"my%20dir/main.tf"},"region":{"startLine":12,"endLine":14}}}],"relatedLocations":[` +
				`{"physicalLocation":{"artifactLocation":{"uri":"my%20dir/a_override.tf"},"region":{"startLine":3,"endLine":4}},"message":{"text":"also comes from here"}},` +
				`{"physicalLocation":{"artifactLocation":{"uri":"my%20dir/b&_override.tf"},"region":{"startLine":1,"endLine":1}},"message":{"text":"also comes from here"}}]}]}]}`,
		},
		"sarif of a file elsewhere": {
			`{"locations":[{"physicalLocation":{"artifactLocation":{"uri":"https://example.org/main.tf"},"region":{"startLine":3}}}]}`,
			`{"locations":[{"physicalLocation":{"artifactLocation":{"uri":"https://example.org/main.tf"},"region":{"startLine":3}}}]}`,
		},
		"a range of one line": {
			`{"file_path":"/main.tf","file_line_range":[3]}`,
			`{"file_path":"/a_override.tf","file_line_range":[3]}`,
		},
		"a column that is no number": {
			`{"filename":"main.tf","start":{"line":3,"column":"x"},"end":{"line":-3}}`,
			`{"filename":"a_override.tf","start":{"line":3,"column":"x"},"end":{"line":-3}}`,
		},
		"sarif with related locations": {
			`{"locations":[{"message":{"text":"main.tf"},"physicalLocation":{"artifactLocation":{"uri":"main.tf"},"region":{"startLine":5}}}],"relatedLocations": [{"id":1}]}`,
			`{"locations":[{"message":{"text":"b&_override.tf"},"physicalLocation":{"artifactLocation":{"uri":"b&_override.tf"},"region":{"startLine":1}}}],"relatedLocations": [{"id":1},` +
				`{"physicalLocation":{"artifactLocation":{"uri":"main.tf"},"region":{"startLine":14,"endLine":14}},"message":{"text":"also comes from here"}}]}`,
		},
		"checkov": {
			`[{"results":{"failed_checks":[{"code_block":[[3,"  y\n"],[4,"  z\n"]],"file_path":"/main.tf","file_abs_path":"/tmp/copy/home/main.tf","file_line_range":[3,4]}]}}]`,
			`[{"results":{"failed_checks":[{"code_block":[[3,"  y\n"],[4,"  z\n"]],"file_path":"/a_override.tf","file_abs_path":"/home/a_override.tf","file_line_range":[3,4]}]}}]`,
		},
		"trivy": {
			`{"Results":[
 {"Target":"main.tf","Class":"config","MisconfSummary":{"Successes":3,"Failures":2},"Misconfigurations":[
   {"ID":"A","CauseMetadata":{"StartLine":1,"EndLine":6}},
   {"ID":"B","CauseMetadata":{"StartLine":4,"EndLine":4,"Code":{"Lines":[{"Number":4,"Content":"z"}]},"Occurrences":[{"Filename":"main.tf","Location":{"StartLine":1,"EndLine":6}}]}}
 ]}]}`,
			`{"Results":[
 {"Target":"main.tf","Class":"config","MisconfSummary":{"Successes":3,"Failures":1},"Misconfigurations":[
   {"ID":"A","CauseMetadata":{"StartLine":11,"EndLine":15}}
 ]},
 {"Target":"a_override.tf","Class":"config","MisconfSummary":{"Successes":0,"Failures":1},"Misconfigurations":[
   {"ID":"B","CauseMetadata":{"StartLine":4,"EndLine":4,"Code":{"Lines":[{"Number":4,"Content":"z"}]},"Occurrences":[{"Filename":"main.tf","Location":{"StartLine":11,"EndLine":15}}]}}
 ]}]}`,
		},
		"gitlab": {
			`[{"location":{"path":"main.tf","lines":{"begin":3,"end":4}}}]`, `[{"location":{"path":"a_override.tf","lines":{"begin":3,"end":4}}}]`,
		},
		"semgrep": {
			`{"results":[{"path":"main.tf","start":{"line":3,"col":3,"offset":30},"end":{"line":3,"col":4,"offset":31}}]}`,
			`{"results":[{"path":"a_override.tf","start":{"line":3,"col":5,"offset":34},"end":{"line":3,"col":7,"offset":36}}]}`,
		},
		"inspect":      {`{"variables":{"x":{"pos":{"filename":"main.tf","line":1}}}}`, `{"variables":{"x":{"pos":{"filename":"main.tf","line":11}}}}`},
		"other":        {"{\"a\": [1.50, \"main.tf:3\", null], \"line\": 3}\n", "{\"a\": [1.50, \"main.tf:3\", null], \"line\": 3}\n"},
		"two":          {`{"filename":"main.tf","line":1} {"filename":"main.tf","line":6}`, `{"filename":"main.tf","line":11} {"filename":"main.tf","line":15}`},
		"other file":   {`{"filename":"other.tf","line":1}`, `{"filename":"other.tf","line":1}`},
		"no such line": {`{"filename":"main.tf","line":7}`, `{"filename":"main.tf","line":7}`},
		"byte order":   {"\xef\xbb\xbf" + `{"filename":"main.tf","line":1}`, "\xef\xbb\xbf" + `{"filename":"main.tf","line":11}`},
	} {
		for _, form := range []Form{Auto, JSON} {
			got := through(t, newMapper(), form, c[0], 11)
			if diff := cmp.Diff(c[1], got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		if text := strings.TrimPrefix(c[1], "\xef\xbb\xbf"); name != "two" && !json.Valid([]byte(text)) {
			t.Errorf("%s is no JSON", name)
		}
	}
	if got := through(t, newMapper(), JSON, `{"a": main.tf:3`, 100); got != `{"a": a_override.tf:3` {
		t.Errorf("what is no JSON becomes %q", got)
	}
}

// TestUnmapped checks that locations without an origin are counted, in each kind of object.
func TestUnmapped(t *testing.T) {
	for _, text := range []string{
		`{"filename":"main.tf","line":9}`,
		`{"Results":[{"Target":"main.tf","Misconfigurations":[{"CauseMetadata":{"StartLine":9,"EndLine":9}}]}]}`,
	} {
		m := newMapper()
		if out, err := m.Document([]byte(text)); err != nil || string(out) != text || m.Unmapped() != 1 {
			t.Errorf("%s becomes %s, %v; %d are not mapped", text, out, err, m.Unmapped())
		}
	}
}

// TestJSONGrows checks that a long document takes time in proportion.
func TestJSONGrows(t *testing.T) {
	loadtest.Linear(t, "findings and brackets", 4000, func(n int) {
		text := `{"Results":[{"Target":"main.tf","Misconfigurations":[{}` +
			strings.Repeat(`,{"CauseMetadata":{"StartLine":3,"EndLine":4}}`, n) + `]}],"locations":[[]` + strings.Repeat(",[[]]", n) + `]}`
		if _, err := newMapper().Document([]byte(text)); err != nil {
			t.Fatal(err)
		}
	})
}

// TestTooLong checks that a document beyond the limit passes unchanged, and that this is reported.
func TestTooLong(t *testing.T) {
	defer func(was int) { longestDoc = was }(longestDoc)
	longestDoc = 16 << 10
	n := 0
	w := newMapper().NewWriter(writerFunc(func(text []byte) (int, error) {
		n += len(text)
		return len(text), nil
	}), JSON)
	piece := bytes.Repeat([]byte(" "), 1<<10)
	for range 17 {
		if _, err := w.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if unmapped, err := w.Close(); unmapped == nil || err != nil || n != 17*len(piece) {
		t.Errorf("%v, %v, %d bytes", unmapped, err, n)
	}
}

// TestTooDeep checks that a document beyond the limit of depth passes unchanged, and that this is reported.
func TestTooDeep(t *testing.T) {
	for depth, isMapped := range map[int]bool{limits.MaxDepth: true, limits.MaxDepth + 1: false} {
		text := strings.Repeat("[", depth-1) + `{"filename":"main.tf","line":3}` + strings.Repeat("]", depth-1)
		var out strings.Builder
		w := newMapper().NewWriter(&out, JSON)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		unmapped, err := w.Close()
		if err != nil || isMapped != (unmapped == nil) || isMapped == (out.String() == text) {
			t.Errorf("%d levels: unmapped: %v, %v", depth, unmapped, err)
		}
		if mapped, why := newMapper().Document([]byte(text)); isMapped != (why == nil) || string(mapped) != out.String() {
			t.Errorf("%d levels in a file: unmapped: %v", depth, why)
		}
	}
}

// TestNames checks that no name of an original is a command in text, and that it is one string in JSON.
func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"::warning::x_override.tf": "./::warning::x_override.tf:1\n",
		"-rf_override.tf":          "./-rf_override.tf:1\n",
		"a\nb_override.tf":         "a\\nb_override.tf:1\n",
	} {
		m := &Mapper{File: func(string) *File {
			return &File{
				Lines:    lines(sourcemap.Lines{{{File: name, Line: 1}}}),
				Original: func(string) []byte { return nil },
			}
		}}
		if got := string(m.mapLine([]byte("main.tf:1\n"), &quotation{}, harmless)); got != want {
			t.Errorf("%q, not %q", got, want)
		}
		text, unmapped := m.Document([]byte(`{"filename":"main.tf","line":1}`))
		var read struct{ Filename string }
		if err := json.Unmarshal(text, &read); err != nil || unmapped != nil || read.Filename != name {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A URI has the name of the original escaped, and other names have it as it is. A command without a
// line is no location.
func TestEscapedNames(t *testing.T) {
	m := &Mapper{File: func(string) *File {
		return &File{
			Text:     []byte("a\n"),
			Lines:    lines(sourcemap.Lines{{{File: "c d.tf", Line: 1}}}),
			Original: func(string) []byte { return nil },
		}
	}}
	for text, want := range map[string]string{
		`{"artifactLocation":{"uri":"x/main.tf"},"region":{"startLine":1}}`: `{"artifactLocation":{"uri":"x/c%20d.tf"},"region":{"startLine":1}}`,
		`{"filename":"x/main.tf","line":1}`:                                 `{"filename":"x/c d.tf","line":1}`,
		"::error file=main.tf,col=1::x\n":                                   "::error file=main.tf,col=1::x\n",
		"::error file=main.tf,line=1::x\n":                                  "::error file=c d.tf,line=1::x\n",
	} {
		if got := through(t, m, Auto, text, 100); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

func ExampleMapper() {
	fmt.Printf("%s\n", newMapper().mapLine([]byte("main.tf:4:3: z must not be true"), &quotation{}, harmless))
	// Output: a_override.tf:4:5: z must not be true
}

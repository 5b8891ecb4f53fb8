package feature

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// What editors draw into files, as pictures of the files: hints between ⟦ and ⟧, lenses on
// lines of their own after ».
func TestShown(t *testing.T) {
	loadtest.Run(t, "testdata/shown", func(t *testing.T, c *loadtest.Case) map[string]string {
		v := caseView(t, c)
		checkTwins(t, c, v)
		var out strings.Builder
		for _, f := range v.Merged.Source.Files {
			shown := picture(v, f.Name)
			if shown == string(f.Raw) {
				continue
			}
			fmt.Fprintf(&out, "==> %s\n%s\n", f.Name, strings.TrimRight(shown, "\n"))
		}
		return map[string]string{"shown": out.String()}
	})
}

// An insertion is text at an offset of a picture.
type insertion struct {
	at   int
	text string
}

func picture(v *view.View, name string) string {
	text := v.Text(name)
	whole := protocol.Range{End: protocol.Position{Line: 1 << 31}}
	var list []insertion
	for _, h := range InlayHints(v, name, whole) {
		var label strings.Builder
		for _, p := range h.Label {
			if p.Location != nil {
				p.Value = "<" + p.Value + ">"
			}
			label.WriteString(p.Value)
		}
		list = append(list, insertion{text.Offset(h.Position, v.Encoding), " ⟦" + label.String() + "⟧"})
	}
	for _, l := range CodeLenses(v, &Client{Commands: []string{ShowOverrides}}, name) {
		line := l.Range.Start
		line.Character = 0
		list = append(list, insertion{text.Offset(line, v.Encoding), "» " + l.Command.Title + "\n"})
	}
	slices.SortStableFunc(list, func(a, b insertion) int { return a.at - b.at })
	var out strings.Builder
	last := 0
	for _, in := range list {
		out.Write(text.Bytes()[last:in.at])
		out.WriteString(in.text)
		last = in.at
	}
	out.Write(text.Bytes()[last:])
	return out.String()
}

// checkTwins checks that line ends, a byte order mark and the units in which positions count
// make no difference.
func checkTwins(t *testing.T, c *loadtest.Case, v *view.View) {
	t.Helper()
	windows := func(name, text string) string {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
		if strings.HasSuffix(name, ".json") {
			return text // engines refuse a byte order mark there
		}
		return "\ufeff" + text
	}
	files := map[string][]byte{}
	for name, text := range c.Files {
		files[name] = []byte(windows(name, string(text)))
	}
	for _, enc := range []protocol.PositionEncodingKind{protocol.UTF8, protocol.UTF16, protocol.UTF32} {
		twin := viewOf(t, files, c.Engine, enc)
		for name := range files {
			got := strings.Replace(picture(twin, name), "\ufeff", "", 1) // a lens may be in front of it
			if want := windows(name, picture(v, name)); windows(name, got) != want {
				t.Errorf("%s in %s:\n%s\nwant\n%s", name, enc, got, want)
			}
		}
	}
}

// BenchmarkShown draws into one file of a large module: the first time for a view, which looks
// at the whole module, and again.
func BenchmarkShown(b *testing.B) {
	files := map[string][]byte{}
	var override strings.Builder
	for i := range 300 {
		var main strings.Builder
		for j := range 30 {
			fmt.Fprintf(&main, "resource \"aws_instance\" \"web_%d_%d\" {\n  ami = \"ami-1\"\n  tags = {\n    a = 1\n  }\n}\n", i, j)
		}
		files[fmt.Sprintf("f%03d.tf", i)] = []byte(main.String())
		fmt.Fprintf(&override, "resource \"aws_instance\" \"web_%d_7\" {\n  ami = \"ami-%d\"\n}\n", i, i)
	}
	files["x_override.tf"] = []byte(override.String())
	whole := protocol.Range{End: protocol.Position{Line: 1 << 31}}
	v := viewOf(b, files, engine.Default(), protocol.UTF16)
	for name, again := range map[string]bool{"first": false, "again": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				at := v
				if !again {
					at = &view.View{Dir: v.Dir, Encoding: v.Encoding, Merged: v.Merged, Diags: v.Diags, Findings: v.Findings}
				}
				InlayHints(at, "f100.tf", whole)
				CodeLenses(at, &Client{}, "f100.tf")
			}
		})
	}
}

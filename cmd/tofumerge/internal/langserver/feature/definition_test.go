package feature

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Definition, implementation and references of every name of a module.
func TestDefinition(t *testing.T) {
	loadtest.Run(t, "testdata/definition", func(t *testing.T, c *loadtest.Case) map[string]string {
		v := caseView(t, c)
		var out strings.Builder
		everyItem(v, func(it source.Item) {
			name, at := it.Source().Name, v.Range(source.Where(it)).Start
			references := References(v, name, at, true)
			if len(references) == 0 {
				return
			}
			fmt.Fprintf(&out, "%s %s\n", wording.Place(it), wording.Name(it))
			write := func(what string, list []protocol.Location) {
				if len(list) > 0 {
					fmt.Fprintf(&out, "  %s %s\n", what, strings.Join(places(v, list), ", "))
				}
			}
			write("definition", Locations(Definition(v, name, at)))
			write("implementation", Locations(Implementation(v, name, at)))
			write("references", references)
			write("overrides", References(v, name, at, false))
		})
		return map[string]string{"places": out.String()}
	})
}

// places formats locations as FILE:LINE and the text there.
func places(v *view.View, list []protocol.Location) []string {
	var words []string
	for _, l := range list {
		name := path.Base(string(l.URI))
		text := v.Text(name)
		from, to := text.Offset(l.Range.Start, v.Encoding), text.Offset(l.Range.End, v.Encoding)
		words = append(words, fmt.Sprintf("%s:%d %s", name, l.Range.Start.Line+1, text.Bytes()[from:to]))
	}
	return words
}

// Values and names that no override touches have no links: there, the ordinary language server
// answers.
func TestDefinitionOfValues(t *testing.T) {
	const text = "resource \"x_y\" \"z\" {\n  a = var.b # a\n}\n"
	v := viewOf(t, map[string][]byte{
		"main.tf":     []byte("resource \"x_y\" \"z\" {\n  a = 1\n  c = var.b\n}\nvariable \"b\" {}\n"),
		"override.tf": []byte(text),
	}, engine.Default(), protocol.UTF16)
	for _, needle := range []string{"= ", "var.b", "b #", "# a", "}"} {
		at := v.Text("override.tf").Position(strings.Index(text, needle), protocol.UTF16)
		for what, links := range map[string][]protocol.LocationLink{
			"definition":     Definition(v, "override.tf", at),
			"implementation": Implementation(v, "override.tf", at),
		} {
			if len(links) > 0 {
				t.Errorf("%s of %q: %+v", what, needle, links)
			}
		}
	}
	if links := Definition(v, "main.tf", protocol.Position{Line: 2, Character: 2}); len(links) > 0 {
		t.Errorf("a name that no override touches leads to %+v", links)
	}
	if links := Definition(v, "override.tf", protocol.Position{Line: 1, Character: 3}); len(links) != 1 ||
		links[0].TargetRange.End.Character != 7 || links[0].TargetSelectionRange.End.Character != 3 ||
		links[0].OriginSelectionRange.Start.Character != 2 {
		t.Errorf("the definition behind a name is %+v", links)
	}
}

package feature

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// With Redact, nothing that is shown beside the text has a value of the text, in any module of
// the archives.
func TestRedact(t *testing.T) {
	found := 0
	forArchives(t, func(path string, files map[string][]byte) {
		v := viewOf(t, files, engine.Default(), protocol.UTF16)
		open := strings.Join(shownBeside(v), "\n")
		v = viewOf(t, files, engine.Default(), protocol.UTF16)
		v.Redact = true
		redacted := shownBeside(v)
		for _, value := range valuesOf(v) {
			if strings.Contains(open, value) {
				found++
			}
			for _, shown := range redacted {
				if strings.Contains(shown, value) {
					t.Errorf("%s: %s is shown:\n%s", path, value, shown)
				}
			}
		}
	})
	if found < 100 {
		t.Errorf("only %d values are shown without Redact", found)
	}
}

// valuesOf returns the quoted values of a module that aren't also labels, because the output names
// labels.
func valuesOf(v *view.View) []string {
	var values, labels []string
	everyItem(v, func(it source.Item) {
		a, ok := it.(*source.Attr)
		if b, isBlock := it.(*source.Block); isBlock {
			for _, label := range b.Labels {
				labels = append(labels, `"`+label+`"`)
			}
		}
		if !ok || a.Name == "alias" {
			return
		}
		text := string(a.Display())
		inner := strings.Trim(text, `"`)
		if len(text) == len(inner)+2 && len(inner) > 2 && !strings.ContainsAny(inner, "\"\\$%\n") {
			values = append(values, text)
		}
	})
	slices.Sort(values)
	values = slices.DeleteFunc(values, func(value string) bool { return slices.Contains(labels, value) })
	return slices.Compact(values)
}

// shownBeside returns everything that is shown of a module, except the effective configuration
// without its annotations: effective values are shown there on purpose.
func shownBeside(v *view.View) []string {
	var shown []string
	say := func(x any) {
		text, _ := json.Marshal(x)
		shown = append(shown, strings.NewReplacer(`\"`, `"`, `\\\"`, `"`).Replace(string(text)))
	}
	c := &Client{Snippets: true, Commands: []string{ShowOverrides}}
	for _, list := range Diagnostics(v) {
		say(list)
	}
	for _, f := range v.Merged.Source.Files {
		whole := protocol.Range{End: protocol.Position{Line: 1 << 31}}
		say(InlayHints(v, f.Name, whole))
		say(CodeLenses(v, c, f.Name))
		for _, a := range CodeActions(v, c, f.Name, protocol.CodeActionParams{TextDocumentRangeParams: protocol.TextDocumentRangeParams{Range: whole}}) {
			say(a.Title)
		}
		text := v.Text(f.Name)
		last := protocol.Position{Line: 1 << 31}
		for at := 0; at <= len(f.Raw); at += 3 {
			p := text.Position(at, v.Encoding)
			if p == last {
				continue
			}
			last = p
			if h := Hover(v, f.Name, p, protocol.PlainText); h != nil {
				say(h.Contents.Value)
			}
			if list := Completion(v, c, f.Name, p); list != nil {
				say(list)
			}
		}
	}
	if text, diags := rendered(v, effectiveOptions{annotate: true}); !diags.HasErrors() {
		for line := range strings.Lines(string(text)) {
			if comment := strings.TrimSpace(line); strings.HasPrefix(comment, "# ") && strings.Contains(comment, "override") {
				shown = append(shown, fmt.Sprintf("annotated: %s", comment))
			}
		}
	}
	return shown
}

package feature

import (
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Code actions, completion and texts shown in a file: the other half of TestEverywhere.

// editEverywhere requests everything that is shown in a file, and all its code actions.
func editEverywhere(t tester, v *view.View, name string) {
	t.Helper()
	uri, text := v.URI(name), v.Text(name)
	whole := text.Range(0, len(text.Bytes()), v.Encoding)
	for _, h := range InlayHints(v, name, whole) {
		inside(t, v, uri, protocol.Range{Start: h.Position, End: h.Position})
		for _, p := range h.Label {
			if p.Location != nil {
				inside(t, v, p.Location.URI, p.Location.Range)
			}
			if strings.ContainsAny(p.Value, "\r\n") {
				t.Fatalf("%s: the hint %q has several lines", name, p.Value)
			}
		}
	}
	for _, l := range CodeLenses(v, fullClient, name) {
		inside(t, v, uri, l.Range)
		if strings.ContainsAny(l.Command.Title, "\r\n") {
			t.Fatalf("%s: the lens %q has several lines", name, l.Command.Title)
		}
	}
	for _, a := range CodeActions(v, fullClient, name, everything(v, name)) {
		if a.Edit == nil {
			continue
		}
		for _, d := range a.Edit.DocumentChanges {
			for _, e := range d.Edits {
				inside(t, v, d.TextDocument.URI, e.Range)
			}
		}
	}
	Effective(v, nil, name, protocol.EffectiveParams{Position: &whole.End})
}

// completeAt requests completion at a position. Only native override files have any.
func completeAt(t tester, v *view.View, name string, p protocol.Position) {
	t.Helper()
	list := Completion(v, fullClient, name, p)
	f := v.Merged.Source.File(name)
	if list == nil {
		return
	}
	if f.Role != source.Override || f.Syntax != source.Native {
		t.Fatalf("%s:%d: completion outside a native override file", name, p.Line+1)
	}
	for _, item := range list.Items {
		inside(t, v, v.URI(name), item.TextEdit.Range)
		if item.TextEdit.Range.Start.Line != item.TextEdit.Range.End.Line {
			t.Fatalf("%s:%d: %s replaces several lines", name, p.Line+1, item.Label)
		}
	}
}

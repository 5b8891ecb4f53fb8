package feature

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/fix"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A trustingFixer makes fixes without a proof.
type trustingFixer struct{ view *view.View }

func (x trustingFixer) contents(list []*fix.Fix) map[string][]byte {
	all := map[string][]byte{}
	for name, edits := range fix.New(x.view.Merged, x.view.Findings).Edits(list) {
		given := x.view.Text(name).Bytes()
		all[name] = textedit.Apply(given, 0, len(given), edits)
	}
	return all
}

func (x trustingFixer) Fix(_ context.Context, _ view.Request, of FindingAt) (map[string][]byte, string, error) {
	i := slices.IndexFunc(x.view.Findings, of.Is)
	made, why := fix.New(x.view.Merged, x.view.Findings).Of(x.view.Findings[i])
	if made == nil {
		return nil, why, nil
	}
	return x.contents([]*fix.Fix{made}), "", nil
}

func (x trustingFixer) FixAll(_ context.Context, _ view.Request, name string) (map[string][]byte, error) {
	var list []*fix.Fix
	for _, f := range x.view.Findings {
		if made, _ := fix.New(x.view.Merged, x.view.Findings).Of(f); made != nil && f.Range.Filename == name && IsFixedAtOnce(f) {
			list = append(list, made)
		}
	}
	return x.contents(list), nil
}

// applied returns the new texts of the files that an edit changes, by name.
func applied(t testing.TB, v *view.View, edit *protocol.WorkspaceEdit) map[string][]byte {
	t.Helper()
	changed := map[string][]byte{}
	for _, f := range v.Merged.Source.Files {
		edits := edit.Changes[v.URI(f.Name)]
		for _, d := range edit.DocumentChanges {
			if d.TextDocument.URI == v.URI(f.Name) {
				edits = append(edits, d.Edits...)
			}
		}
		if len(edits) == 0 {
			continue
		}
		changed[f.Name] = appliedTo(t, v.Text(f.Name), edits, v.Encoding)
	}
	return changed
}

// appliedTo applies edits as a client does: all are about the same text.
func appliedTo(t testing.TB, text *view.Text, edits []protocol.TextEdit, enc protocol.PositionEncodingKind) []byte {
	t.Helper()
	var changes []protocol.TextDocumentContentChangeEvent
	for i, e := range slices.Backward(edits) {
		if i > 0 && isBefore(e.Range.Start, edits[i-1].Range.End) {
			t.Errorf("edits overlap or are not in order: %v", edits)
		}
		changes = append(changes, protocol.TextDocumentContentChangeEvent{Range: &e.Range, Text: e.NewText})
	}
	after, err := text.Apply(changes, enc, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return after.Bytes()
}

var fullClient = &Client{
	Commands: []string{ShowOverrides, ShowEffective}, Snippets: true, DocumentChanges: true, LazyEdits: true, DisabledActions: true,
	Version: func(protocol.DocumentURI) *int32 { return nil },
}

// everything requests the actions for a whole file.
func everything(v *view.View, name string, only ...protocol.CodeActionKind) protocol.CodeActionParams {
	p := protocol.CodeActionParams{Context: protocol.CodeActionContext{Only: only}}
	p.Range = v.Text(name).Range(0, len(v.Text(name).Bytes()), v.Encoding)
	return p
}

// All actions of each file are listed, and their edits are shown as patches.
func TestCodeActions(t *testing.T) {
	loadtest.Run(t, "testdata/actions", func(t *testing.T, c *loadtest.Case) map[string]string {
		v := caseView(t, c)
		var out strings.Builder
		for _, f := range v.Merged.Source.Files {
			list, err := Resolved(t.Context(), v, fullClient, trustingFixer{v}, CodeActions(v, fullClient, f.Name, everything(v, f.Name)))
			if err != nil {
				t.Fatal(err)
			}
			for _, action := range list {
				fmt.Fprintf(&out, "==> %s: %s [%s]", f.Name, action.Title, action.Kind)
				if action.IsPreferred {
					out.WriteString(" preferred")
				}
				out.WriteString("\n")
				switch {
				case action.Disabled != nil:
					out.WriteString(action.Disabled.Reason + "\n")
				case action.Command != nil:
					fmt.Fprintf(&out, "%s %s\n", action.Command.Command, action.Command.Arguments)
				default:
					changed := applied(t, v, action.Edit)
					for _, name := range slices.Sorted(maps.Keys(changed)) {
						writePatch(&out, v.Text(name).Bytes(), changed[name])
					}
				}
			}
		}
		return map[string]string{"actions": out.String()}
	})
}

// writePatch writes the changes of an edit to a file.
func writePatch(out *strings.Builder, before, after []byte) {
	var text strings.Builder
	_ = patch.Writer{Context: 1, Palette: screen.NewPalette(false)}.Write(&text, []*patch.File{patch.Compare([2]string{"a", "b"}, before, after)})
	lines := strings.SplitAfterN(text.String(), "\n", 3)
	out.WriteString(strings.ReplaceAll(lines[len(lines)-1], "\r", "␍"))
}

const ignorable = `resource "a_b" "x" {
  v = 1
}
`

// The comment of an Ignore action switches off the finding and changes nothing else.
func TestIgnore(t *testing.T) {
	for _, override := range []string{
		"resource \"a_b\" \"x\" {\n  v = 1\n}\n",
		"\ufeffresource \"a_b\" \"x\" {\r\n\tv = 1\r\n}\r\n",
		"resource \"a_b\" \"x\" { v = 1 }",
		"/* one */ resource \"a_b\" \"x\" { v = 1 }\n",
		"resource \"a_b\" \"x\" {\n  /* two */ v = 1\n}\n",
		"resource \"a_b\" \"x\" {\n  # tofumerge:ignore no-effect reason\n  # more\n  v = 1\n}\n",
		"resource \"a_b\" \"x\" {\n  // tofumerge:ignore no-effect,superseded-override\n  v = 1\n}\n",
		"resource \"a_b\" \"x\" {\n  /*\n   tofumerge:ignore no-effect\n   */\n  v = 1\n}\n",
		"resource \"a_b\" \"x\" {\n  # tofumerge:ignore no-effect, really\n  v = 1 # 😀\n}\n",
		"locals {}\n\n\n# lead\n\n# overridden: x_override.tf (v)\nresource \"a_b\" \"x\" {\n\n\n  v = 1\n}\n",
	} {
		files := map[string][]byte{"main.tf": []byte(ignorable), "x_override.tf": []byte(override)}
		v := viewOf(t, files, engine.Default(), protocol.UTF16)
		if len(v.Findings) != 1 || v.Findings[0].Rule.ID != "equivalent-override" {
			t.Fatalf("%q: %v", override, v.Findings)
		}
		list := CodeActions(v, fullClient, "x_override.tf", everything(v, "x_override.tf", quickFix))
		i := slices.IndexFunc(list, func(a protocol.CodeAction) bool { return strings.HasPrefix(a.Title, "Ignore") })
		if i < 0 {
			t.Fatalf("%q: %v", override, list)
		}
		files["x_override.tf"] = applied(t, v, list[i].Edit)["x_override.tf"]
		after := viewOf(t, files, engine.Default(), protocol.UTF16)
		if len(after.Findings) > 0 || !fix.Same(v.Merged, after.Merged) {
			t.Errorf("%q became %q: %v", override, files["x_override.tf"], after.Findings)
		}
	}
}

// Only the kinds that a client asks for are listed. An automatic request gets no actions for
// the whole file.
func TestCodeActionKinds(t *testing.T) {
	files := map[string][]byte{
		"main.tf":       []byte("resource \"a_b\" \"x\" {\n  v = 1\n  w = 1\n}\n"),
		"x_override.tf": []byte("resource \"a_b\" \"x\" {\n  v = 1\n  lifecycle {\n    enabled = false\n  }\n}\n"),
	}
	v := viewOf(t, files, engine.Default(), protocol.UTF16)
	kinds := func(name string, p protocol.CodeActionParams) []string {
		var list []string
		for _, a := range CodeActions(v, fullClient, name, p) {
			list = append(list, string(a.Kind))
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	whole := func(only ...protocol.CodeActionKind) protocol.CodeActionParams {
		return everything(v, "x_override.tf", only...)
	}
	automatic := whole()
	automatic.Context.TriggerKind = protocol.ActionsAutomatic
	elsewhere := whole()
	elsewhere.Range.Start = elsewhere.Range.End
	for _, test := range []struct {
		name   string
		params protocol.CodeActionParams
		want   []string
	}{
		{"x_override.tf", whole(), []string{"quickfix", "source.fixAll.tofumerge", "source.tofumerge.effective"}},
		{"x_override.tf", whole("source.fixAll"), []string{"source.fixAll.tofumerge"}},
		{"x_override.tf", whole("source"), []string{"source.fixAll.tofumerge", "source.tofumerge.effective"}},
		{"x_override.tf", whole("quickfix"), []string{"quickfix"}},
		{"x_override.tf", whole("quick"), nil},
		{"x_override.tf", whole("refactor"), nil},
		{"x_override.tf", automatic, []string{"quickfix"}},
		{"x_override.tf", elsewhere, []string{"source.fixAll.tofumerge", "source.tofumerge.effective"}},
		{"none.tf", whole(), nil},
	} {
		if diff := cmp.Diff(test.want, kinds(test.name, test.params)); diff != "" {
			t.Errorf("%s %v: %s", test.name, test.params.Context, diff)
		}
	}
}

// An action whose finding is gone comes back disabled and without an edit, and so does one
// whose proof fails.
func TestResolveDisabled(t *testing.T) {
	files := map[string][]byte{"main.tf": []byte(ignorable), "x_override.tf": []byte(ignorable)}
	v := viewOf(t, files, engine.Default(), protocol.UTF16)
	list := CodeActions(v, fullClient, "x_override.tf", everything(v, "x_override.tf", quickFix))
	moved := viewOf(t, map[string][]byte{"main.tf": []byte(ignorable)}, engine.Default(), protocol.UTF16)
	for _, test := range []struct {
		view *view.View
		x    Fixer
		want string
	}{{moved, nil, whyChanged}, {v, refusing{}, "no"}} {
		got, err := Resolve(t.Context(), test.view, fullClient, test.x, list[0])
		if err != nil || got.Edit != nil || got.Disabled == nil || got.Disabled.Reason != test.want {
			t.Errorf("%+v, %v; want %q", got, err, test.want)
		}
	}
}

type refusing struct{}

func (refusing) Fix(context.Context, view.Request, FindingAt) (map[string][]byte, string, error) {
	return nil, "no", nil
}

func (refusing) FixAll(context.Context, view.Request, string) (map[string][]byte, error) {
	return nil, nil
}

// Actions are for the diagnostics that the client sends along, wherever the cursor is.
func TestCodeActionDiagnostics(t *testing.T) {
	files := map[string][]byte{"main.tf": []byte(ignorable), "x_override.tf": []byte(ignorable)}
	v := viewOf(t, files, engine.Default(), protocol.UTF16)
	f := v.Findings[0]
	at := protocol.Range{Start: v.Range(f.Range).Start, End: protocol.Position{Line: 9}}
	p := protocol.CodeActionParams{Context: protocol.CodeActionContext{
		Diagnostics: []protocol.Diagnostic{{Code: f.Rule.ID, Range: at}, {Code: "other", Range: at}},
	}}
	p.Range = protocol.Range{Start: at.End, End: at.End}
	list := CodeActions(v, fullClient, "x_override.tf", p)
	if len(list) == 0 || len(list[0].Diagnostics) != 1 || list[0].Diagnostics[0].Code != f.Rule.ID {
		t.Errorf("%+v", list)
	}
}

// A quick fix writes a missing comment and corrects a stale one.
func TestUnmarkedOverride(t *testing.T) {
	for _, main := range []string{ignorable, "# overridden: gone_override.tf (v)\n" + ignorable} {
		files := map[string][]byte{"main.tf": []byte(main), "x_override.tf": []byte("resource \"a_b\" \"x\" {\n  v = 2\n}\n")}
		all := func(files map[string][]byte) *view.View {
			v := viewOf(t, files, engine.Default(), protocol.UTF16)
			v.Findings = check.Findings(v.Merged, v.Diags, func(string) bool { return true })
			v.Findings = slices.DeleteFunc(v.Findings, func(f check.Finding) bool { return f.Rule.ID != "unmarked-override" })
			return v
		}
		v := all(files)
		list, err := Resolved(t.Context(), v, fullClient, trustingFixer{v}, CodeActions(v, fullClient, "main.tf", everything(v, "main.tf", quickFix)))
		if err != nil || len(list) == 0 || list[0].Edit == nil || !list[0].IsPreferred || list[0].Title != "Update the comment above a_b.x" {
			t.Fatalf("%q: %v, %+v", main, err, list)
		}
		files["main.tf"] = applied(t, v, list[0].Edit)["main.tf"]
		if want := "# overridden: x_override.tf (v)\n" + ignorable; string(files["main.tf"]) != want {
			t.Errorf("%q became %q", main, files["main.tf"])
		}
		if left := all(files).Findings; len(left) > 0 {
			t.Errorf("%q: %v", main, left)
		}
	}
}

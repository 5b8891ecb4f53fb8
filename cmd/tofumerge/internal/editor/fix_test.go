package editor_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/editor"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/fix"
)

func newTestAnalyst(t testing.TB) *editor.Analyst {
	t.Helper()
	n, err := editor.New(&workspace.Workspace{
		Console:     terminal.Silent(strings.NewReader(""), func(string) string { return "" }),
		MaxFileSize: 1 << 30,
	}, policy.Settings{}, "", false)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// editorView is the view of a module in memory.
func editorView(t testing.TB, n *editor.Analyst, dir string, files map[string][]byte) (*view.View, *gate.Inspection) {
	t.Helper()
	c, err := n.Gate(view.Request{Open: files})
	if err != nil {
		t.Fatal(err)
	}
	in, err := c.Inspect(&workspace.Subject{Dir: dir}, files)
	if err != nil || in.Module == nil {
		t.Fatal(in, err)
	}
	return &view.View{Dir: dir, Encoding: protocol.UTF16, Merged: in.Module, Diags: in.Diags, Findings: in.Found}, in
}

// Actions other than Repeat don't change the meaning of the module, and each Ignore action removes
// a finding.
func TestEditorFixesMeanTheSame(t *testing.T) {
	x, dir := newTestAnalyst(t), t.TempDir()
	done := 0
	for seed := range uint64(40) {
		files := map[string][]byte{}
		for name, text := range loadtest.NewGenerator(seed).Module() {
			files[name] = []byte(text)
		}
		v, in := editorView(t, x, dir, files)
		if v.Diags.HasErrors() {
			continue // a refused module has no meaning to compare
		}
		client := &feature.Client{DocumentChanges: seed%2 == 0}
		for name := range files {
			p := protocol.CodeActionParams{}
			p.Range.End.Line = 1 << 20
			list := feature.CodeActions(v, client, name, p)
			for _, action := range list {
				isRepeat := strings.HasPrefix(action.Title, "Repeat")
				action, err := feature.Resolve(t.Context(), v, client, x, action)
				if err != nil {
					t.Fatal(err)
				}
				if action.Edit == nil {
					continue
				}
				done++
				after := maps.Clone(files)
				maps.Copy(after, edited(t, v, action.Edit))
				if strings.HasPrefix(action.Title, "Ignore") {
					if _, now := editorView(t, x, dir, after); len(now.Found) >= len(in.Found) {
						t.Errorf("%s: %d findings became %d\n%s", action.Title, len(in.Found), len(now.Found), after[name])
					}
				}
				if !isRepeat {
					checkSame(t, in, dir, after, action.Title)
				}
			}
		}
	}
	if done < 40 {
		t.Errorf("only %d actions", done)
	}
}

// checkSame checks that a module means the same with other contents.
func checkSame(t *testing.T, in *gate.Inspection, dir string, after map[string][]byte, title string) {
	t.Helper()
	opts := in.Options
	opts.Contents = after
	src, diags, err := load.Dir(dir, opts)
	if err != nil || diags.HasErrors() {
		t.Fatalf("%s: %v %v", title, err, diags)
	}
	mod, more := merge.Files(src, merge.Options{})
	if more.HasErrors() || !fix.Same(in.Module, mod) {
		t.Errorf("%s: the module is another one\n%s", title, after)
	}
}

// edited returns the files that an edit changes.
func edited(t *testing.T, v *view.View, edit *protocol.WorkspaceEdit) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	apply := func(uri protocol.DocumentURI, edits []protocol.TextEdit) {
		for _, f := range v.Merged.Source.Files {
			if v.URI(f.Name) != uri {
				continue
			}
			var changes []protocol.TextDocumentContentChangeEvent
			for _, e := range slices.Backward(edits) {
				changes = append(changes, protocol.TextDocumentContentChangeEvent{Range: &e.Range, Text: e.NewText})
			}
			text, err := view.NewText(f.Raw).Apply(changes, v.Encoding, 1<<30)
			if err != nil {
				t.Fatal(err)
			}
			files[f.Name] = text.Bytes()
		}
	}
	for uri, edits := range edit.Changes {
		apply(uri, edits)
	}
	for _, d := range edit.DocumentChanges {
		apply(d.TextDocument.URI, d.Edits)
	}
	return files
}

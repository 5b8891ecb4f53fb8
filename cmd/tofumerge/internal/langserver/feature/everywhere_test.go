package feature

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/wording"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

var encodings = []protocol.PositionEncodingKind{protocol.UTF16, protocol.UTF8, protocol.UTF32}

// Wherever a client asks in a file, all ranges in the answers are inside a document, also in
// modules with errors.
func TestEverywhere(t *testing.T) {
	i := 0
	forArchives(t, func(_ string, files map[string][]byte) {
		answerEverywhere(t, viewOf(t, files, engine.Default(), encodings[i%len(encodings)]), 3)
		for name := range files {
			files[name] = []byte(strings.ReplaceAll("\ufeff"+string(files[name]), "\n", "\r\n"))
		}
		answerEverywhere(t, viewOf(t, files, engine.Default(), encodings[(i+1)%len(encodings)]), 7)
		i++
	})
}

// forArchives calls do with the module of each archive in testdata.
func forArchives(t *testing.T, do func(path string, files map[string][]byte)) {
	var paths []string
	for _, pattern := range []string{"testdata/rules/*.txtar", "testdata/documentation/*.txtar", "internal/*/*/testdata/*.txtar"} {
		found, err := filepath.Glob(filepath.Join("../../../../..", pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("no archives for %s (%v)", pattern, err)
		}
		paths = append(paths, found...)
	}
	own, _ := filepath.Glob("testdata/*/*.txtar")
	for _, path := range append(paths, own...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{}
		for _, f := range txtar.Parse(text).Files {
			if isModuleFile(f.Name) {
				files[f.Name] = f.Data
			}
		}
		if len(files) > 0 {
			do(path, files)
		}
	}
}

func isModuleFile(name string) bool {
	return !strings.ContainsRune(name, '/') && !strings.HasPrefix(name, "want.") &&
		slices.ContainsFunc([]string{".tf", ".tofu", ".tf.json", ".tofu.json"}, func(ending string) bool {
			return strings.HasSuffix(name, ending)
		})
}

// The same holds for generated modules, and for files that end in the middle of something.
func TestEverywhereOnMadeModules(t *testing.T) {
	mergetest.ForModules(t, func(rt *rapid.T, texts map[string]string, e engine.Release) {
		if rapid.Bool().Draw(rt, "mixed") {
			texts = loadtest.Mixed(t, loadtest.NewGenerator(rapid.Uint64().Draw(rt, "twins")), texts)
		}
		names := slices.Sorted(maps.Keys(texts))
		files := map[string][]byte{}
		for _, name := range names {
			files[name] = []byte(texts[name])
		}
		if rapid.IntRange(0, 3).Draw(rt, "cut") == 0 {
			name := rapid.SampledFrom(names).Draw(rt, "name")
			files[name] = files[name][:rapid.IntRange(0, len(files[name])).Draw(rt, "length")]
		}
		v := viewOf(t, files, e, rapid.SampledFrom(encodings).Draw(rt, "encoding"))
		answerEverywhere(rt, v, 5)
		if !v.Diags.HasErrors() {
			everyItem(v, func(it source.Item) { answersOnOverride(rt, v, it) })
		}
	})
}

// answersOnOverride fails if there is no hover on an override, or no link to the overridden item.
func answersOnOverride(t tester, v *view.View, it source.Item) {
	t.Helper()
	if !source.IsOverride(it) || it.Called() == source.EscapeBlock {
		return
	}
	name, at := it.Source().Name, v.Range(source.Where(it)).Start
	if Hover(v, name, at, protocol.Markdown) == nil {
		t.Fatalf("%s: no hover on an override", wording.Place(it))
	}
	entry := indexOf(v).effect(it)
	if entry == nil {
		return
	}
	switch entry.Verb {
	case effect.Overrides, effect.Replaces, effect.Repeats:
		if len(Definition(v, name, at)) == 0 {
			t.Fatalf("%s: no definition of what the override %s", wording.Place(it), entry.Verb.Words())
		}
	}
}

// A tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// answerEverywhere sends every kind of request at every character of every file, or at some.
func answerEverywhere(t tester, v *view.View, every int) {
	t.Helper()
	found := Diagnostics(v)
	for _, f := range v.Merged.Source.Files {
		for _, d := range found[f.Name] {
			inside(t, v, v.URI(f.Name), d.Range)
			for _, r := range d.RelatedInformation {
				inside(t, v, r.Location.URI, r.Location.Range)
			}
		}
		editEverywhere(t, v, f.Name)
		text := v.Text(f.Name)
		last := protocol.Position{Line: 1 << 31, Character: 1 << 31}
		answerAt(t, v, f.Name, last)
		for at := 0; at <= len(f.Raw); at += every {
			if p := text.Position(at, v.Encoding); p != last {
				answerAt(t, v, f.Name, p)
				last = p
			}
		}
	}
}

func answerAt(t tester, v *view.View, name string, p protocol.Position) {
	t.Helper()
	if h := Hover(v, name, p, protocol.Markdown); h != nil {
		inside(t, v, v.URI(name), *h.Range)
		if len(h.Contents.Value) > 20_000 {
			t.Fatalf("%s:%d: the hover has %d bytes", name, p.Line+1, len(h.Contents.Value))
		}
	}
	for _, links := range [][]protocol.LocationLink{Definition(v, name, p), Implementation(v, name, p)} {
		for _, l := range links {
			inside(t, v, l.TargetURI, l.TargetRange)
			inside(t, v, l.TargetURI, l.TargetSelectionRange)
			inside(t, v, v.URI(name), *l.OriginSelectionRange)
			if before(l.TargetSelectionRange.Start, l.TargetRange.Start) || before(l.TargetRange.End, l.TargetSelectionRange.End) {
				t.Fatalf("%s:%d: the selection is outside the target: %+v", name, p.Line+1, l)
			}
		}
	}
	for _, l := range References(v, name, p, true) {
		inside(t, v, l.URI, l.Range)
	}
	completeAt(t, v, name, p)
}

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// inside fails if a document doesn't have a range.
func inside(t tester, v *view.View, uri protocol.DocumentURI, r protocol.Range) {
	t.Helper()
	for _, f := range v.Merged.Source.Files {
		if v.URI(f.Name) != uri {
			continue
		}
		text := v.Text(f.Name)
		for _, p := range []protocol.Position{r.Start, r.End} {
			if back := text.Position(text.Offset(p, v.Encoding), v.Encoding); back != p {
				t.Fatalf("%s: %+v is not a position; the nearest is %+v", f.Name, p, back)
			}
		}
		if before(r.End, r.Start) {
			t.Fatalf("%s: %+v ends before it starts", f.Name, r)
		}
		return
	}
	t.Fatalf("%s is not a file of the module", uri)
}

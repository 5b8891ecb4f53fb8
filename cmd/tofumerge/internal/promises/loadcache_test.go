package promises_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render"
)

// allOf is everything loaded, merged, found and printed for files.
func allOf(t *testing.T, files map[string][]byte, opts load.Options) string {
	var out bytes.Buffer
	opts.Contents, opts.Absent = files, func(string) bool { return true }
	src, diags, err := load.Dir(".", opts)
	if err != nil {
		return err.Error()
	}
	m, more := merge.Files(src, merge.Options{})
	diags = slices.Concat(diags, more)
	out.WriteString(loadtest.Messages(diags))
	for _, f := range check.Findings(m, diags, func(string) bool { return true }) {
		fmt.Fprintf(&out, "%s %s %s %s\n", f.Range, f.Rule.ID, f.Address, f.Message)
	}
	text, printed := render.Native(m, render.Options{})
	out.WriteString(loadtest.Messages(printed))
	if text != nil {
		if err := text.Write(&out); err != nil {
			t.Error(err)
		}
	}
	return out.String()
}

// nudged is a text after a small edit.
func nudged(r *rand.Rand, text string, others []string) string {
	lines := strings.SplitAfter(text, "\n")
	i := r.IntN(len(lines))
	switch r.IntN(6) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
	case 1:
		lines = slices.Insert(lines, i, lines[r.IntN(len(lines))])
	case 2:
		theirs := strings.SplitAfter(others[r.IntN(len(others))], "\n")
		lines = slices.Insert(lines, i, theirs[r.IntN(len(theirs))])
	case 3:
		at := r.IntN(len(text) + 1)
		return text[:at] + string(`a"{}#=. é`[r.IntN(9)]) + text[at:]
	case 4:
		return strings.Replace(text, fmt.Sprint("n", r.IntN(3), "_", r.IntN(5)), fmt.Sprint("n", r.IntN(3), "_", r.IntN(5)), 1)
	case 5:
		lines[i] = strings.Replace(lines[i], `"`, "", 1)
	}
	return strings.Join(lines, "")
}

// TestLoadCache: the contents of a cache make no difference, whichever file changes and whether the
// earlier module is read meanwhile.
func TestLoadCache(t *testing.T) {
	var reading sync.WaitGroup
	defer reading.Wait()
	for seed := range uint64(12) {
		g := loadtest.NewGenerator(seed)
		texts := g.Module()
		if seed%2 == 1 {
			texts = loadtest.Mixed(t, g, texts)
		}
		files := map[string][]byte{}
		for name, text := range texts {
			files[name] = []byte(text)
		}
		cache := load.NewCache()
		for round := range 40 {
			with := load.Options{Engine: g.Engine, Cache: cache}
			got, want := allOf(t, files, with), allOf(t, files, load.Options{Engine: g.Engine})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, round %d (-without a cache +with):\n%s", seed, round, diff)
			}
			if round%8 == 0 {
				past := maps.Clone(files)
				reading.Go(func() { allOf(t, past, with) })
			}
			names := slices.Sorted(maps.Keys(files))
			files = maps.Clone(files)
			name := names[g.IntN(len(names))]
			files[name] = []byte(nudged(g.Rand, string(files[name]), loadtest.InOrder(texts)))
			switch {
			case g.IntN(15) == 0 && len(files) > 1:
				delete(files, name)
			case g.IntN(15) == 0:
				files[name] = []byte(texts[name])
			}
		}
	}
}

// BenchmarkLoadCached is a load after one file of many has changed.
func BenchmarkLoadCached(b *testing.B) {
	onScales(b, func(b *testing.B, dir string) {
		paths, _ := filepath.Glob(filepath.Join(dir, "*.tf"))
		text, err := os.ReadFile(paths[0])
		if err != nil {
			b.Fatal(err)
		}
		opts := load.Options{Cache: load.NewCache(), Read: input.NewCache(1 << 30).Read}
		name := filepath.Base(paths[0])
		for n := 0; b.Loop(); n++ {
			opts.Contents = map[string][]byte{name: fmt.Appendf(text[:len(text):len(text)], "# %d\n", n)}
			if _, diags, err := load.Dir(dir, opts); err != nil || diags.HasErrors() {
				b.Fatal(err, diags)
			}
		}
	})
}

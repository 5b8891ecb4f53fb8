package extract_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

var editRuns = flag.Int("edits", 1, "edit each module of testdata this many `times`")

// TestModules edits the modules of testdata at random. The engine must accept the result of each
// edit, which must mean EDITED apart from the remaining differences. With -v it reports how much
// could be expressed.
func TestModules(t *testing.T) {
	count := tally{}
	for i, m := range loadtest.Modules(t, "../../../testdata") {
		for n := range *editRuns {
			for j, name := range releases {
				if *editRuns == 1 && (i+j)%len(releases) != 0 {
					continue // once in all
				}
				e := edit{engine: releaseOf(t, name), base: m.Files}
				ed := &editor{Rand: rand.New(rand.NewPCG(uint64(i), uint64(n*4+j))), Files: m.Files, Engine: e.engine}
				ed.Edit(1)
				e.edited = ed.Files
				count.add(t, e, m.Name, ed.Kinds)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%6d %s", count[key], key)
	}
}

// A tally totals edits.
type tally map[string]int

func (c tally) add(t *testing.T, e edit, name string, kinds []string) {
	t.Helper()
	r, err := find(e.base, e.edited, e.engine, extract.Options{})
	var refused *extract.RefusedError
	var diags hcl.Diagnostics
	var none *load.NoFilesError
	switch {
	case len(kinds) == 0 || errors.As(err, &diags) || errors.As(err, &none) || errors.As(err, &refused) && refused.Of == extract.Edited:
		return
	case errors.As(err, &refused) && (isTwice(refused) || isRefused(e.earlier(), e)):
		return
	case err != nil:
		t.Errorf("%s, %s: %s", name, e.engine, err)
		return
	}
	got, want := mergedAgain(t, e, e.with(r)), mergedAgain(t, e, e.edited)
	left := map[string]bool{}
	for _, l := range r.Left {
		left[l.Address.Kind().String()] = true
		c["left: "+strings.Join(strings.Fields(l.Why()), " ")]++
	}
	meaning := func(m *merge.Module) []string {
		return slices.DeleteFunc(compare.Meaning(m, nil), func(line string) bool {
			own, _, _ := strings.Cut(line, "\n")
			for around := range left {
				if own == around || strings.HasPrefix(own, around+".") {
					return true
				}
			}
			return false
		})
	}
	if a, b := meaning(got), meaning(want); !slices.Equal(a, b) && len(r.Idle) == 0 {
		t.Errorf("%s, %s:\n%s\nis not\n%s\nleft:\n%s\n%s", name, e.engine, except(a, b), except(b, a), leftOf(r), r.Texts)
	}
	word := "nothing to express"
	switch {
	case len(r.Left) > 0:
		word = "left"
	case len(r.Texts) > 0:
		word = "expressed"
	}
	c[fmt.Sprintf("%s, %s: %s", e.engine.Title(), strings.Join(kinds, " "), word)]++
	c[fmt.Sprintf("%s: %s", e.engine, word)]++
}

func except(a, b []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(a), func(line string) bool { return slices.Contains(b, line) }), "\n")
}

func mergedAgain(t *testing.T, e edit, files map[string]string) *merge.Module {
	t.Helper()
	src, diags, err := load.Dir(".", mergetest.InMemory(files, e.engine))
	if err != nil {
		t.Fatal(err)
	}
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Errorf("refused: %s", diags)
	}
	return m
}

func isRefused(files map[string]string, e edit) bool {
	src, diags, err := load.Dir(".", mergetest.InMemory(files, e.engine))
	if err != nil || diags.HasErrors() {
		return true
	}
	_, diags = merge.Files(src, merge.Options{})
	return diags.HasErrors()
}

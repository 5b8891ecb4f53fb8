package extract_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
)

// TestTakeBack has a case for each kind of lines that are taken back, or stay: the files that come of
// it, and why lines stay.
func TestTakeBack(t *testing.T) {
	loadtest.Run(t, "testdata/takeback", func(t *testing.T, c *loadtest.Case) map[string]string {
		base, edited := sides(c.Files)
		r, err := find(base, edited, c.Engine, extract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		var stay strings.Builder
		for _, f := range r.TakeBack() {
			if string(f.Text) != edited[f.Name] {
				got[f.Name] = string(f.Text)
			}
			for _, h := range f.Hunks {
				if !h.IsBack {
					fmt.Fprintf(&stay, "%s:%d-%d: %s %s\n", f.Name, h.From+1, h.To, []string{"", "layout", "idle", "holds", "beside"}[h.Why], h.Address)
				}
			}
		}
		got["stay"] = stay.String()
		for name, text := range r.Texts {
			got[name] = string(text)
		}
		return got
	})
}

// TestNothingLost takes back random edits: with the override the files must keep their meaning, and
// each comment must be in one of them.
func TestNothingLost(t *testing.T) {
	forEdits(t, func(t *rapid.T, e edit) {
		o := extract.Options{Name: rapid.SampledFrom([]string{"z_override.tf", "z_override.tf.json"}).Draw(t, "name")}
		e.checkLoss(t, e.found(t, o))
	})
}

// TestNothingLostInto does so for overrides that are added to a file of the module.
func TestNothingLostInto(t *testing.T) {
	forEdits(t, func(t *rapid.T, e edit) {
		name := e.someOverride(t)
		e.checkLoss(t, e.found(t, extract.Options{Name: name, Write: e.writeInto(t, name)}))
	})
}

// checkLoss fails if the written files mean something else than EDITED, or lack one of its
// comments.
func (e edit) checkLoss(t *rapid.T, r *extract.Result) {
	t.Helper()
	files := maps.Clone(e.edited)
	restored := r.TakeBack()
	for _, f := range restored {
		checkHunks(t, e, f)
		files[f.Name] = string(f.Text)
	}
	for name, text := range r.Texts {
		files[name] = string(text)
	}
	defer func() {
		if t.Failed() {
			for _, f := range restored {
				t.Logf("== %s\n%s\n%+v", f.Name, f.Text, f.Hunks)
			}
			t.Logf("== override\n%s", r.Texts)
		}
	}()
	got, diags := e.merged(t, files)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	want, _ := e.merged(t, e.edited)
	for _, d := range compare.Edits(got, want) {
		if !d.IsIdle {
			t.Errorf("%s is not the same", d.Address)
		}
	}
	lost := commentsOf(e.edited)
	for text, n := range commentsOf(files) {
		lost[text] -= n
	}
	for text, n := range lost {
		if n > 0 {
			t.Errorf("%d of %q are lost", n, text)
		}
	}
}

// checkHunks fails if the text of a file is not EDITED but for the lines that are taken back.
func checkHunks(t *rapid.T, e edit, f *extract.Restoration) {
	t.Helper()
	lines := strings.SplitAfter(e.edited[f.Name], "\n")
	stays := []string{}
	at := 0
	for _, h := range f.Hunks {
		if h.From < at || h.To < h.From || h.To > len(lines) {
			t.Fatalf("lines %d to %d of %d behind %d", h.From, h.To, len(lines), at)
		}
		if h.IsBack {
			stays = append(stays, lines[at:h.From]...)
			at = h.To
		}
	}
	stays = append(stays, lines[at:]...)
	rest := f.Text
	for _, line := range stays {
		n := bytes.Index(rest, []byte(line))
		if n < 0 {
			t.Fatalf("%q is lost", line)
		}
		rest = rest[n+len(line):]
	}
}

func commentsOf(files map[string]string) map[string]int {
	count := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, text := range parse.CommentTexts([]byte(files[name])) {
			count[strings.Join(strings.Fields(text), " ")]++
		}
	}
	return count
}

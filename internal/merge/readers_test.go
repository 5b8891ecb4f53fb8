package merge_test

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// readers are the ways to read a merged module. Each writes its result.
var readers = []func(io.Writer, *merge.Module, hcl.Diagnostics) error{
	func(w io.Writer, m *merge.Module, _ hcl.Diagnostics) error {
		text, _ := render.Native(m, render.Options{Annotate: true})
		return text.Write(w)
	},
	func(w io.Writer, m *merge.Module, _ hcl.Diagnostics) error {
		doc, _, err := render.JSON(m, render.Options{Annotate: true})
		if err != nil {
			return err
		}
		return doc.Write(w)
	},
	func(w io.Writer, m *merge.Module, _ hcl.Diagnostics) error {
		return term.Explain(m, screen.Plain(), term.ExplainOptions{All: true}).Write(w, lookup.Top(m))
	},
	func(w io.Writer, m *merge.Module, diags hcl.Diagnostics) error {
		r := report.New(m.Source.Engine)
		r.Add(m.Source, diags)
		r.Files = report.Files(m, diags)
		r.Histories = report.Overridden(m, wording.NewRedactor(m.Source, false))
		return r.Write(w)
	},
	func(w io.Writer, m *merge.Module, diags hcl.Diagnostics) error {
		r := report.New(m.Source.Engine)
		r.Add(m.Source, diags)
		var found, silenced check.List
		comments := check.CommentsOf(m.Source)
		check.Each(m, diags, func(string) bool { return true }, func(f check.Finding) {
			if comments.Silence(&f) {
				silenced.Add(f)
			} else {
				found.Add(f)
			}
		})
		r.Findings, r.Suppressed = report.Findings(m.Source, "", found.All(m)), report.Findings(m.Source, "", silenced.All(m))
		return r.Write(w)
	},
	func(w io.Writer, m *merge.Module, _ hcl.Diagnostics) error {
		_, err := fmt.Fprintln(w, lookup.All(m), compare.Meaning(m, nil))
		return err
	},
	func(w io.Writer, m *merge.Module, _ hcl.Diagnostics) error {
		diffs, _ := rewrite.Diff(m)
		for _, d := range diffs {
			if _, err := io.WriteString(w, d.Name+"\n"); err != nil {
				return err
			}
		}
		return nil
	},
}

// TestReaders reads modules from eight goroutines at once, each in another order, and
// wants what one reader alone gets to see. With -race, it fails where reading writes.
func TestReaders(t *testing.T) {
	dirs, err := filepath.Glob("../../testdata/modules/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no modules: ", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) { readTogether(t, dir) })
	}
}

func readTogether(t *testing.T, dir string) {
	want := make([]string, len(readers))
	for i := range readers { // each alone
		m, diags := merged(t, dir)
		want[i] = read(t, i, m, diags)
	}
	m, diags := merged(t, dir)
	var wg sync.WaitGroup
	for first := range 8 {
		wg.Go(func() {
			for n := range readers {
				i := (first + n) % len(readers)
				if got := read(t, i, m, diags); got != want[i] {
					t.Errorf("reader %d sees something else beside others:\n%s\nwant:\n%s", i, got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

func merged(t *testing.T, dir string) (*merge.Module, hcl.Diagnostics) {
	src, diags, err := load.Dir(dir, load.Options{Engine: engine.Default()})
	if err != nil {
		t.Fatal(err)
	}
	m, more := merge.Files(src, merge.Options{})
	return m, append(diags, more...)
}

func read(t *testing.T, reader int, m *merge.Module, diags hcl.Diagnostics) string {
	var out bytes.Buffer
	if err := readers[reader](&out, m, diags); err != nil {
		t.Error(err)
	}
	return out.String()
}

package rewrite_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

// merged is the module of a case, which must have no errors.
func merged(t *testing.T, c *loadtest.Case) (*merge.Module, hcl.Diagnostics) {
	t.Helper()
	src, diags := c.Load(t, load.Options{})
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(diags)
	}
	return m, diags
}

// document is a module as one JSON document.
func document(t *testing.T, m *merge.Module) string {
	t.Helper()
	doc, _, err := jsonout.New(m, plan.Selection{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := doc.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Each case is a module with JSON files, those files with the changes by override files, and the
// diagnostics. Edited files mean the same as the output.
func TestEdits(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		m, diags := merged(t, c)
		got, files := map[string]string{}, map[string][]byte{}
		for _, p := range plan.Arrange(m) {
			if p.File == nil || p.File.Syntax != source.JSON {
				t.Fatal("a case must have primary files in JSON, and no others")
			}
			edits, lost := rewrite.Edits(m, p)
			diags = append(diags, lost...)
			text := patch.Diff(p.File.Name, p.File.Raw, edits).New()
			got[p.File.Name], files[p.File.Name] = string(text), text
		}
		got["messages"] = loadtest.Messages(diags)
		again, more := loadtest.Files(t, files, load.Options{Engine: c.Engine})
		alone, _ := merge.Files(again, merge.Options{})
		if more.HasErrors() {
			t.Fatal(more)
		}
		want := document(t, m)
		printed := document(t, alone)
		if diff := cmp.Diff(want, printed); diff != "" {
			t.Errorf("printed from the edited files (-want +got):\n%s", diff)
		}
		return got
	})
}

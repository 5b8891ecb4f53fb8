package jsonout_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/wording"
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

func document(t *testing.T, m *merge.Module, detail jsonout.Detail) (string, hcl.Diagnostics) {
	t.Helper()
	doc, diags, err := jsonout.New(m, plan.Selection{}, detail, annotate.Words{Redactor: wording.NewRedactor(m.Source, false), Merged: m})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := doc.Write(&out); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out.Bytes()) {
		t.Errorf("this is no JSON:\n%s", &out)
	}
	return out.String(), diags
}

// Each case is a module, its effective configuration in JSON, and the diagnostics: on request also
// with marks or histories of the overrides.
func TestDocument(t *testing.T) {
	loadtest.Run(t, "testdata/document", func(t *testing.T, c *loadtest.Case) map[string]string {
		m, diags := merged(t, c)
		detail := jsonout.Nothing
		switch {
		case strings.HasPrefix(c.Name, "annotate-full"):
			detail = jsonout.Histories
		case strings.HasPrefix(c.Name, "annotate"):
			detail = jsonout.Marks
		}
		text, lost := document(t, m, detail)
		return map[string]string{"json": text, "messages": loadtest.Messages(append(diags, lost...))}
	})
}

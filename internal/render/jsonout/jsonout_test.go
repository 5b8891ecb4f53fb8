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
	"github.com/tofumerge/tofumerge/internal/render/report"
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

func document(t *testing.T, m *merge.Module, d jsonout.Describer) (string, hcl.Diagnostics) {
	t.Helper()
	doc, diags, err := jsonout.New(m, plan.Selection{}, d)
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
		var d jsonout.Describer
		redact := wording.NewRedactor(m.Source, false)
		switch {
		case strings.HasPrefix(c.Name, "annotate-full"):
			d = report.Provenance(m, redact)
		case strings.HasPrefix(c.Name, "annotate"):
			d = jsonout.Marks{Words: annotate.Words{Redactor: redact, Merged: m}}
		}
		text, lost := document(t, m, d)
		return map[string]string{"json": text, "messages": loadtest.Messages(append(diags, lost...))}
	})
}

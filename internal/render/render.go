package render

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Options say what is printed of a module.
type Options struct {
	plan.Selection
	// Annotate marks what overrides did; Redact keeps earlier values out of the
	// marks, and Color colours them.
	Annotate, Redact bool
	Color            palette.Coloring
}

// Native returns the effective configuration in native syntax, and diagnostics on what
// JSON files hold that native syntax can't express. With errors among these the text must
// not be written.
func Native(m *merge.Module, o Options) (*native.Text, hcl.Diagnostics) {
	var marks *annotate.Annotator
	if o.Annotate {
		marks = annotate.New(m, o.Redact, palette.New(o.Color))
	}
	return native.New(m, o.Selection, marks)
}

// JSON returns the effective configuration in JSON syntax, and warnings of what JSON can't
// express. The error is plan.ErrNoneSelected where nothing matches a filter.
func JSON(m *merge.Module, o Options) (*jsonout.Document, hcl.Diagnostics, error) {
	var history *wording.Redactor
	if o.Annotate {
		redact := wording.NewRedactor(m.Source, o.Redact)
		history = &redact
	}
	return jsonout.New(m, o.Selection, history)
}

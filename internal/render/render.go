package render

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Options say what is printed of a module.
type Options struct {
	Selection
	// Annotate marks what overrides did; Redact keeps earlier values out of the
	// marks, and Color colours them.
	Annotate, Redact bool
	Color            Coloring
}

// Native returns the effective configuration in native syntax.
func Native(m *merge.Module, o Options) (*Text, hcl.Diagnostics) {
	var marks *annotator
	if o.Annotate {
		marks = newAnnotator(m, o.Redact, NewPalette(o.Color))
	}
	return nativeText(m, o.Selection, marks)
}

// JSON returns the effective configuration in JSON syntax.
func JSON(m *merge.Module, o Options) (*Document, hcl.Diagnostics, error) {
	var history *teller
	if o.Annotate {
		history = &teller{module: m.Source, redact: o.Redact}
	}
	return jsonDocument(m, o.Selection, history)
}

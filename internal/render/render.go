// Package render prints a merged module, in native or in JSON syntax, on request with marks that
// describe the effects of overrides.
//
// What it imports is the core. Of the packages below it, screen and safetext don't know
// modules; wording words their items and histories; plan arranges the output; native, annotate and
// jsonout write it. The others report on modules: they build on the core, which doesn't know them.
//
// No package decides which items are effective: they read the histories that package merge made.
// They write only to the given writers.
package render

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/jsonout"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Options select the output of a module.
type Options struct {
	plan.Selection
	// Annotate marks the effects of overrides; Redact keeps earlier values out of the marks.
	Annotate, Redact bool
	// Describe, if set, describes overrides in JSON instead of the marks.
	Describe jsonout.Describer
	// Screen is the screen for the text. Its colours are used for marks, and with Highlight for all
	// native text.
	Screen    screen.Screen
	Highlight bool
}

// Native returns the effective configuration in native syntax, and diagnostics on what
// JSON files hold that native syntax can't express. With errors among these the text must
// not be written.
func Native(m *merge.Module, o Options) (*native.Text, hcl.Diagnostics) {
	var marks *annotate.Annotator
	// native.New puts the marks into the text, and into painter.Marks; Paint reads them when the text is written.
	painter := screen.Painter{Palette: o.Screen.Palette, Marks: map[string]bool{}, OnlyMarks: !o.Highlight}
	if o.Annotate {
		marks = &annotate.Annotator{Words: o.words(m), Screen: o.Screen, Lines: painter.Marks}
	}
	text, diags := native.New(m, o.Selection, marks)
	text.Apart = o.Screen.IsTerminal
	hasColoredMarks := len(painter.Marks) > 0 && painter.IsColored()
	if o.Highlight || hasColoredMarks {
		text.Colored = painter.Paint
	}
	return text, diags
}

// JSON returns the effective configuration in JSON syntax, and warnings of anything that JSON can't
// express. The error is plan.ErrNoneSelected if nothing matches a filter.
func JSON(m *merge.Module, o Options) (*jsonout.Document, hcl.Diagnostics, error) {
	describe := o.Describe
	if describe == nil && o.Annotate {
		describe = jsonout.Marks{Words: o.words(m)}
	}
	return jsonout.New(m, o.Selection, describe)
}

// words returns what words the marks of module m, with earlier values hidden if o.Redact is set.
func (o *Options) words(m *merge.Module) annotate.Words {
	return annotate.Words{Redactor: wording.NewRedactor(m.Source, o.Redact), Merged: m}
}

package jsonsyntax

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Messages about JSON.

func jsonRoot(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Incorrect JSON value type",
		"A configuration file must be an object whose properties are block types, or an array of such objects.")
}

func jsonWantsObject(what string, at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Incorrect JSON value type", "Write an object, or an array of objects, to %s.", what)
}

func jsonWantsBlock(typ string, at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Incorrect JSON value type",
		"Write an object for one block of type \"%s\", or an array of objects for several.", diag.Escape(typ))
}

func jsonMissingLabel(typ, label string, at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Missing block label", "Write an object whose keys are the %s of each %s block and whose "+
		"values are the bodies.", label, diag.Escape(typ))
}

// VoidBlock warns of a null or [] where nested blocks are expected.
func VoidBlock(name string, at hcl.Range) *hcl.Diagnostic {
	d := diag.WithCode(diag.NoEffect, diag.New(at, "Override has no effect",
		"\"%s\" is a block type here, and this value declares no block. Blocks of earlier files stay unchanged.",
		diag.Escape(name)))
	d.Severity = hcl.DiagWarning
	return d
}

func unknownTopProperty(f *source.File, name string, at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Extraneous JSON object property",
		"%s has no top-level blocks of type \"%s\", and this value can't be a block.%s",
		f.Engine.Product.Title(), diag.Escape(name), diag.DidYouMean(name, language.Of(f.Engine).Types()))
}

func laterProperty(f *source.File, p jsontree.Value, in engine.Releases) *hcl.Diagnostic {
	return diag.New(f.RawRange(p.Key()), "Extraneous JSON object property",
		"%s does not support %s blocks (supported by %s).", f.Engine.Title(), p.Name(), in)
}

// pathWords describes the body of a path: "resource aws_instance", "root of resource
// aws_instance".
func pathWords(path string) string {
	parts := strings.SplitN(path, "/", 3)
	words := diag.Escape(strings.Join(parts[:min(2, len(parts))], " "))
	if len(parts) == 3 {
		words = diag.Escape(strings.ReplaceAll(parts[2], "/", ".")) + " of " + words
	}
	return words
}

// maxGuessed is how many names a warning has.
const maxGuessed = 5

// namesOf lists the names of guesses, of many the first ones.
func namesOf(list []guess) string {
	var names []string
	for _, g := range list[:min(len(list), maxGuessed)] {
		names = append(names, "\""+diag.Escape(g.name)+"\"")
	}
	if more := len(list) - len(names); more > 0 {
		return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", more)
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return names[0]
}

package jsonsyntax

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Messages about JSON.

func jsonSyntax(at hcl.Range, what string) *hcl.Diagnostic {
	return diag.New(at, "Invalid JSON", "%s", what)
}

func jsonDepth(at hcl.Range) *hcl.Diagnostic {
	return diag.New(at, "Nesting too deep", "Objects and arrays nest more than %d levels deep here, which can't "+
		"be read safely.", limits.MaxDepth)
}

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

func laterProperty(f *source.File, p Value, in engine.Releases) *hcl.Diagnostic {
	return diag.New(f.GivenRange(p.Key()), "Extraneous JSON object property",
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

func guessed(b *blockGuesses) *hcl.Diagnostic {
	g, f := b.list[0], b.file
	others := ""
	if b.more > 0 {
		others = fmt.Sprintf(" (%d more like it)", b.more)
	}
	remedy := "To decide it, use --provider-schema FILE, made with: tofu providers schema -json > FILE. Or print " +
		"with --format json."
	switch {
	case g.disputed:
		remedy = "The schemas of several providers contradict each other here. Make the schema from the providers " +
			"of this module only, or print with --format json."
	case f.classifier.Schema != nil:
		remedy = "The file of --provider-schema doesn't contain the name. Generate it again from all providers of the module, " +
			"or print with --format json."
		if strings.HasPrefix(g.path, "provider/") {
			remedy += " A provider configuration is found by the provider's type, not by a local name that differs " +
				"from it."
		}
	}
	what := fmt.Sprintf("In JSON, %s of %s could be %s", namesOf(b.list), pathWords(g.path), b.taken())
	d := diag.New(f.GivenRange(g.at), "Argument or nested block", "%s%s. %s", what, others, remedy)
	d.Severity = hcl.DiagWarning
	return d
}

// taken words what names could be, and what they are taken for.
func (b *blockGuesses) taken() string {
	var arguments, blocks []guess
	for _, g := range b.list {
		if g.block {
			blocks = append(blocks, g)
		} else {
			arguments = append(arguments, g)
		}
	}
	switch {
	case len(b.list) == 1 && b.list[0].block:
		return "an argument or a nested block; tofumerge takes it for a nested block"
	case len(b.list) == 1:
		return "an argument or a nested block; tofumerge takes it for an argument"
	case len(blocks) == 0:
		return "arguments or nested blocks; tofumerge takes them for arguments"
	case len(arguments) == 0:
		return "arguments or nested blocks; tofumerge takes them for nested blocks"
	}
	as := "arguments"
	if len(arguments) == 1 {
		as = "an argument"
	}
	asBlocks := "nested blocks"
	if len(blocks) == 1 {
		asBlocks = "a nested block"
	}
	return fmt.Sprintf("arguments or nested blocks; tofumerge takes %s for %s, %s for %s", namesOf(arguments), as, namesOf(blocks), asBlocks)
}

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

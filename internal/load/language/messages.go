package language

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// unknownTopBlock reports a top-level block of a type that the release doesn't have. In a primary
// file it is only a warning, because the block can be printed.
func unknownTopBlock(b *source.Block) *hcl.Diagnostic {
	isPrimary := b.File.Role == source.Primary
	consequence := ", so no rule covers this one"
	if isPrimary {
		consequence = " and refuses the module; the block is printed unchanged"
	}
	d := diag.WithCode(diag.UnknownBlock, diag.New(b.Header(), "Unsupported block type",
		"%s has no top-level blocks of type \"%s\"%s.%s", b.File.Engine.Product.Title(), diag.Escape(b.Type), consequence,
		diag.DidYouMean(b.Type, Of(b.File.Engine).Types())))
	if isPrimary {
		d.Severity = hcl.DiagWarning
		return diag.ReadAsError(d)
	}
	return d
}

// TopArgument reports an argument outside of all blocks.
func TopArgument(a *hclsyntax.Attribute) *hcl.Diagnostic {
	return diag.New(a.NameRange, "Unsupported argument",
		"The top level of a file holds only blocks. Move \"%s\" into one.", diag.Escape(a.Name))
}

func extraLabel(b *source.Block, at hcl.Range, names []string) *hcl.Diagnostic {
	want := "no labels"
	switch len(names) {
	case 0:
	case 1:
		want = "only one label, the " + names[0]
	default:
		want = fmt.Sprintf("only %d labels: %s", len(names), strings.Join(names, ", "))
	}
	return diag.New(at, fmt.Sprintf("Extraneous label for %s", b.Type), "%s %s block takes %s. Remove this one.",
		diag.Article(b.Type), b.Type, want)
}

func unknownArgument(b *source.Block, a *source.Attr, shape *BodyShape) *hcl.Diagnostic {
	hint := diag.DidYouMean(a.Name, slices.Concat(slices.Sorted(maps.Keys(shape.Args)), slices.Sorted(maps.Keys(shape.Blocks))))
	if _, ok := shape.Blocks[a.Name]; ok {
		hint = fmt.Sprintf(" %q is a nested block: remove the equals sign.", a.Name)
	}
	return diag.New(a.Header(), "Unsupported argument", "%s %s block has no argument \"%s\".%s",
		diag.Article(b.Type), b.Type, diag.Escape(a.Name), hint)
}

func unknownBlock(b, child *source.Block, shape *BodyShape) *hcl.Diagnostic {
	hint := diag.DidYouMean(child.Type, slices.Sorted(maps.Keys(shape.Blocks)))
	if _, ok := shape.Args[child.Type]; ok || shape.Names != nil {
		hint = fmt.Sprintf(" To set it as an argument, write an equals sign after \"%s\".", diag.Escape(child.Type))
	}
	return diag.WithCode(diag.UnknownBlock, diag.New(child.TypeAt(), "Unsupported block type",
		"%s %s block has no nested blocks of type \"%s\".%s",
		diag.Article(b.Type), b.Type, diag.Escape(child.Type), hint))
}

func repeatedBlock(b, child, first *source.Block) *hcl.Diagnostic {
	name := child.Type + " block"
	if child.Type == source.EscapeBlock {
		name = "escaping block"
	}
	return diag.NewWith(diag.Related{Note: "declared here first", Range: first.Header()}, child.Header(),
		"Duplicate "+name, "%s %s block can have only one %s. Move the arguments of both into one.",
		diag.Article(b.Type), b.Type, name)
}

func exclusiveArguments(b *source.Block, found []*source.Attr) *hcl.Diagnostic {
	var names, quoted []string
	for _, a := range found {
		names, quoted = append(names, a.Name), append(quoted, strconv.Quote(a.Name))
	}
	last := found[len(found)-1]
	return diag.NewWith(diag.Related{Note: "other argument here", Range: found[0].Header()}, last.Header(),
		"Invalid combination of "+strings.Join(quoted, " and "), "%s %s block can set only one of %s. Keep one.",
		diag.Article(b.Type), b.Type, diag.Joined(names, "and"))
}

// AttributeTwice reports an argument that a block sets twice.
func AttributeTwice(name string, at, first hcl.Range) *hcl.Diagnostic {
	return diag.NewWith(diag.Related{Note: "set here first", Range: first}, at, "Attribute redefined",
		"The argument %q is set twice in this block. Remove one.", name)
}

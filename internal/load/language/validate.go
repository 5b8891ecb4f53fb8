package language

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/judge"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Checker judges the blocks of one file by the shapes of the language and gathers the
// diagnostics.
type Checker struct {
	File  *source.File
	Diags hcl.Diagnostics
}

// Top judges a top-level block and everything in it.
func (c *Checker) Top(b *source.Block) {
	shape, ok := Of(c.File.Engine).Block(b.Type)
	if !ok {
		c.Add(unknownTopBlock(b))
		return
	}
	c.checkBlock(b, shape, "")
}

// Final judges the effective arguments of a top-level block, which are its own, since no override file can change the
// block. If the language judges each block alone (Each), Top did that already.
func (c *Checker) Final(b *source.Block) {
	shape, _ := Of(c.File.Engine).Block(b.Type)
	judgeTogether := shape.Body.Judged() // the body's Final, or nil
	if judgeTogether != nil && shape.Body.Each == nil {
		c.Add(judgeTogether(b.Attr)...)
	}
}

// Sorted returns the diagnostics in source order.
func (c *Checker) Sorted() hcl.Diagnostics {
	slices.SortStableFunc(c.Diags, func(a, b *hcl.Diagnostic) int {
		return a.Subject.Start.Byte - b.Subject.Start.Byte
	})
	return c.Diags
}

// Add adds diagnostics.
func (c *Checker) Add(d ...*hcl.Diagnostic) { c.Diags = append(c.Diags, d...) }

// checkBlock judges a block of a known type: whether it is allowed, its labels, and its contents. within is the type
// of the block around it, for messages.
func (c *Checker) checkBlock(b *source.Block, shape BlockShape, within string) {
	switch {
	case shape.Refuse != "":
		c.Add(diag.New(b.Header(), fmt.Sprintf("Invalid %s block", b.Type), "%s", shape.Refuse))
	case shape.Reserve:
		c.Add(diag.New(b.TypeAt(), fmt.Sprintf("Reserved block type name in %s block", within),
			"The name %q is reserved for a future version of the language. If the provider has a block of this type, "+
				"put it into a block of type %q.", b.Type, source.EscapeBlock))
	case shape.Unknown:
		c.Add(diag.WithCode(diag.UnknownBlock, diag.New(b.TypeAt(), "Unsupported block type",
			"%s does not support %s blocks (supported by %s).", b.File.Engine.Title(), b.Type, shape.Engines)))
	case c.checkLabels(b, shape.Labels):
		c.checkBody(b, shape.Body)
	}
}

// Refusal returns the first error that adding item it to block b of a primary file would cause in the top-level block
// around b, or nil. Call it before an edit that could make the engine refuse the module. If around isn't empty, the
// item goes into blocks with these addresses, each inside the one before. Missing ones are added.
func Refusal(b *source.Block, around []*source.Block, it source.Item) *hcl.Diagnostic {
	isOld := map[string]bool{}
	for _, d := range errorsIn(source.Top(b)) {
		isOld[d.Summary+d.Detail] = true
	}
	for _, d := range errorsIn(source.WithItem(source.Top(b), b, around, it)) {
		if !isOld[d.Summary+d.Detail] {
			return d
		}
	}
	return nil
}

// errorsIn returns the errors, not the warnings, of a top-level block in source order.
func errorsIn(top *source.Block) hcl.Diagnostics {
	c := &Checker{File: top.File}
	c.Top(top)
	return slices.DeleteFunc(c.Sorted(), func(d *hcl.Diagnostic) bool { return d.Severity != hcl.DiagError })
}

// Experimental reports top-level blocks of primary files that are an experiment of the release, such as symbols, if
// no primary file opts into the experiment.
func Experimental(files []*source.File, e engine.Release) hcl.Diagnostics {
	needs, optIns := map[string]string{}, map[string]string{} // by the type of block
	for _, shape := range Of(e).Blocks {
		if !shape.Unknown && shape.Experiment != "" {
			needs[shape.Name] = shape.Experiment
		}
		if name := shape.Body.argOf(kindExperiments); name != "" {
			// This argument of the block opts into experiments.
			optIns[shape.Name] = name
		}
	}
	if len(needs) == 0 {
		return nil
	}
	var found []*source.Block
	isOn := map[string]bool{}
	for _, f := range files {
		for i := range f.Len() {
			switch typ := f.TypeOf(i); {
			case f.Role == source.Override || f.Broken:
			case needs[typ] != "":
				found = append(found, f.Block(i))
			case optIns[typ] != "":
				noteExperiments(f.Block(i).Attr(optIns[typ]), isOn)
			}
		}
	}
	var diags hcl.Diagnostics
	for _, b := range found {
		if !isOn[needs[b.Type]] {
			diags = append(diags, notOptedIn(b, needs[b.Type]))
		}
	}
	return diags
}

// noteExperiments sets isOn for the experiments that an argument lists. a may be nil.
func noteExperiments(a *source.Attr, isOn map[string]bool) {
	if a == nil {
		return
	}
	keywords, _ := hcl.ExprList(a.Expr())
	for _, e := range keywords {
		isOn[hcl.ExprAsKeyword(e)] = true
	}
}

// HasItsLabels reports whether a top-level block has as many labels as its type requires. It is true for blocks of
// unknown types.
func HasItsLabels(b *source.Block) bool {
	shape, ok := Of(b.File.Engine).Block(b.Type)
	return !ok || len(b.Labels) == len(shape.Labels)
}

// checkLabels judges the number of a block's labels and reports whether it is right. If not, the body isn't judged.
// names are what the language calls the labels.
func (c *Checker) checkLabels(b *source.Block, names []string) bool {
	if len(b.Labels) < len(names) {
		c.Add(diag.New(b.Header(), fmt.Sprintf("Missing %s for %s", names[len(b.Labels)], b.Type),
			"%s %s block needs a %s label before its opening brace.", diag.Article(b.Type), b.Type, names[len(b.Labels)]))
		return false
	}
	if len(b.Labels) > len(names) {
		c.Add(extraLabel(b, b.LabelAt(len(names)), names))
		return false
	}
	return true
}

// checkBody judges the contents of a block. In the body of a provider's block, it judges only the names that the
// language itself defines.
func (c *Checker) checkBody(b *source.Block, shape *BodyShape) {
	if shape == nil {
		return
	}
	single := map[string]*source.Block{} // the first block of each type that is allowed once
	for _, it := range b.Items() {
		switch it := it.(type) {
		case *source.Attr:
			c.checkAttr(b, it, shape)
		case *source.Block:
			c.checkNested(b, it, shape, single)
		}
	}
	c.checkRequired(b, shape)
	c.checkExclusive(b, shape)
	if shape.Each != nil { // judges the arguments together
		c.Add(shape.Each(b.Attr)...)
	}
	if shape.Check != nil { // judges the rest of the block
		c.Add(shape.Check(b)...)
	}
}

// checkAttr judges an argument of block b: whether the body has one of this name, and then its value. If a value in
// JSON has an error that was reported already, it does nothing.
func (c *Checker) checkAttr(b *source.Block, a *source.Attr, shape *BodyShape) {
	arg, ok := shape.Arg(a.Name)
	if a.Origin() != nil && a.Origin().Bad {
		return
	}
	switch {
	case !ok && shape.Open: // the provider, or another owner of the body, decides
	case !ok:
		c.Add(unknownArgument(b, a, shape))
	case arg.Unknown:
		c.Add(diag.New(a.Header(), "Unsupported argument",
			"%s does not support the argument %s (supported by %s).", a.File.Engine.Title(), a.Name, arg.Engines))
	default:
		var diags hcl.Diagnostics
		if arg.Kind.judge != nil {
			diags = arg.Kind.judge(a)
		}
		if arg.Also != nil && !diags.HasErrors() { // what is special about this argument
			diags = append(diags, arg.Also(a)...)
		}
		if arg.InJSON != nil && a.Origin() != nil && !diags.HasErrors() {
			diags = append(diags, arg.InJSON(a)...)
		}
		c.Add(withJSONHint(a, arg.Kind, diags)...)
	}
}

// IsAlike reports whether two releases surely read a block the same. Unless mayRefuse is set, they also judge it the
// same. False proves nothing. x and y are the shapes of the body around the block, one per release. haveOneRule
// reports whether both releases merge the item at a path by the same rule. IsAlike doesn't look at references: only
// one of the releases may know the objects in them.
func IsAlike(b *source.Block, path string, x, y *BodyShape, mayRefuse bool, haveOneRule func(path string) bool) bool {
	inX, isListed := x.Block(b.Type)
	inY, isListedInY := y.Block(b.Type)
	// A shape has alternatives (Else), each with a pointer of its own to its releases, and so that identifies one.
	isSameShape := inX.Engines == inY.Engines
	isShapedAlike := isSameShape || mayRefuse && inX.isReadAs(&inY)
	if isListed != isListedInY || !isShapedAlike || inX.Unknown != inY.Unknown || !haveOneRule(path) {
		return false
	}
	if !isListed {
		return true // neither release judges what is inside
	}
	differs := func(it source.Item) bool {
		at := path + "/" + it.Called()
		if a, isAttr := it.(*source.Attr); isAttr {
			return !haveOneRule(at) || !isAttrAlike(a, inX.Body, inY.Body)
		}
		return !IsAlike(it.(*source.Block), at, inX.Body, inY.Body, mayRefuse, haveOneRule)
	}
	return !slices.ContainsFunc(b.Items(), differs)
}

// isReadAs reports whether JSON for the block is split into blocks the same way with both shapes. Native text doesn't
// depend on shapes.
func (b *BlockShape) isReadAs(o *BlockShape) bool {
	return slices.Equal(b.Labels, o.Labels) && b.Many == o.Many && b.Body.IsOpen() == o.Body.IsOpen()
}

// isAttrAlike reports whether two releases surely treat an argument the same. x and y are the shapes of the body
// around it, one per release. It is false if one of the releases reports anything about the argument.
func isAttrAlike(a *source.Attr, x, y *BodyShape) bool {
	inX, isListed := x.Arg(a.Name)
	inY, isListedInY := y.Arg(a.Name)
	c := &Checker{File: a.File}
	c.checkAttr(a.Within(), a, x)
	c.checkAttr(a.Within(), a, y)
	// Kinds differ in how they read JSON strings, and some want a string in any case.
	wantsString := inX.Kind.reading.IsNative() || inY.Kind.reading.IsNative()
	isJSON := a.Origin() != nil
	readingMatters := isJSON && (wantsString || bytes.Contains(a.Raw(), []byte(`"`))) // the value has a string in it
	isReadAlike := !readingMatters || inX.Kind.reading == inY.Kind.reading
	return len(c.Diags) == 0 && isListed == isListedInY && isReadAlike && inX.Kind.use == inY.Kind.use
}

// withJSONHint adds to errors about a JSON value that should be a reference how to write one in JSON. It changes
// diags and returns them.
func withJSONHint(a *source.Attr, k *Kind, diags hcl.Diagnostics) hcl.Diagnostics {
	// The kind reads JSON strings as native source text, and the value has ${ }. Native arguments have no Raw.
	if k.Reading().IsNative() && bytes.Contains(a.Raw(), []byte("${")) {
		for _, d := range diags {
			d.Detail += " In JSON, write it as a string without ${ }."
		}
	}
	return diags
}

// RequiresVersion reports whether a top-level block contains a version constraint on the engine that is checked while
// files are loaded. b must have its contents.
func RequiresVersion(b *source.Block) bool {
	shape, _ := Of(b.File.Engine).Block(b.Type)
	return slices.ContainsFunc(b.Items(), func(it source.Item) bool {
		arg, ok := shape.Body.Arg(it.Called())
		return ok && arg.Kind == kindEngineConstraint
	})
}

// checkNested judges a nested block child of b. single holds the first block of each type that may occur only once in
// b, and is updated.
func (c *Checker) checkNested(b, child *source.Block, shape *BodyShape, single map[string]*source.Block) {
	known, ok := shape.Block(child.Type)
	first := single[child.Type]
	if known.Once && first == nil {
		single[child.Type] = child
	}
	switch {
	case !ok && shape.Open: // the provider, or another owner of the body, decides
		return
	case !ok:
		c.Add(unknownBlock(b, child, shape))
		return
	case known.Once && first != nil:
		c.Add(repeatedBlock(b, child, first))
		return
	}
	if c.File.Role == source.Override && known.Fixed { // merging refuses it anyway
		return
	}
	c.checkBlock(child, known, b.Type)
}

// checkRequired reports missing arguments. A top-level block of an override file may lack them, because the block in
// the primary file has them, unless the shape requires them always.
func (c *Checker) checkRequired(b *source.Block, shape *BodyShape) {
	mayLack := c.File.Role == source.Override && b.Within() == nil && !shape.Always
	for _, name := range shape.Required {
		if !mayLack && b.Attr(name) == nil {
			c.Add(judge.MissingArgument(b, name))
		}
	}
}

// noBlock is an empty block, for lookups in blocks that aren't there.
var noBlock source.Block

// checkExclusive reports arguments of which a block can set only one. The error is at the last of them.
func (c *Checker) checkExclusive(b *source.Block, shape *BodyShape) {
	var found []*source.Attr
	for _, path := range shape.Exclusive {
		holder := b
		for _, typ := range path[:len(path)-1] { // no type, or the one of a nested block: paths have two steps at most
			holder = &noBlock
			if inner := b.Blocks(typ); len(inner) > 0 {
				holder = inner[0]
			}
		}
		if a := holder.Attr(path[len(path)-1]); a != nil {
			found = append(found, a)
		}
	}
	if len(found) > 1 {
		slices.SortFunc(found, func(a, b *source.Attr) int { return a.Extent().Start.Byte - b.Extent().Start.Byte })
		c.Add(exclusiveArguments(b, found))
	}
}

// unknownTopBlock returns the diagnostic about a top-level block of a type that the release doesn't have. In a
// primary file it is a warning, because the block can be printed unchanged.
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
		d.Severity = hcl.DiagWarning // so that the module is printed
		return diag.ShowAsError(d)   // but shown as an error: the engine refuses it
	}
	return d
}

// notOptedIn returns the error that a block is an experiment which no file opts into. keyword names the experiment.
func notOptedIn(b *source.Block, keyword string) *hcl.Diagnostic {
	at := b.Header()
	if b.File.Syntax == source.JSON { // the range of an error found after reading the file stays as it is
		at = b.File.Place(at)
	}
	return diag.New(at, "Language Experiment not enabled",
		"In %s, %s blocks are an experiment. Set experiments = [%s] in a language block, or remove this block.",
		b.File.Engine.Title(), b.Type, keyword)
}

// Letters reports identifiers in a native file that contain letters which its engine doesn't accept. Engines follow
// different versions of Unicode.
func Letters(f *source.File) (diags hcl.Diagnostics) {
	if f.Engine.UnknownLetter(f.Native) < 0 {
		return nil
	}
	parse.EachToken(f.Native, f.Name, hcl.InitialPos, func(t hclsyntax.Token) {
		if at := f.Engine.UnknownLetter(t.Bytes); at >= 0 && t.Type == hclsyntax.TokenIdent {
			letter, _ := utf8.DecodeRune(t.Bytes[at:])
			diags = append(diags, diag.New(t.Range, "Invalid character",
				"%s does not support names with the letter %U (supported by %s).", f.Engine.Title(), letter, engine.ReleasesWithLaterLetters()))
		}
	})
	return diags
}

// TopArgument returns the error about an argument outside all blocks.
func TopArgument(a *hclsyntax.Attribute) *hcl.Diagnostic {
	return diag.New(a.NameRange, "Unsupported argument",
		"The top level of a file holds only blocks. Move \"%s\" into one.", diag.Escape(a.Name))
}

// extraLabel returns the error about the first superfluous label, at a range. names are what the language calls the
// labels that the block can have.
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

// unknownArgument returns the error about an argument a that block b can't have, with a hint if a nested block has
// this name, or if the name resembles another.
func unknownArgument(b *source.Block, a *source.Attr, shape *BodyShape) *hcl.Diagnostic {
	hint := diag.DidYouMean(a.Name, shape.AllNames())
	if shape.findBlock(a.Name) != nil {
		hint = fmt.Sprintf(" %q is a nested block: remove the equals sign.", a.Name)
	}
	return diag.New(a.Header(), "Unsupported argument", "%s %s block has no argument \"%s\".%s",
		diag.Article(b.Type), b.Type, diag.Escape(a.Name), hint)
}

// unknownBlock returns the error about a nested block child that block b can't have, with a hint if an argument has
// this name, or if the name resembles another.
func unknownBlock(b, child *source.Block, shape *BodyShape) *hcl.Diagnostic {
	hint := diag.DidYouMean(child.Type, shape.blockNames())
	if shape.findArg(child.Type) != nil || shape.Names != nil {
		hint = fmt.Sprintf(" To set it as an argument, write an equals sign after \"%s\".", diag.Escape(child.Type))
	}
	return diag.WithCode(diag.UnknownBlock, diag.New(child.TypeAt(), "Unsupported block type",
		"%s %s block has no nested blocks of type \"%s\".%s",
		diag.Article(b.Type), b.Type, diag.Escape(child.Type), hint))
}

// repeatedBlock returns the error about a second nested block of a type that block b can have only once.
func repeatedBlock(b, child, first *source.Block) *hcl.Diagnostic {
	name := child.Type + " block"
	if child.Type == source.EscapeBlock {
		name = "escaping block"
	}
	return diag.NewWith(diag.Related{Note: "declared here first", Range: first.Header()}, child.Header(),
		"Duplicate "+name, "%s %s block can have only one %s. Move the arguments of both into one.",
		diag.Article(b.Type), b.Type, name)
}

// exclusiveArguments returns the error about arguments of which b can set only one. found are those, in source order.
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

// AttributeTwice returns the error about an argument that a block sets twice, at two ranges.
func AttributeTwice(name string, at, first hcl.Range) *hcl.Diagnostic {
	return diag.NewWith(diag.Related{Note: "set here first", Range: first}, at, "Attribute redefined",
		"The argument %q is set twice in this block. Remove one.", name)
}

package load

import (
	"bytes"
	"slices"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
)

// A shapeCheck judges the blocks of one file by the shapes of the language and
// gathers what is wrong with them.
type shapeCheck struct {
	file  *File
	diags hcl.Diagnostics
}

// checkTop judges a top-level block with its whole tree.
func (c *shapeCheck) checkTop(b *Block) {
	shape, ok := LanguageOf(c.file.Engine).Block(b.Type)
	switch {
	case !ok && c.file.Role == Primary:
		c.add(unknownTopBlock(b))
	case !ok:
		c.add(unknownOverrideBlock(b))
	default:
		c.block(b, shape, "")
	}
}

// checkFinal judges a block that no override file can change. Where each block is
// judged by itself, all is said of it already.
func (c *shapeCheck) checkFinal(b *Block) {
	if shape, _ := LanguageOf(c.file.Engine).Block(b.Type); shape.Body != nil && shape.Body.Final != nil && shape.Body.Each == nil {
		c.add(shape.Body.Final(b.Body.Attr)...)
	}
}

// sorted gives the diagnostics in order of place.
func (c *shapeCheck) sorted() hcl.Diagnostics {
	slices.SortStableFunc(c.diags, func(a, b *hcl.Diagnostic) int {
		return a.Subject.Start.Byte - b.Subject.Start.Byte
	})
	return c.diags
}

func (c *shapeCheck) add(d ...*hcl.Diagnostic) { c.diags = append(c.diags, d...) }

// block judges a block that its surroundings know; within words where it stands.
func (c *shapeCheck) block(b *Block, shape BlockShape, within string) {
	switch {
	case shape.Refuse != "":
		c.add(misplacedBlock(b, shape.Refuse))
	case shape.Reserve:
		c.add(reservedBlock(b, within))
	case shape.unknown:
		c.add(laterBlock(b, shape.Engines))
	case c.labels(b, shape.Labels):
		c.body(b, shape.Body)
	}
}

// HasItsLabels tells whether a top-level block has as many labels as its type
// wants. Blocks of unknown types have as many as they like.
func HasItsLabels(b *Block) bool {
	shape, ok := LanguageOf(b.File.Engine).Block(b.Type)
	return !ok || len(b.Labels) == len(shape.Labels)
}

func (c *shapeCheck) labels(b *Block, names []string) bool {
	if len(b.Labels) < len(names) {
		c.add(missingLabel(b, names[len(b.Labels)]))
		return false
	}
	if len(b.Labels) > len(names) {
		c.add(extraLabel(b, b.LabelAt(len(names)), names))
		return false
	}
	return true
}

// body judges what a block holds. Open bodies hold what their owner wants; only
// what the language itself knows is looked at.
func (c *shapeCheck) body(b *Block, shape *BodyShape) {
	if shape == nil || b.Body == nil {
		return
	}
	single := map[string]*Block{} // the first block of each type of which there may be one
	for _, it := range b.Body.Items {
		switch it := it.(type) {
		case *Attr:
			c.attr(b, it, shape)
		case *Block:
			c.nested(b, it, shape, single)
		}
	}
	c.required(b, shape)
	c.exclusive(b, shape)
	if shape.Each != nil {
		c.add(shape.Each(b.Body.Attr)...)
	}
	if shape.Check != nil {
		shape.Check(b, c)
	}
}

func (c *shapeCheck) attr(b *Block, a *Attr, shape *BodyShape) {
	arg, ok := shape.Arg(a.Name)
	if a.from != nil && a.from.bad {
		return
	}
	switch {
	case !ok && shape.Open:
	case !ok:
		c.add(unknownArgument(b, a, shape))
	case arg.unknown:
		c.add(laterArgument(a, arg.Engines))
	case arg.Kind == EngineConstraint:
		c.engineConstraint(b, a)
	default:
		diags := checkValue(b, a, arg.Kind)
		if arg.Also != nil && !diags.HasErrors() {
			diags = append(diags, arg.Also(a)...)
		}
		if arg.InJSON != nil && a.from != nil && !diags.HasErrors() {
			diags = append(diags, arg.InJSON(a)...)
		}
		c.add(inJSON(a, arg.Kind, diags)...)
	}
}

// inJSON adds to what is wrong with a reference how one is written in JSON.
func inJSON(a *Attr, k Kind, diags hcl.Diagnostics) hcl.Diagnostics {
	if k.Reading().isNative() && bytes.Contains(a.Given(), []byte("${")) {
		for _, d := range diags {
			d.Detail += " In JSON it is a string without ${ }."
		}
	}
	return diags
}

// RequiresVersion tells whether a top-level block has a version constraint on the
// engine. Its body must be there.
func RequiresVersion(b *Block) bool {
	shape, _ := LanguageOf(b.File.Engine).Block(b.Type)
	for _, it := range b.Body.Items {
		if arg, ok := shape.Body.Arg(it.Called()); ok && arg.Kind == EngineConstraint {
			return true
		}
	}
	return false
}

// engineConstraint judges a constraint on the engine, of the kind that is looked at
// when files are loaded. Inside a terraform block it counts only in files that
// OpenTofu alone reads.
func (c *shapeCheck) engineConstraint(b *Block, a *Attr) {
	isInert := b.Type == "terraform" && !c.file.Tofu
	diags := checkConstraint(a)
	for _, d := range diags {
		if isInert {
			d.Severity = hcl.DiagWarning
			d.Detail += " The engine does not read it in this file."
		}
	}
	c.add(diags...)
	switch {
	case isInert || diags.HasErrors():
	case hasPrerelease(a):
		c.add(prereleaseConstraint(a))
	case !MeetsConstraint(a):
		c.add(incompatible(a))
	}
}

// hasPrerelease tells of a constraint that names a prerelease, which a constraint
// on the engine may not do.
func hasPrerelease(a *Attr) bool {
	text, _ := ConstantString(a)
	want, err := version.NewConstraint(text)
	return err == nil && slices.ContainsFunc(want, func(c *version.Constraint) bool { return c.Prerelease() })
}

// MeetsConstraint tells whether the engine that reads an argument meets it as a
// version constraint. One that can't be read is met.
func MeetsConstraint(a *Attr) bool {
	text, ok := ConstantString(a)
	if !ok {
		return true
	}
	want, err := version.NewConstraint(text)
	return err != nil || want.Check(a.File.Engine.core())
}

func (c *shapeCheck) nested(b, child *Block, shape *BodyShape, single map[string]*Block) {
	known, ok := shape.Block(child.Type)
	first := single[child.Type]
	if known.Once && first == nil {
		single[child.Type] = child
	}
	switch {
	case !ok && shape.Open:
		return
	case !ok:
		c.add(unknownBlock(b, child, shape))
		return
	case known.Once && first != nil:
		c.add(repeatedBlock(b, child, first))
		return
	}
	if c.file.Role == Override && known.Fixed {
		return
	}
	c.block(child, known, b.Type)
}

func (c *shapeCheck) required(b *Block, shape *BodyShape) {
	mayLack := c.file.Role == Override && b.In == nil
	var missing []string
	for name, arg := range shape.Args {
		if arg.Required && (arg.Always || !mayLack) && b.Body.Attr(name) == nil {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	for _, name := range missing {
		c.add(missingArgument(b, name))
	}
}

// exclusive reports arguments that may not stand in one block together.
func (c *shapeCheck) exclusive(b *Block, shape *BodyShape) {
	var found []*Attr
	for _, path := range shape.Exclusive {
		body := b.Body
		for _, typ := range path[:len(path)-1] {
			body = nil
			if inner := b.Body.Blocks(typ); len(inner) > 0 {
				body = inner[0].Body
			}
		}
		if a := body.Attr(path[len(path)-1]); a != nil {
			found = append(found, a)
		}
	}
	if len(found) > 1 {
		slices.SortFunc(found, func(a, b *Attr) int { return a.Extent().Start.Byte - b.Extent().Start.Byte })
		c.add(exclusiveArguments(b, found))
	}
}

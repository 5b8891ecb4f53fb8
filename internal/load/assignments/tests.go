package assignments

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/limits"
)

// The types of the blocks in test files that have to do with variables.
const (
	valuesBlock = "variables"
	runBlock    = "run"
	otherModule = "module" // in a run block: it is about another module
)

// Tests are the variables of a test file. Its values may be more than constants; those that
// are can't be computed here.
type Tests struct {
	Name   string
	Values []Value // of the file
	Runs   []Run
	// Declared holds the ranges of the variables that the file itself declares.
	Declared map[string]hcl.Range
	// Broken is set if the engine refuses the file.
	Broken bool

	first hcl.Range // of the block of values
}

// A Run is a run block.
type Run struct {
	Name   string
	Range  hcl.Range // of its header
	Values []Value
	// IsElsewhere is set if the file runs another module.
	IsElsewhere bool

	first hcl.Range // of the block of values
}

// Run returns the run block of a name, or nil.
func (t *Tests) Run(name string) *Run {
	for i := range t.Runs {
		if t.Runs[i].Name == name {
			return &t.Runs[i]
		}
	}
	return nil
}

// ParseTests reads the variables of a test file.
func ParseTests(name string, src []byte) (*Tests, hcl.Diagnostics) {
	t := &Tests{Name: name, Declared: map[string]hcl.Range{}}
	var diags hcl.Diagnostics
	if strings.HasSuffix(name, ".json") {
		diags = t.json(src)
	} else {
		diags = t.native(src)
	}
	if t.Broken = diags.HasErrors(); t.Broken {
		t.Values, t.Runs = nil, nil
	}
	return t, diags
}

func (t *Tests) native(src []byte) hcl.Diagnostics {
	body, diags := limits.Parse(src, t.Name)
	if diags.HasErrors() {
		return diags
	}
	for _, b := range body.Blocks {
		switch {
		case b.Type == valuesBlock:
			diags = append(diags, add(&t.Values, &t.first, valuesOf(b.Body, src), b.DefRange())...)
		case b.Type == declaration && len(b.Labels) == 1:
			t.Declared[b.Labels[0]] = b.DefRange()
		case b.Type == runBlock && len(b.Labels) == 1:
			diags = append(diags, t.nativeRun(b, src)...)
		}
	}
	return diags
}

func (t *Tests) nativeRun(b *hclsyntax.Block, src []byte) (diags hcl.Diagnostics) {
	run := Run{Name: b.Labels[0], Range: b.DefRange()}
	for _, inner := range b.Body.Blocks {
		switch inner.Type {
		case valuesBlock:
			diags = append(diags, add(&run.Values, &run.first, valuesOf(inner.Body, src), inner.DefRange())...)
		case otherModule:
			run.IsElsewhere = true
		}
	}
	t.Runs = append(t.Runs, run)
	return diags
}

// add adds the values of a block, of which only one is allowed.
func add(to *[]Value, first *hcl.Range, values []Value, at hcl.Range) hcl.Diagnostics {
	if first.Filename != "" {
		return hcl.Diagnostics{diag.NewWith(diag.Related{Note: "the first one", Range: *first}, at, "Several blocks of one type", "There is a %s block at %s already. Put all into one.", valuesBlock, diag.Place(*first))}
	}
	*to, *first = values, at
	return nil
}

func (t *Tests) json(src []byte) hcl.Diagnostics {
	text, root := rootOf(t.Name, src)
	text.isTemplate = true
	if text.diags.HasErrors() {
		return text.diags
	}
	for p := range root.Children() {
		switch p.Name() {
		case valuesBlock:
			text.values(p, &t.Values, &t.first)
		case declaration:
			for label := range p.Objects() {
				t.Declared[label.Name()] = text.file.RawRange(label.Key())
			}
		case runBlock:
			for label := range p.Objects() {
				t.Runs = append(t.Runs, text.run(label))
			}
		}
	}
	return text.diags
}

// run reads the body of a run block, or an array of one.
func (t *jsonText) run(label jsontree.Value) Run {
	run := Run{Name: label.Name(), Range: t.file.RawRange(label.Key())}
	for p := range label.Objects() {
		switch p.Name() {
		case valuesBlock:
			t.values(p, &run.Values, &run.first)
		case otherModule:
			run.IsElsewhere = true
		}
	}
	return run
}

// values adds blocks of values.
func (t *jsonText) values(p jsontree.Value, to *[]Value, first *hcl.Range) {
	at := t.file.RawRange(p.Key())
	if p.Kind() == '{' {
		t.diags = append(t.diags, add(to, first, t.valuesIn(p), at)...)
		return
	}
	for c := range p.Children() {
		t.diags = append(t.diags, add(to, first, t.valuesIn(c), at)...)
	}
}

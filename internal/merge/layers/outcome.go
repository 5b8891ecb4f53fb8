package layers

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Status is the outcome of a layer, as reports spell it.
type Status string

// The statuses.
const (
	InEffect     Status = "in_effect"
	GivesDefault Status = "gives_default" // null is in effect, so the default is used
	Outranked    Status = "outranked"
	NotUsable    Status = "refused"    // in effect, and the engine refuses the value
	Unclear      Status = "undecided"  // in effect, and more is needed to know the value
	NotDeclared  Status = "undeclared" // no variable of the module takes the value
)

// An Outcome is what became of a layer.
type Outcome struct {
	*Layer
	Variable *Variable
	Status   Status
	By       *Layer // in effect instead; nil unless the layer is outranked
	Outranks *Layer // the one directly below; nil for the lowest one
}

// Outcomes returns what became of each layer of a variable that has a result, the lowest
// layer first.
func Outcomes(v *Variable, r Result) []Outcome {
	top := v.InEffect()
	list := make([]Outcome, len(v.Layers))
	for i := range v.Layers {
		o := Outcome{Layer: &v.Layers[i], Variable: v, Status: Outranked, By: top}
		if i > 0 {
			o.Outranks = &v.Layers[i-1]
		}
		switch {
		case r.State == Undeclared:
			o.Status, o.By = NotDeclared, nil
		case i == 0 && r.IsDefault:
			o.Status, o.By = InEffect, nil
		case o.Layer == top:
			o.Status, o.By = statusOf(r), nil
		}
		list[i] = o
	}
	return list
}

// statusOf is what became of the layer in effect.
func statusOf(r Result) Status {
	switch {
	case r.State == Refused:
		return NotUsable
	case r.State == Undecided:
		return Unclear
	case r.IsDefault:
		return GivesDefault
	}
	return InEffect
}

// ByFile returns the outcomes of the layers in files, by file name and in source order.
func (s *Set) ByFile() map[string][]Outcome {
	files := map[string][]Outcome{}
	for _, v := range s.variables {
		for _, o := range Outcomes(v, s.Result(v)) {
			if o.Value != nil && !o.Rule.Text {
				files[o.Range.Filename] = append(files[o.Range.Filename], o)
			}
		}
	}
	for _, list := range files {
		slices.SortFunc(list, func(a, b Outcome) int { return a.Range.Start.Byte - b.Range.Start.Byte })
	}
	return files
}

// OutrankedDefaults has, for each default that is not in effect, the layer that is.
type OutrankedDefaults map[*source.Attr]*Layer

// Outranked finds those defaults. It finds none in a set that is nil, nor if a file is refused,
// because there is no run then.
func (s *Set) Outranked() OutrankedDefaults {
	if s == nil || len(s.Broken) > 0 {
		return nil
	}
	found := OutrankedDefaults{}
	for _, v := range s.variables {
		if len(v.Layers) < 2 || v.Layers[0].Default == nil || v.Item == nil {
			continue
		}
		if o := Outcomes(v, s.Result(v))[0]; o.By != nil {
			found[o.Default] = o.By
		}
	}
	return found
}

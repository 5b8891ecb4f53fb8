package report

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/phrases"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A VariableRecord describes the source of a variable's value if the module is run as the root
// module.
type VariableRecord struct {
	Module    string       `json:"module,omitempty"` // the directory of a ModuleRecord, if there are several
	Address   string       `json:"address"`
	State     layers.State `json:"state"`
	Sensitive bool         `json:"sensitive"`
	// Value is the value in native syntax; null unless it is known and shown.
	Value *string `json:"value"`
	// UsesDefault is set if the given value is null, which is not allowed, so the default is used.
	UsesDefault bool   `json:"uses_default,omitempty"`
	Filled      bool   `json:"filled,omitempty"`    // with defaults of optional attributes
	Converted   bool   `json:"converted,omitempty"` // by the type
	Reason      string `json:"reason,omitempty"`    // why it is refused or undecided
	// Remote is the block of a backend whose workspace may set the variable, too.
	Remote *RangeRecord  `json:"remote,omitempty"`
	Layers []LayerRecord `json:"layers"` // each is outranked by the next one
	// Callers are the calls that load the module. If there are any, the layers apply only if the
	// module is run as the root module.
	Callers []callerRecord `json:"callers,omitempty"`
}

// A callerRecord is a module call, and its argument for a variable.
type callerRecord struct {
	Address string       `json:"address"` // in the module that calls
	Range   RangeRecord  `json:"range"`
	Sets    *RangeRecord `json:"sets"` // where it sets the variable; null if it doesn't
}

// A LayerRecord is something that gives a variable a value.
type LayerRecord struct {
	Source layers.Source `json:"source"`
	// Name names an environment variable or an option, whose Range is null.
	Name   string        `json:"name,omitempty"`
	Range  *RangeRecord  `json:"range"`
	Status layers.Status `json:"status"`
	// Value is the text as written; null if it is hidden.
	Value *string         `json:"value"`
	By    *layerPlace     `json:"by"` // the effective layer instead; null if there is none
	Rule  layerRuleRecord `json:"rule"`
}

// A layerPlace locates a layer: by a range, or by the name of an option or environment variable.
type layerPlace struct {
	Name  string       `json:"name,omitempty"`
	Range *RangeRecord `json:"range"`
}

// A layerRuleRecord is a row of the table of layers.
type layerRuleRecord struct {
	Summary string `json:"summary"`
	// Engines words the set of known releases that follow the rule.
	Engines string `json:"engines,omitempty"`
}

// An AssignmentRecord is the effect of a variables file on one variable.
type AssignmentRecord struct {
	Address  string        `json:"address"`
	Range    RangeRecord   `json:"range"` // of the name
	Status   layers.Status `json:"status"`
	Outranks *layerPlace   `json:"outranks"` // what would be in effect without it; null for nothing
	By       *layerPlace   `json:"by"`       // the effective layer instead; null if there is none

	// IfRoot is set if a call loads the module, so the file applies only if the module is run as
	// the root module.
	IfRoot bool `json:"if_root,omitempty"`

	Words string `json:"-"` // the same for people
}

// Assignments records what became of layers of a set that are in one file.
func Assignments(set *layers.Set, outcomes []layers.Outcome) []AssignmentRecord {
	list := make([]AssignmentRecord, len(outcomes))
	for i, o := range outcomes {
		list[i] = AssignmentRecord{
			Address:  spelling.JoinPath("var", o.Variable.Name),
			Range:    rangeRecord(o.Range),
			Status:   o.Status,
			IfRoot:   set.IsCalled(),
			By:       placeOf(o.By),
			Outranks: placeOf(o.Outranks),
			Words:    phrases.LayerUse(o),
		}
		if set.IsCalled() {
			list[i].Words += ", if run as root"
		}
	}
	return list
}

// Variables records variables with their layers.
func Variables(redact wording.Redactor, set *layers.Set, variables []*layers.Variable) []VariableRecord {
	list := make([]VariableRecord, len(variables))
	for i, v := range variables {
		list[i] = variableRecord(redact, set, v)
	}
	return list
}

func variableRecord(redact wording.Redactor, set *layers.Set, v *layers.Variable) VariableRecord {
	r := set.Result(v)
	rec := VariableRecord{
		Address:     spelling.JoinPath("var", v.Name),
		State:       r.State,
		Sensitive:   r.IsSecret,
		UsesDefault: r.IsDefault,
		Filled:      r.IsFilled(),
		Converted:   r.IsConverted(),
		Reason:      r.Why,
		Layers:      []LayerRecord{},
	}
	if text := r.Text(); text != nil && !redact.All {
		rec.Value = new(valid(text))
	}
	if set.Remote != nil {
		rec.Remote = new(rangeRecord(set.Remote.Header()))
	}
	for _, c := range set.Callers {
		caller := callerRecord{Address: c.Address, Range: rangeRecord(c.Range)}
		if at, isSet := c.Arguments[v.Name]; isSet {
			caller.Sets = new(rangeRecord(at))
		}
		rec.Callers = append(rec.Callers, caller)
	}
	for _, o := range layers.Outcomes(v, r) {
		rec.Sensitive = rec.Sensitive || o.IsSecret
		rec.Layers = append(rec.Layers, layerRecord(redact, o))
	}
	return rec
}

func layerRecord(redact wording.Redactor, o layers.Outcome) LayerRecord {
	at := placeOf(o.Layer)
	rec := LayerRecord{
		Source: o.Rule.Source,
		Name:   at.Name,
		Range:  at.Range,
		Status: o.Status,
		By:     placeOf(o.By),
		Rule:   layerRuleRecord{Summary: o.Rule.Why, Engines: o.Rule.Releases()},
	}
	isShown := !o.IsSecret && !redact.All && (!redact.Redact || o.Status == layers.InEffect)
	switch {
	case isShown && o.Default != nil:
		rec.Value = new(valid(o.Default.Display()))
	case isShown && o.Value != nil:
		rec.Value = new(valid(o.Value.Text()))
	}
	return rec
}

// placeOf locates a layer; nil for none.
func placeOf(l *layers.Layer) *layerPlace {
	switch {
	case l == nil:
		return nil
	case l.Rule.Text:
		return &layerPlace{Name: l.Range.Filename}
	}
	return &layerPlace{Range: new(rangeRecord(l.Range))}
}

// A variableChangeRecord is a variable whose value differs from a revision's.
type variableChangeRecord struct {
	Module    string              `json:"module"` // the directory of a ModuleRecord
	Address   string              `json:"address"`
	Change    string              `json:"change"` // changed, added or dropped
	Sensitive bool                `json:"sensitive"`
	Before    *variableSideRecord `json:"before"` // null if the variable is not declared
	After     *variableSideRecord `json:"after"`
}

// A variableSideRecord is a value of a variable.
type variableSideRecord struct {
	State layers.State `json:"state"`
	// Value is the value in native syntax; null unless it is known and shown.
	Value *string     `json:"value"`
	From  *layerPlace `json:"from"` // its source; null if there is none
}

// VariableChanges records the variables whose values differ from a revision's in the module of a
// directory.
func VariableChanges(m phrases.ModuleChanges, dir string) []variableChangeRecord {
	var list []variableChangeRecord
	for i := range m.Values {
		c := &m.Values[i]
		isHidden := c.IsSecret() || m.Redact.All
		list = append(list, variableChangeRecord{
			Module: dir, Address: spelling.JoinPath("var", c.Name), Change: changeWords[c.Kind()], Sensitive: c.IsSecret(),
			Before: variableSide(c.Before, isHidden || m.Redact.Redact), After: variableSide(c.After, isHidden),
		})
	}
	return list
}

func variableSide(v *layers.ValueSide, isHidden bool) *variableSideRecord {
	if v == nil {
		return nil
	}
	rec := &variableSideRecord{State: v.State, From: placeOf(v.From)}
	if text := v.Text(); text != nil && !isHidden {
		rec.Value = new(valid(text))
	}
	return rec
}

// OutrankedBy is the location of the layer that supersedes a default; nil for other arguments.
func OutrankedBy(outranked layers.OutrankedDefaults, a *source.Attr) *RangeRecord {
	if at := placeOf(outranked[a]); at != nil {
		return at.Range
	}
	return nil
}

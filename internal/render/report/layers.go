package report

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
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

	// Words continue the address, and Text is the value behind them, if it is shown.
	Words string `json:"-"`
	Text  string `json:"-"`
	// Notes are sentences: why the value is not known, and who else may set it.
	Notes []string `json:"-"`
}

// A LayerRecord is something that gives a variable a value.
type LayerRecord struct {
	Source layers.Source `json:"source"`
	Range  RangeRecord   `json:"range"`
	Status layers.Status `json:"status"`
	// Value is the text as written; null if it is hidden.
	Value *string         `json:"value"`
	By    *layerPlace     `json:"by"` // the effective layer instead; null if there is none
	Rule  layerRuleRecord `json:"rule"`

	// The same for people. A note may be empty.
	Words, Place, ValueWords, Note string `json:"-"`

	Mark effect.Mark `json:"-"`
	at   source.Item // a default
}

// IsText reports whether the value is worded exactly as it was written.
func (l *LayerRecord) IsText() bool { return l.Value != nil && l.ValueWords == *l.Value }

// Text is the text of a value that is only described in words, starting at the left margin. It is empty if
// the text is hidden.
func (l *LayerRecord) Text() string {
	switch {
	case l.Value == nil || l.IsText():
		return ""
	case l.at != nil:
		return safetext.Printable(strings.TrimRight(textedit.Relocate([]byte(*l.Value), indentOf(l.at), "", "\n"), "\n"))
	}
	return safetext.Printable(strings.TrimRight(*l.Value, "\n"))
}

// A layerPlace locates a layer.
type layerPlace struct {
	Range RangeRecord `json:"range"`
}

// A layerRuleRecord is a row of the table of layers.
type layerRuleRecord struct {
	Summary string `json:"summary"`
}

// Variables records variables with their layers.
func Variables(redact wording.Redactor, set *layers.Set, variables []*layers.Variable) []VariableRecord {
	list := make([]VariableRecord, len(variables))
	for i, v := range variables {
		list[i] = Variable(redact, set, v)
	}
	return list
}

// Variable records a variable with its layers.
func Variable(redact wording.Redactor, set *layers.Set, v *layers.Variable) VariableRecord {
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
	rec.word(redact.All)
	if b, ok := set.Remote.(*source.Block); ok {
		rec.Remote = new(rangeRecord(b.Header()))
		rec.Notes = append(rec.Notes, "The workspace of the "+wording.BlockNoun(b)+" at "+redact.Place(b)+" may set variables, too; that can't be seen here.")
	}
	for _, o := range layers.Outcomes(v, r) {
		rec.Sensitive = rec.Sensitive || o.IsSecret
		l := layerRecord(redact, o)
		if o.Status == layers.InEffect {
			l.Note = listed(append([]string{l.Note}, conversions(redact, set.TypeOf(v), r)...)...)
			if set.Remote != nil {
				l.Words += " locally"
			}
		}
		rec.Layers = append(rec.Layers, l)
	}
	return rec
}

// word words the value.
func (rec *VariableRecord) word(isHidden bool) {
	if rec.Reason != "" && rec.State != layers.Known {
		rec.Notes = append(rec.Notes, rec.Reason)
	}
	switch {
	case rec.State == layers.Undeclared:
		rec.Words = " is not declared"
	case rec.State == layers.Unset:
		rec.Words = " has no value"
	case rec.State != layers.Known:
		rec.Words = " is " + string(rec.State)
	case rec.Sensitive:
		rec.Words = " = " + wording.SensitiveValue
	case isHidden:
		rec.Words = " = " + wording.RedactedValue
	case rec.Value == nil:
		rec.Words = " is too large to be shown"
	default:
		rec.Words, rec.Text = " = ", *rec.Value
	}
}

// layerStatuses are the words and the marks for the outcomes of a layer.
var layerStatuses = map[layers.Status]struct {
	words string
	mark  effect.Mark
}{
	layers.InEffect:     {"in effect", effect.MarkOverride},
	layers.GivesDefault: {"gives the default", effect.MarkNoEffect},
	layers.Outranked:    {"outranked", effect.MarkReplaced},
	layers.NotUsable:    {"refused", effect.MarkRefused},
	layers.Unclear:      {"undecided", effect.MarkNoEffect},
	layers.NotDeclared:  {"undeclared", effect.MarkNoEffect},
}

func layerRecord(redact wording.Redactor, o layers.Outcome) LayerRecord {
	status := layerStatuses[o.Status]
	rec := LayerRecord{
		Source: o.Source,
		Range:  rangeRecord(o.Range),
		Status: o.Status,
		By:     placeOf(o.By),
		Rule:   layerRuleRecord{layers.Why[o.Source]},
		Words:  status.words,
		Mark:   status.mark,
		Place:  redact.PlaceOf(o.Range),
	}
	switch {
	case o.IsSecret:
		rec.ValueWords = wording.SensitiveValue
	case redact.All || redact.Redact && o.Status != layers.InEffect:
		rec.ValueWords = wording.RedactedValue
	case o.Default != nil:
		rec.Value, rec.at, rec.ValueWords = new(valid(o.Default.Display())), o.Default, redact.Value(o.Default)
	case o.Value != nil:
		rec.Value, rec.ValueWords = new(valid(o.Value.Text())), wording.Brief(o.Value.Text())
	}
	if o.Source == layers.Default {
		rec.Note = "default"
	}
	if o.By != nil {
		rec.Note = listed(rec.Note, "by "+redact.PlaceOf(o.By.Range))
	}
	return rec
}

// listed joins the parts of a note that are not empty.
func listed(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// conversions word how the type, which may be nil, converts the effective value.
func conversions(r wording.Redactor, by *source.Attr, result layers.Result) (notes []string) {
	if result.IsConverted() && by != nil {
		notes = append(notes, "converted by the type at "+r.Place(by))
	}
	if result.IsFilled() && !result.IsDefault {
		notes = append(notes, "with defaults of optional attributes")
	}
	return notes
}

// placeOf locates a layer; nil for none.
func placeOf(l *layers.Layer) *layerPlace {
	if l == nil {
		return nil
	}
	return &layerPlace{rangeRecord(l.Range)}
}

// OutrankedPlaces has FILE:LINE of what outranks each default.
func OutrankedPlaces(outranked layers.OutrankedDefaults) map[*source.Attr]string {
	places := map[*source.Attr]string{}
	for a, by := range outranked {
		places[a] = diag.Place(by.Range)
	}
	return places
}

// outrankedBy is the location of the layer that supersedes a default; nil for other arguments.
func outrankedBy(outranked layers.OutrankedDefaults, a *source.Attr) *RangeRecord {
	if by := outranked[a]; by != nil {
		return new(rangeRecord(by.Range))
	}
	return nil
}

package phrases

import (
	"fmt"
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

// The layers that give values to variables, in words.

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

// A LayerRow is what became of a layer, in words.
type LayerRow struct {
	layers.Outcome
	Words string // of the status
	Mark  effect.Mark
	Place string
	Value string
	Note  string // what to add; may be empty
}

// LayerRows words the outcomes of a variable's layers, the effective one first.
func LayerRows(r wording.Redactor, set *layers.Set, v *layers.Variable, result layers.Result) []LayerRow {
	outcomes := layers.Outcomes(v, result)
	slices.Reverse(outcomes)
	rows := make([]LayerRow, len(outcomes))
	for i, o := range outcomes {
		status := layerStatuses[o.Status]
		rows[i] = LayerRow{
			Outcome: o,
			Words:   status.words,
			Mark:    status.mark,
			Place:   layerPlace(r, o.Layer),
			Value:   layerValue(r, o),
			Note:    layerNote(r, set, v, o, result),
		}
		if o.Status == layers.InEffect && set.Remote != nil {
			rows[i].Words += " locally"
		}
	}
	return rows
}

// IsText reports whether the value is worded exactly as it was written.
func (r LayerRow) IsText() bool {
	switch {
	case r.Default != nil:
		return r.Value == string(r.Default.Display())
	case r.Layer.Value != nil:
		return r.Value == string(r.Layer.Value.Text())
	}
	return false
}

// A CallerRow is a module call and its argument for a variable, in words.
type CallerRow struct{ Words, Place, Address string }

// CallerRows words the callers' arguments for a variable.
func CallerRows(callers []layers.Caller, name string) []CallerRow {
	rows := make([]CallerRow, len(callers))
	for i, c := range callers {
		at, isSet := c.Arguments[name]
		words := "set"
		if !isSet {
			at, words = c.Range, "not set"
		}
		rows[i] = CallerRow{words, fmt.Sprintf("%s:%d", diag.Escape(at.Filename), at.Start.Line), c.Address}
	}
	return rows
}

// LayerPlace is FILE:LINE of a layer, or the name of the option or environment variable.
func LayerPlace(l *layers.Layer) string {
	if l.Rule.Text {
		return diag.Escape(l.Range.Filename)
	}
	return diag.Place(l.Range)
}

// OutrankedPlaces has the LayerPlace of what outranks each default.
func OutrankedPlaces(outranked layers.OutrankedDefaults) map[*source.Attr]string {
	places := map[*source.Attr]string{}
	for a, by := range outranked {
		places[a] = LayerPlace(by)
	}
	return places
}

// layerPlace is LayerPlace in the words of the wording.Redactor. The name of an option's file is a path from the
// working directory already.
func layerPlace(r wording.Redactor, l *layers.Layer) string {
	switch {
	case l.Rule.Text || !r.FromHere:
		return LayerPlace(l)
	case l.Rule.Source == layers.OptionFile:
		return wording.PathPlace(l.Range.Filename, l.Range)
	}
	return r.PlaceOf(l.Range)
}

// LayerText is the text of a layer's value if Value only describes it, as Text is for a row of a
// history. It is empty if Value is the text, and if the text is hidden.
func LayerText(r wording.Redactor, row LayerRow) string {
	if row.IsText() || row.IsSecret || hidesLayer(r, row.Outcome) {
		return ""
	}
	text := ""
	switch {
	case row.Default != nil:
		text = textedit.Relocate(row.Default.Display(), wording.IndentOf(row.Default), "", "\n")
	case row.Layer.Value != nil:
		text = string(row.Layer.Value.Text())
	}
	return safetext.Printable(strings.TrimRight(text, "\n"))
}

// hidesLayer reports whether a layer's value must not be shown, secret or not.
func hidesLayer(r wording.Redactor, o layers.Outcome) bool {
	return r.All || r.Redact && o.Status != layers.InEffect
}

// layerValue words a layer's value.
func layerValue(r wording.Redactor, o layers.Outcome) string {
	switch {
	case o.IsSecret:
		return wording.SensitiveValue
	case hidesLayer(r, o):
		return wording.RedactedValue
	case o.Default != nil:
		return r.Value(o.Default)
	case o.Value == nil:
		return ""
	}
	return wording.Brief(o.Value.Text())
}

// layerNote words further facts about a layer.
func layerNote(r wording.Redactor, set *layers.Set, v *layers.Variable, o layers.Outcome, result layers.Result) string {
	var notes []string
	if o.Rule.Source == layers.Default {
		notes = append(notes, "default")
	}
	if o.By != nil {
		notes = append(notes, "by "+layerPlace(r, o.By))
	}
	if o.Status == layers.InEffect {
		notes = append(notes, changesOf(r, set, v, result)...)
	}
	return strings.Join(notes, ", ")
}

// changesOf words how the type converts the effective value.
func changesOf(r wording.Redactor, set *layers.Set, v *layers.Variable, result layers.Result) []string {
	var notes []string
	by := ""
	if t := set.TypeOf(v); t != nil {
		by = " by the type at " + r.Place(t)
	}
	if result.IsConverted() && by != "" {
		notes = append(notes, "converted"+by)
	}
	if result.IsFilled() && !result.IsDefault {
		notes = append(notes, "with defaults of optional attributes")
	}
	return notes
}

// LayerResult words the value of a variable: words that continue its address, and behind them the
// text of the value, if that is shown, with at most maxLines lines.
func LayerResult(r wording.Redactor, result layers.Result, maxLines int) (words, value string) {
	switch {
	case result.State == layers.Undeclared:
		return " is not declared", ""
	case result.State == layers.Unset:
		return " has no value", ""
	case result.State != layers.Known:
		return " is " + string(result.State), ""
	case result.IsSecret:
		return " = " + wording.SensitiveValue, ""
	case r.All:
		return " = " + wording.RedactedValue, ""
	}
	text := result.Text()
	if text == nil {
		return " is too large to be shown", ""
	}
	return " = ", wording.FirstLines(string(text), maxLines)
}

// ResultNote explains in a sentence why a value is not known; empty if it is.
func ResultNote(r layers.Result) string {
	if r.State == layers.Known {
		return ""
	}
	return r.Why
}

// RemoteNote warns in a sentence that values may be set elsewhere; empty if they can't.
func RemoteNote(r wording.Redactor, set *layers.Set) string {
	if set.Remote == nil {
		return ""
	}
	return "The workspace of the " + wording.BlockNoun(set.Remote.(*source.Block)) + " at " + r.Place(set.Remote) + " may set variables, too; that can't be seen here."
}

// LayerUse words in short the effect of a file's value on its variable.
func LayerUse(o layers.Outcome) string {
	switch {
	case o.Status == layers.Outranked:
		return "outranked by " + LayerPlace(o.By)
	case o.Status == layers.NotUsable:
		return "wrong value"
	case o.Status == layers.InEffect && o.Outranks != nil:
		return "outranks " + LayerPlace(o.Outranks)
	case o.Status == layers.InEffect:
		return "sets it"
	}
	return layerStatuses[o.Status].words
}

// NotInEffect names the layer that supersedes a default; empty if that is nil.
func NotInEffect(by *layers.Layer) string {
	if by == nil {
		return ""
	}
	return string(effect.MarkOutranked) + ": " + LayerPlace(by)
}

// Values of variables that differ from a revision's, in words.

// ValuesTitle stands above them.
const ValuesTitle = "values of variables"

// ValueLines words the variables whose values differ from the revision's.
func (m ModuleChanges) ValueLines() []ChangeLine {
	lines := make([]ChangeLine, len(m.Values))
	for i := range m.Values {
		lines[i] = m.valueLine(&m.Values[i])
	}
	return lines
}

func (m ModuleChanges) valueLine(c *layers.ValueChange) ChangeLine {
	l := ChangeLine{Kind: c.Kind(), Name: diag.Escape(spelling.JoinPath("var", c.Name)), By: valuePlaces(c)}
	before, after := valueSide(m.Redact, c.Before, c.IsSecret()), valueSide(m.Redact, c.After, c.IsSecret())
	if m.Redact.Redact && c.Before != nil && !c.IsSecret() {
		before = wording.RedactedValue
	}
	switch {
	case c.Before == nil:
		l.Value = after
	case c.After == nil:
		l.Value = before
	default:
		l.Before, l.Value = before, before+Becomes+after
	}
	if m.Redact.Redact || m.Redact.All || c.IsSecret() {
		return l
	}
	l.texts = [2][]byte{valueText(c.Before), valueText(c.After)}
	if (l.texts[0] == nil) != (c.Before == nil) || (l.texts[1] == nil) != (c.After == nil) {
		l.texts = [2][]byte{}
	}
	l.spread(m.Full)
	return l
}

// valueText is the text of a value that is known and shown, or nil.
func valueText(v *layers.ValueSide) []byte {
	if v == nil {
		return nil
	}
	return v.Text()
}

// valueSide words a value; empty without one.
func valueSide(r wording.Redactor, v *layers.ValueSide, isSecret bool) string {
	switch {
	case v == nil:
		return ""
	case v.State != layers.Known:
		return string(v.State)
	case isSecret:
		return wording.SensitiveValue
	case r.All:
		return wording.RedactedValue
	}
	text := v.Text()
	if text == nil {
		return "a value that is too large to be shown"
	}
	return wording.Brief(text)
}

// valuePlaces words the sources of the values.
func valuePlaces(c *layers.ValueChange) string {
	is, was := sidePlace(c.After), sidePlace(c.Before)
	switch {
	case was == "" || was == is:
		return is
	case is == "":
		return "was " + was
	}
	return is + ", was " + was
}

func sidePlace(v *layers.ValueSide) string {
	if v == nil || v.From == nil {
		return ""
	}
	return LayerPlace(v.From)
}

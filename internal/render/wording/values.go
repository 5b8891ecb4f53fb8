package wording

import (
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/segments"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
)

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
	l := ChangeLine{Kind: c.Kind(), Name: diag.Escape(segments.Join("var", c.Name)), By: valuePlaces(c)}
	before, after := m.Redact.valueSide(c.Before, c.IsSecret()), m.Redact.valueSide(c.After, c.IsSecret())
	if m.Redact.Redact && c.Before != nil && !c.IsSecret() {
		before = redactedValue
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
func (r Redactor) valueSide(v *layers.ValueSide, isSecret bool) string {
	switch {
	case v == nil:
		return ""
	case v.State != layers.Known:
		return string(v.State)
	case isSecret:
		return SensitiveValue
	case r.All:
		return redactedValue
	}
	text := v.Text()
	if text == nil {
		return "a value that is too large to be shown"
	}
	return brief(text)
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

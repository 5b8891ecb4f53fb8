package wording

import (
	"bytes"

	"github.com/tofumerge/tofumerge/internal/merge/changes"
)

// Sides words both values of a change; an empty text for a side that has none.
func (r Redactor) Sides(c *changes.Change) (before, after string) {
	isSecret := r.IsSecretChange(c)
	if c.Before != nil {
		before = r.side(c.Before, isSecret)
		if r.Redact && !isSecret {
			before = redactedValue
		}
	}
	if c.After != nil {
		after = r.side(c.After, isSecret)
	}
	return before, after
}

// IsSecretChange reports whether one of the values of a change is sensitive. Then neither
// is shown.
func (r Redactor) IsSecretChange(c *changes.Change) bool {
	return c.Before != nil && r.IsSecret(c.Before.Item) || c.After != nil && r.IsSecret(c.After.Item)
}

func (r Redactor) side(v *changes.Value, isSecret bool) string {
	switch {
	case isSecret:
		return SensitiveValue
	case !v.IsPart && v.Computed == nil:
		return r.Value(v.Item)
	}
	text := v.Text()
	if given := v.Given(); given != nil && bytes.IndexByte(given, '\n') < 0 && bytes.IndexByte(text, '\n') >= 0 {
		text = given // one line of JSON
	}
	return brief(text)
}

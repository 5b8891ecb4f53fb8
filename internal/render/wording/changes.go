package wording

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
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
	switch text := r.textOf(v); {
	case isSecret:
		return SensitiveValue
	case text == nil:
		return r.Value(v.Item)
	default:
		return brief(text)
	}
}

// textOf is the text of a value as it is shown; nil for a nested block, and where it is hidden.
func (r Redactor) textOf(v *changes.Value) []byte {
	if v.IsPart || v.Computed != nil {
		return shownText(v.Text(), v.Raw())
	}
	if a, isAttr := v.Item.(*source.Attr); isAttr && !r.Hides(a) {
		return shownText(a.Display(), a.Raw())
	}
	return nil
}

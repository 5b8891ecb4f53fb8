package jsonout

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// In JSON, the property "//" of block bodies describes the effects of overrides, in bodies in which
// the language ignores it: by short marks, or by the histories of the block and of its contents.

// A Describer describes, body by body, the effects of overrides.
type Describer interface {
	// Outranked are the arguments that no override addressed and that are described nevertheless.
	Outranked() iter.Seq[*source.Attr]
	// About returns the description for the body of a block with a content, or nil, and the block
	// added by an override around its contents, given the one around the block.
	About(c *merge.MergedBody, b, added *source.Block) (text jsontree.Raw, isAdded *source.Block)
	// Addition returns the description beside an argument that an override added without a block
	// around it.
	Addition(e *merge.MergedItem, a *source.Attr) jsontree.Raw
}

// describe is the property "//" of a body, which keeps existing comments beside the description.
func describe(text jsontree.Raw, comments [][]byte) jsontree.Raw {
	said := &jsontree.Object{}
	said.Add(ownProperty, text)
	switch comments = withoutOwn(comments); len(comments) {
	case 0:
	case 1:
		said.Add(commentProperty, jsontree.Raw(comments[0]))
	default:
		said.Add(commentProperty, jsontree.Raw(slices.Concat([]byte("["), bytes.Join(comments, []byte(",")), []byte("]"))))
	}
	return jsontree.Text(said)
}

// The properties of the object under "//".
const (
	ownProperty     = "tofumerge"
	commentProperty = "comment"
)

// withoutOwn removes the descriptions of an earlier run from comments.
func withoutOwn(comments [][]byte) [][]byte {
	var list [][]byte
	for _, text := range comments {
		var earlier map[string]json.RawMessage
		if json.Unmarshal(text, &earlier) != nil || !bytes.HasPrefix(earlier[ownProperty], []byte("{")) {
			list = append(list, text)
			continue
		}
		delete(earlier, ownProperty)
		if comment := earlier[commentProperty]; comment != nil && len(earlier) == 1 {
			list = append(list, comment)
		} else if len(earlier) > 0 {
			list = append(list, text)
		}
	}
	return list
}

// Marks describes by marks.
type Marks struct{ annotate.Words }

// Outranked implements Describer.
func (m Marks) Outranked() iter.Seq[*source.Attr] { return maps.Keys(m.Words.Outranked) }

// About implements Describer.
func (m Marks) About(c *merge.MergedBody, b, added *source.Block) (jsontree.Raw, *source.Block) {
	if b.Type == source.EscapeBlock {
		return nil, added
	}
	list, added := m.Block(c, b, added)
	return encodeMarks(list), added
}

// Addition implements Describer.
func (m Marks) Addition(e *merge.MergedItem, a *source.Attr) jsontree.Raw {
	return encodeMarks(m.Words.Addition(e, a))
}

func encodeMarks(list []annotate.NamedMark) jsontree.Raw {
	if len(list) == 0 {
		return nil
	}
	object := &jsontree.Object{}
	for _, mark := range list {
		object.Add(mark.Name, encode(mark.Text))
	}
	return jsontree.Text(object)
}

// encode is a text for people as JSON.
func encode(text string) jsontree.Raw {
	encoded, _ := safetext.JSON(text, "") // no text fails
	return bytes.TrimSuffix(encoded, []byte("\n"))
}

package source

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// start is where an argument's name or a block's body starts.
func (o *Origin) start() uint32 {
	if o.Property[1] > 0 {
		return o.Value[0]
	}
	return o.Key[0]
}

// covers reports whether an offset is in an argument's name or value, or in a
// block's body.
func (o *Origin) covers(at uint32) bool { return at >= o.start() && at < o.Value[1] }

// Raw is the JSON text of the argument's value; nil in a native file.
func (a *Attr) Raw() []byte {
	if a.Origin() == nil {
		return nil
	}
	return a.File.Raw[a.Origin().Value[0]:a.Origin().Value[1]]
}

// IsGuess reports whether an item is an argument or a block by the look of its JSON value alone, so
// that it may be the other.
func IsGuess(it Item) bool {
	origin := originOf(it)
	return origin != nil && origin.Guessed
}

// IsVoid reports whether the value is a JSON null or [], which a provider may read as
// no nested block at all.
func (a *Attr) IsVoid() bool { return a.Origin() != nil && a.Origin().Void }

func originOf(it Item) *Origin {
	if a, ok := it.(*Attr); ok {
		return a.Origin()
	}
	return it.(*Block).From
}

// Spread is the stretch of File.Raw that an item covers, with its name.
func Spread(it Item) (from, to int) {
	origin := originOf(it)
	if origin == nil {
		r := it.Extent()
		return r.Start.Byte, r.End.Byte
	}
	return int(origin.Key[0]), int(origin.Value[1])
}

// Display is the text of the argument's value for users: in native syntax, or the JSON text if
// native syntax can't express it.
func (a *Attr) Display() []byte {
	text := a.File.Text(a.Value())
	if a.Origin() == nil {
		return text
	}
	doubts := a.File.inexpressibles
	i, _ := slices.BinarySearchFunc(doubts, a.Origin().start(), func(d inexpressible, at uint32) int { return int(d.at) - int(at) })
	if i < len(doubts) && a.Origin().covers(doubts[i].at) {
		return a.Raw()
	}
	return text
}

// NoteInexpressible records a part of the file's JSON text that native syntax can't express, in
// source order.
func (f *File) NoteInexpressible(at uint32, d *hcl.Diagnostic) {
	f.inexpressibles = append(f.inexpressibles, inexpressible{at, d})
}

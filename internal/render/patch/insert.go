package patch

import (
	"slices"

	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// Inserted returns the difference with texts inserted into the new text. Their offsets are in New,
// in ascending order. It costs as much as Diff: the texts become part of the edits around them.
func (d *File) Inserted(texts []textedit.Edit) *File {
	edits := slices.Clone(d.edits)
	slices.SortStableFunc(edits, func(a, b textedit.Edit) int { return a.Start - b.Start })
	var out []textedit.Edit
	old, now := 0, 0 // how far both texts are read
	next := 0
	for _, e := range edits {
		if e.Start > old {
			for ; next < len(texts) && texts[next].Start < now+e.Start-old; next++ {
				at := old + texts[next].Start - now
				out = append(out, textedit.Replace(at, at, texts[next].Text))
			}
			now, old = now+e.Start-old, e.Start
		}
		from := next
		for next < len(texts) && texts[next].Start <= now+len(e.Text) {
			next++
		}
		within := slices.Clone(texts[from:next])
		for i := range within {
			within[i].Start, within[i].End = within[i].Start-now, within[i].Start-now
		}
		now += len(e.Text)
		e.Text = string(textedit.Apply([]byte(e.Text), 0, len(e.Text), within))
		old = max(old, e.End)
		out = append(out, e)
	}
	for _, t := range texts[next:] {
		at := old + t.Start - now
		out = append(out, textedit.Replace(at, at, t.Text))
	}
	made := Diff(d.Name, d.Old, out)
	made.IsNew, made.IsGone, made.Title = d.IsNew, d.IsGone, d.Title
	return made
}

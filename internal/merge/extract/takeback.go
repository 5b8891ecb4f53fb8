package extract

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
)

// An edit that the override makes up for can be taken back in the primary file, so that the file
// is again what BASE has. It is decided line by line, and only what is in the override, to the last
// comment, goes from the file.

// A Hunk is lines of a primary file that EDITED does not have as BASE does.
type Hunk struct {
	// From and To are the lines in EDITED, counted from 0; To is behind the last one.
	From, To int
	IsBack   bool // it is taken back
	Why      Stay // why it isn't
	// Address is what stays, if that is why.
	Address address.Address

	base, edited span // in bytes
}

// A Stay is why lines stay as they were edited.
type Stay int

// The reasons.
const (
	None   Stay = iota
	Layout      // nothing in them but layout and comments differs
	Holds       // they hold what no override can express
	Beside      // they hold something besides: comments, or lines that were moved
)

// A Restored is a primary file of which edits are taken back.
type Restored struct {
	Name  string
	Text  []byte // of the file then
	Hunks []Hunk
}

// TakeBack returns the primary files that both BASE and EDITED have and that are not the same, in
// load order. What it makes of them means with the override what EDITED does; whoever writes the
// files proves that once more.
func (r *Result) TakeBack() []*Restored {
	var list []*Restored
	for _, f := range r.Edited.Source.Files {
		was := r.Base.Source.File(f.Name)
		if f.Role != source.Primary || was == nil || bytes.Equal(was.Given, f.Given) {
			continue
		}
		t := &taking{Result: r, bound: map[address.Address]address.Address{}, stuck: map[address.Address]bool{}}
		t.base, t.edited = t.stretchesOf(was, 0), t.stretchesOf(f, 1)
		list = append(list, t.file(was, f))
	}
	return list
}

// A span is from where to where something is in a file, in bytes.
type span struct{ from, to int }

func (s span) touches(o span) bool { return s.from < o.to && o.from < s.to }

// stretches are what there is to say of the parts of a file.
type stretches struct {
	expressed []place // what the override has, or makes up for, with its comments
	left      []place
	has       map[address.Address]bool // the differences of which the file has something
}

// A place is where something is that has an address: that of a difference, or of a block.
type place struct {
	span
	own address.Address
}

// union brings places together that overlap. The address is that of the outer one.
func union(list []place) []place {
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var joined []place
	for _, p := range list {
		if n := len(joined); n > 0 && p.from < joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, p.to)
			continue
		}
		joined = append(joined, p)
	}
	return joined
}

// in returns the places that touch some lines, of a list that union made.
func in(list []place, lines span) []place {
	i, _ := slices.BinarySearchFunc(list, lines.from+1, func(p place, at int) int { return cmp.Compare(p.to, at) })
	j := i
	for j < len(list) && list[j].from < lines.to {
		j++
	}
	if lines.from == lines.to {
		return nil
	}
	return list[i:j]
}

// stretchesOf are those of a file of one side: 0 is BASE.
func (t *taking) stretchesOf(f *source.File, side int) stretches {
	s := stretches{has: map[address.Address]bool{}}
	covered := map[source.Item]address.Address{}
	for _, d := range t.Expressed {
		if t.partial[d.Address] {
			continue // comments in it would be lost
		}
		for i, it := range d.Sides[side].Items {
			if it.Source() != f {
				continue
			}
			at := around(it)
			if side == 0 && !keepsComments(it, d.Sides[1].Items, i) {
				at = spread(it)
			}
			covered[it], s.has[d.Address] = d.Address, true
			s.expressed = append(s.expressed, place{at, d.Address})
			if top, isTied := t.tiedTo(it); isTied {
				t.bind(d.Address, top)
			}
		}
	}
	note := func(own address.Address, items []source.Item) {
		for _, it := range items {
			if it.Source().Name == f.Name && it.Source().Role == source.Primary {
				s.left = append(s.left, place{spread(it), own})
				if top, isTied := t.tiedTo(it); isTied {
					t.stuck[top] = true
				}
			}
		}
	}
	for _, l := range t.Left {
		note(l.Address, l.Sides[side].Items)
	}
	for _, d := range t.Idle {
		note(d.Address, append(slices.Clone(d.Sides[side].Items), d.Sides[side].Passed...))
	}
	mayDiffer := compare.MayBeEdited(t.Base.Source, t.Edited.Source)
	for i := range f.Len() {
		if f.Syntax == source.Native && mayDiffer(f, i) {
			s.expressed = append(s.expressed, t.wrapper(f.Block(i), covered)...)
		}
	}
	s.expressed, s.left = union(s.expressed), union(s.left)
	return s
}

// tiedTo returns the address of the block that an item is in, if engines judge that as a whole.
func (r *Result) tiedTo(it source.Item) (address.Address, bool) {
	e := r.ownerOf(source.Top(it))
	if e == nil || e.Rule.Each == nil {
		return address.Address{}, false
	}
	return address.Of(e), true
}

// ownerOf is the merged item of a block of either side.
func (r *Result) ownerOf(b *source.Block) *merge.MergedItem {
	if r.Edited.Source.File(b.File.Name) == b.File {
		return r.Edited.OwnerOf(b)
	}
	return r.Base.OwnerOf(b)
}

// wrapper returns where a block is that means nothing but what it holds, if all of that is
// expressed, and where such blocks in it are. Comments in it that belong to nothing are left out.
func (t *taking) wrapper(b *source.Block, covered map[source.Item]address.Address) []place {
	var list []place
	first, isAll := address.Address{}, len(b.Items()) > 0
	for _, it := range b.Items() {
		if inner, isBlock := it.(*source.Block); isBlock {
			list = append(list, t.wrapper(inner, covered)...)
		}
		own, isCovered := covered[it]
		if isAll = isAll && isCovered; isAll {
			first = cmp.Or(first, own)
		}
	}
	if !isAll || !t.isWrapper(b) {
		return list
	}
	covered[b] = first
	comments := len(source.CommentsIn(b.File.Text(b.Extent())))
	for _, it := range b.Items() {
		t.bind(first, covered[it])
		at := around(it)
		if inner, isBlock := it.(*source.Block); isBlock && t.isWrapper(inner) {
			at = spread(it) // the comments around it are not written
		}
		comments -= len(source.CommentsIn(b.File.Src[at.from:at.to]))
	}
	if comments == 0 {
		return append(list, place{spread(b), first})
	}
	head, foot := span{b.Header().Start.Byte, b.OpenBrace().End.Byte}, span{b.CloseBrace().Start.Byte, b.CloseBrace().End.Byte}
	return append(list, place{head, first}, place{foot, first})
}

// isWrapper reports whether a block means nothing but what it holds.
func (r *Result) isWrapper(b *source.Block) bool {
	e := r.ownerOf(b)
	return e != nil && e.Rule.OmitEmpty
}

// spread is where an item is in its file.
func spread(it source.Item) span {
	from, to := source.Spread(it)
	return span{from, to}
}

// around is spread with the comments around the item.
func around(it source.Item) span {
	if it.Source().Syntax == source.JSON {
		return spread(it)
	}
	t := source.TriviaOf(it)
	return span{t.Lead, t.End}
}

// keepsComments reports whether the comments around an item of BASE are around the one of EDITED, or
// others in their place.
func keepsComments(it source.Item, later []source.Item, i int) bool {
	above, behind := commentsOf(it)
	if i >= len(later) {
		return len(above)+len(behind) == 0
	}
	nowAbove, nowBehind := commentsOf(later[i])
	return (len(above) == 0 || len(nowAbove) > 0) && (len(behind) == 0 || len(nowBehind) > 0)
}

// A taking decides what is taken back in one file. All that is bound together is taken back, or
// nothing of it is.
type taking struct {
	*Result
	base, edited stretches
	bound        map[address.Address]address.Address // each leads on to what stands for all
	stuck        map[address.Address]bool            // what is not taken back
}

// bind has two addresses be taken back together.
func (t *taking) bind(a, b address.Address) {
	if a, b = t.root(a), t.root(b); a != b {
		t.bound[a] = b
	}
}

// root is the address that stands for all that one is bound to.
func (t *taking) root(own address.Address) address.Address {
	for {
		next, isBound := t.bound[own]
		if !isBound {
			return own
		}
		if after, more := t.bound[next]; more {
			t.bound[own] = after
		}
		own = next
	}
}

func (t *taking) file(was, is *source.File) *Restored {
	r := &Restored{Name: is.Name}
	line, at, shift := 0, 0, 0
	for _, e := range hunksOf(was.Given, is.Given) {
		h := Hunk{base: span{e.Start, e.End}, edited: span{e.Start + shift, e.Start + shift + len(e.New)}}
		shift += len(e.New) - (e.End - e.Start)
		line += bytes.Count(is.Given[at:h.edited.from], []byte("\n"))
		at = h.edited.from
		h.From, h.To = line, line+linesIn([]byte(e.New))
		t.decide(&h, was, is)
		if h.IsBack || h.Why == Layout {
			r.Hunks = append(r.Hunks, h)
			continue
		}
		for _, part := range t.cut(h, was, is) {
			isItem := part.IsBack
			if t.decide(&part, was, is); part.IsBack && !isItem {
				part.IsBack, part.Why = false, Beside // it may be half of something
			}
			r.Hunks = append(r.Hunks, part)
		}
	}
	t.straddling(r.Hunks, is.Given, t.edited.expressed, t.base.expressed, func(h *Hunk) (span, span) { return h.edited, h.base })
	t.straddling(r.Hunks, was.Given, t.base.expressed, t.edited.expressed, func(h *Hunk) (span, span) { return h.base, h.edited })
	t.tie(r.Hunks)
	var edits []textedit.Edit
	for _, h := range r.Hunks {
		if h.IsBack {
			edits = append(edits, textedit.Replace(h.edited.from, h.edited.to, string(was.Given[h.base.from:h.base.to])))
		}
	}
	r.Text = textedit.Apply(is.Given, 0, len(is.Given), edits)
	return r
}

// straddling has items stay of which some lines differ and others are taken for lines of something
// else in the other file: two closing braces are the same to whoever compares lines.
func (t *taking) straddling(hunks []Hunk, text []byte, places, others []place, sides func(*Hunk) (own, other span)) {
	first := 0
	for _, p := range places {
		for first < len(hunks) && endOf(sides(&hunks[first])) <= p.from {
			first++
		}
		at, shift := p.from, 0
		if first > 0 {
			own, other := sides(&hunks[first-1])
			shift = other.to - own.to
		}
		isSame := func(to int) bool {
			if at >= to || len(bytes.TrimSpace(text[at:to])) == 0 {
				return true
			}
			found := in(others, span{at + shift, to + shift})
			return len(found) == 1 && found[0].from <= at+shift && to+shift <= found[0].to && t.root(found[0].own) == t.root(p.own)
		}
		isTouched, isWhole := false, true
		for i := first; i < len(hunks); i++ {
			own, other := sides(&hunks[i])
			if own.from >= p.to {
				break
			}
			isTouched = true
			isWhole = isWhole && isSame(own.from)
			at, shift = max(at, own.to), other.to-own.to
		}
		if isTouched && !(isWhole && isSame(p.to)) {
			t.stuck[p.own] = true
		}
	}
}

func endOf(own, _ span) int { return own.to }

// tie has all stay that is bound to what stays.
func (t *taking) tie(hunks []Hunk) {
	touched := make([][]place, len(hunks))
	for i := range hunks {
		touched[i] = slices.Concat(in(t.base.expressed, hunks[i].base), in(t.edited.expressed, hunks[i].edited))
		for _, p := range touched[i] {
			if t.bind(p.own, touched[i][0].own); !hunks[i].IsBack {
				t.stuck[p.own] = true
			}
		}
	}
	for own := range maps.Clone(t.stuck) {
		t.stuck[t.root(own)] = true
	}
	for i := range hunks {
		if h := &hunks[i]; h.IsBack && t.stuck[t.root(touched[i][0].own)] {
			h.IsBack, h.Why, h.Address = false, Beside, touched[i][0].own
		}
	}
}

// cut has each expressed item of a hunk that takes up whole lines in both files be a hunk of its own,
// so that it can be taken back and what is beside it stays.
func (t *taking) cut(h Hunk, was, is *source.File) []Hunk {
	var list []Hunk
	rest := h
	add := func(base, edited span, isItem bool) {
		if base.from == base.to && edited.from == edited.to {
			return
		}
		part := Hunk{base: base, edited: edited, From: rest.From, IsBack: isItem}
		part.To = part.From + linesIn(is.Given[edited.from:edited.to])
		rest.From = part.To
		list = append(list, part)
	}
	before := in(t.base.expressed, h.base)
	for _, p := range in(t.edited.expressed, h.edited) {
		old := span{rest.base.from, rest.base.from}
		i := slices.IndexFunc(before, func(q place) bool { return q.own == p.own })
		if i >= 0 {
			old = before[i].span
		} else if t.base.has[p.own] {
			continue // it was somewhere else
		}
		old, isWhole := wholeLines(was.Given, old)
		now, isWholeNow := wholeLines(is.Given, p.span)
		if !isWhole || !isWholeNow || old.from < rest.base.from || old.to > h.base.to || now.from < rest.edited.from || now.to > h.edited.to {
			continue
		}
		before = before[i+1:]
		add(span{rest.base.from, old.from}, span{rest.edited.from, now.from}, false)
		add(old, now, true)
		rest.base.from, rest.edited.from = old.to, now.to
	}
	add(rest.base, rest.edited, false)
	return list
}

// wholeLines is a span with the rest of its lines, if nothing but blanks is there.
func wholeLines(text []byte, s span) (span, bool) {
	if s.from == s.to {
		return s, true
	}
	from, to := textedit.LineStart(text, s.from), textedit.AfterLine(text, max(s.from, s.to-1))
	return span{from, to}, len(bytes.TrimSpace(text[from:s.from]))+len(bytes.TrimSpace(text[min(s.to, to):to])) == 0
}

func linesIn(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// hunksOf are the lines that differ; those that follow each other are one.
func hunksOf(was, is []byte) []udiff.Edit {
	var list []udiff.Edit
	for _, e := range udiff.Lines(string(was), string(is)) {
		if n := len(list); n > 0 && list[n-1].End == e.Start {
			list[n-1].End, list[n-1].New = e.End, list[n-1].New+e.New
			continue
		}
		list = append(list, e)
	}
	return list
}

// decide settles whether a hunk is taken back.
func (t *taking) decide(h *Hunk, was, is *source.File) {
	before, isBefore := t.base.rest(was, h.base)
	after, isAfter := t.edited.rest(is, h.edited)
	left := slices.Concat(in(t.base.left, h.base), in(t.edited.left, h.edited))
	h.IsBack = false
	switch {
	case len(left) > 0:
		h.Why, h.Address = Holds, left[0].own
	case !isBefore && !isAfter:
		h.Why = Layout
	case !slices.Equal(before, after):
		h.Why = Beside
	default:
		h.IsBack = true
	}
}

// rest is the words of some lines but for what is expressed; isTouched says whether any of that
// is in them.
func (s *stretches) rest(f *source.File, lines span) (words []string, isTouched bool) {
	at := lines.from
	var text strings.Builder
	touched := in(s.expressed, lines)
	for _, e := range touched {
		text.Write(f.Given[at:max(at, e.from)])
		text.WriteByte(' ')
		at = max(at, min(e.to, lines.to))
	}
	text.Write(f.Given[at:lines.to])
	words = strings.Fields(text.String())
	if f.Syntax == source.JSON {
		words = strings.FieldsFunc(text.String(), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' || r == '\r' })
	}
	return words, len(touched) > 0
}

// Reason says in a few words why a hunk is not taken back.
func (h *Hunk) Reason() string {
	switch {
	case h.Why == Holds:
		return "it holds " + h.Address.String() + ", which no override can express"
	case h.Why == Layout:
		return "only layout and comments differ"
	case !h.Address.IsEmpty():
		return "a part of " + h.Address.String() + " can't be taken back"
	}
	return "it holds comments or lines that the override does not have"
}

// Prove fails unless what is loaded means what EDITED does: the files that TakeBack returns, with the
// override.
func (r *Result) Prove(load func() (*load.Module, error)) error {
	src, err := load()
	if err != nil {
		return fmt.Errorf("nothing was written: with the edits taken back, the module can't be read: %w", err)
	}
	m, diags := merge.Files(src, merge.Options{})
	if diags.HasErrors() {
		return fmt.Errorf("nothing was written: with the edits taken back, the engine would refuse the module: %w", diags)
	}
	for _, d := range compare.Edits(m, r.Edited) {
		if !meansNothing(d) && !(len(d.Sides[1].Items) == 0 && r.nulls[d.Address]) {
			return fmt.Errorf("nothing was written: with the edits taken back, %s would not be what it is", diag.Escape(d.Address.String()))
		}
	}
	return nil
}

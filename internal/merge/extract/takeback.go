package extract

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
)

// An edit that the override makes up for can be taken back in the primary file, so that the file
// equals BASE's again. This is decided line by line, and only text that the override contains,
// including every comment, is removed from the file.

// A hunk is lines of a primary file that EDITED does not have as BASE does.
type hunk struct {
	// From and To are the lines in EDITED, starting at 0; To is behind the last one.
	From, To int
	IsBack   bool     // it is taken back
	Why      obstacle // noObstacle if it is
	// Address is the object that stays, if that is the reason.
	Address address.Address

	base, edited span // in bytes
}

// An obstacle is a reason for which lines stay as they were edited.
type obstacle int

// The reasons.
const (
	noObstacle         obstacle = iota
	layoutOnly                  // nothing in them but layout and comments differs
	OutOfEffect                 // they change no effective value
	holdsInexpressible          // they hold something that no override can express
	besideOverride              // they hold something besides: comments, or lines that were moved
)

// A Restoration is a primary file in which edits are taken back.
type Restoration struct {
	Name  string
	Text  []byte // of the file then
	Hunks []hunk
}

// TakeBack returns the primary files that both BASE and EDITED have and that differ, in load order.
// Restored, they mean with the override what EDITED does; the caller who writes the files proves
// that once more.
func (r *Result) TakeBack() []*Restoration {
	var list []*Restoration
	isJSON := slices.ContainsFunc(slices.Collect(maps.Keys(r.Texts)), func(name string) bool { return strings.HasSuffix(name, ".json") })
	mayDiffer := compare.MayBeEdited(r.Base.Source, r.Edited.Source)
	for _, f := range r.Edited.Source.Files {
		was := r.Base.Source.File(f.Name)
		if f.Role != source.Primary || was == nil || bytes.Equal(was.Raw, f.Raw) {
			continue
		}
		t := &takeback{Result: r, isJSON: isJSON, mayDiffer: mayDiffer, bound: map[address.Address]address.Address{}, stuck: map[address.Address]bool{}}
		t.base, t.edited = t.stretchesOf(was, 0), t.stretchesOf(f, 1)
		list = append(list, t.file(was, f))
	}
	return list
}

// A takeback decides which hunks of one file are taken back. Hunks that are bound together are
// taken back together, or not at all.
type takeback struct {
	*Result
	isJSON       bool // the override can't have comments
	mayDiffer    func(f *source.File, i int) bool
	base, edited stretches
	bound        map[address.Address]address.Address // each maps to the representative of its group
	stuck        map[address.Address]bool            // not taken back
}

// bind has two addresses be taken back together.
func (t *takeback) bind(a, b address.Address) {
	if a, b = t.root(a), t.root(b); a != b {
		t.bound[a] = b
	}
}

// root is the address that stands for all that one is bound to.
func (t *takeback) root(own address.Address) address.Address {
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

func (t *takeback) file(was, is *source.File) *Restoration {
	r := &Restoration{Name: is.Name}
	line, at, shift := 0, 0, 0
	for _, e := range ChangedLines(was.Raw, is.Raw) {
		h := hunk{base: span{e.Start, e.End}, edited: span{e.Start + shift, e.Start + shift + len(e.New)}}
		shift += len(e.New) - (e.End - e.Start)
		line += bytes.Count(is.Raw[at:h.edited.from], []byte("\n"))
		at = h.edited.from
		h.From, h.To = line, line+linesIn([]byte(e.New))
		t.decide(&h, was, is)
		if h.IsBack || h.Why == layoutOnly || h.Why == OutOfEffect {
			r.Hunks = append(r.Hunks, h)
			continue
		}
		for _, part := range t.cut(h, was, is) {
			isItem := part.IsBack
			if t.decide(&part, was, is); part.IsBack && !isItem {
				part.IsBack, part.Why = false, besideOverride // it may be half of something
			}
			r.Hunks = append(r.Hunks, part)
		}
	}
	t.straddling(r.Hunks, is.Raw, t.edited.expressed, t.base.expressed, func(h *hunk) (span, span) { return h.edited, h.base })
	t.straddling(r.Hunks, was.Raw, t.base.expressed, t.edited.expressed, func(h *hunk) (span, span) { return h.base, h.edited })
	t.tie(r.Hunks)
	var edits []textedit.Edit
	for _, h := range r.Hunks {
		if h.IsBack {
			edits = append(edits, textedit.Replace(h.edited.from, h.edited.to, string(was.Raw[h.base.from:h.base.to])))
		}
	}
	r.Text = textedit.Apply(is.Raw, 0, len(is.Raw), edits)
	return r
}

// tie keeps every hunk that is bound to one that stays.
func (t *takeback) tie(hunks []hunk) {
	touched := make([][]place, len(hunks))
	for i := range hunks {
		touched[i] = slices.Concat(placesIn(t.base.expressed, hunks[i].base), placesIn(t.edited.expressed, hunks[i].edited))
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
			h.IsBack, h.Why, h.Address = false, besideOverride, touched[i][0].own
		}
	}
}

// decide settles whether a hunk is taken back.
func (t *takeback) decide(h *hunk, was, is *source.File) {
	before, isBefore := t.base.unexpressedWords(was, h.base)
	after, isAfter := t.edited.unexpressedWords(is, h.edited)
	left := slices.Concat(placesIn(t.base.left, h.base), placesIn(t.edited.left, h.edited))
	h.IsBack = false
	switch {
	case len(left) > 0:
		h.Why, h.Address = holdsInexpressible, left[0].own
	case !isBefore && !isAfter && haveSameTokens(was, h.base, is, h.edited):
		h.Why = layoutOnly
	case !isBefore && !isAfter:
		h.Why = OutOfEffect
	case !slices.Equal(before, after):
		h.Why = besideOverride
	default:
		h.IsBack = true
	}
}

// haveSameTokens reports whether two stretches of text differ in layout and comments only.
func haveSameTokens(was *source.File, before span, is *source.File, after span) bool {
	tokens := func(f *source.File, lines span) (list []string) {
		text := f.Raw[lines.from:lines.to]
		if f.Syntax == source.JSON {
			return strings.Fields(string(text))
		}
		for _, k := range parse.Tokens(text, f.Name, hcl.InitialPos) {
			if k.Type != hclsyntax.TokenComment && k.Type != hclsyntax.TokenNewline {
				list = append(list, string(k.Bytes))
			}
		}
		return list
	}
	return slices.Equal(tokens(was, before), tokens(is, after))
}

// unexpressedWords returns the words of some lines apart from expressed parts; isTouched reports whether the
// lines contain any of those.
func (s *stretches) unexpressedWords(f *source.File, lines span) (words []string, isTouched bool) {
	at := lines.from
	var text strings.Builder
	touched := placesIn(s.expressed, lines)
	for _, e := range touched {
		text.Write(f.Raw[at:max(at, e.from)])
		text.WriteByte(' ')
		at = max(at, min(e.to, lines.to))
	}
	text.Write(f.Raw[at:lines.to])
	words = strings.Fields(text.String())
	if f.Syntax == source.JSON {
		words = strings.FieldsFunc(text.String(), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' || r == '\r' })
	}
	return words, len(touched) > 0
}

// Reason explains in a few words why a hunk is not taken back.
func (h *hunk) Reason() string {
	switch {
	case h.Why == holdsInexpressible:
		return "it holds " + h.Address.String() + ", which no override can express"
	case h.Why == layoutOnly:
		return "only layout and comments differ"
	case h.Why == OutOfEffect:
		return "it changes no effective value"
	case !h.Address.IsEmpty():
		return "a part of " + h.Address.String() + " can't be taken back"
	}
	return "it holds comments or lines that the override does not have"
}

// Prove fails unless the loaded module means what EDITED does: the files that TakeBack returns,
// with the override.
func (r *Result) Prove(load func() (*load.Module, error)) error {
	src, err := load()
	if err != nil {
		return fmt.Errorf("nothing was written: after reverting the edits, the module can't be read: %w", err)
	}
	m, diags := merge.Files(src, merge.Options{})
	if diags.HasErrors() {
		return fmt.Errorf("nothing was written: after reverting the edits, the engine would refuse the module: %w", diags)
	}
	for _, d := range compare.Edits(m, r.Edited) {
		if !meansNothing(d) {
			return fmt.Errorf("nothing was written: after reverting the edits, %s would differ", diag.Escape(d.Address.String()))
		}
	}
	return nil
}

package jsonsyntax

import (
	"cmp"
	"slices"
	"sort"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/jsonexpr"
	"github.com/tofumerge/tofumerge/internal/load/jsonstring"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// KeyAt implements source.Translator.
func (f *jsonFile) KeyAt(at uint32) [2]uint32 {
	return jsontree.NewReader(f.Raw).Key(at)
}

// valueParts is where the parts of value that was looked up last are in its native text.
type valueParts struct {
	mutex sync.Mutex
	of    *source.Attr
	parts parts
}

// ValuePart implements source.Translator.
func (f *jsonFile) ValuePart(a *source.Attr, from, to int) [2]uint32 {
	parts := f.partsOf(a)
	if i := parts.around(from, to); i >= 0 {
		return parts.marks[i].JSON
	}
	return a.Origin().Value
}

// partsOf writes a value once more to learn where its parts are in the native text.
func (f *jsonFile) partsOf(a *source.Attr) parts {
	last := &f.parts
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if last.of != a {
		w := jsonexpr.Writer{File: f.File, Quote: f.quote, Silent: true, MarkParts: true}
		w.Write(nil, jsontree.NewReader(f.Raw).Value(int(a.Origin().Value[0])), jsonstring.Reading(a.Origin().Reading),
			a.Indent(), true)
		last.of, last.parts = a, newParts(w.Parts())
	}
	return last.parts
}

// parts are marks in the order of their starts, those around others before them, and of
// each the one around it, -1 for none.
type parts struct {
	marks []jsonexpr.Mark
	outer []int
}

func newParts(marks []jsonexpr.Mark) parts {
	slices.SortStableFunc(marks, func(a, b jsonexpr.Mark) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, int(b.JSON[1]-b.JSON[0])-int(a.JSON[1]-a.JSON[0]))
	})
	p := parts{marks, make([]int, len(marks))}
	last := -1
	for i, m := range marks {
		for last >= 0 && marks[last].End < m.End {
			last = p.outer[last]
		}
		p.outer[i], last = last, i
	}
	return p
}

// around returns the innermost mark around a stretch, or -1 if there is none.
func (p parts) around(from, to int) int {
	i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].Start > from }) - 1
	for i >= 0 && p.marks[i].End < to {
		i = p.outer[i]
	}
	return i
}

package jsonsyntax

import (
	"cmp"
	"slices"
	"sort"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/jsonstring"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// KeyAt implements source.Translator.
func (f *jsonFile) KeyAt(at uint32) [2]uint32 {
	return newReader(f.Raw).key(at)
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
		return parts.marks[i].json
	}
	return a.Origin().Value
}

// partsOf writes a value once more to learn where its parts are in the native text.
func (f *jsonFile) partsOf(a *source.Attr) parts {
	last := &f.parts
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if last.of != a {
		w := exprWriter{file: f, silent: true, mark: true}
		w.value(nil, newReader(f.Raw).value(int(a.Origin().Value[0])), jsonstring.Reading(a.Origin().Reading),
			a.Indent(), true)
		last.of, last.parts = a, newParts(append(w.marks, w.keys...))
	}
	return last.parts
}

// parts are marks in the order of their starts, those around others before them, and of
// each the one around it, -1 for none.
type parts struct {
	marks []mark
	outer []int
}

func newParts(marks []mark) parts {
	slices.SortStableFunc(marks, func(a, b mark) int {
		return cmp.Or(a.start-b.start, b.end-a.end, int(b.json[1]-b.json[0])-int(a.json[1]-a.json[0]))
	})
	p := parts{marks, make([]int, len(marks))}
	last := -1
	for i, m := range marks {
		for last >= 0 && marks[last].end < m.end {
			last = p.outer[last]
		}
		p.outer[i], last = last, i
	}
	return p
}

// around returns the innermost mark around a stretch, or -1 if there is none.
func (p parts) around(from, to int) int {
	i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].start > from }) - 1
	for i >= 0 && p.marks[i].end < to {
		i = p.outer[i]
	}
	return i
}

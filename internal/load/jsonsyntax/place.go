package jsonsyntax

import (
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// KeyAt implements source.Translator.
func (f *File) KeyAt(at uint32) [2]uint32 {
	return newReader(f.Given).key(at)
}

// valueParts is where the parts of value that was looked up last are in its native text.
type valueParts struct {
	mutex sync.Mutex
	of    *source.Attr
	marks []mark
}

// ValuePart implements source.Translator.
func (f *File) ValuePart(a *source.Attr, from, to int) [2]uint32 {
	best := a.Origin().Value
	for _, m := range f.marksOf(a) {
		if m.start <= from && to <= m.end && m.json[1]-m.json[0] <= best[1]-best[0] {
			best = m.json
		}
	}
	return best
}

// marksOf writes a value once more to learn where its parts are in the native text.
func (f *File) marksOf(a *source.Attr) []mark {
	last := &f.parts
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if last.of != a {
		w := exprWriter{file: f, silent: true, mark: true}
		w.value(nil, newReader(f.Given).value(int(a.Origin().Value[0])), language.Reading(a.Origin().Reading),
			a.Indent(), true)
		last.of, last.marks = a, append(w.marks, w.keys...)
	}
	return last.marks
}

package load

import "sync"

// KeyAt implements Translator.
func (f *jsonFile) KeyAt(at uint32) [2]uint32 {
	p := jsonParser{doc: &jsonDoc{src: f.Given}, at: int(at)}
	p.str()
	return [2]uint32{at, uint32(p.at)}
}

// valueParts is where the parts of the value that was asked about last went.
type valueParts struct {
	mutex sync.Mutex
	of    *Attr
	marks []mark
}

// ValuePart implements Translator.
func (f *jsonFile) ValuePart(a *Attr, from, to int) [2]uint32 {
	best := a.Origin().value
	for _, m := range f.marksOf(a) {
		if m.start <= from && to <= m.end && m.json[1]-m.json[0] <= best[1]-best[0] {
			best = m.json
		}
	}
	return best
}

// marksOf writes a value once more to see where its parts go.
func (f *jsonFile) marksOf(a *Attr) []mark {
	last := &f.parts
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if last.of != a {
		w := words{file: f, silent: true, mark: true}
		w.value(nil, parseJSONAt(f.File, int(a.Origin().value[0])), Reading(a.Origin().reading), a.Indent(), true)
		last.of, last.marks = a, append(w.marks, w.keys...)
	}
	return last.marks
}

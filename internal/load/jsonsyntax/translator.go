package jsonsyntax

import (
	"github.com/tofumerge/tofumerge/internal/load/jsonexpr"
	"github.com/tofumerge/tofumerge/internal/load/jsonstring"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// KeyAt implements source.Translator.
func (f *jsonFile) KeyAt(at uint32) [2]uint32 {
	return jsontree.NewReader(f.Raw).Key(at)
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
			a.Header().Start.Column-1, true)
		last.of, last.parts = a, newParts(w.Parts())
	}
	return last.parts
}

// Grow implements source.Translator.
func (f *jsonFile) Grow(b *source.Block) *source.Block {
	jb := writers.Get().(*writer).open(f)
	defer writers.Put(jb)
	defer jb.letGo()
	jb.values.Silent = true
	start := b.Header().Start
	jb.out, jb.base, jb.line = jb.out[:0], start.Byte, start.Line
	jb.lineStart = jb.base - start.Column + 1
	jb.top(header{typ: b.Type, labels: b.Labels, from: *b.From}, jb.again.Value(int(b.From.Value[0])))
	built, _ := jb.build.Block(&jb.list, nil)
	return built
}

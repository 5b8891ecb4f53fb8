package jsonsyntax

import (
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Grow implements source.Translator.
func (f *jsonFile) Grow(b *source.Block) *source.Block {
	jb := writers.Get().(*writer)
	defer writers.Put(jb)
	defer jb.letGo()
	jb.open(f)
	jb.silence()
	jb.out = jb.out[:0]
	return jb.rebuild(b)
}

// rebuild builds a block again, where its text is.
func (jb *writer) rebuild(b *source.Block) *source.Block {
	start := b.Header().Start
	jb.base, jb.line = start.Byte, start.Line
	jb.lineStart = jb.base - start.Column + 1
	jb.top(header{typ: b.Type, labels: b.Labels, from: *b.From}, jb.again.Value(int(b.From.Value[0])))
	built, _ := jb.build.Block(&jb.list, nil)
	return built
}

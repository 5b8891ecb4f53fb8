package jsonsyntax

import (
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Grow implements source.Translator.
func (f *jsonFile) Grow(b *source.Block) *source.Block {
	jb := writers.Get().(*writer)
	defer writers.Put(jb)
	defer jb.letGo()
	jb.open(f)
	jb.silence()
	jb.build.Keeping, jb.out = true, jb.out[:0]
	return jb.rebuild(b)
}

// rebuild builds a block again, where its text is.
func (jb *writer) rebuild(b *source.Block) *source.Block {
	start := b.Start()
	jb.base, jb.line = int(start.Byte), int(start.Line)
	jb.lineStart = jb.base - int(start.Column) + 1
	from := *b.Origin()
	h := header{typ: b.Type, labels: b.Labels, from: from}
	return jb.block(nil, h, jb.again.Value(int(from.Value[0])), language.Of(b.File.Engine).Top(b.Type).Body,
		providerschema.TopPath(b), 0)
}

package jsonsyntax

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// IsWellFormed reports whether Read found a file to be JSON.
func IsWellFormed(f *source.File) bool {
	jf := Of(f)
	return jf != nil && jf.isParsed
}

// Read parses a JSON file and finds its blocks, adds to seen how it uses names, and to
// ambiguous the names that need evidence from other files. The bodies are translated
// once all other files have been read.
func Read(file *source.File, seen Evidence, ambiguous Ambiguous) hcl.Diagnostics {
	f := &jsonFile{File: file}
	file.Translator = f
	root, diags := jsontree.Parse(file)
	if diags = append(diags, limits.JSONNumbers(file.Raw, file.RawRange)...); diags.HasErrors() {
		return diags
	}
	if k := root.Kind(); k != '{' && k != '[' {
		return hcl.Diagnostics{diag.New(f.RawRange(root.Span()), "Incorrect JSON value type",
			"A configuration file must be an object whose properties are block types, or an array of such objects.")}
	}
	f.root, f.isParsed = root, true
	newWriter().open(f).tops(f.root, func(h header, body jsontree.Value) {
		b := &source.Block{File: file, Type: h.typ, Labels: h.labels}
		if f.Role == source.Override {
			f.heads = append(f.heads, b)
		}
		if shape := language.Of(f.Engine).Top(h.typ).Body; shape.IsOpen() {
			seen.noteJSON(body, providerschema.TopPath(b), ambiguous)
		} else {
			seen.noteNested(body, shape, providerschema.TopPath(b), ambiguous)
		}
	})
	if f.Role == source.Primary {
		f.root = jsontree.Value{} // read again in its turn: until then it would only take memory
	}
	return nil
}

// Translate turns a file that was read into native text and items. It calls take with
// each top-level block and its builder, which keeps the tree if keeps reports true of
// the block. With quote no heredoc is written.
func (f *jsonFile) Translate(k *Classifier, quote bool, keeps func(*source.Block) bool,
	take func(b *source.Block, isKept bool, build *source.Builder)) hcl.Diagnostics {
	if f.Role == source.Primary {
		f.root = jsontree.NewReader(f.Raw).Root()
	}
	f.classifier, f.quote = k, quote
	jb := newWriter().open(f)
	jb.out = make([]byte, 0, len(f.Raw))
	jb.tops(f.root, func(h header, body jsontree.Value) {
		if len(jb.out) > 0 {
			jb.emit(f.LineEnd)
		}
		jb.top(h, body)
		jb.emit(f.LineEnd)
		f.Native = jb.out
		b, isKept := jb.build.Block(&jb.list, keeps)
		take(b, isKept, &jb.build)
		clear(f.recent)
	})
	f.Native = jb.out
	f.root, f.heads, f.Broken = jsontree.Value{}, nil, jb.missing
	return jb.diags
}

// tops calls visit for each top-level block of a file.
func (jb *writer) tops(root jsontree.Value, visit func(header, jsontree.Value)) {
	for p := range jb.properties(root, "declare blocks") {
		name := p.Name()
		if name == commentKey {
			f, at := jb.file, p.Span()
			if n := len(f.Remarks); n == 0 || f.Remarks[n-1][0] < at[0] { // else the first reading found it
				f.Remarks = append(f.Remarks, at)
			}
			continue
		}
		shape, known := language.Of(jb.file.Engine).Block(name)
		h := header{typ: name, from: source.Origin{Key: p.Key(), Property: p.Span()}}
		if !known && (!spelling.IsNativeName(name) || !mayBeBlocks(p) || p.IsVoid()) {
			jb.report(p.Key(), "Extraneous JSON object property",
				"%s has no top-level blocks of type \"%s\", and this value can't be a block.%s",
				jb.file.Engine.Product.Title(), diag.Escape(name), diag.DidYouMean(name, language.Of(jb.file.Engine).Types()))
			continue
		}
		jb.unknownVoid(p, shape)
		jb.unpack(p, h, len(shape.Labels), shape.Labels, visit)
	}
}

// Heads returns blocks with the types and labels of the blocks of a JSON override file, until the
// file is translated.
func Heads(f *source.File) []*source.Block {
	if jf := Of(f); jf != nil {
		return jf.heads
	}
	return nil
}

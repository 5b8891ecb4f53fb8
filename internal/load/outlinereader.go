package load

import (
	"bytes"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// A reader holds memory that is reused from file to file.
type reader struct {
	build source.Builder
	scan  outline.Scanner
}

// takeReader returns a reader. The loader keeps its own list instead of a sync.Pool: the
// runtime would keep the pool, and so the loader with its module, for two garbage collections. In a
// server, that would be most of the memory.
func (l *loader) takeReader() *reader {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	last := len(l.readers) - 1
	if last < 0 {
		return new(reader)
	}
	r := l.readers[last]
	l.readers = l.readers[:last]
	return r
}

// putReader gives a reader back.
func (l *loader) putReader(r *reader) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.readers = append(l.readers, r)
}

// outlined loads a file by its outline, and parses only the blocks that the outline is not sure
// about. It reports false if the syntax may have errors: the parser must report them, from the
// whole text.
func (l *loader) outlined(f *source.File, before *earlierBlocks) (diags hcl.Diagnostics, ok bool) {
	if bytes.Contains(f.Native, []byte("::")) {
		return nil, false // may be a function that the release does not know
	}
	if !utf8.Valid(f.Native) {
		return nil, false // the parser may read a line end as part of a character
	}
	check := &language.Checker{File: f}
	r := l.takeReader()
	defer l.putReader(r)
	build, scan := r.build.For(f), &r.scan
	scan.Reset(f.Native)
	seen := jsonsyntax.Evidence{}
	for {
		if before.next(f, scan) {
			continue
		}
		switch scan.Next() {
		case outline.End:
			f.Broken = false
			l.note(f, seen, nil)
			return check.Sorted(), true
		case outline.Found:
			l.takeBlock(scan.Tree, build, check, seen)
			before.skip(f)
		case outline.NotSure:
			piece, end := pieceAt(f.Native, scan.At())
			isLongRest := int(end.Byte) == len(f.Native) && len(piece) > maxRest
			var body *hclsyntax.Body
			if !isLongRest {
				body = parsePiece(piece, f.Name, scan.At())
			}
			if body == nil {
				f.Forget()
				return nil, false
			}
			l.take(f, body, build, check, seen)
			before.skip(f)
			scan.Resume(end)
		}
	}
}

// maxRest is the maximum length of a file's rest to be parsed as one piece. The parser's tree
// is many times as large as the text.
const maxRest = 1 << 16

// pieceAt returns the text from a position through the first line that consists of a closing brace,
// or through the end of the text, and the position behind it.
func pieceAt(src []byte, at outline.Place) (piece []byte, end outline.Place) {
	piece = src[at.Byte:]
	if n := bytes.Index(piece, []byte("\n}\n")); n >= 0 {
		piece = piece[:n+3]
	}
	end = outline.Place{
		Line:   at.Line + uint32(bytes.Count(piece, []byte("\n"))),
		Column: 1,
		Byte:   at.Byte + uint32(len(piece)),
	}
	return piece, end
}

// parsePiece parses a piece of a file. It returns nil unless the piece is valid and has nothing
// but blocks.
func parsePiece(piece []byte, name string, at outline.Place) *hclsyntax.Body {
	if bytes.HasPrefix(piece, spelling.UTF8BOM) {
		return nil // the parser would skip it; only one at the start of a file is allowed
	}
	if _, diags := limits.Depth(piece, name); diags.HasErrors() {
		return nil
	}
	if diags := limits.Numbers(piece, name); diags.HasErrors() {
		return nil
	}
	parsed, diags := parse.Config(piece, name, at.Pos())
	body := parsed.Body.(*hclsyntax.Body)
	if diags.HasErrors() || len(body.Attributes) > 0 {
		return nil
	}
	return body
}

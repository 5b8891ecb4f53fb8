package load

import (
	"bytes"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/judge"
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

// takeReader returns a reader that no file uses. The loader keeps its own list of them instead of a sync.Pool: the
// runtime would keep the pool, and so the loader with its module, for two garbage collections. In a server, that
// would be most of the memory.
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

// readOutline finds and judges the blocks of a file by scanning its outline, which is faster than parsing it. It
// parses only text that the outline isn't sure about. ok is false if the syntax may have errors: then the caller must
// parse the whole file, because only the parser reports them.
func (l *loader) readOutline(f *source.File, before *earlierBlocks) (diags hcl.Diagnostics, ok bool) {
	// After invalid UTF-8 the parser may take a line end for part of a character; the outline would see a line end.
	if judge.LacksFunctions(f) || !utf8.Valid(f.Native) {
		return nil, false
	}
	check := &language.Checker{File: f}
	r := l.takeReader()
	defer func() {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.readers = append(l.readers, r)
	}()
	build, scan := r.build.For(f), &r.scan
	scan.Reset(f.Native)
	build.Lend() // f uses memory of r until Close
	evidence := jsonsyntax.Evidence{}
	least := 0 // how many bytes to parse next at least; usualPiece while the outline stays unsure
	for {
		if before.reuseNext(f, scan) {
			continue
		}
		switch scan.Next() {
		case outline.End:
			build.Close()
			f.Broken = false
			l.addEvidence(f, evidence, nil)
			return check.Sorted(), true
		case outline.Found:
			l.addBlock(scan.Tree, build, check, evidence)
			before.skip(f) // the blocks behind it may be those of the last load again
			least = 0
		case outline.NotSure:
			body, end := parsePiece(f, scan.At(), least)
			if body == nil { // the piece has errors, or can't be parsed alone
				f.Forget() // drops the blocks that were added before
				return nil, false
			}
			l.addBody(body, build, check, evidence)
			before.skip(f)
			scan.Resume(end)
			least = usualPiece
		}
	}
}

const (
	// usualPiece is how much of a file is parsed at once while the outline isn't sure about any of it. Each
	// piece has a cost of its own, and the trees of larger pieces take more memory.
	usualPiece = 2000
	// maxRest is how long the rest of a file may be to be parsed as one piece: the parser's tree is many
	// times as large as the text.
	maxRest = 1 << 16
	// maxVain is the total size of failed pieces after which the whole file is parsed instead: an unclosed
	// heredoc must cost hardly more than parsing the text once.
	maxVain = 3 * usualPiece
)

// parsePiece parses a piece of the file that begins at the given place, between top-level blocks. It returns the
// parsed blocks and the end of the piece (exclusive). The piece has at least least bytes, if so many are left. A
// piece with errors may end inside a heredoc, so parsePiece tries longer ones. body is nil if none is free of errors,
// or if the piece holds top-level arguments. So the caller parses the whole file, and only once: a piece that is the
// rest of the file isn't parsed beforehand if it is long (maxRest).
func parsePiece(f *source.File, at outline.Place, least int) (body *hclsyntax.Body, end outline.Place) {
	if bytes.HasPrefix(f.Native[at.Byte:], spelling.UTF8BOM) {
		return nil, end // the parser would skip it; only one at the start of a file is allowed
	}
	// parsedInVain counts the bytes of all failed pieces, since least becomes the length of each.
	for parsedInVain := 0; parsedInVain <= maxVain; parsedInVain += least {
		piece := firstPiece(f.Native[at.Byte:], least)
		end = outline.Place{
			Line:   at.Line + uint32(bytes.Count(piece, []byte("\n"))),
			Column: 1,
			Byte:   at.Byte + uint32(len(piece)),
		}
		isRest := int(end.Byte) == len(f.Native)
		isTooLong := isRest && len(piece) > maxRest
		if isTooLong || limits.CheckText(piece, f.Name).HasErrors() { // or nests too deep
			return nil, end
		}
		parsed, diags := parse.Config(piece, f.Name, at.Pos())
		if body := parsed.Body.(*hclsyntax.Body); !diags.HasErrors() && len(body.Attributes) == 0 {
			return body, end
		}
		if isRest { // there is no longer piece
			return nil, end
		}
		least = len(piece)
	}
	return nil, end
}

// firstPiece returns the start of src up to where a top-level block seems to end, so that the parser needn't read all
// the rest: up to the first line beyond minSize bytes that ends with }, if the next line isn't indented and doesn't
// begin with a closing bracket. If there is no such line, it returns all of src.
func firstPiece(src []byte, minSize int) []byte {
	for end := minSize; ; {
		n := bytes.IndexByte(src[min(end, len(src)):], '\n')
		if n < 0 {
			return src
		}
		end += n + 1
		piece := bytes.TrimSuffix(src[:end-1], []byte("\r")) // without its last line end
		next := src[end:min(end+1, len(src))]                // the first character of the next line, if any
		if bytes.HasSuffix(piece, []byte("}")) && !bytes.ContainsAny(next, " \t}])") {
			return src[:end:end]
		}
	}
}

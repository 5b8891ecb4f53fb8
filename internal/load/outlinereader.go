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

// readOutline finds and judges the blocks of a file by its outline, and parses only those that the outline is
// not sure about. ok is false if the syntax may have errors: only the parser can report them, from the
// whole text.
func (l *loader) readOutline(f *source.File, before *earlierBlocks) (diags hcl.Diagnostics, ok bool) {
	if judge.LacksFunctions(f) || !utf8.Valid(f.Native) { // or the parser may read a line end as part of a character
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
	build.Lend()
	seen := jsonsyntax.Evidence{}
	least := 0 // bytes to parse next
	for {
		if before.reuseNext(f, scan) {
			continue
		}
		switch scan.Next() {
		case outline.End:
			build.Close()
			f.Broken = false
			l.addEvidence(f, seen, nil)
			return check.Sorted(), true
		case outline.Found:
			l.addBlock(scan.Tree, build, check, seen)
			before.skip(f)
			least = 0
		case outline.NotSure:
			body, end := parsePiece(f, scan.At(), least)
			if body == nil {
				f.Forget()
				return nil, false
			}
			l.addBody(body, build, check, seen)
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
	// maxVain is how much is parsed in vain before the whole file is: an unclosed heredoc shall cost hardly
	// more than the text.
	maxVain = 3 * usualPiece
)

// parsePiece parses blocks from a position on, at least so many bytes if there are as many. If a piece
// isn't valid, it may end within a heredoc, so parsePiece tries a longer one. body is nil unless the piece
// holds nothing but blocks.
func parsePiece(f *source.File, at outline.Place, least int) (body *hclsyntax.Body, end outline.Place) {
	if bytes.HasPrefix(f.Native[at.Byte:], spelling.UTF8BOM) {
		return nil, end // the parser would skip it; only one at the start of a file is allowed
	}
	for vain := 0; vain <= maxVain; vain += least {
		piece := pieceAt(f.Native[at.Byte:], least)
		end = outline.Place{
			Line:   at.Line + uint32(bytes.Count(piece, []byte("\n"))),
			Column: 1,
			Byte:   at.Byte + uint32(len(piece)),
		}
		isRest := int(end.Byte) == len(f.Native)
		if isRest && len(piece) > maxRest || limits.CheckText(piece, f.Name).HasErrors() {
			return nil, end
		}
		parsed, diags := parse.Config(piece, f.Name, at.Pos())
		if body := parsed.Body.(*hclsyntax.Body); !diags.HasErrors() && len(body.Attributes) == 0 {
			return body, end
		}
		if isRest {
			return nil, end
		}
		least = len(piece)
	}
	return nil, end
}

// pieceAt returns the start of a text, of at least some bytes, up to where a top-level block seems to end:
// a line that ends with a closing brace, before a line that isn't indented and closes nothing.
func pieceAt(src []byte, least int) []byte {
	for end := least; ; {
		n := bytes.IndexByte(src[min(end, len(src)):], '\n')
		if n < 0 {
			return src
		}
		end += n + 1
		if bytes.HasSuffix(bytes.TrimSuffix(src[:end-1], []byte("\r")), []byte("}")) &&
			!bytes.ContainsAny(src[end:min(end+1, len(src))], " \t}])") {
			return src[:end:end]
		}
	}
}

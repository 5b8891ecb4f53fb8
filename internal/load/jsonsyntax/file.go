package jsonsyntax

import (
	"cmp"
	"slices"
	"sort"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/jsonexpr"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A jsonFile is a JSON file that is translated to native text and items.
type jsonFile struct {
	*source.File
	root       jsontree.Value   // while it is read
	isParsed   bool             // it is well-formed
	heads      []*source.Block  // of an override file, types and labels of its blocks, while it is read
	quote      bool             // its text has no heredocs
	classifier *Classifier      // decides what its properties are
	recent     map[guessKey]int // guesses about the block at hand
	guesses    []guess          // the same, of the whole file
	parts      valueParts
}

// Of returns what Read made of a file; nil for a native one.
func Of(f *source.File) *jsonFile {
	jf, _ := f.Translator.(*jsonFile)
	return jf
}

// A guess is a name in a JSON body that was taken for an argument or a nested block
// by the look of its value alone.
type guess struct {
	guessKey
	at       [2]uint32
	disputed bool
	void     bool // all its values are null or []
}

type guessKey struct {
	path, name string
	block      bool
}

// guess records a guess; identical guesses in one top-level block are recorded once.
func (f *jsonFile) guess(p jsontree.Value, path, name string, v decision) {
	k := guessKey{path, name, v.block}
	if n := f.recent[k]; n > 0 {
		f.guesses[n-1].void = f.guesses[n-1].void && p.IsVoid()
		return
	}
	if f.recent == nil {
		f.recent = map[guessKey]int{}
	}
	f.guesses = append(f.guesses, guess{k, p.Key(), v.disputed, p.IsVoid()})
	f.recent[k] = len(f.guesses)
}

// valueParts is where the parts of value that was looked up last are in its native text.
type valueParts struct {
	mutex sync.Mutex
	of    *source.Attr
	parts parts
}

// parts are marks in the order of their starts, those around others before them, and of
// each the one around it, -1 for none.
type parts struct {
	marks []jsonexpr.Mark
	outer []int
}

func newParts(marks []jsonexpr.Mark) parts {
	slices.SortStableFunc(marks, func(a, b jsonexpr.Mark) int {
		return cmp.Or(a.Start-b.Start, b.End-a.End, int(b.JSON[1]-b.JSON[0])-int(a.JSON[1]-a.JSON[0]))
	})
	p := parts{marks, make([]int, len(marks))}
	last := -1
	for i, m := range marks {
		for last >= 0 && marks[last].End < m.End {
			last = p.outer[last]
		}
		p.outer[i], last = last, i
	}
	return p
}

// around returns the innermost mark around a stretch, or -1 if there is none.
func (p parts) around(from, to int) int {
	i := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].Start > from }) - 1
	for i >= 0 && p.marks[i].End < to {
		i = p.outer[i]
	}
	return i
}

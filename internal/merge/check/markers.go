package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/comments"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/winners"
)

// unmarked checks that the comments of primary blocks name the files with winning overrides in
// them, as mark does. Files in JSON have no comments.
func (f *findings) unmarked() {
	byBlock := map[*source.Block][]winners.Override{}
	var blocks []*source.Block
	for _, o := range winners.Overrides(f.m) {
		if o.Block.Source().Syntax != source.Native {
			continue
		}
		if byBlock[o.Block] == nil {
			blocks = append(blocks, o.Block)
		}
		byBlock[o.Block] = append(byBlock[o.Block], o)
	}
	for _, b := range blocks {
		f.unmarkedBlock(b, byBlock[b])
	}
}

// unmarkedBlock judges one block. There is one finding for each file, which points to the first
// winning override.
func (f *findings) unmarkedBlock(b *source.Block, list []winners.Override) {
	named := commentsName(b, list)
	for _, o := range list {
		name := o.By.Source().Name
		if named[name] {
			continue
		}
		named[name] = true
		x := f.add(unmarkedOverride, b, "%s overrides this block, and no comment names it. Run tofumerge mark --write.", diag.FileName(name))
		x.Related = &diag.Related{Note: "override", Range: source.Where(source.Top(o.By))}
	}
}

// commentsName lists which of the files of overrides the comments above or in a block
// name, as they are called or as mark writes them.
func commentsName(b *source.Block, list []winners.Override) map[string]bool {
	files := map[string][]string{} // by what names them
	known := map[string]bool{}
	var lengths []int
	for _, o := range list {
		name := o.By.Source().Name
		if known[name] {
			continue
		}
		known[name] = true
		quoted := strconv.Quote(name)
		for _, form := range []string{name, quoted[1 : len(quoted)-1]} {
			files[form] = append(files[form], name)
			if !slices.Contains(lengths, len(form)) {
				lengths = append(lengths, len(form))
			}
		}
	}
	named := map[string]bool{}
	t := source.TriviaOf(b)
	for _, text := range comments.Texts(b.File.Native[t.Lead:t.End]) {
		eachName(text, lengths, func(name string) {
			for _, file := range files[name] {
				named[file] = true
			}
		})
	}
	return named
}

// eachName visits the stretches of a text that are of one of some lengths and no
// part of a longer name. A name may be any bytes, so that no regular expression can
// be made of it.
func eachName(text string, lengths []int, visit func(string)) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	for at := range len(text) {
		if at > 0 && strings.IndexByte(letters+".", text[at-1]) >= 0 {
			continue
		}
		for _, n := range lengths {
			end := at + n
			if end == len(text) || end < len(text) && strings.IndexByte(letters, text[end]) < 0 {
				visit(text[at:end])
			}
		}
	}
}

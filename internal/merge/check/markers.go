package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// unmarked checks that the comments of primary blocks name the files with winning overrides in
// them, and that comments which fixes wrote are not stale. Files in JSON have no comments. In a
// module that is refused, the correct text of a comment is unknown.
func (f *findings) unmarked(isRefused bool) {
	byBlock := OverridesByBlock(f.m)
	for _, file := range f.m.Source.Files {
		if file.Role != source.Primary || file.Syntax != source.Native {
			continue
		}
		mayBeStale := !isRefused && MayHaveNotice(file)
		for i := range file.Len() {
			if mayBeStale || f.m.Source.IsAddressedAt(file, i) {
				f.unmarkedBlock(file.Block(i), byBlock[file.Block(i)], mayBeStale)
			}
		}
	}
}

// unmarkedBlock judges one block. There is one finding for each file without a comment, which points
// to the first winning override, and otherwise one for all stale comments.
func (f *findings) unmarkedBlock(b *source.Block, list []Override, mayBeStale bool) {
	named := commentsName(b, list)
	for _, o := range list {
		name := o.By.Source().Name
		if named[name] {
			continue
		}
		named[name], mayBeStale = true, false
		x := f.add(unmarkedOverride, b, "%s overrides this block, and no comment names it. To write one, run tofumerge check --fix --write.", diag.FileName(name))
		x.Related = &diag.Related{Note: "override", Range: source.Where(source.Top(o.By))}
	}
	if !mayBeStale {
		return
	}
	if c := CorrectNotice(b, list); c.Stale != "" {
		x := f.add(unmarkedOverride, b, "The comment above this block is stale: %s. To correct it, run tofumerge check --fix --write.", c.Stale)
		x.Related, x.Address = &diag.Related{Note: "comment", Range: c.At}, address.OfBlock(f.m, b)
	}
}

// commentsName lists which of the files of overrides the comments above or in a block
// name, as they are called or as package marker writes them.
func commentsName(b *source.Block, list []Override) map[string]bool {
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
	if len(list) == 0 {
		return named
	}
	t := source.TriviaOf(b)
	for _, text := range parse.CommentTexts(b.File.Native[t.Lead:t.End]) {
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

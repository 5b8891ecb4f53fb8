package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// unmarked judges whether the comments of a primary block name the files that
// override it.
func (f *findings) unmarked(e *merge.MergedItem) {
	if e.Inner == nil || strings.Contains(e.Path, "/") {
		return
	}
	by := overriders(e)
	for _, b := range e.Inner.Parts {
		if b.Source().Role != source.Primary || b.Source().Syntax != source.Native || len(by[b]) == 0 {
			continue
		}
		named := commentsName(b, by[b])
		for _, it := range by[b] {
			if name := it.Source().Name; !named[name] {
				x := f.add(unmarkedOverride, b, "%s overrides this block, and no comment names it. Run tofumerge mark --write.", diag.FileName(name))
				x.Related = &diag.Related{Note: "override", Range: source.Where(it)}
			}
		}
	}
}

// overriders lists the override blocks that change each of the blocks that a merged item
// is printed in. Of several, as locals blocks are, an override block changes those
// in which is what it addresses.
func overriders(e *merge.MergedItem) map[*source.Block][]source.Item {
	by := map[*source.Block][]source.Item{}
	var changed map[source.Item][]*source.Block
	if len(e.Inner.Parts) > 1 {
		changed = changedBy(e.Inner)
	}
	for _, s := range e.Steps {
		if s.Item == nil || s.Did != merge.Extended {
			continue
		}
		parts := e.Inner.Parts
		if len(parts) > 1 {
			parts = changed[s.Item]
		}
		for _, b := range parts {
			by[b] = append(by[b], s.Item)
		}
	}
	return by
}

// changedBy lists, by the override block, the parts of a content that what it holds
// is printed or reported in.
func changedBy(c *merge.MergedBody) map[source.Item][]*source.Block {
	changed := map[source.Item][]*source.Block{}
	known := map[[2]*source.Block]bool{}
	for _, e := range c.Items {
		part := c.ReportBlock(e)
		for _, s := range e.Steps {
			if s.Item == nil || !source.IsOverride(s.Item) {
				continue
			}
			if by := merge.Holder(s.Item); !known[[2]*source.Block{by, part}] {
				known[[2]*source.Block{by, part}] = true
				changed[by] = append(changed[by], part)
			}
		}
	}
	return changed
}

// commentsName lists which of the files that items are in the comments above or
// in a block name, as they are called or as mark writes them.
func commentsName(b *source.Block, items []source.Item) map[string]bool {
	files := map[string][]string{} // by what names them
	known := map[string]bool{}
	var lengths []int
	for _, it := range items {
		name := it.Source().Name
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
	for _, text := range source.CommentsIn(b.File.Src[t.Lead:t.End]) {
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

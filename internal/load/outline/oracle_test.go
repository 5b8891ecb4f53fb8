package outline_test

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// A verdict compares the scanner with the parser.
type verdict struct {
	sure  bool   // the scanner is sure about the whole text
	valid bool   // the parser accepts the text
	wrong string // how the scanner contradicts the parser, empty if it doesn't
}

// judge scans a text, and compares the sure results of the scanner with the parser's tree.
func judge(src []byte) verdict {
	items, sure := outlined(src)
	parsed, diags := hclsyntax.ParseConfig(src, "", hcl.InitialPos)
	v := verdict{sure: sure, valid: !diags.HasErrors()}
	switch {
	case sure && !v.valid:
		v.wrong = "the scanner accepts what the parser refuses: " + diags.Error()
	case sure:
		v.wrong = difference(treed(parsed.Body.(*hclsyntax.Body)), items)
	}
	return v
}

// outlined lists a line for each item that the scanner finds, and reports whether the scanner
// was sure until the end.
func outlined(src []byte) (items []string, sure bool) {
	s := outline.NewScanner(src)
	for {
		switch s.Next() {
		case outline.End:
			return items, true
		case outline.NotSure:
			return items, false
		}
		if n := len(s.Items); int(s.Items[0].Inner) != n-1 {
			return append(items, fmt.Sprintf("a block with %d items inside, of %d", s.Items[0].Inner, n)), true
		}
		items = appendItems(items, s, s.Items)
	}
}

func appendItems(list []string, s *outline.Scanner, items []outline.Item) []string {
	for len(items) > 0 {
		it := items[0]
		line := fmt.Sprint("name", it.Name, " value", it.Value)
		for _, l := range s.Labels[it.FirstLabel:it.EndLabel] {
			line += fmt.Sprint(" label", l)
		}
		inside := items[1 : 1+it.Inner]
		list = append(list, line)
		list = appendItems(list, s, inside)
		if it.IsBlock {
			list = append(list, "end")
		}
		items = items[1+it.Inner:]
	}
	return list
}

// treed lists the same lines for the items of the parser's tree.
func treed(body *hclsyntax.Body) []string {
	type item struct {
		at    int
		lines []string
	}
	var items []item
	for _, a := range body.Attributes {
		line := fmt.Sprint("name", span(a.NameRange), " value", span(a.Expr.Range()))
		if a.SrcRange.End != a.Expr.Range().End {
			line += fmt.Sprint(" but ends at ", a.SrcRange.End)
		}
		items = append(items, item{a.NameRange.Start.Byte, []string{line}})
	}
	for _, b := range body.Blocks {
		line := fmt.Sprint("name", span(b.TypeRange), " value", span(hcl.RangeBetween(b.OpenBraceRange, b.CloseBraceRange)))
		for _, l := range b.LabelRanges {
			line += fmt.Sprint(" label", span(l))
		}
		lines := append([]string{line}, treed(b.Body)...)
		items = append(items, item{b.TypeRange.Start.Byte, append(lines, "end")})
	}
	slices.SortFunc(items, func(a, b item) int { return cmp.Compare(a.at, b.at) })
	var all []string
	for _, it := range items {
		all = append(all, it.lines...)
	}
	return all
}

func span(r hcl.Range) outline.Span { return outline.Span{Start: place(r.Start), End: place(r.End)} }

func place(p hcl.Pos) outline.Place {
	return outline.Place{Line: uint32(p.Line), Column: uint32(p.Column), Byte: uint32(p.Byte)}
}

// difference returns the first line in which two lists differ, or "".
func difference(want, got []string) string {
	for i := range max(len(want), len(got)) {
		w, g := "nothing", "nothing"
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			return fmt.Sprintf("item %d: the parser has %s, the scanner %s", i, w, g)
		}
	}
	return ""
}

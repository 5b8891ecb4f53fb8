package rewrite

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/sourcemap"
)

// ToolComments are the words of comments that tools act on.
var ToolComments = []string{
	"tflint-ignore", "trivy:ignore", "tfsec:ignore", "checkov:skip", "infracost-usage", "terraform-docs",
}

// CarryComments adds the comments that have one of some words to flattened files. It returns the comments
// of override files that now stand above an item partly from a primary file.
func CarryComments(m *merge.Module, files []*patch.File, words []string) ([]*patch.File, []sourcemap.Comment) {
	wanted := toolComments(m, words)
	if len(wanted) == 0 {
		return files, nil
	}
	flat, _ := sourcemap.Reload(m, files)
	if flat == nil {
		return files, nil
	}
	c := &carrier{targets: map[address.Address]source.Item{}, edits: map[string][]textedit.Edit{}, added: map[source.Item][]string{}}
	address.WalkAll(flat, func(own address.Address, e *merge.MergedItem) {
		if len(e.Live) > 0 {
			c.targets[own] = e.Live[0]
		}
	})
	for _, w := range wanted {
		c.carry(w)
	}
	out := slices.Clone(files)
	for i, d := range out {
		if edits := c.edits[d.Name]; len(edits) > 0 {
			slices.SortStableFunc(edits, func(a, b textedit.Edit) int { return a.Start - b.Start })
			out[i] = d.Inserted(edits)
		}
	}
	return out, c.carried
}

// A comment is a line above an item.
type comment struct {
	sourcemap.Comment
	own      address.Address
	isShared bool // it is one of an override file, and a primary file has the item, too
}

// toolComments lists the lines with the words above all that overrides address.
func toolComments(m *merge.Module, words []string) []comment {
	has := map[*source.File]bool{}
	for _, f := range m.Source.Files {
		has[f] = f.Syntax != source.JSON && slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(f.Native, []byte(w)) })
	}
	if !slices.Contains(slices.Collect(maps.Values(has)), true) {
		return nil
	}
	var list []comment
	none := func(*source.File, int) bool { return false }
	address.WalkSome(m, none, func(own address.Address, e *merge.MergedItem) {
		if e.Rule.Match == rules.ByPosition && e.Inner() == nil {
			return // a block that replaces another one has its own comments
		}
		isShared := slices.ContainsFunc(e.Steps, func(s merge.Step) bool { return s.Item != nil && s.Item.Source().Role == source.Primary })
		for i := range e.Steps {
			if it := e.Steps[i].Item; it != nil && has[it.Source()] {
				list = append(list, above(own, it, words, isShared && it.Source().Role == source.Override)...)
			}
		}
	})
	return list
}

// above lists the lines with the words directly above an item.
func above(own address.Address, it source.Item, words []string, isShared bool) []comment {
	around, f := source.TriviaOf(it), it.Source()
	if !around.HasLead() {
		return nil
	}
	var list []comment
	at := source.Where(it).Start
	line := at.Line - bytes.Count(f.Native[around.Lead:at.Byte], []byte("\n"))
	for text := range strings.Lines(string(f.Native[around.Lead:around.Start])) {
		text = strings.TrimSpace(text)
		isWhole := strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//") ||
			strings.HasPrefix(text, "/*") && strings.Index(text, "*/") == len(text)-2
		if isWhole && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			list = append(list, comment{sourcemap.Comment{Text: text, File: f.Name, Line: line}, own, isShared})
		}
		line++
	}
	return list
}

// A carrier adds comments.
type carrier struct {
	targets map[address.Address]source.Item // of the flattened module
	edits   map[string][]textedit.Edit
	carried []sourcemap.Comment
	added   map[source.Item][]string
}

// carry adds a comment above its subject, or above the nearest block around that.
func (c *carrier) carry(w comment) {
	own := w.own
	for c.targets[own] == nil {
		if own.IsEmpty() {
			return
		}
		own = own.Parent()
	}
	it := c.targets[own]
	f := it.Source()
	if f.Syntax == source.JSON {
		return
	}
	if w.isShared {
		w.Address = own.String()
		c.carried = append(c.carried, w.Comment)
	}
	if c.hasAbove(it, w.Text) {
		return
	}
	c.added[it] = append(c.added[it], w.Text)
	start := source.TriviaOf(it).Start
	at, indent := textedit.LineStart(f.Native, start), textedit.IndentAt(f.Native, start)
	c.edits[f.Name] = append(c.edits[f.Name], textedit.Replace(at, at, indent+w.Text+f.LineEnd))
}

// hasAbove reports whether a line is above an item, or will be.
func (c *carrier) hasAbove(it source.Item, text string) bool {
	around := source.TriviaOf(it)
	for line := range strings.Lines(string(it.Source().Native[around.Lead:around.Start])) {
		if strings.TrimSpace(line) == text {
			return true
		}
	}
	return slices.Contains(c.added[it], text)
}

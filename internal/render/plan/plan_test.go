package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// Each case is a module; the plan of its output, with a line for each block and each item in it;
// and the names determined by overrides.
func TestPlan(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		if diags = append(diags, more...); diags.HasErrors() {
			t.Fatal(diags)
		}
		files := Arrange(m)
		var doubts strings.Builder
		for _, d := range Inexpressible(src, func() PrintedItems { return PrintedIn(all(files), true) }) {
			fmt.Fprintf(&doubts, "%s:%d: %s\n", d.Subject.Filename, d.Subject.Start.Line, d.Summary)
		}
		var sorted strings.Builder
		for _, s := range Select(m, files, Selection{Sort: true}) {
			fmt.Fprintln(&sorted, name(s.Source))
		}
		return map[string]string{
			"plan":      planOf(m, files),
			"overrides": overridesOf(m),
			"doubts":    doubts.String(),
			"sorted":    sorted.String(),
		}
	})
}

func all(files []*File) []*Block {
	var list []*Block
	for _, p := range files {
		list = append(list, p.All()...)
	}
	return list
}

// name is an item as the cases call it: with its file and line.
func name(it source.Item) string {
	text := it.Called()
	if b, ok := it.(*source.Block); ok {
		text = strings.Join(append([]string{b.Type}, b.Labels...), " ")
	}
	at := source.Where(it)
	return fmt.Sprintf("%s (%s:%d)", text, at.Filename, at.Start.Line)
}

func planOf(m *merge.Module, files []*File) string {
	var out strings.Builder
	changed := 0
	for _, p := range files {
		file := "a new file"
		if p.File != nil {
			file = p.File.Name
		}
		fmt.Fprintf(&out, "%s: %d of its own, %d from elsewhere\n", file, p.Size(), len(p.Extra()))
		for _, b := range p.All() {
			writeBlock(&out, p, b)
			if b.Changed {
				changed++
			}
		}
	}
	if n := Changed(m); n != changed {
		fmt.Fprintf(&out, "%d blocks are changed, not %d\n", changed, n)
	}
	return out.String()
}

func writeBlock(out *strings.Builder, p *File, b *Block) {
	words := []string{"keep"}
	if b.Changed {
		words[0] = "change"
	}
	if slices.Contains(p.Extra(), b) {
		words[0] = "add"
	}
	if b.Item != nil {
		words = append(words, "only", b.Item.Called(), "of")
	}
	fmt.Fprintf(out, "  %s %s\n", strings.Join(words, " "), name(b.Source))
	if b.Content != nil && b.Item == nil {
		writeBody(out, b.Content, b.Source, "    ")
	}
}

// writeBody writes the treatment of a block's items, its additions, and the order of the result.
func writeBody(out *strings.Builder, c *merge.MergedBody, b *source.Block, indent string) {
	if !IsTouched(c, b) {
		fmt.Fprintf(out, "%suntouched\n", indent)
		return
	}
	acts, _ := ActionsIn(c, b)
	for _, a := range acts {
		fmt.Fprintf(out, "%s%s %s", indent, []string{"keep", "replace", "remove"}[a.Do], name(a.Item))
		if a.Do == Replace {
			fmt.Fprintf(out, " by %s", name(a.Entry.Live[0]))
		}
		out.WriteString("\n")
		if inner, ok := a.Item.(*source.Block); ok && a.Do == Keep {
			if held := Within(c, a.Entry); held != nil {
				writeBody(out, held, inner, indent+"  ")
			}
		}
	}
	for _, e := range Additions(c, b) {
		fmt.Fprintf(out, "%sadd %s\n", indent, name(e.Live[0]))
	}
	var order []string
	for _, m := range Members(c, b) {
		word := m.Item.Called()
		if m.Escaped {
			word = "_." + word
		}
		order = append(order, word)
	}
	fmt.Fprintf(out, "%sholds: %s\n", indent, strings.Join(order, ", "))
}

func overridesOf(m *merge.Module) string {
	var out strings.Builder
	for _, o := range check.Overrides(m) {
		fmt.Fprintf(&out, "%s: %s by %s\n", name(o.Block), o.Name, name(o.By))
	}
	return out.String()
}

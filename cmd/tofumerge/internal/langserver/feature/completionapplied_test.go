package feature

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// Applying an item yields a text that the parser accepts, whatever values and line ends the
// files have: on new lines at the start of a file and of each of its blocks.
func TestCompletionApplied(t *testing.T) {
	chosen := 0
	for seed := range uint64(60) {
		files := map[string][]byte{}
		texts := loadtest.NewGenerator(seed).Module()
		if seed%3 == 0 {
			texts = loadtest.Mixed(t, loadtest.NewGenerator(seed), texts)
		}
		for name, text := range texts {
			files[name] = []byte(text)
		}
		v := viewOf(t, files, engine.Default(), encodings[seed%3])
		for _, f := range v.Merged.Source.Files {
			if f.Role != source.Override || f.Syntax != source.Native {
				continue
			}
			for _, at := range newLines(f) {
				chosen += applyAt(t, files, f.Name, at, f.LineEnd)
			}
		}
	}
	if chosen < 500 {
		t.Errorf("only %d items", chosen)
	}
}

// newLines returns the start of a file, and the starts of the lines after the opening braces of
// its blocks.
func newLines(f *source.File) []int {
	at := []int{0}
	if bytes.HasPrefix(f.Raw, spelling.UTF8BOM) {
		at[0] = 3
	}
	visit := func(b *source.Block) {
		if rest := f.Native[b.OpenBrace().End.Byte:]; len(rest) > 0 && strings.HasPrefix(string(rest), f.LineEnd) {
			at = append(at, b.OpenBrace().End.Byte+len(f.LineEnd))
		}
	}
	for i := range f.Len() {
		b := f.Block(i)
		visit(b)
		eachIn(b, func(it source.Item) {
			if nb, ok := it.(*source.Block); ok {
				visit(nb)
			}
		})
	}
	return at
}

// applyAt applies each item of the list on a new line, and returns how many there were.
func applyAt(t *testing.T, files map[string][]byte, name string, at int, eol string) int {
	t.Helper()
	before := files[name]
	with := maps.Clone(files)
	with[name] = slices.Concat(before[:at], []byte("  "+eol), before[at:])
	v := viewOf(t, with, engine.Default(), protocol.UTF16)
	text := v.Text(name)
	list := Completion(v, &Client{}, name, text.Position(at+2, v.Encoding))
	if list == nil {
		return 0
	}
	for _, item := range list.Items {
		after := appliedTo(t, text, []protocol.TextEdit{*item.TextEdit}, v.Encoding)
		if strings.HasSuffix(item.TextEdit.NewText, " = ") {
			continue // a value that must not be shown
		}
		if _, diags := hclsyntax.ParseConfig(after, name, hcl.InitialPos); diags.HasErrors() {
			if _, earlier := hclsyntax.ParseConfig(before, name, hcl.InitialPos); earlier.HasErrors() {
				continue
			}
			t.Errorf("%s: %v\n%q\n%s", item.Label, diags, item.TextEdit.NewText, after)
		}
	}
	return len(list.Items)
}

package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"pgregory.net/rapid"
)

// What must hold for every module. Each property runs on generated modules; a
// failure names the seed, which makes the same module again.

func forModules(t *testing.T, property func(t *rapid.T, files map[string]string, e engine.Release)) {
	rapid.Check(t, func(t *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(t, "seed"))
		g.Engine = loadtest.DrawEngine(t)
		files := g.Module()
		defer func() {
			if t.Failed() {
				for _, name := range slices.Sorted(maps.Keys(files)) {
					t.Logf("-- %s --\n%s", name, files[name])
				}
			}
		}()
		property(t, files, g.Engine)
	})
}

// outcome is what the program makes of files.
type outcome struct {
	status    int
	out, errs string
}

func runOn(t testing.TB, files map[string]string, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	status := run(slices.Concat(engineFlag(t), args, []string{write(t, files)}), streams{out: &out, err: &errs, env: func(string) string { return "" }})
	return outcome{status, out.String(), errs.String()}
}

// withTB runs a property with a testing.TB, which helpers make directories of, and
// which follows the engine.
func withTB(t *testing.T, property func(tb testing.TB, rt *rapid.T, files map[string]string)) {
	forModules(t, func(rt *rapid.T, files map[string]string, e engine.Release) { property(drawnTB{t, e}, rt, files) })
}

// write puts files into a new directory.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func isOverride(name string) bool { return strings.Contains(name, "_override") }

func onlyPrimary(files map[string]string) map[string]string {
	primary := map[string]string{}
	for name, text := range files {
		if !isOverride(name) {
			primary[name] = text
		}
	}
	return primary
}

// Identity: a module without override files prints as its own files, one after
// the other, with a line end between two only where the former lacks one.
func TestIdentity(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		primary := onlyPrimary(files)
		var want strings.Builder
		for i, name := range slices.Sorted(maps.Keys(primary)) {
			text := primary[name]
			if i > 0 {
				text = strings.TrimPrefix(text, "\xef\xbb\xbf")
				if !strings.HasSuffix(want.String(), "\n") {
					want.WriteString("\n")
				}
			}
			want.WriteString(text)
		}
		got := runOn(tb, primary)
		if got.status != exitOK {
			rt.Skip("refused: " + got.errs)
		}
		if normal(want.String()) != normal(got.out) {
			rt.Errorf("(-want +got):\n%s", cmp.Diff(want.String(), got.out))
		}
	})
}

// normal evens out the line end that is put between two files.
func normal(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// Idempotence: what is printed, loaded again, prints the same. No overrides:
// the flag prints what the primary files alone do.
func TestIdempotence(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		first := runOn(tb, files)
		if first.status != exitOK {
			rt.Skip("refused: " + first.errs)
		}
		again := runOn(tb, map[string]string{"main.tf": first.out})
		if diff := cmp.Diff(first.out, again.out); diff != "" {
			rt.Errorf("printed again (-first +again):\n%s\n%s", diff, again.errs)
		}
		without := runOn(tb, files, "--no-overrides")
		alone := runOn(tb, onlyPrimary(files))
		if diff := cmp.Diff(alone.out, without.out); diff != "" {
			rt.Errorf("--no-overrides (-primary files alone +got):\n%s", diff)
		}
	})
}

// Fold: merging all override files at once is merging the last one into the
// printed merge of the others.
func TestFold(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		all := runOn(tb, files)
		if all.status != exitOK || strings.Contains(all.errs, "Conflicting repetition") {
			rt.Skip("refused, or something can't be said")
		}
		overrides := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(n string) bool { return !isOverride(n) })
		last := overrides[len(overrides)-1]
		rest := maps.Clone(files)
		delete(rest, last)
		partly := runOn(tb, rest)
		folded := runOn(tb, map[string]string{"main.tf": partly.out, last: files[last]})
		if diff := cmp.Diff(meaning(tb, all.out), meaning(tb, folded.out)); diff != "" {
			rt.Errorf("(-at once +folded):\n%s", diff)
		}
	})
}

// meaning is a text without its layout and comments: what each block holds, in
// an order in which only that of blocks of one type counts.
func meaning(t testing.TB, text string) []string {
	t.Helper()
	f, diags := hclsyntax.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("the output can't be parsed: %s\n%s", diags, text)
	}
	return bodyMeaning([]byte(text), f.Body.(*hclsyntax.Body), "")
}

func bodyMeaning(src []byte, body *hclsyntax.Body, indent string) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(body.Attributes)) {
		value := normal(string(body.Attributes[name].Expr.Range().SliceBytes(src)))
		lines = append(lines, indent+name+" = "+strings.Join(strings.Fields(value), " "))
	}
	blocks := slices.Clone(body.Blocks)
	kind := func(b *hclsyntax.Block) string {
		if b.Type == "dynamic" {
			return b.Labels[0]
		}
		return b.Type
	}
	slices.SortStableFunc(blocks, func(a, b *hclsyntax.Block) int { return strings.Compare(kind(a), kind(b)) })
	for _, b := range blocks {
		lines = append(lines, indent+b.Type+" "+strings.Join(b.Labels, " "))
		lines = append(lines, bodyMeaning(src, b.Body, indent+"  ")...)
	}
	return lines
}

// Item conservation: each item of a loaded file is the item of exactly one
// step of one history.
func TestItemConservation(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		src, diags, err := load.Dir(write(tb, files), load.Options{Engine: engineOf(tb)})
		if err != nil || diags.HasErrors() {
			rt.Skip("refused")
		}
		m, diags := merge.Files(src, merge.Options{})
		if diags.HasErrors() {
			rt.Skip("refused")
		}
		seen, merged := map[source.Item]int{}, map[source.Item]bool{}
		m.Steps(func(e *merge.MergedItem, s merge.Step) {
			if s.Item != nil {
				seen[s.Item]++
				// What a block holds has histories of its own where the rule
				// goes into the block and the block had a say.
				goesIn := e.Rule.Do == merge.Merge || e.Rule.Do == merge.Flatten
				merged[s.Item] = goesIn && (e.Inner != nil || e.Rule.Do == merge.Flatten)
			}
		})
		for _, f := range src.Files {
			for i := range f.Len() {
				conserved(rt, seen, merged, f.Block(i))
			}
		}
	})
}

// conserved checks an item and, where it is merged item by item, what it holds.
// An item that is exchanged as a whole counts as one.
func conserved(t *rapid.T, seen map[source.Item]int, merged map[source.Item]bool, it source.Item) {
	if n := seen[it]; n != 1 {
		t.Errorf("%s at %s is the item of %d steps, want 1", it.Called(), it.Header(), n)
	}
	b, ok := it.(*source.Block)
	if !ok || b.Body == nil || !merged[it] {
		return
	}
	for _, inner := range b.Body.Items {
		conserved(t, seen, merged, inner)
	}
}

// Byte conservation: the items of a native file, with their trivia, and the
// gaps between them, which hold only blanks and comments, are the file.
func TestByteConservation(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		src, diags, err := load.Dir(write(tb, files), load.Options{Engine: engineOf(tb)})
		if err != nil || diags.HasErrors() {
			rt.Skip("refused")
		}
		for _, f := range src.Files {
			at := 0
			for i := range f.Len() {
				b := f.Block(i)
				blankGap(rt, f, at, b.Extent().Start.Byte)
				whole := b.Tree()
				inside(rt, f, whole)
				at = b.Extent().End.Byte
			}
			blankGap(rt, f, at, len(f.Src))
		}
	})
}

func inside(t *rapid.T, f *source.File, b *source.Block) {
	at := b.Body.Open.End.Byte
	for i, tr := range source.Around(f, b.Body) {
		r := b.Body.Items[i].Extent()
		blankGap(t, f, at, r.Start.Byte)
		if tr.Lead > tr.Start || tr.Start > r.Start.Byte || tr.End < r.End.Byte {
			t.Errorf("%s: trivia %+v do not enclose the item %s", f.Name, tr, r)
		}
		if nested, ok := b.Body.Items[i].(*source.Block); ok {
			inside(t, f, nested)
		}
		at = r.End.Byte
	}
	blankGap(t, f, at, b.Body.Close.Start.Byte)
}

// blankGap checks that a stretch holds blanks and comments only.
func blankGap(t *rapid.T, f *source.File, from, to int) {
	if from > to {
		t.Errorf("%s: items overlap at %d", f.Name, to)
		return
	}
	left := bytes.Clone(f.Src[from:to])
	for _, c := range source.Comments(f.Src, from, to) {
		copy(left[c.Start-from:], bytes.Repeat([]byte(" "), c.End-c.Start))
	}
	left = bytes.TrimPrefix(left, []byte("\xef\xbb\xbf"))
	if rest := bytes.TrimSpace(left); len(rest) > 0 {
		t.Errorf("%s: %q stands between items", f.Name, rest)
	}
}

// Closure: what is printed parses, and is laid out as the formatter does if
// the primary files were.
func TestClosure(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(rt, "seed"))
		g.Tidy, g.Engine = true, loadtest.DrawEngine(rt)
		files := g.Module()
		for name := range onlyPrimary(files) {
			files[name] = string(hclwrite.Format([]byte(files[name])))
		}
		got := runOn(drawnTB{t, g.Engine}, files)
		if got.status != exitOK {
			rt.Skip("refused: " + got.errs)
		}
		if _, diags := hclsyntax.ParseConfig([]byte(got.out), "main.tf", hcl.InitialPos); diags.HasErrors() {
			rt.Fatalf("the output does not parse: %s\n%s", diags, got.out)
		}
		if diff := cmp.Diff(string(hclwrite.Format([]byte(got.out))), got.out); diff != "" {
			rt.Errorf("the output is not clean (-formatted +got):\n%s", diff)
		}
	})
}

// Quotation: every line that is printed is put together from at most a few
// slices of source files, but for blanks and the few lines that generated.go makes.
func TestQuotation(t *testing.T) {
	generated := []string{"", "{", "}", "_{", "terraform{"}
	squeeze := func(s string) string {
		return strings.NewReplacer(" ", "", "\t", "", "\r", "").Replace(s)
	}
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		got := runOn(tb, files)
		if got.status != exitOK {
			rt.Skip("refused: " + got.errs)
		}
		var sources strings.Builder
		for _, text := range files {
			sources.WriteString(squeeze(text) + "\n")
		}
		for line := range strings.Lines(got.out) {
			line = strings.TrimSuffix(squeeze(line), "\n")
			// One line may hold a header, an argument's name, its value and
			// what follows the closing brace.
			if !slices.Contains(generated, line) && slicesOf(sources.String(), line) > 4 {
				rt.Errorf("%q is not put together from source files", line)
			}
		}
	})
}

// slicesOf is of how many slices of a text, as long as can be, a line consists;
// a byte that the text does not have counts as many.
func slicesOf(text, line string) int {
	n := 0
	for line != "" {
		size := len(line)
		for size > 0 && !strings.Contains(text, line[:size]) {
			size--
		}
		if size == 0 {
			return len(line) + n + 100
		}
		line = line[size:]
		n++
	}
	return n
}

// FuzzRender feeds the program a primary and an override file of any bytes. It
// may refuse them, but must say so and print nothing; what it prints must be a
// configuration that prints the same.
func FuzzRender(f *testing.F) {
	collectLate()
	for seed := range uint64(60) {
		files := loadtest.NewGenerator(seed).Module()
		if len(files["f0.tf"])+len(files["a_override.tf"]) < 700 { // small ones are tried more often
			f.Add([]byte(files["f0.tf"]), []byte(files["a_override.tf"]))
		}
	}
	for _, kinds := range [][2]string{
		{"resource \"a\" \"b\" {\n}\n", "resource \"a\" \"b\" {\n  lifecycle = 2\n  _ = 1\n}\n"},
		{"resource \"a\" \"b\" {\n  connection = 1\n  provisioner \"p\" {}\n}\n", "resource \"a\" \"b\" {\n}\n"},
		{"terraform {\n}\n", "terraform {\n  required_providers = 2\n  encryption = 1\n}\n"},
		{"check \"c\" {\n  data = 1\n}\nresource {}\nresource {}\n", "data {}\n"},
	} {
		f.Add([]byte(kinds[0]), []byte(kinds[1]))
	}
	f.Fuzz(func(t *testing.T, primary, override []byte) {
		if len(primary)+len(override) > maxFuzzed {
			t.Skip("too large")
		}
		tb := derived(t, primary, override)
		got := renderInMemory(tb, map[string]string{"main.tf": string(primary), "override.tf": string(override)}, "hcl")
		if got.status != exitOK {
			if got.out != "" || got.errs == "" {
				t.Fatalf("status %d with output %q and message %q", got.status, got.out, got.errs)
			}
			return
		}
		if strings.Contains(got.errs, "Unsupported block type") {
			return
		}
		again := renderInMemory(tb, map[string]string{"main.tf": got.out}, "hcl")
		if again.status != exitOK {
			if loses(got.errs) {
				return
			}
			t.Fatalf("the output is refused: %s\n%s", again.errs, got.out)
		}
		if diff := cmp.Diff(got.out, again.out); diff != "" {
			t.Errorf("printed again (-first +again):\n%s", diff)
		}
	})
}

// loses tells whether a warning said that the output can't say everything.
func loses(errs string) bool {
	return strings.Contains(errs, "refuses the printed result") || strings.Contains(errs, "can't be printed") || strings.Contains(errs, "or print native syntax")
}

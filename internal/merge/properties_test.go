package merge_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render"
	"pgregory.net/rapid"
)

// Properties of every module, whatever engine is followed. Modules are generated, loaded from
// memory, merged and printed.

// A madeModule is a module made from files, with its diagnostics.
type madeModule struct {
	*merge.Module
	diags hcl.Diagnostics
}

// mergeFiles merges files, or skips the test where the engine refuses them.
func mergeFiles(t *rapid.T, files map[string]string, e engine.Release) madeModule {
	t.Helper()
	return mergeWith(t, files, e, merge.Options{})
}

func mergeWith(t *rapid.T, files map[string]string, e engine.Release, o merge.Options) madeModule {
	t.Helper()
	src := loadFiles(t, files, e)
	m, diags := merge.Files(src, o)
	if diags.HasErrors() {
		t.Skip("refused: ", diags)
	}
	return madeModule{m, diags}
}

func loadFiles(t *rapid.T, files map[string]string, e engine.Release) *load.Module {
	t.Helper()
	src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
	if err != nil {
		t.Fatal(err)
	}
	if diags.HasErrors() {
		t.Skip("refused: ", diags)
	}
	return src
}

// text is the module as it is printed, and all its diagnostics.
func (m madeModule) text(t *rapid.T, o render.Options) (string, hcl.Diagnostics) {
	t.Helper()
	text, diags := render.Native(m.Module, o)
	var out bytes.Buffer
	if err := text.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String(), append(slices.Clone(m.diags), diags...)
}

// printed prints files that no engine may refuse, because they are output themselves, or a part of
// merged files.
func printed(t *rapid.T, files map[string]string, e engine.Release) string {
	t.Helper()
	src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
	if err != nil {
		t.Fatal(err)
	}
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatalf("%s refuses this: %s\n%s", e, diags, slices.Collect(maps.Values(files)))
	}
	text, _ := madeModule{m, nil}.text(t, render.Options{})
	return text
}

// Identity: a module without override files prints as its own files, one after the other, with a
// line end between two only if the former lacks one.
func TestIdentity(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		primary := mergetest.Primary(files)
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
		got, _ := mergeFiles(t, primary, e).text(t, render.Options{})
		if mergetest.LineFeeds(want.String()) != mergetest.LineFeeds(got) {
			t.Errorf("(-want +got):\n%s", cmp.Diff(want.String(), got))
		}
	})
}

// Idempotence: output, loaded again, prints the same; and merged without override files, a module
// prints what its primary files alone do.
func TestIdempotence(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		first, _ := mergeFiles(t, files, e).text(t, render.Options{})
		again := printed(t, map[string]string{"main.tf": first}, e)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("printed again (-first +again):\n%s", diff)
		}
		without, _ := mergeWith(t, files, e, merge.Options{NoOverrides: true}).text(t, render.Options{})
		alone := printed(t, mergetest.Primary(files), e)
		if diff := cmp.Diff(alone, without); diff != "" {
			t.Errorf("without overrides (-primary files alone +got):\n%s", diff)
		}
	})
}

// Fold: merging all override files at once is merging the last one into the
// printed merge of the others.
func TestFold(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		all, diags := mergeFiles(t, files, e).text(t, render.Options{})
		if slices.ContainsFunc(diags, func(d *hcl.Diagnostic) bool { return d.Summary == "Conflicting repetition" }) {
			t.Skip("something can't be said")
		}
		overrides := mergetest.Overrides(files)
		last := overrides[len(overrides)-1]
		rest := maps.Clone(files)
		delete(rest, last)
		partly := printed(t, rest, e)
		folded := printed(t, map[string]string{"main.tf": partly, last: files[last]}, e)
		if diff := cmp.Diff(mergetest.Meaning(t, all), mergetest.Meaning(t, folded)); diff != "" {
			t.Errorf("(-at once +folded):\n%s", diff)
		}
	})
}

// Closure: output parses, and is formatted if the primary files were.
func TestClosure(t *testing.T) {
	mergetest.ForTidyModules(t, true, func(t *rapid.T, files map[string]string, e engine.Release) {
		for name, text := range mergetest.Primary(files) {
			files[name] = string(hclwrite.Format([]byte(text)))
		}
		got, _ := mergeFiles(t, files, e).text(t, render.Options{})
		if _, diags := hclsyntax.ParseConfig([]byte(got), "main.tf", hcl.InitialPos); diags.HasErrors() {
			t.Fatalf("the output does not parse: %s\n%s", diags, got)
		}
		if diff := cmp.Diff(string(hclwrite.Format([]byte(got))), got); diff != "" {
			t.Errorf("the output is not clean (-formatted +got):\n%s", diff)
		}
	})
}

// Quotation: every line that is printed is put together from at most a few
// slices of source files, but for blanks and the few lines that are generated.
func TestQuotation(t *testing.T) {
	generated := []string{"", "{", "}", "_{", "terraform{"}
	squeeze := func(s string) string {
		return strings.NewReplacer(" ", "", "\t", "", "\r", "").Replace(s)
	}
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		var sources strings.Builder
		for _, text := range files {
			sources.WriteString(squeeze(text) + "\n")
		}
		got, _ := mergeFiles(t, files, e).text(t, render.Options{})
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(squeeze(line), "\n")
			// One line may hold a header, an argument's name, its value and the text after the
			// closing brace.
			if !slices.Contains(generated, line) && slicesOf(sources.String(), line) > 4 {
				t.Errorf("%q is not put together from source files", line)
			}
		}
	})
}

// slicesOf is the smallest number of slices of a text that make up a line; a byte that is missing
// from the text is weighted as many.
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

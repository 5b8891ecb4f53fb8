package check_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// lossRules find what overrides drop.
var lossRules = []string{
	"map-replace-drops-keys", "list-replace-drops-elements", "block-replace-drops-arguments", "block-replace-drops-blocks",
	"count-for-each-conflict", "undecided",
}

// exceptions are the drops without a finding, each with its reason.
var exceptions = []struct {
	reason string
	holds  func(c *changes.Change) bool
}{
	{"another type of backend repeats nothing of this one", func(c *changes.Change) bool { return c.Rule.Once }},
	{"blocks are compared as a whole, and a new one has it", func(c *changes.Change) bool { return len(reached(c, false)) > 0 }},
	{"null is as good as nothing", func(c *changes.Change) bool { return string(c.Before.Text()) == "null" }},
	{"values of several new blocks are compared as a whole, if all are objects", func(c *changes.Change) bool { return len(reached(c, true)) > 1 }},
}

// reached lists the items in the blocks in effect that have the names on the path of a change,
// whatever the indexes are; if isPart is set, the arguments that have the first of the names.
func reached(c *changes.Change, isPart bool) []source.Item {
	found := slices.Clone(c.Item.Live)
	for _, s := range c.Path.Steps() {
		if s.IsIndex || s.Name == "content" {
			continue
		}
		var inner []source.Item
		for _, it := range found {
			switch it := it.(type) {
			case *source.Attr:
				if isPart {
					inner = append(inner, it)
				}
			case *source.Block:
				for _, in := range source.ContentOf(it).Items() {
					if in.Called() == s.Name {
						inner = append(inner, in)
					}
				}
			}
		}
		found = inner
	}
	return found
}

// Everything that changes lists as dropped is found by a rule, on or off, or is one of the
// exceptions.
func TestDroppedIsFound(t *testing.T) {
	shares := map[string]int{}
	property := func(t *rapid.T, files map[string]string, e engine.Release) {
		src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
		if err != nil {
			t.Fatal(err)
		}
		m, more := merge.Files(src, merge.Options{})
		if diags = append(diags, more...); diags.HasErrors() {
			return
		}
		found := map[*merge.MergedItem][]check.Finding{}
		for _, f := range check.Findings(m, diags, func(id string) bool { return true }) {
			if slices.Contains(lossRules, f.Rule.ID) {
				found[f.Item] = append(found[f.Item], f)
			}
		}
		for _, b := range changes.Of(m) {
			for i := range b.Changes {
				if c := &b.Changes[i]; c.Kind() == changes.Dropped && !c.IsInside {
					name := c.Address.Join(c.Path.Address()).String()
					isFound := slices.ContainsFunc(found[c.Item], func(f check.Finding) bool { return names(f, c) })
					shares[coverOf(t, isFound, c, name)]++
				}
			}
		}
	}
	t.Run("made", func(t *testing.T) { mergetest.ForModules(t, property) })
	t.Run("nested", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			block := func(label string) string { return "resource \"shop_till\" \"day\" {\n" + drawBody(t, label, 3) + "}\n" }
			files := map[string]string{
				"main.tf":     block("primary") + "locals {\n  c = { a = 1, d = 1 }\n}\nvariable \"v\" {}\n",
				"override.tf": block("override"),
			}
			defer func() {
				if t.Failed() {
					t.Logf("%s-- override --\n%s", files["main.tf"], files["override.tf"])
				}
			}()
			property(t, files, engine.Default())
		})
	})
	t.Log(shares)
}

var indexes = regexp.MustCompile(`\[[0-9]+\]|\bcontent\.`)

// names reports whether a finding is about a drop: it names the path, or what is around it, or it is
// about blocks of the type as a whole.
func names(f check.Finding, c *changes.Change) bool {
	if f.Rule.ID != "map-replace-drops-keys" && f.Rule.ID != "block-replace-drops-arguments" {
		return true
	}
	_, list, _ := strings.Cut(indexes.ReplaceAllString(cmp.Or(f.Full, f.Message), ""), " drops ")
	list, _, _ = strings.Cut(list, ". Repeat")
	path := indexes.ReplaceAllString(c.Path.Address().String(), "")
	return slices.ContainsFunc(strings.Split(list, ", "), func(name string) bool {
		if words := strings.Fields(name); len(words) == 3 { // 2 filter blocks
			name = words[1]
		}
		return path == name || strings.HasPrefix(path, name+".")
	})
}

// coverOf is what covers a drop: a finding or the reason of an exception.
func coverOf(t *rapid.T, isFound bool, c *changes.Change, name string) string {
	if isFound {
		return "a finding"
	}
	for _, x := range exceptions {
		if x.holds(c) {
			return x.reason
		}
	}
	t.Fatalf("no finding is about %s, dropped at %s", name, c.By())
	return ""
}

// drawBody draws arguments and nested blocks of few names.
func drawBody(t *rapid.T, label string, depth int) string {
	var out strings.Builder
	for _, name := range []string{"a", "b"} {
		values := []string{
			"", "1", "null", "{ a = 1, b = 2 }", "{ a = { b = 1 } }", "{}", "[1, 2]", "[{ a = 1, b = 1 }]", "[{ a = 2 }]", "var.v",
			"jsonencode({ a = 1, b = 1 })", "jsonencode({ a = 2 })", "merge(local.c, { b = 1 })", "{ a = 2 }",
		}
		if v := rapid.SampledFrom(values).Draw(t, label+name); v != "" {
			fmt.Fprintf(&out, "%s = %s\n", name, v)
		}
	}
	for i := range rapid.IntRange(0, min(depth, 3)).Draw(t, label) {
		typ := rapid.SampledFrom([]string{"p", "q"}).Draw(t, label)
		body := drawBody(t, fmt.Sprintf("%s%d", label, i), depth-1)
		if rapid.IntRange(0, 4).Draw(t, label) == 0 {
			fmt.Fprintf(&out, "dynamic %q {\nfor_each = [1]\ncontent {\n%s}\n}\n", typ, body)
		} else {
			fmt.Fprintf(&out, "%s {\n%s}\n", typ, body)
		}
	}
	return out.String()
}

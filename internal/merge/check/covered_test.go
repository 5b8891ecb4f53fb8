package check

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// lossRules find what overrides drop.
var lossRules = []string{
	"map-replace-drops-keys", "list-replace-drops-elements", "block-replace-drops-arguments", "block-replace-drops-blocks",
	"count-for-each-conflict", "undecided",
}

// exceptions are the drops without a finding, each with its reason. Of 4,481 drops in 5,773 modules,
// some of them real, 79 % are found; the shares of the others are behind their reasons.
var exceptions = []struct {
	reason string
	holds  func(c *changes.Change) bool
}{
	{"another type of backend repeats nothing of this one", func(c *changes.Change) bool { return c.Rule.Once }},                                    // 6.8 %
	{"the source of a provider follows from its name", isDefaultSource},                                                                             // 0.2 %
	{"the iterator of a dynamic block names nothing outside of it", isIterator},                                                                     // less than 0.1 %
	{"elements of a dynamic block's for_each are blocks, which are counted", isInForEach},                                                           // 0.1 %
	{"blocks are compared as a whole, and a new one has it", func(c *changes.Change) bool { return len(reached(c, false)) > 0 }},                    // 13.4 %
	{"a type with optional() restores keys of the default, or discards them", hasOptional},                                                          // 0.1 %
	{"elements of a list inside an object aren't compared", isInnerElement},                                                                         // less than 0.1 %
	{"null is as good as nothing", func(c *changes.Change) bool { return string(c.Before.Text()) == "null" }},                                       // 0.2 %
	{"values of several new blocks are compared as a whole, if all are objects", func(c *changes.Change) bool { return len(reached(c, true)) > 1 }}, // 0.3 %
}

func hasOptional(c *changes.Change) bool {
	in := c.Before.Item.Within()
	return in != nil && in.Type == "variable" && in.Attr("type") != nil && strings.Contains(string(in.Attr("type").Display()), "optional(")
}

func isDefaultSource(c *changes.Change) bool {
	a, isAttr := c.Before.Item.(*source.Attr)
	return isAttr && load.IsRequirement(a) && load.HasDefaultSource(a) && c.Path != nil && c.Path.Name == "source"
}

func isIterator(c *changes.Change) bool {
	in := c.Before.Item.Within()
	return c.Path != nil && c.Path.Name == "iterator" && in != nil && in.Type == source.DynamicBlock
}

func isInForEach(c *changes.Change) bool {
	return slices.ContainsFunc(c.Path.Steps(), func(s *values.Path) bool { return s.From != nil && s.From.Name == "for_each" })
}

func isInnerElement(c *changes.Change) bool {
	steps := c.Path.Steps()
	_, isAttr := c.Before.Item.(*source.Attr)
	return isAttr && len(steps) > 1 && !steps[0].IsIndex && steps[len(steps)-1].IsIndex
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

var coveredDir = flag.String("modules", "", "look for drops without a finding in the modules below this `directory`, too")

// Everything that changes lists as dropped is found by a rule, on or off, or is one of the
// exceptions. With -v the test reports their shares, here of the modules below a directory:
//
//	go test ./internal/merge/check -run TestDroppedIsFound -v -modules DIR
func TestDroppedIsFound(t *testing.T) {
	t.Run("made", func(t *testing.T) {
		shares := shares{}
		mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
			shares.add(t, "", files, e)
		})
		shares.log(t)
	})
	t.Run("nested", func(t *testing.T) {
		shares := shares{}
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
			shares.add(t, "", files, engine.Default())
		})
		shares.log(t)
	})
	for _, root := range []string{"../../../testdata", *coveredDir} {
		t.Run(filepath.Base(root), func(t *testing.T) {
			if root == "" {
				t.Skip("-modules names no directory")
			}
			shares := shares{}
			for _, m := range loadtest.Modules(t, root) {
				shares.add(t, m.Name, m.Files, engine.Default())
			}
			shares.log(t)
		})
	}
}

// shares count drops by what covers them.
type shares map[string]int

// add looks for the drops in a module.
func (s shares) add(t rapid.TB, module string, files map[string]string, e engine.Release) {
	src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
	if err != nil {
		return
	}
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		return
	}
	found := map[address.Address][]Finding{}
	for _, f := range Findings(m, diags, func(id string) bool { return true }) {
		if slices.Contains(lossRules, f.Rule.ID) {
			found[f.Address] = append(found[f.Address], f)
		}
	}
	s["modules"]++
	for _, b := range changes.Of(m) {
		for i := range b.Changes {
			if c := &b.Changes[i]; c.Kind() == changes.Dropped && !c.IsInside {
				name := module + c.Address.Join(c.Name()).String()
				isFound := slices.ContainsFunc(slices.Concat(found[c.Address], found[c.Address.Parent()]), func(f Finding) bool { return names(f, c) })
				s[coverOf(t, isFound, c, name)]++
			}
		}
	}
}

func (s shares) log(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		t.Logf("%6d %s", s[name], name)
	}
}

var (
	indexes   = regexp.MustCompile(`\[[0-9]+\]`)
	drop      = regexp.MustCompile(` drops? (.*?)(\. Repeat|$)`)
	ofContent = spelling.Named("content")
)

// names reports whether a finding is about a drop: it names the path, or what is around it, or it is
// about blocks of the type as a whole.
func names(f Finding, c *changes.Change) bool {
	if f.Rule.ID != "map-replace-drops-keys" && f.Rule.ID != "block-replace-drops-arguments" {
		return f.Item == c.Item
	}
	text := drop.FindStringSubmatch(indexes.ReplaceAllString(cmp.Or(f.Full, f.Message), ""))
	own, way := withoutNumbers(f.Address), withoutNumbers(c.Address.Join(c.Name()))
	if text == nil || len(way) < len(own) || !slices.Equal(own, way[:len(own)]) {
		return false
	}
	var at address.Address
	return slices.ContainsFunc(way[len(own):], func(s spelling.Segment) bool {
		at = at.Step(s)
		name := regexp.QuoteMeta(at.String())
		return regexp.MustCompile(`(^|, )([0-9]+ ` + name + ` blocks?|` + name + `)(, |$)`).MatchString(text[1])
	})
}

func withoutNumbers(a address.Address) []spelling.Segment {
	return slices.DeleteFunc(slices.Clone(a.Segments()), func(s spelling.Segment) bool { return s.IsIndex() || s == ofContent })
}

// coverOf is what covers a drop: a finding or the reason of an exception.
func coverOf(t rapid.TB, isFound bool, c *changes.Change, name string) string {
	if isFound {
		return "a finding"
	}
	for _, x := range exceptions {
		if x.holds(c) {
			return x.reason
		}
	}
	t.Errorf("no finding is about %s, dropped at %s", name, c.By())
	return "nothing"
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

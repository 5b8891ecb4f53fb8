package values_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/merge/values"
)

// files is an archive with primary text and override texts, each in the block of a till.
func files(primary string, overrides ...string) string {
	text := fmt.Sprintf("-- main.tf --\nresource \"shop_till\" \"day\" {\n%s\n}\nvariable \"v\" {}\n"+locals, primary)
	for i, override := range overrides {
		text += fmt.Sprintf("-- %c_override.tf --\nresource \"shop_till\" \"day\" {\n%s\n}\n", 'a'+i, override)
	}
	return text
}

// locals are values that the values of tills may be made of.
const locals = `locals {
  common = { Name = "n", Cost = "c", deep = { a = 1 } }
  next   = merge({ c = 1 }, local.common)
  circle = merge({ c = 1 }, local.circle)
}
`

// An effective value loses the parts of earlier ones that it lacks, for several the latest one's.
func TestLostBy(t *testing.T) {
	for _, c := range []struct{ primary, override, want string }{
		{"x = { a = 1, b = 2 }", "x = { a = 3 }", "b"},
		{"x = { a = { b = 1, c = 2 } }", "x = { a = { c = 3 } }", "a.b"},
		{"x = { a = { b = 1 } }", "x = { a = 1 }", ""},
		{"x = { a = 1 }", "x = var.v", ""},
		{"x = { a = 1, b = 2 }", "x = { a = 1, (var.v) = 2 }", ""},
		{"x = { (var.v) = 1, b = 2 }", "x = { a = 1 }", "b"},
		{"x = merge({ a = 1 }, { b = 2 })", "x = { a = 1 }", "b"},
		{"x = { a = 1, b = 2 }", "x = merge({ a = 1 }, {})", "b"},
		{"x = { a = 1, b = 2 }", "x = merge({ a = 1 }, var.v)", ""},
		{`x = "${{ a = 1 }}"`, "x = {}", "a"},
		{"x = [1, 2, 3]", "x = [3, 1]", "element 2; 1 fewer"},
		{"x = [1, 1]", "x = [1]", ""},
		{"x = [1]", "x = [2, 3]", "element 1; -1 fewer"},
		{"x = { a = [1, 2] }", "x = { a = [1] }", ""},
		{"x = [true]", "x = [false]", "element true; 0 fewer"},
		{"x = [1]", "x = {}", ""},
		{`x = "text"`, "x = {}", ""},
		{"x = { a = 1, b = 2 }", "x = { a = 2, b = 1 }", ""},
		{"x = { a = 1 }", "x = null", "a"},
		{"x = { a = { b = 1 } }", "x = { a = null }", "a.b"},
		{"x = [1]", "x = null", ""},
		{"x = jsonencode({ a = { b = 1, c = 1 } })", "x = jsonencode({ a = { b = 2 } })", "a.c"},
		{"x = yamlencode({ a = 1 })", "x = yamlencode({})", "a"},
		{"x = jsonencode({ a = 1 })", "x = yamlencode({})", ""},
		{"x = jsonencode({ a = 1 })", "x = {}", ""},
		{"x = jsonencode({ a = 1 })", "x = jsonencode({ b = 1 }, 1)", ""},
		{"x = jsonencode({ a = [{ b = 1 }] })", "x = jsonencode({ a = [{}] })", "a[0].b"},
		{"x = [{ a = 1, b = 2 }]", "x = [{ a = 3 }]", "[0].b element { a = 1, b = 2 }; 0 fewer"},
		{"x = { l = [{ a = 1 }, { b = 1 }] }", "x = { l = [{ b = 1 }, { a = 1 }] }", ""},
		{"x = { l = [{ a = 1 }, { b = 1 }] }", "x = { l = [{}] }", ""},
		{"x = local.common", "x = { Name = 1 }", "Cost deep"},
		{"x = local.common", "x = { Name = 1, Cost = 1, deep = {} }", "deep.a"},
		{"x = merge(local.common, { Name = 2 })", "x = { Name = 1 }", "Cost deep"},
		{"x = merge(local.common, var.v)", "x = { Name = 1, deep = {} }", "Cost"},
		{"x = merge({ a = 1 }, local.next...)", "x = {}", "a"},
		{"x = merge(local.next, local.next)", "x = { c = 1 }", "Name Cost deep"},
		{"x = local.circle", "x = {}", "c"},
		{"x = local.missing", "x = {}", ""},
		{"x = { a = 1 }", "x = local.common", ""},
		{"x = { a = 1 }", "x = merge(local.common, {})", ""},
	} {
		m := mergetest.Archive(t, files(c.primary, c.override))
		var got []string
		for _, lost := range values.LostBy(m.Source, attr(m, 1), []source.Item{attr(m, 0)}) {
			for _, k := range lost.Keys {
				got = append(got, k.Address().String())
			}
			for _, v := range lost.Elements {
				got = append(got, fmt.Sprintf("element %s; %d fewer", v.Text(), lost.Fewer))
			}
			if lost.Of != attr(m, 0) {
				t.Error("it is lost of another value")
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s, %s: lost are %q, want %q", c.primary, c.override, got, c.want)
		}
	}
}

func attr(m *merge.Module, file int) *source.Attr { return m.Source.Files[file].Block(0).Attr("x") }

// A local value with very many keys isn't looked into, since very many arguments may refer to it.
func TestLostByOfManyKeys(t *testing.T) {
	for n, want := range map[int]int{32: 32, 33: 0} {
		var keys strings.Builder
		for i := range n {
			fmt.Fprintf(&keys, "k%d = 1\n", i)
		}
		m := mergetest.Archive(t, files("x = local.many", "x = {}")+"-- many.tf --\nlocals {\nmany = {\n"+keys.String()+"}\n}\n")
		attr := func(name string) *source.Attr { return m.Source.File(name).Block(0).Attr("x") }
		got := 0
		for _, lost := range values.LostBy(m.Source, attr("a_override.tf"), []source.Item{attr("main.tf")}) {
			got += len(lost.Keys)
		}
		if got != want {
			t.Errorf("of %d keys, %d are lost, want %d", n, got, want)
		}
	}
}

// What several layers had is listed of the latest of them.
func TestLostByOfLayers(t *testing.T) {
	m := mergetest.Archive(t, files("x = { a = 1, b = 1 }", "x = { b = 2, c = 2 }", "x = {}"))
	var got []string
	for _, lost := range values.LostBy(m.Source, attr(m, 2), []source.Item{attr(m, 0), attr(m, 1)}) {
		for _, k := range lost.Keys {
			got = append(got, lost.Of.File.Name+" "+k.Address().String())
		}
	}
	if diff := cmp.Diff([]string{"main.tf a", "a_override.tf b", "a_override.tf c"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if values.LostBy(m.Source, attr(m, 2), nil) != nil {
		t.Error("something is lost of nothing")
	}
}

// An entry of required_providers with only a version lacks the source, unless the source follows
// from its name.
func TestLostSource(t *testing.T) {
	for from, want := range map[string]int{"example/shop": 1, "hashicorp/x": 0} {
		m := mergetest.Archive(t, fmt.Sprintf(`-- main.tf --
terraform {
  required_providers {
    x = {
      source  = %q
      version = "1.0"
    }
  }
}
-- override.tf --
terraform {
  required_providers {
    x = "2.0"
  }
}
`, from))
		find := func(file int) *source.Attr {
			return m.Source.Files[file].Block(0).Blocks("required_providers")[0].Attr("x")
		}
		keys := 0
		for _, lost := range values.LostBy(m.Source, find(1), []source.Item{find(0)}) {
			keys += len(lost.Keys)
		}
		if keys != want {
			t.Errorf("%s: %d keys are lost, want %d", from, keys, want)
		}
	}
}

// An override's nested blocks replace those of earlier layers, which may leave fewer blocks.
func TestBlocksLost(t *testing.T) {
	const (
		one, two, both = "d {\n x = 1\n}", "d {\n x = 2\n}", "d {\n x = 1\n}\nd {\n x = 2\n}"
		open           = "dynamic \"d\" {\n for_each = var.v\n content {\n }\n}"
		closed         = "dynamic \"d\" {\n for_each = [1, 2]\n content {\n }\n}"
	)
	of := func(forEach string) string { return "dynamic \"d\" {\n for_each = " + forEach + "\n content {\n }\n}" }
	for _, c := range []struct{ primary, override, want string }{
		{both, one, "2 to 1, certain, 1 fewer, gone 1, the rest stays"},
		{both, "d {\n x = 3\n}", "2 to 1, certain, 1 fewer, gone 2"},
		{one, two, "none"},
		{one, both, "none"},
		{both, "d {\n x = 2 # two\n}", "2 to 1, certain, 1 fewer, gone 1, the rest stays"},
		{open, one, "0 and 1 open to 1, gone 1"},
		{open, open, "none"},
		{closed, one, "2 to 1, certain, 1 fewer, gone 1"},
		{closed, both, "none"},
		{both, closed, "none"},
		{both, open, "2 to 0 and 1 open, 2 fewer, gone 2"},
		{of("var.v ? [1] : []"), one, "none"},
		{of("var.v ? [1] : [2, 3]"), one, "1..2 to 1, gone 1"},
		{of("var.v ? [1] : var.w"), one, "0 and 1 open to 1, gone 1"},
		{both, of("var.v ? [1] : []"), "2 to 0..1, certain, 1 fewer, gone 2"},
		{of(`toset([1, "1", "b"])`), both, "none"},
		{of(`toset(["a", var.v])`), one, "1..2 to 1, gone 1"},
		{both, of(`toset(tolist(["a", "b"]))`), "2 to 1..2, gone 2"},
		{both, of("{ (var.v) = 1, (var.w) = 2 }"), "2 to 1..2, gone 2"},
		{both, of(`concat(["a"], tolist(["b"]))`), "none"},
		{both, of(`concat(["a"], var.v...)`), "2 to 0 and 1 open, 2 fewer, gone 2"},
		{open + "\n" + one, of("concat(var.v, [1])"), "none"},
		{open, of("merge(var.v, { a = 1 })"), "0 and 1 open to 0 and 1 open, gone 1"},
		{open + "\n" + of("concat(var.w, var.v)"), of("concat(var.w, var.v)") + "\n" + open, "none"},
		{of("[var.a]") + "\n" + one, of("concat(var.v, [var.a])"), "2 to 1 and 1 open, 1 fewer, gone 1"},
		{open + "\n" + one, open, "1 and 1 open to 0 and 1 open, certain, 1 fewer, gone 1, the rest stays"},
	} {
		m := mergetest.Archive(t, files(c.primary, c.override))
		blocks := func(file int) []source.Item {
			b := m.Source.Files[file].Block(0)
			return append([]source.Item(nil), b.Items()...)
		}
		lost, isLost := values.NewReplacing(m.Source, blocks(1)).Lost(blocks(0))
		if got := described(lost, isLost); got != c.want {
			t.Errorf("%s\n%s: %s, want %s", c.primary, c.override, got, c.want)
		}
	}
}

func described(lost values.BlockLoss, isLost bool) string {
	if !isLost {
		return "none"
	}
	number := func(n values.Number) string {
		if n.Open > 0 {
			return fmt.Sprintf("%d and %d open", n.Known, n.Open)
		}
		if n.Known < n.Most {
			return fmt.Sprintf("%d..%d", n.Known, n.Most)
		}
		return fmt.Sprint(n.Known)
	}
	text := number(lost.Before) + " to " + number(lost.After)
	if lost.IsCertain {
		text += ", certain"
	}
	if lost.Fewer > 0 {
		text += fmt.Sprintf(", %d fewer", lost.Fewer)
	}
	text += fmt.Sprintf(", gone %d", len(lost.Gone))
	if lost.IsRest && len(lost.Stay) > 0 {
		text += ", the rest stays"
	}
	return text
}

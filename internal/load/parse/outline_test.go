package parse

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/outline"
)

// outlineOf is the outline of the first block of a text.
func outlineOf(text string) outline.Tree {
	parsed, _ := Config([]byte(text), "main.tf", hcl.InitialPos)
	return Outline(parsed.Body.(*hclsyntax.Body).Blocks[0])
}

// The parser's tree has the outline that the scanner finds, in source order.
func TestOutline(t *testing.T) {
	const text = "a \"b\" c {\n  d = 1\n  e {\n    f = [\n      2,\n    ]\n    g \"h\" {}\n  }\n  i = j # k\n}\n"
	scan := outline.NewScanner([]byte(text))
	if scan.Next() != outline.Found {
		t.Fatal("the scanner is not sure")
	}
	want := scan.Tree
	want.Texts = []string{"b", "c", "h"}
	if diff := cmp.Diff(want, outlineOf(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A label is as the language reads it, its position includes escapes.
func TestOutlineOfLabels(t *testing.T) {
	tree := outlineOf("a \"b\\tc\" {}\n")
	if got := string(tree.Labels[0].Of([]byte("a \"b\\tc\" {}\n"))); got != `"b\tc"` || tree.Texts[0] != "b\tc" {
		t.Errorf("the label is %q at %s", tree.Texts[0], got)
	}
}

// The value of an argument ends where the argument ends, even if the text is broken.
func TestOutlineOfErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a {\n  b = f({ c = d\n", ""},
		{"a {\n  b =\n}\n", ""},
		{"a {\n  b = f(1\n}\n", "f(1\n}\n"},
		{"a {\n  b = [1, 2\n}\n", "[1, 2\n}\n"},
	} {
		tree := outlineOf(c.text)
		if len(tree.Items) != 2 {
			t.Errorf("%q has %d items, want 2", c.text, len(tree.Items))
			continue
		}
		if got := string(tree.Items[1].Value.Of([]byte(c.text))); got != c.want {
			t.Errorf("%q: the value is %q, want %q", c.text, got, c.want)
		}
	}
}

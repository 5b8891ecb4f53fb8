package equal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// items are the contents of a block.
func items(body string) []source.Item {
	files := map[string]string{"main.tf": "resource \"x\" \"y\" {\n" + body + "\n}\n"}
	src, _, err := load.Dir(".", mergetest.InMemory(files, engine.Default()))
	if err != nil {
		panic(err)
	}
	return src.Files[0].Block(0).Items()
}

// Layout, comments and the spelling of a constant do not matter.
func ExampleItems() {
	list := items("ports = [80, 443]\nother = [80, # http\n  4.43e2]\nnames = [\"80\", \"443\"]")
	fmt.Println(Items(list[0], list[1]), Items(list[0], list[2]))
	// Output: true false
}

func TestItems(t *testing.T) {
	long := strings.Repeat("a", 70<<10)
	for _, c := range []struct {
		about, body string
		want        bool
	}{
		{"expressions, by their tokens", "a = var.x+1\nb = var.x + 1", true},
		{"parentheses around all", "a = var.x\nb = (var.x)", true},
		{"expressions that mean the same", "a = var.x + 1\nb = 1 + var.x", false},
		{"a template of one interpolation", `a = var.x` + "\n" + `b = "${~ "${var.x}" ~}"`, true},
		{"a template of an interpolation and a blank", `a = var.x` + "\n" + `b = " ${var.x}"`, false},
		{"templates in an object", `a = { x = var.x, y = ["${var.y}", 1] }` + "\n" + `b = { y = [var.y, 1.0], "x" = "${var.x}" }`, true},
		{"an object of more keys", `a = { x = var.x }` + "\n" + `b = { x = "${var.x}", y = 1 }`, false},
		{"objects with computed keys", `a = { (var.k) = var.x }` + "\n" + `b = ({ (var.k) = var.x })`, true},
		{"a list and a longer one", `a = [var.x]` + "\n" + `b = ["${var.x}", 1]`, false},
		{"a constant and an expression", "a = 1\nb = var.x", false},
		{"a constant and an expression that one operand decides", "a = true\nb = true || var.x", false},
		{"constants that are made in a loop", "a = []\nb = [for i, x in [1]: \"${i}-${x}\" if false]", true},
		{"blocks, but for their layout", "disk {\n  a = 1 # one\n}\ndisk { a  =  1 }", true},
		{"blocks of other arguments", "disk {\n  a = 1\n}\ndisk {\n  b = 1\n}", false},
		{"blocks with constants of one value", "disk {\n  a = 1\n}\ndisk {\n  a = 1.0\n}", true},
		{"blocks with arguments in another order", "disk {\n  a = var.x\n  b = 2\n}\ndisk {\n  b = 2\n  a = \"${var.x}\"\n}", true},
		{"blocks with more arguments", "disk {\n  a = var.x\n}\ndisk {\n  a = \"${var.x}\"\n  b = 2\n}", false},
		{"blocks with fewer arguments", "disk {\n  a = \"${var.x}\"\n  b = 2\n}\ndisk {\n  a = var.x\n}", false},
		{"blocks in blocks", "disk {\n  in \"l\" {\n    a = (var.x)\n  }\n}\ndisk {\n  in \"l\" {\n    a = var.x\n  }\n}", true},
		{"blocks with other labels in blocks", "disk {\n  in \"l\" {\n    a = 1\n  }\n}\ndisk {\n  in \"m\" {\n    a = 1\n  }\n}", false},
		{"fewer blocks in blocks", "disk {\n  in {\n  }\n}\ndisk {\n}", false},
		{"a block and an argument in blocks", "disk {\n  in {\n  }\n}\ndisk {\n  in = 1\n}", false},
		{"an argument and a block", "a = 1\na {}", false},
		{"long constants of one value", fmt.Sprintf("a = [%q, 1]\nb = [%q, 1.0]", long, long), false},
	} {
		list := items(c.body)
		if len(list) != 2 {
			t.Fatalf("%s: %d items", c.about, len(list))
		}
		if got := Items(list[0], list[1]); got != c.want {
			t.Errorf("%s: %v, want %v", c.about, got, c.want)
		}
	}
}

// If an engine takes references in quotes, they are the same with and without them.
func TestItemsInQuotes(t *testing.T) {
	for _, c := range []struct {
		bare, quoted string
		want         bool
	}{
		{"provider = a.b", `provider = "a.b"`, true},
		{"depends_on = [a.b[0], c.d]", `depends_on = ["a.b[0]", "c.d"]`, true},
		{"depends_on = [a.b]", `depends_on = ["a.c"]`, false},
		{"depends_on = [a.b]", `depends_on = [" a.b"]`, true},
		{"name = a.b", `name = "a.b"`, false},
	} {
		if got := Items(items(c.bare)[0], items(c.quoted)[0]); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.bare, c.quoted, got, c.want)
		}
	}
}

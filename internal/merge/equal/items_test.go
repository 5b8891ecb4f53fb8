package equal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// items are what a block holds.
func items(body string) []source.Item {
	files := map[string]string{"main.tf": "resource \"x\" \"y\" {\n" + body + "\n}\n"}
	src, _, err := load.Dir(".", mergetest.InMemory(files, engine.Default()))
	if err != nil {
		panic(err)
	}
	return src.Files[0].Block(0).Tree().Body.Items
}

// Layout, comments and the spelling of a constant do not count.
func ExampleItems() {
	list := items("ports = [80, 443]\nother = [80, # http\n  4.43e2]\nnames = [\"80\", \"443\"]")
	fmt.Println(equal.Items(list[0], list[1]), equal.Items(list[0], list[2]))
	// Output: true false
}

func TestItems(t *testing.T) {
	long := strings.Repeat("a", 70<<10)
	for _, c := range []struct {
		about, body string
		want        bool
	}{
		{"expressions, by their tokens", "a = var.x+1\nb = var.x + 1", true},
		{"expressions that mean the same", "a = var.x\nb = (var.x)", false},
		{"a constant and an expression", "a = 1\nb = var.x", false},
		{"blocks, but for their layout", "disk {\n  a = 1 # one\n}\ndisk { a  =  1 }", true},
		{"blocks of other arguments", "disk {\n  a = 1\n}\ndisk {\n  b = 1\n}", false},
		{"blocks with constants of one value", "disk {\n  a = 1\n}\ndisk {\n  a = 1.0\n}", false},
		{"an argument and a block", "a = 1\na {}", false},
		{"long constants of one value", fmt.Sprintf("a = [%q, 1]\nb = [%q, 1.0]", long, long), false},
	} {
		list := items(c.body)
		if len(list) != 2 {
			t.Fatalf("%s: %d items", c.about, len(list))
		}
		if got := equal.Items(list[0], list[1]); got != c.want {
			t.Errorf("%s: %v, want %v", c.about, got, c.want)
		}
	}
}

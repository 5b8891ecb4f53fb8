package language

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

func release(t *testing.T, name string) engine.Release {
	t.Helper()
	e, err := engine.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// block is the first block of a text.
func block(t *testing.T, text string) *source.Block {
	t.Helper()
	src := []byte(text)
	parsed, diags := hclsyntax.ParseConfig(src, "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	f := &source.File{Name: "main.tf", Raw: src, Native: src, Engine: engine.Default()}
	nb := parsed.Body.(*hclsyntax.Body).Blocks[0]
	b, _ := new(source.Builder).For(f).Block(&source.Description{Tree: parse.Outline(nb)}, nil)
	return b
}

func TestNamesUnlike(t *testing.T) {
	unlike := NamesUnlike(release(t, "opentofu@1.10"), release(t, "opentofu@1.11"))
	if !slices.Contains(unlike["resource"], "enabled") || slices.Contains(unlike["resource"], "count") {
		t.Errorf("in resources: %v", unlike["resource"])
	}
	if !slices.Contains(unlike["ephemeral"], "ephemeral") {
		t.Errorf("ephemeral blocks: %v", unlike["ephemeral"])
	}
	if _, ok := unlike["moved"]; ok {
		t.Errorf("moved blocks: %v", unlike["moved"])
	}
}

func TestModuleCalls(t *testing.T) {
	b := block(t, "module \"a\" {\n  source = \"./a\"\n  version = \"1\"\n  size = 1\n}\n")
	for name, want := range map[string]bool{"source": true, "version": false, "size": false} {
		if got := IsModuleSource(b.Attr(name)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	other := block(t, "data \"a\" \"b\" {\n  source = \"./a\"\n}\n")
	if IsModuleSource(other.Attr("source")) || HasModuleSource(engine.Default(), "data") || !HasModuleSource(engine.Default(), "module") {
		t.Error("only module blocks have sources of modules")
	}
}

func TestTakesQuotes(t *testing.T) {
	b := block(t, "resource \"a\" \"b\" {\n  provider = aws\n  count = 1\n  depends_on = []\n  size = 1\n}\n")
	for name, want := range map[string]bool{"provider": true, "count": false, "depends_on": true, "size": false} {
		if TakesQuotes(b.Attr(name)) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

// The shape of an argument is found without writing the path to it, which would take time for each
// argument of nested blocks in proportion to the square of their depth.
func TestDeepArgument(t *testing.T) {
	b := block(t, "resource \"a\" \"b\" {\n"+strings.Repeat("connection {\n", 100)+"host = 1\n"+strings.Repeat("}\n", 100)+"}\n")
	for len(b.Blocks("connection")) > 0 {
		b = b.Blocks("connection")[0]
	}
	host := b.Attr("host")
	allocated := testing.AllocsPerRun(1, func() {
		if _, isKnown := ArgOf(host); isKnown {
			t.Error("the language knows a connection in another one")
		}
	})
	if allocated > 0 {
		t.Errorf("%v allocations", allocated)
	}
}

// A block that can't take one item more is refused for that item only.
func TestRefusal(t *testing.T) {
	home, other := block(t, "variable \"a\" {\n  bad = 1\n}\n"), block(t, "variable \"a\" {\n  worse = 1\n  default = 1\n}\n")
	if d := Refusal(home, nil, other.Attr("worse")); d == nil || d.Summary != "Unsupported argument" {
		t.Errorf("one more unknown argument: %v", d)
	}
	if d := Refusal(home, nil, other.Attr("default")); d != nil {
		t.Errorf("a default: %v", d)
	}
}

// A dynamic block is known in every body, and what may be in it.
func TestInner(t *testing.T) {
	b := block(t, "resource \"t\" \"a\" {\n  dynamic \"disk\" {\n  }\n  disk {\n  }\n  lifecycle {\n  }\n}\n")
	shape := Of(b.File.Engine).Top(b.Type).Body
	for typ, want := range map[string][2]bool{"dynamic": {true, true}, "disk": {false, false}, "lifecycle": {true, false}} {
		inner, isKnown := shape.Inner(b.Blocks(typ)[0])
		if isKnown != want[0] || inner.Body.Knows("for_each") != want[1] {
			t.Errorf("%s: known %t, for_each %t", typ, isKnown, !want[1])
		}
	}
}

package render_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"pgregory.net/rapid"
)

// Syntax independence: a file means the same in JSON as in native syntax, whatever the syntax of
// the other files.

func structureOf(t testing.TB, text string) []string {
	t.Helper()
	f, diags := hclsyntax.ParseConfig([]byte(text), "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("the output can't be parsed: %s\n%s", diags, text)
	}
	return bodyStructure(f.Body.(*hclsyntax.Body), "")
}

func TestSyntaxIndependence(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(rt, "seed"))
		g.EOL = "\n" // in a heredoc the line ends are a part of the value
		g.Engine = loadtest.DrawEngine(rt)
		files := g.Module()
		twins := loadtest.Mixed(t, g, files)
		defer func() {
			if rt.Failed() {
				for _, name := range slices.Sorted(maps.Keys(twins)) {
					rt.Logf("-- %s --\n%s", name, twins[name])
				}
			}
		}()
		want := printed(t, files, g.Engine, asNative)
		got := printed(t, twins, g.Engine, asNative)
		if want.ok != got.ok {
			rt.Fatalf("native: %t, %s\nmixed: %t, %s", want.ok, want.errs, got.ok, got.errs)
		}
		if !want.ok {
			return
		}
		if diff := cmp.Diff(structureOf(t, want.out), structureOf(t, got.out)); diff != "" {
			rt.Fatalf("native output of mixed files (-native +mixed):\n%s", diff)
		}
		for _, of := range []map[string]string{files, twins} {
			inJSON := printed(t, of, g.Engine, asJSON)
			again := printed(t, map[string]string{"main.tf.json": inJSON.out}, g.Engine, asNative)
			if !again.ok {
				rt.Fatalf("the JSON is refused: %s\n%s", again.errs, inJSON.out)
			}
			if diff := cmp.Diff(structureOf(t, want.out), structureOf(t, again.out)); diff != "" {
				rt.Fatalf("JSON output (-native +JSON):\n%s\n%s", diff, inJSON.out)
			}
		}
	})
}

// bodyStructure lists the contents of a body: arguments by name, then the blocks, those of one type
// in order.
func bodyStructure(body *hclsyntax.Body, indent string) []string {
	var lines []string
	for name, a := range body.Attributes {
		lines = append(lines, indent+name+" = "+loadtest.Structure(a.Expr))
	}
	slices.Sort(lines)
	blocks := slices.Clone(body.Blocks)
	slices.SortStableFunc(blocks, func(a, b *hclsyntax.Block) int { return strings.Compare(made(a), made(b)) })
	for _, b := range blocks {
		lines = append(lines, indent+b.Type+" "+strings.Join(b.Labels, " "))
		lines = append(lines, bodyStructure(b.Body, indent+"  ")...)
	}
	return lines
}

// made is what kind of block a block is, or makes. Objects of one kind have no
// order but by their labels.
func made(b *hclsyntax.Block) string {
	if b.Type == "dynamic" {
		return b.Labels[0]
	}
	if len(b.Labels) > 0 && b.Type != "provisioner" {
		return b.Type + " " + strings.Join(b.Labels, " ")
	}
	return b.Type
}

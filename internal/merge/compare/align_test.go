package compare_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// TestAlign compares what engines make of modules with the trees that Align keeps and with
// all trees: the differences and the refusals must be the same.
func TestAlign(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		other := loadtest.DrawEngine(t)
		files["removed.tf"] = "removed {\n  from = a.b\n}\n" // engines imply different things
		var found [2][]string
		for i, trees := range []load.Trees{load.AllTrees, load.AddressedTrees} {
			var sources []*load.Module
			var diags []hcl.Diagnostics
			for _, e := range []engine.Release{e, other} {
				opts := mergetest.InMemory(files, e)
				opts.Trees = trees
				src, found, err := load.Dir(".", opts)
				if err != nil {
					return // one of them reads none of the files
				}
				sources, diags = append(sources, src), append(diags, found)
			}
			compare.Align(sources[0], sources[1])
			var readings []compare.Reading
			for i, src := range sources {
				m, more := merge.Files(src, merge.Options{})
				readings = append(readings, compare.Reading{Module: m, Diags: append(diags[i], more...)})
			}
			found[i] = findings(readings[0], readings[1])
		}
		if !reflect.DeepEqual(found[0], found[1]) {
			t.Errorf("%s and %s differ with all trees in\n%q\nelse in\n%q", e, other, found[0], found[1])
		}
	})
}

// findings are what there is to say of two readings.
func findings(a, b compare.Reading) []string {
	var list []string
	for _, r := range []compare.Reading{a, b} {
		for _, d := range r.Refusals() {
			list = append(list, d.Error())
		}
	}
	if len(list) > 0 {
		slices.Sort(list)
		return list
	}
	for _, d := range compare.Differences(a, b) {
		words := d.Address.String()
		for _, s := range d.Sides {
			words += " |"
			for _, it := range s.Items {
				words += " " + source.Where(it).String()
			}
			words += " " + s.Assumed
		}
		list = append(list, words)
	}
	return list
}

// TestAlignKeepsLittle makes sure that blocks at which engines do not differ are not kept.
func TestAlignKeepsLittle(t *testing.T) {
	files := map[string]string{"a_override.tf": "resource \"r\" \"r0\" {\n  a = 2\n}\n", "main.tf": ""}
	for i := range 50 {
		files["main.tf"] += fmt.Sprintf("resource \"r\" \"r%d\" {\n  a               = 1\n  destroy_enabled = true\n}\n", i)
	}
	files["main.tf"] += "resource \"r\" \"on\" {\n  lifecycle {\n    enabled = true\n  }\n}\n"
	var sources []*load.Module
	for _, e := range []engine.Release{engine.OpenTofu.Newest(), engine.Terraform.Newest()} {
		opts := mergetest.InMemory(files, e)
		opts.Trees = load.AddressedTrees
		src, _, err := load.Dir(".", opts)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, src)
	}
	compare.Align(sources[0], sources[1])
	for _, src := range sources {
		kept := 0
		for i := range src.Files[0].Len() {
			if src.Files[0].Kept(i) != nil {
				kept++
			}
		}
		if kept != 2 {
			t.Errorf("%s keeps %d blocks", src.Engine, kept)
		}
	}
}

package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// TestUnlike compares what engines make of modules by the blocks that may not mean the same, and
// by all of them: the differences must be the same.
func TestUnlike(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		other := loadtest.DrawEngine(t)
		files["removed.tf"] = "removed {\n  from = a.b\n}\n" // engines imply different things
		var readings []Reading
		for _, e := range []engine.Release{e, other} {
			src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
			if err != nil {
				return // one of them reads none of the files
			}
			m, more := merge.Files(src, merge.Options{})
			readings = append(readings, Reading{Module: m, Diags: append(diags, more...)})
		}
		a, b := readings[0], readings[1]
		if len(a.Refusals())+len(b.Refusals()) > 0 {
			return
		}
		few, all := words(Differences(a, b)), words(allDifferences(a, b))
		if diff := cmp.Diff(all, few); diff != "" {
			t.Errorf("%s and %s (-all blocks +those that may differ):\n%s", e, other, diff)
		}
	})
}

// TestMayBeEdited compares the edits found in the blocks that may have been edited with those in
// all blocks.
func TestMayBeEdited(t *testing.T) {
	mergetest.ForModules(t, func(t *rapid.T, files map[string]string, e engine.Release) {
		edited := maps.Clone(files)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			switch rapid.IntRange(0, 3).Draw(t, name) {
			case 0:
				if mergetest.IsOverride(name) {
					delete(edited, name)
				}
			case 1:
				edited[name] = strings.ReplaceAll(files[name], "1", "2")
			}
		}
		var modules []*merge.Module
		for _, files := range []map[string]string{files, edited} {
			src, diags, err := load.Dir(".", mergetest.InMemory(files, e))
			if err != nil || diags.HasErrors() {
				return
			}
			m, diags := merge.Files(src, merge.Options{})
			if diags.HasErrors() {
				return
			}
			modules = append(modules, m)
		}
		few, all := words(Edits(modules[0], modules[1])), words(differences(modules[0], modules[1], true, everything))
		if diff := cmp.Diff(all, few); diff != "" {
			t.Errorf("(-all blocks +those that may be edited):\n%s", diff)
		}
	})
}

// words formats differences with their locations.
func words(differences []Difference) []string {
	var list []string
	for _, d := range differences {
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

// TestUnlikeIsLittle makes sure that blocks at which engines do not differ are not compared.
func TestUnlikeIsLittle(t *testing.T) {
	files := map[string]string{"a_override.tf": "resource \"r\" \"r0\" {\n  a = 2\n}\n", "main.tf": ""}
	for i := range 50 {
		files["main.tf"] += fmt.Sprintf("resource \"r\" \"r%d\" {\n  a               = 1\n  destroy_enabled = true\n}\n", i)
	}
	files["main.tf"] += "resource \"r\" \"on\" {\n  lifecycle {\n    enabled = true\n  }\n}\n"
	var sources []*load.Module
	for _, e := range []engine.Release{engine.OpenTofu.Newest(), engine.Terraform.Newest()} {
		src, _, err := load.Dir(".", mergetest.InMemory(files, e))
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, src)
	}
	if keys := unlikeKeys(sources[0], sources[1]); len(keys) != 2 {
		t.Errorf("%d blocks are compared, want the one with an override and the one with enabled", len(keys))
	}
}

// allDifferences are the differences in every block, even where there surely is none.
func allDifferences(a, b Reading) []Difference {
	all := differences(a.Module, b.Module, overridesConstraint(a.Module) || overridesConstraint(b.Module), everything)
	return slices.DeleteFunc(all, func(d Difference) bool { return d.IsIdle })
}

// everything has every block compared.
func everything(*source.File, int) bool { return true }

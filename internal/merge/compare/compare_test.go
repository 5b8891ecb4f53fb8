package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// listed is each difference as its address and the number of items that the two sides have.
func listed(differences []Difference) []string {
	var list []string
	for _, d := range differences {
		text := fmt.Sprintf("%s %d %d", d.Address, len(d.Sides[0].Items), len(d.Sides[1].Items))
		if d.IsIdle {
			text += " idle"
		}
		list = append(list, text)
	}
	return list
}

func inMain(t *testing.T, text string) *merge.Module {
	return mergetest.Archive(t, "-- main.tf --\n"+text)
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		about, before, after string
		want                 []string
	}{
		{"layout, comments and the order of arguments", "locals {\n  a = 1\n  b = [1]\n}\n", "locals {\n  b = [ 1 ] # one\n  a = 1\n}\n", nil},
		{"the spelling of a constant", "locals {\n  a = 10\n}\n", "locals {\n  a = 1e1\n}\n", nil},
		{"another value", "locals {\n  a = 1\n}\n", "locals {\n  a = 2\n}\n", []string{"local.a 1 1"}},
		{"another name", "locals {\n  a = 1\n}\n", "locals {\n  b = 1\n}\n", []string{"local.a 1 0", "local.b 0 1"}},
		{"a whole block, without its contents", "resource \"r\" \"a\" {\n  x = 1\n}\n", "", []string{"r.a 1 0"}},
		{"nested blocks are compared together", "resource \"r\" \"a\" {\n  d {\n    x = 1\n  }\n}\n", "resource \"r\" \"a\" {\n  d {\n    x = 1\n  }\n  d {\n    x = 1\n  }\n}\n", []string{"r.a.d 1 2"}},
		{"the order of independent blocks", "moved {\n  from = r.a\n  to   = r.b\n}\nmoved {\n  from = r.c\n  to   = r.d\n}\n", "moved {\n  from = r.c\n  to   = r.d\n}\nmoved {\n  from = r.a\n  to   = r.b\n}\n", nil},
		{"a default that a type converts for good", "variable \"v\" {\n  default = 1\n}\n-- a_override.tf --\nvariable \"v\" {\n  type = string\n}\n-- b_override.tf --\nvariable \"v\" {\n  type = any\n}\n", "variable \"v\" {\n  default = 1\n}\n-- a_override.tf --\nvariable \"v\" {\n  type = any\n}\n-- b_override.tf --\nvariable \"v\" {\n  type = any\n}\n", []string{"var.v.default 1 1"}},
		{"a constraint that only .tofu files can make", "terraform {\n  required_version = \"> 1.1\"\n}\n", "terraform {\n  required_version = \"> 1.2\"\n}\n", []string{"terraform.required_version 0 0 idle"}},
	} {
		if got := listed(Edits(inMain(t, c.before), inMain(t, c.after))); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
		if back := Edits(inMain(t, c.after), inMain(t, c.before)); len(back) != len(c.want) {
			t.Errorf("%s, the other way around: %q", c.about, listed(back))
		}
	}
}

// The items of an address that only one of two modules has are found whatever the order.
func TestOnly(t *testing.T) {
	const kept = "moved {\n  from = r.a\n  to   = r.b\n}\n"
	before := inMain(t, kept+"moved {\n  from = r.c\n  to   = r.d\n}\n")
	after := inMain(t, "moved {\n  from = r.e\n  to   = r.f\n}\n"+kept)
	edits := Edits(before, after)
	if got := listed(edits); !slices.Equal(got, []string{"moved 2 2"}) {
		t.Fatalf("%q", got)
	}
	for side, line := range []int{5, 1} {
		only := edits[0].Only(side)
		if len(only) != 1 || len(only[0].Sides[1-side].Items) != 0 || only[0].Sides[side].Items[0].Header().Start.Line != line {
			t.Errorf("only side %d has %q", side, listed(only))
		}
	}
	if it, side := edits[0].Place(); side != 0 || it != edits[0].Sides[0].Items[0] {
		t.Errorf("the difference is reported on side %d", side)
	}
}

func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		about, archive string
		want           []string
		differ         bool // rules of the first difference
	}{
		{"one engine ignores an override", "-- main.tf --\nvariable \"v\" {}\n-- a_override.tf --\nvariable \"v\" {\n  deprecated = \"x\"\n}\n", []string{"var.v.deprecated 1 0"}, false},
		{"an engine's own file", "-- main.tf --\nlocals {\n  a = 1\n}\n-- a_override.tofu --\nlocals {\n  a = 2\n}\n", []string{"local.a 1 1"}, false},
		{"a constraint on the engine counts in an override file", "-- main.tofu --\nterraform {\n  required_version = \"> 1.1\"\n}\n-- main.tf --\nterraform {\n  required_version = \"> 1.0\"\n}\n-- a_override.tf --\nlocals {}\n", nil, false},
		{"an override of a constraint", "-- main.tf --\nterraform {\n  required_version = \"> 1.0\"\n}\n-- a_override.tf --\nterraform {\n  required_version = \"> 1.1\"\n}\n", []string{"terraform.required_version 0 1"}, true},
	} {
		var readings []Reading
		for _, e := range []engine.Release{engine.OpenTofu.Newest(), engine.Terraform.Newest()} {
			m, diags := mergetest.ArchiveAs(t, c.archive, e)
			readings = append(readings, Reading{Module: m, Diags: diags})
		}
		differences := Differences(readings[0], readings[1])
		if got := listed(differences); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
			continue
		}
		if len(differences) > 0 {
			if a, b, differ := differences[0].Rules(); differ != c.differ || differ == (a == b) {
				t.Errorf("%s: the rules differ: %t", c.about, differ)
			}
		}
	}
}

func TestMeaning(t *testing.T) {
	const text = "locals {\n  a = [1, 2]\n}\nresource \"r\" \"a\" {\n  x = 1\n}\n"
	m := inMain(t, text)
	if diff := cmp.Diff([]string{"local.a\n[ 1 , 2 ]", "r.a", "r.a.x\n1"}, Meaning(m, nil)); diff != "" {
		t.Error(diff)
	}
	if got := Meaning(m, m.Source); len(got) != 2 || strings.Contains(strings.Join(got, ""), "[ 1 , 2 ]") {
		t.Errorf("blocks that no override can change are %q", got)
	}
	overridden := "\n-- a_override.tf --\nlocals {\n  a = 3\n}\n"
	a := mergetest.Archive(t, "-- main.tf --\n"+text+overridden)
	for about, c := range map[string]struct {
		archive   string
		leavesOut func(address.Address) bool
		want      bool
	}{
		"the same":                       {"-- main.tf --\n" + text + overridden, nil, true},
		"another layout":                 {"-- main.tf --\n" + text + strings.ReplaceAll(overridden, "a = 3", "a = 3 # three"), nil, true},
		"another value":                  {"-- main.tf --\n" + text + strings.ReplaceAll(overridden, "3", "4"), nil, false},
		"another value that is left out": {"-- main.tf --\n" + text + strings.ReplaceAll(overridden, "3", "4"), func(own address.Address) bool { return own.String() == "local.a" }, true},
		"the value in the primary file":  {"-- main.tf --\n" + strings.ReplaceAll(text, "[1, 2]", "3"), nil, true},
		"another primary file":           {"-- main.tf --\n" + strings.ReplaceAll(text, "x = 1", "x = 2") + overridden, nil, false},
	} {
		if got := SameMeaning(a, mergetest.Archive(t, c.archive), c.leavesOut); got != c.want {
			t.Errorf("%s: %t", about, got)
		}
	}
}

// Blocks are read alike only if nothing in them, and nothing that decides about them, differs.
func TestIsReadAlike(t *testing.T) {
	latest := engine.OpenTofu.Observed()[len(engine.OpenTofu.Observed())-1]
	for _, c := range []struct {
		about, primary, override string
		e                        engine.Release
		want, orRefused          bool
	}{
		{about: "the provider's arguments", override: "resource \"r\" \"a\" {\n  x = { a = 1 }\n}\n", want: true},
		{about: "what both judge, and neither refuses", override: "resource \"r\" \"a\" {\n  provider   = p.west\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n", want: true},
		{about: "what one of them refuses", override: "resource \"r\" \"a\" {\n  lifecycle {\n    prevent_destroy = var.x\n  }\n}\n"},
		{about: "what one of them may read otherwise in JSON", override: "-- b_override.tf.json --\n{\"resource\": {\"r\": {\"a\": {\"lifecycle\": {\"prevent_destroy\": \"${true}\"}}}}}\n"},
		{about: "what both read in JSON", override: "-- b_override.tf.json --\n{\"resource\": {\"r\": {\"a\": {\"lifecycle\": {\"prevent_destroy\": true}}}}}\n", want: true},
		{about: "variables, whose shapes differ", override: "variable \"a\" {\n  default = 1\n}\n", orRefused: true},
		{about: "those in JSON", override: "-- b_override.tf.json --\n{\"variable\": {\"a\": {\"default\": \"x\"}}}\n", orRefused: true},
		{about: "another rule for variables", override: "variable \"a\" {\n  deprecated = \"x\"\n}\n"},
		{about: "another rule", override: "resource \"r\" \"a\" {\n  lifecycle {\n    destroy = true\n  }\n}\n"},
		{about: "a block of the primary file", primary: "resource \"r\" \"a\" {\n  count = tofu.workspace == \"x\" ? 1 : 0\n}\n", override: "resource \"r\" \"a\" {\n  x = 1\n}\n", orRefused: true},
		{about: "another block", primary: "resource \"r\" \"b\" {\n  lifecycle {\n    enabled = true\n  }\n}\n", override: "resource \"r\" \"a\" {\n  x = 1\n}\n", want: true},
		{about: "functions of providers", override: "resource \"r\" \"a\" {\n  x = provider::p::f()\n}\n", orRefused: true},
		{about: "what is computed early", override: "provider \"p\" {\n  x = 1\n}\n", orRefused: true},
		{about: "data, which may be in a check", override: "data \"r\" \"a\" {\n  x = 1\n}\n"},
		{about: "other files", primary: "-- b.tofu --\n", override: "resource \"r\" \"a\" {\n  x = 1\n}\n"},
		{about: "a broken file", primary: "locals {\n", override: "resource \"r\" \"a\" {\n  x = 1\n}\n"},
		{about: "letters", override: "locals {\n  a = 1 # \u0560\n}\n", e: latest},
		{about: "no letters", override: "locals {\n  a = 1\n}\n", e: latest, want: true},
	} {
		if c.e.Version == "" {
			c.e = engine.Default()
		}
		m, _ := mergetest.ArchiveAs(t, "-- main.tf --\n"+c.primary+"-- a_override.tf --\n"+c.override, c.e)
		for mayRefuse, want := range map[bool]bool{false: c.want, true: c.want || c.orRefused} {
			if got := IsReadAlike(m.Source, engine.Terraform.Newest(), m.Source.IsAddressedAt, mayRefuse); got != want {
				t.Errorf("%s, refused: %v: %v", c.about, mayRefuse, got)
			}
		}
	}
}

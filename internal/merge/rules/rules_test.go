package rules

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// TestRulesExcludeEachOther fails if an engine would find two rows of the table for one path, or a
// row that no engine follows.
func TestRulesExcludeEachOther(t *testing.T) {
	for _, r := range All() {
		if r.Releases() == "" {
			t.Errorf("no known release follows %s (%s)", r.Path, r.Engines)
		}
		for _, e := range engine.Observed() {
			if r.Holds(e) && Of(r.Path, e) != r {
				t.Errorf("%s finds two rows for %s", e, r.Path)
			}
		}
	}
}

func release(t *testing.T, name string) engine.Release {
	t.Helper()
	e, err := engine.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The rule of a name is that of its path, else that of any name there, else that of any name.
func TestSet(t *testing.T) {
	set := NewSet(release(t, "opentofu@1.12"))
	for path, want := range map[string]string{
		"resource/count":        "resource/count",
		"resource/ami":          "*",
		"locals/size":           "locals/*",
		"terraform/experiments": "terraform/experiments",
		"unknown":               "*",
	} {
		if got := set.For(path).Path; got != want {
			t.Errorf("%s: the rule of %s, not of %s", path, got, want)
		}
	}
	kind := set.Kind("resource")
	if own, escaped := kind.Names.Find("count", false), kind.Names.Find("count", true); own != set.At("resource/count") || escaped != set.At("*") {
		t.Errorf("count is %s, in an escaping block %s", own.Path, escaped.Path)
	}
	if kind.Names.Own("ami") != nil || set.Kind("resource") != kind || kind.Shape == nil {
		t.Error("the kind of the body of a resource is another one, or lacks its shape")
	}
	if got := set.Ranked["resource"]; len(got) == 0 || got[0].Path != "resource/count" {
		t.Errorf("ranked are %v", got)
	}
	if to := set.Addressing["check/data"]; len(to) != 1 || to[0] != "data" || !set.HoldsTargets["check"] || set.HoldsTargets["resource"] {
		t.Errorf("data blocks in a check are addressed by %v", to)
	}
	for _, r := range set.Clearing["terraform/backend"] {
		t.Errorf("a later block clears %s", r.Path)
	}
}

// A row holds for the releases that it names, where they know its path and follow the block around
// it.
func TestHolds(t *testing.T) {
	older, newer := release(t, "opentofu@1.11"), release(t, "opentofu@1.12")
	for path, want := range map[string][2]bool{
		"terraform/experiments":      {true, true},
		"resource/lifecycle/destroy": {false, true},
		"resource/count":             {true, true},
	} {
		for i, e := range []engine.Release{older, newer} {
			r := Of(path, e)
			if has := r != nil && r.Holds(e); has != want[i] {
				t.Errorf("%s in %s: %t", path, e, has)
			}
		}
	}
	if a, b := Of("terraform/required_version", older), Of("terraform/required_version", newer); a.Do != Renew || b.Do != Append {
		t.Errorf("required_version is %d and %d", a.Do, b.Do)
	}
}

func TestSentences(t *testing.T) {
	newer := release(t, "opentofu@1.12")
	for path, want := range map[string]string{
		"terraform/experiments":      "OpenTofu accepts terraform.experiments but never uses it (1.12 and later).",
		"resource/lifecycle/enabled": "OpenTofu ignores lifecycle.enabled in override files (1.11 and later), although its documentation says otherwise.",
		"resource/depends_on":        "OpenTofu ignores an empty depends_on in override files.",
	} {
		if r := Of(path, newer); r.Ignores(newer) != want || !r.IsIgnoring() {
			t.Errorf("%s: %q", path, r.Ignores(newer))
		}
	}
	count := Of("resource/provider", newer)
	if got := count.Sentence(); got != "Replaced." || !IsPlain(got) || count.IsIgnoring() {
		t.Errorf("provider: %q", got)
	}
	if got := Of("resource/lifecycle/destroy", newer).Sentence(); got != "Replaced (OpenTofu 1.12 and later)." || IsPlain(got) {
		t.Errorf("destroy: %q", got)
	}
}

// block reads the first block of a file.
func block(t *testing.T, text string) *source.Block {
	t.Helper()
	m, diags := loadtest.Files(t, map[string][]byte{"main.tf": []byte(text)}, load.Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return m.Files[0].Block(0)
}

func TestItems(t *testing.T) {
	newer := release(t, "opentofu@1.12")
	provider := block(t, `provider "aws" { alias = "west" }`)
	if id := Of("provider", newer).Match.ID(provider); id != "aws.west" || AliasOf(provider) != "west" {
		t.Errorf("the provider is %q", id)
	}
	web := block(t, `resource "a" "b" {
  empty = []
  none  = null
}`)
	if ByName.ID(web) != "" || ByLabels.ID(web) != "a.b" || ByPosition.ID(web) != "main.tf:0" {
		t.Errorf("the resource is %q, %q, %q", ByName.ID(web), ByLabels.ID(web), ByPosition.ID(web))
	}
	empty, none := web.Attr("empty"), web.Attr("none")
	if !EmptyList.Passes(empty) || EmptyList.Passes(none) || !Null.Passes(none) || Null.Passes(web) {
		t.Error("an empty list or null is mistaken")
	}
	if (Rule{}).Unless.Passes(empty) {
		t.Error("no test is passed")
	}
}

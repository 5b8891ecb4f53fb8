package check

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

func TestQualified(t *testing.T) {
	e := engine.Terraform.Newest()
	for text, want := range map[string]string{
		"":                              "; this doesn't hold for " + e.Title(),
		"It is ignored.":                "It is ignored; this doesn't hold for " + e.Title() + ".",
		"See a.tf:3. Remove it.":        "See a.tf:3; this doesn't hold for " + e.Title() + ". Remove it.",
		"aws_a.b in a.tf is set (1.9).": "aws_a.b in a.tf is set (1.9); this doesn't hold for " + e.Title() + ".",
		"can't read it":                 "can't read it; this doesn't hold for " + e.Title(),
	} {
		f := Finding{Unlike: engineExcept{Release: e}}
		if got := f.Qualified(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := new(Finding).Qualified(text); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
}

// A finding that another engine lacks states whether that engine refuses something or does not read
// the file.
func TestCompare(t *testing.T) {
	at := func(file string, line int) hcl.Range { return hcl.Range{Filename: file, Start: hcl.Pos{Line: line}} }
	in := func(own string, f Finding) Finding {
		f.Address, _ = address.Parse(own)
		return f
	}
	title := engine.Terraform.Newest().Title()
	refusal := in("a_b.c.refused", mergeError.At(at("a.tf", 4), "x"))
	for _, test := range []struct {
		about  string
		found  Finding
		others []Finding
		want   string
	}{
		{"in other words", noEffect.At(at("a.tf", 1), "OpenTofu ignores it."), []Finding{noEffect.At(at("a.tf", 1), "Terraform ignores it.")}, "OpenTofu ignores it."},
		{"another rule", noEffect.At(at("a.tf", 2), "x"), []Finding{undecided.At(at("a.tf", 2), "x")}, "x; this doesn't hold for " + title},
		{"of a product", DeniedOverride.At(at("a.tf", 3), "x"), nil, "x"},
		{"of a comment", unusedIgnore.At(at("a.tf", 3), "x"), nil, "x"},
		{"of both", shadowedFile.At(at("a.tf", 0), "x"), nil, "x"},
		{"refused", noEffect.At(at("a.tf", 4), "x."), []Finding{refusal}, "x; " + title + " refuses it."},
		{"in what is refused", in("a_b.c.refused.d", noEffect.At(at("a.tf", 5), "x")), []Finding{refusal}, "x; " + title + " refuses it"},
		{"beside what is refused", in("a_b.c", noEffect.At(at("a.tf", 5), "x")), []Finding{refusal}, "x; this doesn't hold for " + title + ", which refuses the module"},
		{"in another file", noEffect.At(at("a.tofu", 4), "x"), []Finding{refusal}, "x; " + title + " doesn't read the file"},
	} {
		src := &load.Module{Files: []*source.File{{Name: "a.tf"}}}
		facts := FactsOf(&merge.Module{Source: src}, nil, func(string) bool { return false }, []*Finding{})
		for _, f := range test.others {
			facts.Note(f)
		}
		found := []Finding{test.found}
		MarkUnlike(Unsettled(src, found, engine.Terraform.Newest()), facts, engine.Terraform.Newest())
		if got := found[0].Qualified(found[0].Message); got != test.want {
			t.Errorf("%s: %q, want %q", test.about, got, test.want)
		}
		if KeyOf(found[0]) != KeyOf(test.found) {
			t.Errorf("%s: a finding has another key since it does not hold for another engine", test.about)
		}
	}
}

// What is settled without another engine's reading holds by that reading, in each module of testdata, for releases that
// differ in much. Of refusals, facts that are made of diagnostics alone decide the same.
func TestUnsettled(t *testing.T) {
	releases := []engine.Release{engine.Default(), engine.Terraform.Oldest(), engine.Terraform.Newest()}
	held, refused := 0, 0
	all := func(string) bool { return true }
	for _, files := range loadtest.Modules(t, "../../../testdata") {
		found, facts, few := map[engine.Release][]Finding{}, map[engine.Release]*Facts{}, map[engine.Release]*Facts{}
		modules := map[engine.Release]*load.Module{}
		for _, e := range releases {
			m, diags, err := merge.Dir(".", mergetest.InMemory(files.Files, e), merge.Options{})
			if err != nil {
				continue // none of the files is for it
			}
			modules[e], found[e] = m.Source, Findings(m, diags, all)
			facts[e], few[e] = FactsOf(m, diags, all, nil), FactsOf(m, diags, all, []*Finding{})
		}
		for e, list := range found {
			for other := range found {
				for _, f := range list {
					if e == other || !f.isComparable() {
						continue
					}
					one, again := f, f
					isHeld := len(Unsettled(modules[e], []Finding{f}, other)) == 0
					MarkUnlike([]*Finding{&one}, facts[other], other)
					MarkUnlike([]*Finding{&again}, few[other], other)
					switch {
					case isHeld && one.Unlike.Version != "":
						t.Errorf("%s, %s: %s: %s", files.Name, e, f.Rule.ID, one.Qualified(f.Message))
					case f.Rule.Refusal && one.Unlike != again.Unlike:
						t.Errorf("%s, %s: %s, by diagnostics alone: %s", files.Name, e, one.Qualified(f.Message), again.Qualified(f.Message))
					case isHeld:
						held++
					case f.Rule.Refusal:
						refused++
					}
				}
			}
		}
	}
	if held < 2000 || refused < 2000 {
		t.Errorf("only %d findings hold without another reading, and of %d a part of it decides", held, refused)
	}
}

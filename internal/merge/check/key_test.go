package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

func found(rule, file string, line int, addr, message string) Finding {
	at := hcl.Range{Filename: file, Start: hcl.Pos{Line: line}}
	f := FindRule(rule).At(at, message)
	if addr != "" {
		f.Address, _ = address.Parse(addr)
	}
	return f
}

// A finding keeps its key while lines and files move, and gets another one if its text changes.
func TestKeyOf(t *testing.T) {
	same := []Finding{
		found("superseded-override", "override.tf", 4, "a.b.c", `Superseded by x at "b x_override.tf.json":7. Remove it.`),
		found("superseded-override", "a_override.tf", 9, "a.b.c", `Superseded by x at "b x_override.tf.json":17. Remove it.`),
	}
	want := Key{Rule: "superseded-override", Address: "a.b.c", Text: `Superseded by x at "b x_override.tf.json". Remove it.`}
	for _, f := range same {
		if diff := cmp.Diff(want, KeyOf(f)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	base := same[0]
	for _, other := range []Finding{
		found("equivalent-override", "override.tf", 4, base.Address.String(), base.Message),
		found("superseded-override", "override.tf", 4, "a.b.d", base.Message),
		found("superseded-override", "override.tf", 4, "a.b.c", "Superseded by y at override.tf:7."),
		found("superseded-override", "override.tf", 4, "", base.Message),
	} {
		if KeyOf(other) == want {
			t.Errorf("%+v has the key of %+v", other, base)
		}
	}
	unnamed := func(file string) Key {
		return KeyOf(found("near-miss-filename", file, 0, "", "No engine reads it."))
	}
	if unnamed("a.tf.override") == unnamed("b.tf.override") {
		t.Error("findings on two files have one key")
	}
}

// No key contains text that only a message may contain, and every key is short and valid JSON.
func TestKeyText(t *testing.T) {
	secret := KeyOf(found("merge-error", "override.tf", 1, "a.b", `"hunter2" is wrong`))
	if secret.Text != "Engine refuses the module." {
		t.Errorf("text is %q", secret.Text)
	}
	long := strings.Repeat("drops é, ", 500)
	a := KeyOf(found("no-effect", "override.tf", 1, "a.b", long+"x"))
	b := KeyOf(found("no-effect", "override.tf", 1, "a.b", long+"y"))
	if a == b || len(a.Text) > 1100 {
		t.Errorf("texts of %d bytes: %v", len(a.Text), a == b)
	}
	one, other := found("no-effect", "override.tf", 1, "a.b", "drops 6"), found("no-effect", "override.tf", 1, "a.b", "drops 6")
	one.Full, other.Full = "drops a", "drops b"
	if KeyOf(one) == KeyOf(other) {
		t.Error("what a message only counts is not in the key")
	}
	odd := KeyOf(found("no-effect", "b\xff.tf", 1, "", "\xfe"))
	if odd.File != "b\ufffd.tf" || odd.Text != "\ufffd" {
		t.Errorf("%+v", odd)
	}
}

// As many findings of a key are known as there were, and not one more.
func TestUnknown(t *testing.T) {
	one := found("no-effect", "override.tf", 1, "a.b", "one")
	two := found("no-effect", "override.tf", 2, "a.b", "two")
	known := Counts([]Finding{one, one, two})
	later := one
	later.Range.Start.Line = 30
	unknown, gone := Unknown([]Finding{one, one, later}, known)
	if diff := cmp.Diff([]int{30}, lines(unknown)); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[Key]int{KeyOf(two): 1}, gone); diff != "" {
		t.Errorf("gone (-want +got):\n%s", diff)
	}
	if len(known) != 2 {
		t.Error("the known ones changed")
	}
	if unknown, gone := Unknown([]Finding{one, two}, nil); len(unknown) != 2 || len(gone) != 0 {
		t.Errorf("%v, %v", unknown, gone)
	}
}

// A finding is known by all keys together that earlier versions gave it, and then nothing of
// them is gone.
func TestUnknownFormer(t *testing.T) {
	one, two := found("no-effect", "override.tf", 1, "a.b", "one"), found("no-effect", "override.tf", 2, "a.b", "two")
	merged := found("no-effect", "override.tf", 3, "a.b", "one and two")
	merged.Former = []Key{KeyOf(one), KeyOf(two)}
	for _, test := range []struct {
		about         string
		known         []Finding
		unknown, gone int
	}{
		{"by its own key", []Finding{merged}, 0, 0},
		{"by its former keys", []Finding{one, two}, 0, 0},
		{"by all keys", []Finding{merged, one, two}, 0, 0},
		{"by one of them", []Finding{two}, 1, 1},
		{"by one of them twice", []Finding{one, one}, 1, 2},
	} {
		known := Counts(test.known)
		unknown, gone := Unknown([]Finding{merged}, known)
		left := 0
		for _, n := range gone {
			left += n
		}
		if len(unknown) != test.unknown || left != test.gone {
			t.Errorf("%s: %d unknown, %v gone", test.about, len(unknown), gone)
		}
	}
	if unknown, _ := Unknown([]Finding{one, merged}, Counts([]Finding{one, two})); len(unknown) != 1 {
		t.Errorf("a key of another finding counts twice: %v", lines(unknown))
	}
}

// A finding is known although other advice was given on it, as often as there were findings.
func TestUnknownAdvice(t *testing.T) {
	old := Counts([]Finding{
		found("no-effect", "override.tf", 1, "a.b", "Ignored in a.tf files. Move it."),
		found("no-effect", "override.tf", 2, "a.b", "Ignored in a.tf files. Remove it."),
	})
	now := found("no-effect", "override.tf", 1, "a.b", "Ignored in a.tf files. Leave it out.")
	other := found("no-effect", "override.tf", 1, "a.b", "Ignored in b.tf files. Move it.")
	unknown, gone := Unknown([]Finding{now, other, now, now}, old)
	if len(unknown) != 2 || unknown[0].Message != other.Message || len(gone) != 0 {
		t.Errorf("unknown %v, gone %v", unknown, gone)
	}
}

func lines(list []Finding) []int {
	var lines []int
	for _, f := range list {
		lines = append(lines, f.Range.Start.Line)
	}
	return lines
}

// A baseline in which names with odd characters are not in quotes knows the same findings.
func TestDottedKeysAreKnown(t *testing.T) {
	f := found("denied-override", "override.tf", 3, `a.b["kube.io/x"]`, `The policy denies overrides of a.b["kube.io/x"]. Set it elsewhere.`)
	known := map[Key]int{{Rule: "denied-override", Address: "a.b.kube.io/x", Text: "The policy denies overrides of a.b.kube.io/x. Set it elsewhere."}: 1}
	if unknown, gone := Unknown([]Finding{f}, known); len(unknown)+len(gone) > 0 {
		t.Errorf("unknown %v, gone %v", unknown, gone)
	}
	if unknown, _ := Unknown([]Finding{f, f}, known); len(unknown) != 1 {
		t.Errorf("%d unknown, want one of two", len(unknown))
	}
}

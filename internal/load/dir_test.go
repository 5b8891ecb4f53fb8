package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

func TestClassify(t *testing.T) {
	names := []string{
		"#x#.tf", ".hidden.tf", "a.tf", "a.tf.json", "a.tofu", "b_override.tf", "b_override.tofu", "c.tf~",
		"foo-override.tf", "my.override.tf", "notes.txt", "only_override.tf.json", "override.TF", "override.tf",
		"override.tf.tf.json", "override.tofu.json", "x.tftest.hcl", "_override.tf", "xoverride.tf",
		"override_net.tf", "net_overrides.tf", "x.tf.override", "a_override.json", "#a.tf#", ".b.tf.swp", "Override.tf", "overridden.tf",
	}
	want := []string{
		".hidden.tf primary ignored", "a.tf primary shadowed by a.tofu", "a.tf.json primary", "a.tofu primary",
		"b_override.tf override shadowed by b_override.tofu", "b_override.tofu override", "c.tf~ primary ignored",
		"foo-override.tf primary, meant for foo_override.tf", "my.override.tf primary, meant for my_override.tf",
		"only_override.tf.json override", "override.TF primary unread, meant for 2_override.tf", "override.tf override",
		"override.tf.tf.json primary, meant for override.tf.json", "override.tofu.json override", "_override.tf override",
		"xoverride.tf primary, meant for x_override.tf", "override_net.tf primary, meant for net_override.tf",
		"net_overrides.tf primary, meant for net_2_override.tf", "x.tf.override primary unread, meant for x_2_override.tf",
		"a_override.json primary unread, meant for a_override.tf.json", "#a.tf# primary ignored", ".b.tf.swp primary ignored",
		"Override.tf primary, meant for 3_override.tf", "overridden.tf primary", "#x#.tf primary",
	}
	var got []string
	for _, e := range Classify(append(names[1:], names[0]), engine.Default()) {
		line := e.Name + " " + []string{"primary", "override"}[e.Role]
		switch e.Status {
		case Shadowed:
			line += " shadowed by " + e.By
		case Ignored:
			line += " ignored"
		case Unread:
			line += " unread"
		}
		if e.Meant != "" {
			line += ", meant for " + e.Meant
		}
		got = append(got, line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Very many names that resemble "override" are classified in no time.
func TestClassifyMany(t *testing.T) {
	var names []string
	for n := range 20_000 {
		names = append(names, "x"+strings.Repeat("-", n%200)+strings.Repeat(".", n/200)+"override.tf")
	}
	meant := map[string]bool{}
	for _, e := range Classify(names, engine.Default()) {
		if e.Meant != "" {
			meant[e.Meant] = true
		}
	}
	if len(meant) != len(names) {
		t.Errorf("%d names for %d files", len(meant), len(names))
	}
}

// A module may be in memory only: files that Contents replaces are not read, not even if there is
// nothing in them.
func TestContentsAlone(t *testing.T) {
	m, diags, err := Dir(".", Options{
		Contents: map[string][]byte{"main.tf": []byte("locals {}\n"), "empty.tf": nil, "a_override.tf": {}},
		Absent:   func(string) bool { return true },
	})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	var got []string
	for _, f := range m.Files {
		got = append(got, fmt.Sprintf("%s %q", f.Name, f.Raw))
	}
	want := []string{`empty.tf ""`, `main.tf "locals {}\n"`, `a_override.tf ""`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

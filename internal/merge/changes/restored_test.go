package changes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// files is a module with one resource, and overrides of it.
func files(primary string, overrides ...string) string {
	text := fmt.Sprintf("-- main.tf --\nresource \"shop_till\" \"day\" {\n%s\n}\n", primary)
	for i, override := range overrides {
		text += fmt.Sprintf("-- %c_override.tf --\nresource \"shop_till\" \"day\" {\n%s\n}\n", 'a'+i, override)
	}
	return text
}

// Restored means that the lost part is back, and nothing else is there.
func TestRestored(t *testing.T) {
	all := func(address.Address) bool { return true }
	const primary, override = "x = { a = 1, b = 2 }\nd {\n y = 1\n}\nd {\n y = 2\n}", "x = { a = 3 }\nd {\n y = 3\n}"
	for edited, want := range map[string]bool{
		"x = { a = 3, b = 2 }\nd {\n y = 3\n}":                          true,
		"x = { a = 3 }\nd {\n y = 3\n}\nd {\n y = 2\n}":                 true,
		"x = { a = 3 }\nd {\n y = 3\n}\nd {\n y = 2\n}\nd {\n y = 2\n}": false,
		"x = { a = 3, b = 4 }\nd {\n y = 3\n}":                          false,
		"x = { a = 1, b = 2 }\nd {\n y = 3\n}":                          false,
		"x = { a = 3, c = 2 }\nd {\n y = 3\n}":                          false,
		"x = { a = 3 }\nd {\n y = 4\n}":                                 false,
		override:                                                        true,
		override + "\nz = 1":                                            false,
	} {
		before, after := mergetest.Archive(t, files(primary, override)), mergetest.Archive(t, files(primary, edited))
		if got := Restored(before, after, all); got != want {
			t.Errorf("%s: %v, want %v", edited, got, want)
		}
	}
	before, after := mergetest.Archive(t, files(primary, override)), mergetest.Archive(t, files(primary, override+"\nz = 1"))
	if !Restored(before, after, func(own address.Address) bool { return !strings.HasSuffix(own.String(), ".z") }) {
		t.Error("a name that is not covered counts")
	}
}

// Counts agree with the list of all changes.
func TestCounts(t *testing.T) {
	m := mergetest.Archive(t, files("x = { a = 1, b = 1 }\nd {\n y = 1\n}", "x = { a = 2 }\nz = 1\nd {\n y = 2\n}\ne {\n y = 1\n}")+
		"-- z_override.tf --\nlocals {}\n")
	list := Of(m)
	var want, got Counts
	got.AddBlocks(list...)
	for _, b := range list {
		for i := range b.Changes {
			want.AddOne(b.Changes[i].Kind())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || want.Added == 0 || want.Dropped == 0 {
		t.Errorf("-want +got:\n%s", diff)
	}
	before := mergetest.Archive(t, "-- main.tf --\nlocals {\n  a = 1\n}\noutput \"gone\" {\n  value = 1\n}\n")
	after := mergetest.Archive(t, "-- main.tf --\nlocals {\n  a = 1\n}\nvariable \"new\" {}\n")
	var counts Counts
	counts.AddBlocks(Between(before, after)...)
	if counts.Added != 1 || counts.Dropped < 1 {
		t.Errorf("between modules: %v", counts)
	}
}

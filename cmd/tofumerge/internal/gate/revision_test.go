package gate

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// Of several findings with one text, those in the file where one was known are known first, then
// those in any other file, as many as there were.
func TestUnknownTo(t *testing.T) {
	listOf := func(files string) (list []check.Finding) {
		for i, name := range strings.Fields(files) {
			list = append(list, check.FindRule("no-effect").At(hcl.Range{Filename: "", Start: hcl.Pos{Line: i + 1}}, "Seen."))
			list[i].Range.Filename = name
			list[i].Address = address.New("a", "b")
		}
		return list
	}
	for _, c := range []struct{ known, found, want string }{
		{"a.tf", "b.tf a.tf", "b.tf"},
		{"a.tf a.tf", "b.tf a.tf", ""},
		{"a.tf", "b.tf", ""},
		{"", "a.tf", "a.tf"},
		{"a.tf", "b.tf c.tf", "c.tf"},
	} {
		var got []string
		unknown, gone := unknownTo(listOf(c.known), listOf(c.found))
		if len(gone) != len(unknown)+len(strings.Fields(c.known))-len(strings.Fields(c.found)) {
			t.Errorf("after %q, %q is without %d", c.known, c.found, len(gone))
		}
		for _, f := range unknown {
			got = append(got, f.Range.Filename)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("after %q, new of %q is %q, want %q", c.known, c.found, text, c.want)
		}
	}
}

package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The surer key pairs first, whatever the order of the lists, and no element has two counterparts.
func TestPairs(t *testing.T) {
	whole := func(s string) string { return s }
	initial := func(s string) string { return s[:1] }
	for _, c := range []struct {
		found, known string
		want         []int
	}{
		{"ax ay az", "ay aw", []int{1, 0, -1}},
		{"ax ax", "bx ax ax ax", []int{1, 2}},
		{"ax", "", []int{-1}},
		{"ax by", "by ax", []int{1, 0}},
	} {
		got := Pairs(strings.Fields(c.found), strings.Fields(c.known), whole, initial)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s and %s (-want +got):\n%s", c.found, c.known, diff)
		}
	}
}

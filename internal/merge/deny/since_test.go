package deny_test

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
)

// findings makes findings from texts: address, file, the item's text, the winner by its text and by
// its name, the block around by its text and by its position. row is the row of all, or nil.
func findings(row *merge.MergedItem, texts ...string) (list []check.Finding) {
	for i, text := range texts {
		w := strings.Fields(text)
		sum := func(i int) [32]byte { return sha256.Sum256([]byte(w[i])) }
		f := check.DeniedOverride.At(hcl.Range{Filename: w[1], Start: hcl.Pos{Line: i + 1}}, text)
		if w[0] != "-" {
			f.Address = address.New(w[0])
		}
		f.Fact = &check.Fact{Tokens: sum(2), Winners: sum(3), WinningFiles: sum(4), Around: sum(5), Place: w[6], Row: row}
		list = append(list, f)
	}
	return list
}

// Each part of a fact is compared as far as necessary.
func TestUnknown(t *testing.T) {
	row := new(merge.MergedItem)
	for _, test := range []struct {
		about        string
		row          *merge.MergedItem
		known, found []string
		unknown      []int
	}{
		{"the same", nil, []string{"a f s w l b 0"}, []string{"a f s w l b 0"}, nil},
		{"another file", nil, []string{"a f s w l b 0"}, []string{"a g s w l b 0"}, nil},
		{"another file without an address", nil, []string{"- f s w l b 0"}, []string{"- g s w l b 0"}, []int{1}},
		{"another address", nil, []string{"a f s w l b 0"}, []string{"c f s w l b 0"}, []int{1}},
		{"another text", nil, []string{"a f s w l b 0"}, []string{"a f t w l b 0"}, []int{1}},
		{"a winner of another text", nil, []string{"a f s w l b 0"}, []string{"a f s x l b 0"}, nil},
		{"a winner of another name", nil, []string{"a f s w l b 0"}, []string{"a f s w m b 0"}, nil},
		{"another winner", nil, []string{"a f s w l b 0"}, []string{"a f s x m b 0"}, []int{1}},
		{"another place", nil, []string{"a f s w l b 0"}, []string{"a f s w l b 1"}, nil},
		{"another block around", nil, []string{"a f s w l b 0"}, []string{"a f s w l c 0"}, nil},
		{"another block in another place", nil, []string{"a f s w l b 0"}, []string{"a f s w l c 1"}, []int{1}},
		{"one more", nil, []string{"a f s w l b 0"}, []string{"a g s w l b 0", "a f s w l b 0", "a f s w l b 0"}, []int{1, 3}},
		{"places changed where the order doesn't count", nil, []string{"a f s w l s 0", "a f t w l t 1"}, []string{"a f t w l t 0", "a f s w l s 1"}, nil},
		{"places changed", row, []string{"a f s w l s 0", "a f t w l t 1"}, []string{"a f t w l t 0", "a f s w l s 1"}, []int{1}},
		{"the first goes last", row, []string{"a f s w l s 0", "a f t w l t 1", "a f u w l u 2"}, []string{"a f t w l t 0", "a f u w l u 1", "a f s w l s 2"}, []int{3}},
	} {
		var got []int
		for _, f := range deny.Unknown(findings(test.row, test.found...), findings(test.row, test.known...)) {
			got = append(got, f.Range.Start.Line)
		}
		if !slices.Equal(got, test.unknown) {
			t.Errorf("%s: %v, want %v", test.about, got, test.unknown)
		}
	}
	without := findings(nil, "a f s w l b 0")
	without[0].Fact = nil
	if list := deny.Unknown(without, without); len(list) != 1 {
		t.Errorf("a finding that can't be compared is known: %v", list)
	}
}

package address

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// Patterns that share states match what each of them matches by definition.
func TestTogether(t *testing.T) {
	words := []string{"a", "b", "c", "*", "**", "?", "a*", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9"}
	rnd := rand.New(rand.NewPCG(1, 2))
	path := func(words []string) []string {
		list := make([]string, 1+rnd.IntN(4))
		for i := range list {
			list[i] = words[rnd.IntN(len(words))]
		}
		return list
	}
	hits := 0
	for range 300 {
		var list []Pattern
		for range 1 + rnd.IntN(60) {
			p, err := ParsePattern(strings.Join(path(words), "."))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
		ps := NewPatterns(list...)
		for range 20 {
			way := path([]string{"a", "b", "ab", "x1", "x9", "y"})
			want := slices.ContainsFunc(list, func(p Pattern) bool { return fits(p.steps, way) })
			at := ps.Reach(New(way...))
			if got := ps.HasMatchAt(at); got != want {
				t.Fatalf("%v match %v: %v, want %v", list, way, got, want)
			}
			first := slices.IndexFunc(list, func(p Pattern) bool { return mayGoOn(p.steps, way) })
			if ps.MayMatchBelow(at) != (first >= 0) || first >= 0 && ps.PatternBelow(at) != list[first].text {
				t.Fatalf("%v go on at %v: %q, want that of %d", list, way, ps.PatternBelow(at), first)
			}
			if want {
				hits++
			}
		}
	}
	if hits < 100 {
		t.Errorf("only %d matches", hits)
	}
}

// mayGoOn reports whether a pattern matches some address below one.
func mayGoOn(pattern []step, names []string) bool {
	for i := range pattern {
		if fits(pattern[:i], names) {
			return true
		}
	}
	return len(pattern) > 0 && pattern[len(pattern)-1].isDoubleStar() && fits(pattern, names)
}

// The states that are reached don't grow with the number of patterns.
func TestManyPatterns(t *testing.T) {
	var list []Pattern
	for i := range 10_000 {
		for _, text := range []string{"**.x%d.**", "a.q%d", "a.**.z%d.*"} {
			p, err := ParsePattern(fmt.Sprintf(text, i))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
	}
	ps := NewPatterns(list...)
	at := ps.Reach(New("a", "b", "c"))
	if len(at) > 4 || !ps.MayMatchBelow(at) || ps.HasMatchAt(at) {
		t.Errorf("%d states", len(at))
	}
	if !ps.HasMatchAt(ps.Reach(New("a", "b", "x7"))) || !ps.HasMatchAt(ps.Follow(ps.Follow(at, spelling.Named("z9")), spelling.At(0))) {
		t.Error("one of many isn't found")
	}
}

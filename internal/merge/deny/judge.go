package deny

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// Patterns that can't match anything, whatever a module holds: the tables of the language rule them
// out, in all releases of all engines. Types of resources and the names of providers' arguments are
// open, so a pattern that matches nothing today may well match tomorrow.

// CheckPattern returns an error for a pattern that the language rules out: below an argument that is a
// single value, or an argument that one of its blocks doesn't have.
func CheckPattern(p address.Pattern) error {
	if p.Len() == 1 || canMatch(p, nil) {
		return nil
	}
	n := p.Len() - 1
	for n > 1 && !canMatch(p.Prefix(n), nil) {
		n--
	}
	var known []string
	canMatch(p, func(at address.Progress, names []string) {
		if at.HasRead(n) {
			known = append(known, names...)
		}
	})
	if len(known) == 0 {
		return fmt.Errorf("%q matches nothing: %s is a single value, without keys and elements; write %[2]s", p.String(), p.Prefix(n))
	}
	name := p.Name(n)
	remedy := "it has " + strings.Join(slices.Compact(slices.Sorted(slices.Values(known))), ", ")
	if near := spelling.Nearest(name, known); near != "" {
		remedy = "did you mean " + near + "?"
	}
	return fmt.Errorf("%q matches nothing: %s has no argument or block %s; %s", p.String(), p.Prefix(n), name, remedy)
}

// SimilarKeyword is the word that the first segment of a pattern resembles: the type of a block, or what
// addresses start with instead. It is empty for a pattern that starts with such a word, and for
// what looks like the type of a resource.
func SimilarKeyword(p address.Pattern) string {
	name := p.Name(0)
	if name == "" || strings.Contains(name, "_") {
		return ""
	}
	words := slices.Sorted(keywords)
	if slices.Contains(words, name) {
		return ""
	}
	for most := 1; most <= 2; most++ {
		isNear := func(word string) bool { return spelling.IsNear(name, word, min(most, len(word)/3)) }
		if i := slices.IndexFunc(words, isNear); i >= 0 {
			return words[i]
		}
	}
	return ""
}

// keywords yields the types of top-level blocks, and what addresses start with instead.
func keywords(yield func(string) bool) {
	for _, typ := range slices.Sorted(maps.Keys(language.Root.Blocks)) {
		if !yield(typ) {
			return
		}
		if start := address.Start(typ); start != "" && start != typ && !yield(start) {
			return
		}
	}
}

// A patternProbe looks for anything in the language that a pattern matches.
type patternProbe struct {
	*address.Patterns
	met func(at address.Progress, names []string) // closed bodies on the way; may be nil
}

// canMatch reports whether some release of some engine has an address that a pattern matches.
func canMatch(p address.Pattern, met func(address.Progress, []string)) bool {
	l := patternProbe{address.NewPatterns(p), met}
	words := slices.Collect(keywords)
	isWord := func(name string) bool { return slices.Contains(words, name) }
	for _, typ := range slices.Sorted(maps.Keys(language.Root.Blocks)) {
		at := l.Start()
		isTaken := isWord // no type of a resource is called so
		if start := address.Start(typ); start != "" {
			at, isTaken = l.FollowNumber(l.Follow(at, spelling.Named(start))), anyName
		}
		shape := language.Root.Blocks[typ]
		for is := &shape; is != nil; is = is.Else {
			if l.block(at, is, isTaken) {
				return true
			}
		}
	}
	return false
}

func anyName(string) bool { return false }

// name is the match state of a name, with or without a number behind it.
func (l patternProbe) name(at address.Progress, name string) address.Progress {
	return l.FollowAnyIndex(l.Follow(at, spelling.Named(name)))
}

// block examines a block of a shape: its labels, of which the first must not be taken, and its
// body, with and without the labels.
func (l patternProbe) block(at address.Progress, s *language.BlockShape, isTaken func(string) bool) bool {
	isOptional := l.AreAt(at) || len(s.Labels) == 0
	if isOptional && (l.AreAt(at) || l.body(at, s.Body)) {
		return true
	}
	for range s.Labels {
		at = l.FollowOther(at, isTaken)
		isTaken = anyName
		if l.AreAt(at) {
			return true
		}
	}
	return len(s.Labels) > 0 && l.body(at, s.Body)
}

// body examines the possible contents of a body.
func (l patternProbe) body(at address.Progress, s *language.BodyShape) bool {
	switch {
	case !l.MayGoOn(at):
		return false
	case s == nil:
		return true
	case s.Names != nil:
		to := l.FollowAnyIndex(l.FollowOther(at, anyName))
		return l.AreAt(to) || s.Names.HasParts() && l.MayGoOn(to)
	}
	for name, shape := range s.Args {
		to := l.name(at, name)
		if l.AreAt(to) || l.MayGoOn(to) && hasParts(&shape) {
			return true
		}
	}
	for typ, shape := range s.Blocks {
		for is := &shape; is != nil; is = is.Else {
			to := l.name(at, typ)
			if l.AreAt(to) || l.body(to, is.Body) || l.block(to, is, anyName) {
				return true
			}
		}
	}
	if s.Open {
		to := l.FollowAnyIndex(l.FollowOther(at, s.Knows))
		return l.AreAt(to) || l.MayGoOn(to)
	}
	if l.met != nil {
		l.met(at, slices.Concat(slices.Sorted(maps.Keys(s.Args)), slices.Sorted(maps.Keys(s.Blocks))))
	}
	return false
}

// hasParts reports whether an argument may have keys or elements in some release.
func hasParts(s *language.ArgShape) bool {
	for ; s != nil; s = s.Else {
		if s.Free || s.Kind.HasParts() {
			return true
		}
	}
	return false
}

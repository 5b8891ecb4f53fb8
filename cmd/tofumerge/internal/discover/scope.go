package discover

import "strings"

// A Scope holds the patterns that apply in a directory: those of a file, and before them those of
// the scopes around it. A nil Scope ignores nothing.
type Scope struct {
	around   *Scope
	dir      string // that paths are seen from; "" for the top
	patterns []Pattern
	work     *int
}

// maxWork is how many steps of matching are done for a search. A change may bring as many
// patterns and as many directories as its author likes.
const maxWork = 100_000_000

// NewScope returns the outermost scope, with patterns for paths from the top.
func NewScope(patterns []Pattern) *Scope { return &Scope{patterns: patterns, work: new(int)} }

// Within returns a scope inside of this one: the patterns of a file in a directory whose
// path is from the top, with slashes.
func (s *Scope) Within(dir string, patterns []Pattern) *Scope {
	return &Scope{around: s, dir: dir, patterns: patterns, work: s.work}
}

// Apart is Within for a nested repository, in which the patterns of others don't apply.
func (s *Scope) Apart(dir string, patterns []Pattern) *Scope {
	return &Scope{dir: dir, patterns: patterns, work: s.work}
}

// Ignores reports whether git ignores a directory whose path is from the top. The last matching
// pattern of the innermost file decides.
func (s *Scope) Ignores(dir string) bool {
	for ; s != nil; s = s.around {
		path := dir
		if s.dir != "" {
			path = strings.TrimPrefix(dir, s.dir+"/")
		}
		for i := len(s.patterns) - 1; i >= 0; i-- {
			if s.IsExhausted() {
				return false
			}
			matches, work := s.patterns[i].Matches(path)
			if *s.work += work; matches {
				return !s.patterns[i].isNegated
			}
		}
	}
	return false
}

// IsExhausted reports whether there were more patterns and directories than are matched.
// From then on nothing is ignored.
func (s *Scope) IsExhausted() bool { return s != nil && *s.work > maxWork }

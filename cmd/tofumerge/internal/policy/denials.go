package policy

import (
	"fmt"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// A patternCache holds the patterns of several settings as one automaton, which takes time to make and
// is the same for most files of a run.
type patternCache struct{ known sync.Map }

// of are the patterns of some settings.
func (c *patternCache) of(list []*Settings) *address.Patterns {
	var key strings.Builder
	for _, s := range list {
		fmt.Fprintf(&key, "%p ", s)
	}
	if known, ok := c.known.Load(key.String()); ok {
		return known.(*address.Patterns)
	}
	var globs []address.Pattern
	for _, s := range list {
		globs = append(globs, s.globs...)
	}
	made := address.NewPatterns(globs...)
	c.known.Store(key.String(), made)
	return made
}

// DeniedIn returns the patterns of denied items in an override file. A file that is allowed is
// exempt from the settings that allow it, or from all if the user allows it.
func (p *Policy) DeniedIn(name string) *address.Patterns {
	var list []*Settings
	for _, s := range p.denials {
		if len(s.globs) > 0 && !s.allows(name) && !p.user.allows(name) {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return p.known.of(list)
}

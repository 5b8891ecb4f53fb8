package term

import (
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// Rules is the table of the rules of check for people, with whether each is on.
func Rules(rules []*check.Rule, isOn func(*check.Rule) bool, s screen.Screen) string {
	width := 0
	for _, r := range rules {
		width = max(width, len(r.ID))
	}
	var out strings.Builder
	for _, r := range rules {
		state := "on "
		if !isOn(r) {
			state = "off"
		}
		title, column := r.Title, width+16
		if s.IsTerminal {
			title = screen.WrapAfter(column, title, s.Width, strings.Repeat(" ", column))
		}
		fmt.Fprintf(&out, "%s  %-7s  %s  %s\n", s.Place(screen.Pad(r.ID, width)), r.Severity, state, title)
	}
	return out.String()
}

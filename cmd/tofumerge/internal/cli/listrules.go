package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A ruleRecord is what check --list-rules --json prints of a rule.
type ruleRecord struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Enabled  bool   `json:"enabled"`
	Title    string `json:"title"`
	Summary  string `json:"summary"`
}

// listRules is the table of rules for people.
func listRules(rules []*check.Rule, isOn func(*check.Rule) bool, s screen.Screen) string {
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

// printRules prints the rules for the module that the arguments name.
func (c *checkCommand) printRules(args []string) error {
	if c.Format != "text" && c.Format != "json" {
		return fmt.Errorf("--list-rules prints text or json, not %s", c.Format)
	}
	if len(args) > 1 || c.Recursive {
		return errors.New("--list-rules is about one module; name one PATH, without --recursive")
	}
	if _, err := c.ws.Subjects(args, &workspace.Search{}); err != nil {
		return err
	}
	return c.writeRules(c.app.dirOf(args))
}

// writeRules prints the rules, and which of them are on in the module of a directory.
func (c *checkCommand) writeRules(dir string) error {
	want, broken := c.ws.Settings.For(dir)
	if len(broken) > 0 {
		return broken[0]
	}
	isOn := func(r *check.Rule) bool { return want.LooksFor(r.ID) }
	if c.Format != "json" {
		_, err := fmt.Fprint(c.ws.Out, listRules(check.Rules, isOn, c.ws.Screen(c.ws.Out)))
		return err
	}
	list := struct {
		Rules []ruleRecord `json:"rules"`
	}{}
	for _, r := range check.Rules {
		list.Rules = append(list.Rules, ruleRecord{r.ID, r.Severity.String(), isOn(r), r.Title, r.Why})
	}
	text, err := report.Encode(list, "  ")
	if err == nil {
		_, err = c.ws.Out.Write(text)
	}
	return err
}

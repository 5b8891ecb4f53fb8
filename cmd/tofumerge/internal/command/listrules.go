package command

import (
	"errors"
	"fmt"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
)

// A ruleRecord is what check --list-rules --json prints of a rule.
type ruleRecord struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Enabled  bool   `json:"enabled"`
	Title    string `json:"title"`
	Summary  string `json:"summary"`
}

// printRules prints the rules for the module that the arguments name.
func (o *checkOptions) printRules(args []string) error {
	if o.gate.Format != "text" && o.gate.Format != "json" {
		return fmt.Errorf("--list-rules prints text or json, not %s", o.gate.Format)
	}
	if len(args) > 1 || o.gate.Recursive {
		return errors.New("--list-rules is about one module; name one PATH, without --recursive")
	}
	if _, err := o.ws.Subjects(args, &workspace.Search{}); err != nil {
		return err
	}
	return o.writeRules(complete.ModuleDir(o.ws, args))
}

// writeRules prints the rules, and which of them are on in the module of a directory.
func (o *checkOptions) writeRules(dir string) error {
	want, broken := o.ws.Settings.For(dir)
	if len(broken) > 0 {
		return broken[0]
	}
	isOn := func(r *check.Rule) bool { return want.LooksFor(r.ID) }
	if o.gate.Format != "json" {
		_, err := fmt.Fprint(o.ws.Out, term.Rules(check.Rules, isOn, o.ws.Screen(o.ws.Out)))
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
		_, err = o.ws.Out.Write(text)
	}
	return err
}

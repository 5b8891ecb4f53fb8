package command

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
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

// printRules prints the rules, and which of them are on in the module that the arguments name.
func (o *checkOptions) printRules(args []string) error {
	dir, err := o.oneModule("list-rules", args)
	if err != nil {
		return err
	}
	want, broken := o.ws.Settings.For(dir)
	if len(broken) > 0 {
		return broken[0]
	}
	isOn := func(r *check.Rule) bool { return want.LooksFor(r.ID) }
	if !o.format.isJSON {
		_, err := io.WriteString(o.ws.Out, term.Rules(check.Rules, isOn, o.ws.Screen(o.ws.Out)))
		return err
	}
	var list []ruleRecord
	for _, r := range check.Rules {
		list = append(list, ruleRecord{r.ID, r.Severity.String(), isOn(r), r.Title, r.Why})
	}
	return writeJSON(o.ws.Out, map[string]any{"rules": list})
}

// oneModule returns the directory of the module that a flag prints something of.
func (o *checkOptions) oneModule(flag string, args []string) (dir string, err error) {
	switch {
	case o.gate.Format != "text" && !o.format.isJSON:
		return "", fmt.Errorf("--%s prints text or json, not %s", flag, o.gate.Format)
	case len(args) > 1 || o.gate.Recursive:
		return "", fmt.Errorf("--%s is about one module; name one PATH, without --recursive", flag)
	}
	_, err = o.ws.Subjects(args, &workspace.Search{})
	return complete.ModuleDir(o.ws, args), err
}

// printSettings prints the settings in effect for the module that the arguments name.
func (o *checkOptions) printSettings(args []string) error {
	dir, err := o.oneModule("show-settings", args)
	if err != nil {
		return err
	}
	list, broken := o.ws.Settings.Settings(dir, &o.gate.Flags)
	if len(broken) > 0 {
		return broken[0]
	}
	chosen, err := o.ws.Engine(dir)
	if err != nil {
		return err
	}
	isSet := false
	for i := range list {
		if s := &list[i]; s.Name == "engine" {
			s.Outranked = !strings.HasPrefix(s.From, chosen.From+":")
			isSet = isSet || !s.Outranked
		}
	}
	if !isSet { // a flag, a variable or a version file chose it
		list = append([]policy.Setting{{Name: "engine", Value: strconv.Quote(chosen.Release.String()), From: chosen.Reason()}}, list...)
	}
	if o.format.isJSON {
		return writeJSON(o.ws.JSONOut(), map[string]any{"settings": list})
	}
	_, err = io.WriteString(o.ws.Out, settingsText(list))
	return err
}

func writeJSON(to io.Writer, value any) error {
	text, err := safetext.JSON(value, "  ")
	if err == nil {
		_, err = to.Write(text)
	}
	return err
}

// settingsText writes settings in columns. A value that is too long for its column moves only its
// own comment.
func settingsText(list []policy.Setting) string {
	const maxValue = 40
	name, value := 0, 0
	for _, s := range list {
		name = max(name, len(s.Name))
		if n := screen.Columns(s.Value); n <= maxValue {
			value = max(value, n)
		}
	}
	var out strings.Builder
	for _, s := range list {
		from := s.From
		if s.Outranked {
			from += ", outranked"
		}
		fmt.Fprintf(&out, "%-*s = %s%s  # %s\n", name, s.Name, s.Value, strings.Repeat(" ", max(0, value-screen.Columns(s.Value))), from)
	}
	return out.String()
}

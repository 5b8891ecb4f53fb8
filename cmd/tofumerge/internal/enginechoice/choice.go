package enginechoice

import (
	"fmt"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// A Choice is the engine for a module, and what chose it.
type Choice struct {
	engine.Release
	From   string   // a flag, a variable or a file, escaped; see IsDefault
	clause string   // the text after From: missing information, and the assumption instead
	Doubts []string // uncertainties, with the remedy
	Passed []string // evidence that decides nothing, and why

	isGuess bool // the source in From doesn't choose an engine
}

// byDefault is the origin of an engine that nothing names.
const byDefault = "default"

// IsDefault reports whether nothing names the engine.
func (c Choice) IsDefault() bool { return c.From == byDefault }

// IsAssumed reports whether no file and no user chooses the engine.
func (c Choice) IsAssumed() bool { return c.IsDefault() || c.isGuess }

// String words the choice for people.
func (c Choice) String() string { return fmt.Sprintf("%s (%s)", c.Release, c.Reason()) }

// Brief words the choice in a few words. For the reason behind an assumption there is String.
func (c Choice) Brief() string {
	switch _, isNewer := c.Baseline(); {
	case isNewer:
		return c.String()
	case c.IsAssumed():
		return fmt.Sprintf("%s (assumed)", c.Release)
	}
	return fmt.Sprintf("%s (by %s)", c.Release, c.From)
}

// Reason explains why the engine was chosen.
func (c Choice) Reason() string {
	words := "by " + c.From + c.clause
	if c.IsDefault() {
		words = "no version file; the newest known"
	}
	if known, isNewer := c.Baseline(); isNewer {
		words += fmt.Sprintf("; newer than every known release, so the rules of %s apply", known)
	}
	return words
}

// An EngineName is a text for engine.Parse, and where it comes from.
type EngineName struct{ Text, From string }

// Parse is the choice of an engine by its name.
func (n EngineName) Parse() (Choice, error) {
	e, err := engine.Parse(n.Text)
	if err != nil {
		return Choice{}, fmt.Errorf("%s: %w", n.From, err)
	}
	return Choice{Release: e, From: n.From}, nil
}

// Wishes are the user's choices of the engine.
type Wishes struct {
	// Given are names that override files, the strongest first. Those without a text are ignored.
	Given []EngineName
	// Settings returns the engine named by the settings file of a directory; its text is empty
	// without one. It is nil if settings files don't apply.
	Settings func(dir string) (EngineName, error)
}

// IsGiven reports whether the user names the engine, so that files are ignored.
func (w Wishes) IsGiven() bool { return w.given() != EngineName{} }

// given is the strongest of the names that the user gives.
func (w Wishes) given() EngineName {
	for _, n := range w.Given {
		if n.Text != "" {
			return n
		}
	}
	return EngineName{}
}

// Choose reads evidence, the strongest first, until something names an engine.
// docs/engines/README.md lists the order.
func Choose(w Wishes, r Reader) (Choice, error) {
	if n := w.given(); n.Text != "" {
		return n.Parse()
	}
	c := &chooser{Reader: r}
	for _, ask := range []func() error{
		c.byVersionFile,
		c.byManagers,
		func() error { return c.bySettings(w.Settings) },
		c.byModule,
		c.byRequirement,
	} {
		if err := ask(); err != nil {
			return Choice{}, err
		}
		if c.From != "" {
			return c.Choice, nil
		}
	}
	c.Release, c.From = engine.Default(), byDefault
	return c.Choice, nil
}

// A chooser makes a choice. Its origin is empty until something names an engine.
type chooser struct {
	Reader
	Choice
}

// take adopts a choice, and keeps the doubts found before.
func (c *chooser) take(chosen Choice) {
	c.Release, c.From, c.clause, c.isGuess = chosen.Release, chosen.From, chosen.clause, chosen.isGuess
	c.Doubts = append(c.Doubts, chosen.Doubts...)
}

// bySettings chooses the engine by the nearest settings file that names one.
func (c *chooser) bySettings(in func(dir string) (EngineName, error)) error {
	if in == nil {
		return nil
	}
	for _, dir := range c.Dirs {
		n, err := in(dir)
		if err == nil && n.Text == "" {
			continue
		}
		var chosen Choice
		if err == nil {
			chosen, err = n.Parse()
		}
		c.take(chosen)
		return err
	}
	return nil
}

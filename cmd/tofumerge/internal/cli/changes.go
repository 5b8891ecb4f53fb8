package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// A changesCommand says what override files change, value by value.
type changesCommand struct {
	*app
	workspace.Search
	format                 string
	json, redact, detailed bool
	against                string
	modules                bool
}

// changesFormats are what --format takes.
var changesFormats = []string{"text", "json", "markdown"}

func newChangesCommand(a *app) *cobra.Command {
	c := &changesCommand{app: a, Search: workspace.Search{DirsOnly: true}}
	cmd := &cobra.Command{
		Use:   "changes [DIR...]",
		Short: "Show what the overrides change, one value per line",
		Long: `changes prints each argument, map key and list element that overrides change (~), add (+)
or drop (-), with the file and line that does it.

It compares the effective configuration with the primary files alone, and ignores layout,
comments and the spelling of constants. It never prints secrets.

With -r it leaves out modules in which nothing changes.

With --against git:REV it compares the effective configuration with the one at a revision of
the Git repository, such as a branch; git:REV:DIR names another directory there.`,
		Example: `  tofumerge changes modules/web
  tofumerge changes -r . --exclude examples
  tofumerge changes -f markdown modules/* > comment.md
  tofumerge changes -r . --against git:main
  tofumerge changes --json | jq '.changes[].address'`,
		RunE: c.run,

		ValidArgsFunction: a.completeDirFlag,
	}
	flags := cmd.Flags()
	modulesFlag(flags, &c.modules)
	searchFlags(&c.Search, flags, "go through all modules below each directory")
	c.app.completeFlag(cmd, "exclude", c.app.completeDirFlag)
	flags.StringVarP(&c.format, "format", "f", "text", "print `FORMAT`: text, json or markdown")
	flags.BoolVar(&c.json, "json", false, "short for --format json")
	flags.BoolVar(&c.redact, "redact", false, "hide all values that are not effective")
	flags.BoolVar(&c.detailed, "detailed-exitcode", false, "exit with status 2 if there is a change")
	flags.StringVar(&c.against, "against", "", "compare with `git:REV[:DIR]`, a revision such as git:main")
	c.app.completeFlag(cmd, "against", c.app.completeRevision)
	c.app.completeFlag(cmd, "format", cobra.FixedCompletions(changesFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (c *changesCommand) run(cmd *cobra.Command, args []string) error {
	if err := c.check(cmd); err != nil {
		return err
	}
	switch {
	case c.modules && cmd.Flags().Changed("against"):
		return errors.New("--against compares modules by their directories; use it with -r, without --modules")
	case c.modules:
		return c.runModules(args)
	}
	name, isAgainst, err := c.pastName(cmd)
	if err != nil {
		return err
	}
	c.SeesIgnored = c.detailed
	r, err := c.app.newMany(args, &c.Search, "compared")
	if err != nil {
		return err
	}
	if isAgainst {
		if err := c.compareWith(r, name); err != nil {
			return err
		}
	}
	to := c.newOutput(r)
	err = r.each(to.compare, func(m *manyModule) error {
		if err := c.reportPast(m); err != nil {
			return err
		}
		m.diags = slices.DeleteFunc(m.diags, isForOneFile)
		if err := c.ws.Report(m.Source, m.diags); err != nil {
			return err
		}
		if m.past == nil {
			r.describe(m, m.diags)
		}
		return to.add(m)
	})
	if err != nil {
		return err
	}
	if err := to.write(); err != nil {
		return err
	}
	r.finish()
	if c.detailed && to.hasChanges {
		return workspace.ErrFound
	}
	return nil
}

// check refuses flags that make no sense.
func (c *changesCommand) check(cmd *cobra.Command) error {
	switch {
	case !slices.Contains(changesFormats, c.format):
		return fmt.Errorf("--format takes text, json or markdown, not %q", c.format)
	}
	return formatOf(cmd, &c.format, c.json)
}

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/markdown"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A changesCommand says what override files change, value by value.
type changesCommand struct {
	*app
	format                 string
	json, redact, detailed bool
}

// changesFormats are what --format takes.
var changesFormats = []string{"text", "json", "markdown"}

func newChangesCommand(a *app) *cobra.Command {
	c := &changesCommand{app: a}
	cmd := &cobra.Command{
		Use:   "changes [DIR...]",
		Short: "Show what the overrides change, one value a line",
		Long: `changes prints each argument, map key and list element that overrides change (~), add (+)
or drop (-), with the file and line that does it.

It compares the effective configuration with the primary files alone, and ignores layout,
comments and the spelling of constants. It never prints secrets.`,
		Example: `  tofumerge changes modules/web
  tofumerge changes -f markdown modules/* > comment.md
  tofumerge changes --json | jq '.changes[].address'`,
		RunE: c.run,

		ValidArgsFunction: a.completeDirFlag,
	}
	flags := cmd.Flags()
	flags.StringVarP(&c.format, "format", "f", "text", "print `FORMAT`: text, json or markdown")
	flags.BoolVar(&c.json, "json", false, "print JSON")
	flags.BoolVar(&c.redact, "redact", false, "hide all values that are not effective")
	flags.BoolVar(&c.detailed, "detailed-exitcode", false, "exit with status 2 if there is a change")
	c.completeFlag(cmd, "format", cobra.FixedCompletions(changesFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// A changedModule is a module and what its overrides change.
type changedModule struct {
	dir    string
	module *merge.Module
	diags  hcl.Diagnostics
	blocks []*changes.Block
}

func (c *changesCommand) run(cmd *cobra.Command, args []string) error {
	if err := c.check(cmd); err != nil {
		return err
	}
	dirs, err := c.dirs(args)
	if err != nil {
		return err
	}
	if len(dirs) > 1 && len(c.overlays) > 0 {
		return errors.New("--overlay is merged into one module; name one DIR")
	}
	var modules []*changedModule
	for _, dir := range dirs {
		m, more := c.changed(dir, len(dirs) > 1)
		if m != nil {
			modules = append(modules, m)
		}
		err = errors.Join(err, more)
	}
	if err != nil {
		return err
	}
	if err := c.write(modules); err != nil {
		return err
	}
	if c.detailed && slices.ContainsFunc(modules, func(m *changedModule) bool { return len(m.blocks) > 0 }) {
		return errFound
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

// dirs are the directories that the arguments name, each once.
func (c *changesCommand) dirs(args []string) ([]string, error) {
	var dirs []string
	known := map[string]bool{}
	for _, arg := range args {
		if arg == "" {
			return nil, errors.New("the name of a DIR is empty; leave it out for the current directory")
		}
		if key := targetOf(c.moduleDir([]string{arg})); !known[key] {
			known[key] = true
			dirs = append(dirs, arg)
		}
	}
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	return dirs, nil
}

// changed finds what overrides change in the module of a directory.
func (c *changesCommand) changed(dir string, isOneOfMany bool) (*changedModule, error) {
	mod, diags, err := c.module(c.moduleDir([]string{dir}), load.AddressedTrees, merge.Options{})
	if err != nil {
		return nil, err
	}
	if isOneOfMany {
		mod.Source.Prefix = filepath.ToSlash(dir) + "/"
	}
	diags = slices.DeleteFunc(diags, isForOneFile)
	if err := c.report(mod.Source, diags); err != nil {
		return nil, err
	}
	c.summarize(mod.Source.Prefix, mod, false, diags)
	return &changedModule{filepath.ToSlash(dir), mod, diags, changes.Of(mod)}, nil
}

func (c *changesCommand) write(modules []*changedModule) error {
	if c.format == "json" {
		return c.writeJSON(modules)
	}
	var list []wording.ModuleChanges
	for _, m := range modules {
		title := ""
		if len(modules) > 1 || c.format == "markdown" && m.dir != "." {
			title = m.dir
		}
		list = append(list, wording.ModuleChanges{Title: title, Redact: m.redactor(c.redact), Blocks: m.blocks})
	}
	if c.format == "markdown" {
		return markdown.Changes(c.out, list)
	}
	return term.Changes(c.out, list, c.screen(c.out))
}

func (m *changedModule) redactor(redact bool) wording.Redactor {
	return wording.NewRedactor(m.module.Source, redact)
}

func (c *changesCommand) writeJSON(modules []*changedModule) error {
	doc := report.NewForChanges(modules[0].module.Source.Engine)
	for _, m := range modules {
		src := m.module.Source
		doc.Modules = append(doc.Modules, report.ModuleRecord{Directory: m.dir, Engine: src.Engine.String(), Files: len(src.Files)})
		doc.Changes = append(doc.Changes, report.Changes(m.redactor(c.redact), m.dir, m.blocks)...)
		doc.Add(src, check.Unignored(src, m.diags))
	}
	return doc.Write(c.jsonOut())
}

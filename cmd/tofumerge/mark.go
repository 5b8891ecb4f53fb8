package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/notice"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A markCommand keeps the comments in primary files that name the override files.
type markCommand struct {
	*app
	check, replace bool
}

func newMarkCommand(a *app) *cobra.Command {
	k := &markCommand{app: a}
	cmd := &cobra.Command{
		Use:   "mark [PATH...]",
		Short: "Keep comments that name the override files",
		Long: `mark keeps a comment above each overridden block that names the override files. It prints
a patch; --write changes the files.

It adds, rewrites and removes only lines of this form:

  # overridden: a_override.tf (instance_type), b_override.tf (ami)

Apply the patch with "patch -p1" in the current directory. PATH is a module directory or
one of its files. If anything is wrong with one module, mark changes none. JSON has no
comments, and so JSON files don't change.`,
		Example: `  tofumerge mark --write
  tofumerge mark --check modules/web modules/queue
  tofumerge mark | patch -p1`,
		RunE: k.run,
	}
	cmd.Flags().BoolVar(
		&k.check, "check", false, "list what is missing or wrong, and exit with status 2",
	)
	cmd.Flags().BoolVar(&k.replace, "write", false, "write the comments into the files")
	return cmd
}

func (k *markCommand) run(_ *cobra.Command, args []string) error {
	modules, err := k.modules(args)
	if err != nil {
		return err
	}
	if err := k.refuse(len(modules)); err != nil {
		return err
	}
	files, err := k.marked(modules)
	if err != nil {
		return err
	}
	switch {
	case k.replace:
		return k.write(modules, files)
	case k.check:
		return k.list(files)
	}
	var diffs []*patch.File
	for _, f := range files {
		diffs = append(diffs, f.Diff)
	}
	return patch.Writer{Context: 3, Palette: palette.New(k.colored(k.out))}.Write(k.out, diffs)
}

// refuse refuses flags that make no sense together.
func (k *markCommand) refuse(modules int) error {
	switch {
	case k.check && k.replace:
		return errors.New("--check changes nothing and --write changes files; use only one of them")
	case k.replace && len(k.overlays) > 0:
		return errors.New("--write can't be used with --overlay: a comment can't name a file outside the module")
	case modules > 1 && len(k.overlays) > 0:
		return errors.New("--overlay is merged into one module; name only one PATH")
	}
	return nil
}

// A markedModule is a module directory whose files are to be marked.
type markedModule struct {
	path    string // as it is opened
	prefix  string // what leads to its files from where the command runs, with slashes
	isNamed bool   // by itself, not by one of its files
}

// modules are those that the arguments name, each once, in the order given.
func (k *markCommand) modules(args []string) ([]*markedModule, error) {
	targets, err := k.targets(args, &search{})
	if err != nil {
		return nil, err
	}
	var list []*markedModule
	for _, t := range targets {
		path := inDir(k.base(), t.dir)
		list = append(list, &markedModule{path: path, prefix: k.prefix(path), isNamed: t.must})
	}
	return list, nil
}

// prefix is what leads to the files of a directory from where the command runs.
func (k *markCommand) prefix(path string) string {
	base, err := filepath.Abs(inDir(k.base(), "."))
	whole, alsoErr := filepath.Abs(path)
	if below, relErr := filepath.Rel(base, whole); errors.Join(err, alsoErr, relErr) == nil {
		path = below
	}
	if path == "." {
		return ""
	}
	return filepath.ToSlash(path) + "/"
}

// marked compares the comments of all modules with those that they should have.
// It fails if anything is wrong with one module, after all have been looked at.
func (k *markCommand) marked(modules []*markedModule) ([]*notice.File, error) {
	var files []*notice.File
	var failed error
	for _, at := range modules {
		found, err := k.compare(at)
		switch {
		case errors.Is(err, errReported):
			failed = err
		case err != nil:
			return nil, err
		}
		files = append(files, found...)
	}
	if failed != nil {
		return nil, failed
	}
	return files, checkShared(files)
}

// compare compares the comments of one module. A directory that only a file led to
// need not be a module.
func (k *markCommand) compare(at *markedModule) ([]*notice.File, error) {
	mod, diags, err := k.module(at.path, load.AddressedTrees, merge.Options{})
	var none *load.NoFilesError
	switch {
	case errors.As(err, &none) && !at.isNamed:
		return nil, nil
	case err != nil:
		return nil, err
	}
	mod.Source.Prefix = at.prefix
	if err := k.report(mod.Source, diags); err != nil {
		return nil, err
	}
	k.summarize(at.prefix, mod, false, diags)
	var files []*notice.File
	for _, f := range notice.Check(mod) {
		if f.Diff != nil {
			files = append(files, f)
			continue
		}
		k.note(fmt.Sprintf("Note: %s is JSON, which has no comments, so its overrides are not marked",
			diag.Escape(f.Name)))
	}
	return files, nil
}

// checkShared refuses a file that two modules share by means of a link, if they
// want different comments in it: every run would undo what the last one did.
func checkShared(files []*notice.File) error {
	known := map[string]*notice.File{}
	for _, f := range files {
		target := targetOf(f.Path)
		other := known[target]
		if other != nil && !bytes.Equal(other.Diff.New, f.Diff.New) {
			return fmt.Errorf(
				"%s and %s are the same file, but their modules override it differently; give each module its own copy",
				diag.Escape(other.Name), diag.Escape(f.Name))
		}
		known[target] = f
	}
	return nil
}

// write replaces the files that change, all or none.
func (k *markCommand) write(modules []*markedModule, files []*notice.File) error {
	for _, at := range modules {
		replace.Clean(at.path, k.warn)
	}
	set := replace.NewSet(replace.Options{Warn: k.warn, Step: k.interrupt})
	defer set.Close()
	files = slices.DeleteFunc(files, func(f *notice.File) bool { return !f.Diff.Changes() })
	known := map[string]bool{}
	for _, f := range files {
		target, err := targetInside(filepath.Dir(f.Path), f.Path, f.Name)
		if err != nil {
			return err
		}
		if known[target] {
			continue // two modules share it
		}
		known[target] = true
		if err := set.Rewrite(target, diag.Escape(f.Name), f.Diff.Old, f.Diff.New); err != nil {
			return notWritten(f.Name, err)
		}
	}
	if err := set.Run(); err != nil {
		return err
	}
	for _, f := range files {
		if k.verbose {
			k.tell("wrote " + diag.Escape(f.Name))
		}
	}
	return nil
}

// list prints what is missing or wrong, a line each.
func (k *markCommand) list(files []*notice.File) error {
	var out bytes.Buffer
	to := k.screen(k.out)
	for _, f := range files {
		for _, found := range f.Findings {
			place := fmt.Sprintf("%s:%d:", diag.Escape(f.Name), found.Line)
			fmt.Fprintf(&out, "%s%s\n", place, to.WrapLine(screen.Columns(place), " "+found.Text, screen.Hang))
		}
	}
	if out.Len() == 0 {
		return nil
	}
	if _, err := io.WriteString(k.out, safetext.Inert(out.String())); err != nil {
		return err
	}
	return errFound
}

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
)

// A renderCommand prints the effective configuration.
type renderCommand struct {
	*app
	noOverrides bool
	onlyChanged bool
	sort        bool
	quiet       bool
	filter      []string
	output      string
}

func newRenderCommand(a *app) *cobra.Command {
	r := &renderCommand{app: a}
	cmd := &cobra.Command{
		Use:   "render [DIR]",
		Short: "Print the effective configuration (the default command)",
		Long: `render prints the effective configuration of the module in DIR as native HCL.
Nothing is evaluated, and no variables file is read.

Blocks come in the order in which the engine loads them, and what no override
touched keeps every byte. Saved as the only file of a directory, the output is
the same module. Save it as a .tofu file if a .tofu file of the module sets
required_version, otherwise as a .tf file.`,
		Args: oneDir,
		RunE: r.run,
	}
	r.flags(cmd.Flags())
	return cmd
}

func (r *renderCommand) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&r.noOverrides, "no-overrides", false, "leave the override files out; their errors stay errors")
	flags.BoolVar(&r.onlyChanged, "only-changed", false, "print only blocks that an override touched")
	flags.BoolVar(&r.sort, "sort", false, "print blocks by kind and address, without what stands between them")
	flags.StringArrayVar(&r.filter, "filter", nil, "print only what `GLOB` matches, such as 'aws_instance.*'; repeatable")
	flags.StringVarP(&r.output, "output", "o", "", "write to `FILE` instead of standard output; it is replaced at once or not at all")
	flags.BoolVarP(&r.quiet, "quiet", "q", false, "print no configuration, only messages")
}

func (r *renderCommand) run(_ *cobra.Command, args []string) error {
	opts, err := r.options()
	if err != nil {
		return err
	}
	dir := r.moduleDir(args)
	if err := r.checkOutput(dir); err != nil {
		return err
	}
	src, diags, err := load.Dir(dir, load.Options{MaxFileSize: r.maxSize})
	if err != nil {
		return err
	}
	mod, more := merge.Files(src, merge.Options{NoOverrides: r.noOverrides})
	diags = append(diags, more...)
	if err := r.report(src, diags); err != nil {
		return err
	}
	if r.verbose {
		fmt.Fprintln(r.err, summary(mod, diags))
	}
	if r.quiet {
		return nil
	}
	return r.write(mod, opts)
}

func (r *renderCommand) options() (render.Options, error) {
	opts := render.Options{OnlyChanged: r.onlyChanged, Sort: r.sort}
	for _, text := range r.filter {
		g, err := render.ParseGlob(text)
		if err != nil {
			return opts, err
		}
		opts.Filter = append(opts.Filter, g)
	}
	return opts, nil
}

func (r *renderCommand) write(mod *merge.Module, opts render.Options) error {
	if r.output == "" {
		return render.Native(r.out, mod, opts)
	}
	var text bytes.Buffer
	if err := render.Native(&text, mod, opts); err != nil {
		return err
	}
	return replaceFile(inDir(r.dir, r.output), &text)
}

// checkOutput refuses an output file that would take part in the module, or
// overwrite one of its files.
func (r *renderCommand) checkOutput(dir string) error {
	if r.output == "" {
		return nil
	}
	out := inDir(r.dir, r.output)
	same, err := sameDir(filepath.Dir(out), dir)
	if err != nil {
		return fmt.Errorf("can't write %s: %w", load.Escape(r.output), err)
	}
	if target, err := filepath.EvalSymlinks(out); err == nil && !same {
		same, _ = sameDir(filepath.Dir(target), dir)
		out = target
	}
	name := filepath.Base(out)
	for _, e := range load.Classify([]string{name}, load.DefaultEngine()) {
		if same && e.Status == load.Read {
			return fmt.Errorf("-o %s would be loaded as a part of the module; write to another directory or under a name that does not end in .tf, .tofu or .json", load.Escape(r.output))
		}
	}
	return nil
}

func sameDir(a, b string) (bool, error) {
	ai, err := os.Stat(a)
	if err != nil {
		return false, err
	}
	bi, err := os.Stat(b)
	return err == nil && os.SameFile(ai, bi), nil
}

// replaceFile writes a file beside the one it is to replace, and renames it,
// so that at every moment the old or the new one is there, whole.
func replaceFile(path string, text io.Reader) (err error) {
	mode := os.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return writeTo(path, text)
		}
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tofumerge-*")
	if err != nil {
		return fmt.Errorf("can't write %s: %w", load.Escape(path), err)
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = fmt.Errorf("can't write %s, which is as it was: %w", load.Escape(path), err)
		}
	}()
	if _, err = io.Copy(tmp, text); err != nil {
		return err
	}
	if err = tmp.Chmod(mode); err != nil {
		return err
	}
	if err = tmp.Sync(); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// writeTo writes to what is no regular file, such as /dev/stdout.
func writeTo(path string, text io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, text)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// summary is the line that -v adds.
func summary(mod *merge.Module, diags hcl.Diagnostics) string {
	files := 0
	for _, f := range mod.Source.Files {
		if f.Role == load.Override {
			files++
		}
	}
	idle := 0
	for _, d := range diags {
		if d.Summary == merge.NoEffect {
			idle++
		}
	}
	text := fmt.Sprintf("%s: %s %s", mod.Source.Engine, count(files, "override file"), changes(files, count(render.Changed(mod), "block")))
	if idle > 0 {
		text += fmt.Sprintf("; %s %s no effect", count(idle, "item"), has(idle))
	}
	return text
}

func changes(n int, what string) string {
	if n == 1 {
		return "changes " + what
	}
	return "change " + what
}

func has(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

package cli

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/render/notice"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A markCommand keeps the comments in primary files that name the override files.
type markCommand struct {
	*app
	workspace.Search
	check, replace bool
	patch          bytes.Buffer // for all files, if that is what is printed
}

func newMarkCommand(a *app) *cobra.Command {
	k := &markCommand{app: a, Search: workspace.Search{SeesIgnored: true}}
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
  tofumerge mark -r . --write
  tofumerge mark | patch -p1`,
		RunE: k.run,
	}
	searchFlags(&k.Search, cmd.Flags(), "go through all modules below each directory")
	k.app.completeFlag(cmd, "exclude", k.app.completeDirFlag)
	cmd.Flags().BoolVar(
		&k.check, "check", false, "list what is missing or wrong, and exit with status 2",
	)
	cmd.Flags().BoolVar(&k.replace, "write", false, "write the comments into the files")
	return cmd
}

func (k *markCommand) run(_ *cobra.Command, args []string) error {
	if err := k.refuse(); err != nil {
		return err
	}
	r, err := k.app.newMany(args, &k.Search, "compared")
	if err != nil {
		return err
	}
	if r.undone = "printed"; k.replace {
		r.undone = "written"
	}
	files, err := k.marked(r)
	if err != nil {
		return err
	}
	switch {
	case k.replace:
		err = k.write(r, files)
	case k.check:
		err = k.list(files)
	default:
		_, err = k.ws.Out.Write(k.patch.Bytes())
	}
	if err == nil || errors.Is(err, workspace.ErrFound) {
		r.finish()
	}
	return err
}

// refuse refuses flags that make no sense together.
func (k *markCommand) refuse() error {
	switch {
	case k.check && k.replace:
		return errors.New("--check changes nothing and --write changes files; use only one of them")
	case k.replace && len(k.ws.Overlays) > 0:
		return errors.New("--write can't be used with --overlay: a comment can't name a file outside the module")
	}
	return nil
}

// marked compares the comments of all modules with those that they should have. It makes the
// patch, or returns the files: those that differ, with --write, or all, without their texts.
// It fails if anything is wrong with one module, after all have been looked at.
func (k *markCommand) marked(r *manyRun) ([]*notice.File, error) {
	var files []*notice.File
	shared := sharedFiles{}
	out := patch.Writer{Context: 3, Palette: palette.New(k.ws.Colored(k.ws.Out))}
	var clash error
	err := r.each(func(m *manyModule) {
		if !m.diags.HasErrors() {
			m.Source.Prefix = k.ws.Prefix(r.path(m))
			m.notices = notice.Check(m.Module)
		}
	}, func(m *manyModule) error {
		m.Source.Prefix = k.ws.Prefix(r.path(m))
		if err := k.ws.Report(m.Source, m.diags); err != nil {
			return err
		}
		r.describe(m, m.diags)
		var err error
		for _, f := range m.notices {
			if f.Diff == nil {
				k.ws.Note(fmt.Sprintf("Note: %s is JSON, which has no comments, so its overrides are not marked",
					diag.Escape(f.Name)))
				continue
			}
			clash = cmp.Or(clash, shared.add(f))
			switch {
			case k.check && len(f.Findings) > 0:
				files = append(files, &notice.File{Name: f.Name, Findings: f.Findings})
			case k.replace && f.Diff.Changes():
				files = append(files, f)
			case !k.check && !k.replace:
				err = cmp.Or(err, out.Write(&k.patch, []*patch.File{f.Diff}))
			}
		}
		return err
	})
	return files, cmp.Or(err, clash)
}

// sharedFiles are files by what they are, whatever leads to them.
type sharedFiles map[string]sharedFile

type sharedFile struct {
	name string
	sum  [sha256.Size]byte // of what its module wants it to be
}

// add refuses a file that two modules share by means of a link, if they want different
// comments in it: every run would undo what the last one did.
func (s sharedFiles) add(f *notice.File) error {
	target, own := repo.Real(f.Path), sharedFile{f.Name, sha256.Sum256(f.Diff.New())}
	if other, known := s[target]; known && other.sum != own.sum {
		return fmt.Errorf(
			"%s and %s are the same file, but their modules override it differently; give each module its own copy",
			diag.Escape(other.name), diag.Escape(f.Name))
	}
	s[target] = own
	return nil
}

// write replaces the files that change, all or none.
func (k *markCommand) write(r *manyRun, files []*notice.File) error {
	set := replace.NewSet(replace.Options{Warn: k.ws.Warn, Step: k.ws.Interrupt})
	defer set.Close()
	for _, t := range r.targets {
		set.Clean(repo.In(k.ws.Base(), t.Dir))
	}
	known := map[string]bool{}
	for _, f := range files {
		target, err := writeback.TargetInside(filepath.Dir(f.Path), f.Path, f.Name)
		if err != nil {
			return err
		}
		if known[target] {
			continue // two modules share it
		}
		known[target] = true
		if err := set.Rewrite(target, diag.Escape(f.Name), f.Diff.Old, f.Diff.New()); err != nil {
			return writeback.NotWritten(f.Name, err)
		}
	}
	if err := set.Run(); err != nil {
		return err
	}
	for _, f := range files {
		if k.ws.Verbose {
			k.ws.Tell("wrote " + diag.Escape(f.Name))
		}
	}
	return nil
}

// list prints what is missing or wrong, a line each.
func (k *markCommand) list(files []*notice.File) error {
	var out bytes.Buffer
	to := k.ws.Screen(k.ws.Out)
	for _, f := range files {
		for _, found := range f.Findings {
			place := fmt.Sprintf("%s:%d:", diag.Escape(f.Name), found.Line)
			fmt.Fprintf(&out, "%s%s\n", place, to.WrapLine(screen.Columns(place), " "+found.Text, screen.Hang))
		}
	}
	if out.Len() == 0 {
		return nil
	}
	if _, err := io.WriteString(k.ws.Out, safetext.Inert(out.String())); err != nil {
		return err
	}
	return workspace.ErrFound
}

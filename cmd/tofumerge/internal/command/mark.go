package command

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/render/marker"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// markOptions hold the flags of mark.
type markOptions struct {
	ws            *workspace.Workspace
	search        workspace.Search
	check, writes bool
}

// NewMark returns the command that keeps comments in primary files which name the override files.
func NewMark(ws *workspace.Workspace, words complete.Words) *cobra.Command {
	o := &markOptions{ws: ws, search: workspace.Search{SeesIgnored: true}}
	cmd := &cobra.Command{
		Use:   "mark [PATH...]",
		Short: "Keep comments that name the override files",
		Long: `mark keeps a comment above each overridden block that names the override files. It prints
a patch; --write changes the files.

It adds, rewrites and removes only lines of this form:

  # overridden: a_override.tf (instance_type), b_override.tf (ami)

Apply the patch with "patch -p1" in the current directory. PATH is a module directory or
one of its files. If any module has an error, mark changes none. JSON files don't change,
because JSON doesn't allow comments.`,
		Example: `  tofumerge mark --write
  tofumerge mark --check modules/web modules/queue
  tofumerge mark -r . --write
  tofumerge mark | patch -p1`,
		RunE: o.run,
	}
	searchFlags(cmd, words, &o.search, "go through all modules below each directory")
	cmd.Flags().BoolVar(&o.check, "check", false, "list missing or stale comments, and exit with status 2")
	cmd.Flags().BoolVar(&o.writes, "write", false, "write the comments into the files")
	return cmd
}

func (o *markOptions) run(_ *cobra.Command, args []string) error {
	if err := o.refuse(); err != nil {
		return err
	}
	r, err := o.ws.Select(args, &o.search)
	if err != nil {
		return err
	}
	if r.Done, r.CountsIdle = "compared", true; o.writes {
		r.Undone = "written"
	}
	v := &markView{markOptions: o, run: r, shared: sharedFiles{}}
	if err := cmp.Or(workspace.Each(r, v.compare, v.add), v.clash); err != nil {
		return err
	}
	switch {
	case o.writes:
		err = v.replaceFiles()
	case o.check:
		err = v.list()
	default:
		_, err = o.ws.Out.Write(v.patch.Bytes())
	}
	if err == nil || errors.Is(err, workspace.ErrFound) {
		r.Finish()
	}
	return err
}

// refuse refuses flags that make no sense together.
func (o *markOptions) refuse() error {
	switch {
	case o.check && o.writes:
		return errors.New("--check changes nothing and --write changes files; use only one of them")
	case o.writes && len(o.ws.Overlays) > 0:
		return errors.New("--write can't be used with --overlay: a comment can't name a file outside the module")
	}
	return nil
}

// A markView is what mark prints or writes.
type markView struct {
	*markOptions
	run    *workspace.Run
	patch  bytes.Buffer   // of all files, unless flags select another output
	files  []*marker.File // those that change, with --write, or those with findings, without their texts
	shared sharedFiles
	clash  error // two modules want different comments in one file
}

// compare compares the comments of a module with those that it should have.
func (v *markView) compare(m *workspace.Module) []*marker.File {
	if m.Diags.HasErrors() {
		return nil
	}
	m.Source.Prefix = v.ws.Prefix(m.Source.Dir)
	return marker.Check(m.Module)
}

// add adds the files of a module.
func (v *markView) add(m *workspace.Module, files []*marker.File) error {
	m.Source.Prefix = v.ws.Prefix(m.Source.Dir)
	if err := v.run.Report(m, m.Diags); err != nil {
		return err
	}
	if v.writes {
		v.noteUntracked(m.Source)
	}
	var err error
	for _, f := range files {
		if f.Diff == nil {
			v.ws.Note(fmt.Sprintf("Note: %s is JSON, which has no comments, so its overrides are not marked", diag.Escape(f.Name)))
			continue
		}
		v.clash = cmp.Or(v.clash, v.shared.add(f))
		switch {
		case v.check && len(f.Findings) > 0:
			v.files = append(v.files, &marker.File{Name: f.Name, Findings: f.Findings})
		case v.writes && f.Diff.Changes():
			v.files = append(v.files, f)
		case !v.check && !v.writes:
			err = cmp.Or(err, writePatch(&v.patch, v.ws, []*patch.File{f.Diff}))
		}
	}
	return err
}

// noteUntracked notes override files that only this working tree has: a comment that names one is
// wrong in every clone.
func (v *markView) noteUntracked(src *load.Module) {
	index, err := v.ws.Index(src.Dir)
	if err != nil {
		return // there is no repository, or mark --check can't run in a clone of it
	}
	dir, isIn := workspace.PathIn(index, src.Dir)
	for _, f := range src.Files {
		if isIn && f.Role == source.Override && !index.Has(path.Join(dir, f.Name)) {
			v.ws.Note(fmt.Sprintf("Note: git doesn't track %s, so mark --check fails in a clone; to leave the file out, use --exclude-override %s",
				diag.Escape(src.Shown(f.Name)), diag.Escape(f.Name)))
		}
	}
}

// sharedFiles are files by identity, whatever their paths.
type sharedFiles map[string]sharedFile

type sharedFile struct {
	name string
	sum  [sha256.Size]byte // of the text that its module requires
}

// add refuses a file that two modules share by means of a link, if they want different comments in
// it: every run would undo the previous one.
func (s sharedFiles) add(f *marker.File) error {
	target, own := repo.Real(f.Path), sharedFile{f.Name, sha256.Sum256(f.Diff.New())}
	if other, known := s[target]; known && other.sum != own.sum {
		return fmt.Errorf(
			"%s and %s are the same file, but their modules override it differently; give each module its own copy",
			diag.Escape(other.name), diag.Escape(f.Name))
	}
	s[target] = own
	return nil
}

// replaceFiles replaces the files that change, all or none.
func (v *markView) replaceFiles() error {
	set := replace.NewSet(replace.Options{Warn: v.ws.Warn, Step: v.ws.Interrupt})
	defer set.Close()
	for _, t := range v.run.Subjects {
		set.Clean(repo.In(v.ws.Base(), t.Dir))
	}
	known := map[string]bool{}
	for _, f := range v.files {
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
	for _, f := range v.files {
		if v.ws.Verbose {
			v.ws.Tell("wrote " + diag.Escape(f.Name))
		}
	}
	return nil
}

// list prints missing and wrong comments, a line each.
func (v *markView) list() error {
	var out bytes.Buffer
	to := v.ws.Screen(v.ws.Out)
	for _, f := range v.files {
		for _, found := range f.Findings {
			place := fmt.Sprintf("%s:%d:", diag.Escape(f.Name), found.Line)
			fmt.Fprintf(&out, "%s%s\n", place, to.WrapLine(screen.Columns(place), " "+found.Text, screen.Hang))
		}
	}
	if out.Len() == 0 {
		return nil
	}
	if _, err := io.WriteString(v.ws.Out, safetext.Inert(out.String())); err != nil {
		return err
	}
	return workspace.ErrFound
}

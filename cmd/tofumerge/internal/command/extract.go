package command

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/render"
)

// extractOptions are what the arguments and the flags of extract ask for.
type extractOptions struct {
	ws                  *workspace.Workspace
	since, out, newFile string
	revision            workspace.Rev // of since, unless that is the index
	format              format
	null, strict, write bool
}

// NewExtract returns the command that makes an override file of an edit.
func NewExtract(ws *workspace.Workspace, words complete.Words) *cobra.Command {
	o := &extractOptions{ws: ws}
	cmd := &cobra.Command{
		Use:   "extract {[DIR] --since REV | BASE EDITED}",
		Short: "Turn an edit into an override file",
		Long: `extract prints the smallest override file that turns a module into its edited copy. It
merges the result and compares it before it prints.

--since compares DIR with a Git revision; :0 stands for the index. BASE and EDITED are two
directories.

Override files stay as edited and are merged on both sides. The new file must be applied
last; extract suggests a suitable name.

Edits that no override can express are listed on standard error with the reason. The status
is then 2, and the override for the remaining edits is printed, unless you pass --strict.

--write also reverts the edits of primary files that the override expresses. Comments,
layout and all other edits stay.`,
		Example: `  tofumerge extract --since HEAD
  tofumerge extract modules/vpc --since HEAD -o modules/vpc/z_patch_override.tf
  tofumerge extract --since HEAD -o z_local_override.tf --write
  tofumerge extract vendor/vpc edited/vpc`,
		Args: o.arguments,
		RunE: o.run,

		ValidArgsFunction: words.Dirs,
	}
	flags := cmd.Flags()
	flags.StringVar(&o.since, "since", "", "extract what changed since the revision `REV[:DIR]`")
	flags.StringVarP(&o.out, "output", "o", "", "write the override to `FILE`, which must not exist")
	flags.StringVar(&o.newFile, "new-file", "", "with -o, write new blocks to `FILE` in the same directory")
	flags.BoolVar(&o.null, "null", false, "set removed arguments of a provider to null")
	flags.BoolVar(&o.strict, "strict", false, "print nothing if some edit can't be expressed")
	flags.BoolVar(&o.write, "write", false, "with --since and -o, revert the expressed edits")
	o.format.define(cmd, words, "print `FORMAT`: hcl or json", "hcl", "json")
	words.ForFlag(cmd, "since", words.Revisions)
	return cmd
}

// arguments checks the arguments: one directory at most with --since, otherwise two.
func (o *extractOptions) arguments(cmd *cobra.Command, args []string) error {
	switch isSince := cmd.Flags().Changed("since"); {
	case isSince && len(args) > 1:
		return fmt.Errorf("--since compares one directory with itself; %s got %d (%s)", cmd.CommandPath(), len(args), diag.Escape(strings.Join(args, ", ")))
	case !isSince && len(args) != 2:
		return fmt.Errorf("extract needs --since REV, or two directories: BASE EDITED; it got %d", len(args))
	}
	return nil
}

// refuse refuses flags that make no sense together.
func (o *extractOptions) refuse(cmd *cobra.Command) error {
	hasOut := cmd.Flags().Changed("output")
	switch {
	case hasOut && (o.out == "" || o.out == "-"):
		return errors.New("-o needs the name of a file; for standard output, leave it out")
	case o.write && (o.since == "" || !hasOut):
		return errors.New("--write needs --since, which says what edits are taken back to, and -o")
	case o.newFile != "" && !hasOut:
		return errors.New("--new-file needs -o: the two files are written together")
	case o.newFile != "" && o.write:
		return errors.New("--write leaves new blocks in the files that they are in; use it without --new-file")
	case o.newFile != filepath.Base(o.newFile) && o.newFile != "":
		return fmt.Errorf("--new-file takes a name without a directory, not %s; the file is written beside that of -o", diag.Escape(o.newFile))
	case len(o.ws.Overlays)+len(o.ws.Excluded) > 0:
		return errors.New("extract compares modules as they are; leave out --overlay and --exclude-override")
	}
	if cmd.Flags().Changed("since") && o.since != workspace.IndexRev {
		name, err := workspace.ParseRev("since", o.since)
		if err != nil {
			return err
		}
		o.revision = name
	}
	return o.format.settle(cmd, "hcl", "json")
}

func (o *extractOptions) run(cmd *cobra.Command, args []string) error {
	if err := o.refuse(cmd); err != nil {
		return err
	}
	s, err := o.sides(args)
	if err != nil {
		return err
	}
	name, err := s.name(o)
	if err != nil {
		return err
	}
	r, err := extract.Find(s.base, s.edited, extract.Options{
		Name: name, NewFile: o.newFile, Null: o.null, Load: s.load,
		Write: func(name string, parts []*extract.Part) ([]byte, hcl.Diagnostics) {
			return render.Made(s.edited, name, parts)
		},
	})
	if err != nil {
		return s.refused(o.ws, err)
	}
	return o.finish(s, r, name)
}

// finish lists what is left, and prints or writes the rest.
func (o *extractOptions) finish(s *extractSides, r *extract.Result, name string) error {
	if err := o.ws.Report(s.edited, r.Diags); err != nil {
		return err
	}
	if o.list(s, r); o.strict && len(r.Left) > 0 {
		return fmt.Errorf("nothing was printed: %d edits can't be expressed; leave out --strict to get the rest", len(r.Left))
	}
	var err error
	switch {
	case o.out != "":
		err = o.writeFiles(s, r, name)
	case len(r.Texts) == 0:
	default:
		_, err = o.ws.Out.Write(r.Texts[name])
	}
	if err == nil && len(r.Left) > 0 {
		return workspace.ErrFound
	}
	return err
}

// list warns of what is left, by the side that has its place, and notes what means nothing.
func (o *extractOptions) list(s *extractSides, r *extract.Result) {
	var edited, base hcl.Diagnostics
	for _, l := range r.Left {
		d := leftWarning(l, o)
		if l.Kind == extract.Removed {
			base = append(base, d)
		} else {
			edited = append(edited, d)
		}
	}
	slices.SortStableFunc(edited, byPlace)
	slices.SortStableFunc(base, byPlace)
	_ = o.ws.Report(s.edited, edited) // there are no errors
	_ = o.ws.Report(s.base, base)
	if n := len(r.Idle); n > 0 {
		o.ws.Note(fmt.Sprintf("Note: %s ignores %s in every file, so that edit is left out", s.edited.Engine.Title(), diag.Escape(r.Idle[0].Address.String())))
	}
}

func byPlace(a, b *hcl.Diagnostic) int {
	return cmp.Or(strings.Compare(a.Subject.Filename, b.Subject.Filename), cmp.Compare(a.Subject.Start.Line, b.Subject.Start.Line))
}

// leftWarning says of an edit why no override expresses it, and what to do instead.
func leftWarning(l *extract.Left, o *extractOptions) *hcl.Diagnostic {
	summary := []string{"Changed, but not in the override", "New, but not in the override", "Removed, but still there with the override"}[l.Kind]
	text := diag.Escape(l.Address.String()) + ": " + l.Why()
	switch {
	case l.CanBeNew && o.newFile == "" && !o.write:
		text += " To write it to a new primary file, use --new-file."
	case l.CanBeNull && !o.null:
		text += " For a provider, null is the same: to set it, use --null."
	}
	at := source.Where(l.Item())
	return &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: text, Subject: &at}
}

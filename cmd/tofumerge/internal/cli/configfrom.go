package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/baseline"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// Where the settings of a gate come from: from the files beside the modules, from one file,
// or from a revision, which the change under review can't edit.

// A configFlags holds --config and --config-from.
type configFlags struct{ file, revision string }

func (f *configFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "config", "", "read `FILE` instead of every .tofumerge.hcl")
	flags.StringVar(&f.revision, "config-from", "", "read every .tofumerge.hcl as it is at the revision `REV`")
}

// checkConfig refuses values of the flags that can't be meant, and finds the revision.
func (a *app) checkConfig(flags *pflag.FlagSet, f configFlags) error {
	name, isPrefixed := workspace.ParseRev(f.revision)
	switch {
	case !flags.Changed("config-from"):
		return nil
	case flags.Changed("config"):
		return errors.New("--config-from reads settings files that --config replaces; use only one of them")
	case f.revision == "" || isPrefixed && name.Name == "":
		return errors.New("--config-from needs the name of a revision, such as main or HEAD~1")
	case isPrefixed:
		return fmt.Errorf("--config-from takes a revision without %s; use --config-from %s", workspace.RevPrefix, diag.Escape(name.Name))
	}
	_, err := a.Revision(repo.In(a.Base(), "."), f.revision)
	return err
}

// readConfigFrom has settings files read from a revision of the repository that they are in.
func (a *app) readConfigFrom(name string) {
	a.Settings.Source = policy.Trees(func(dir string) (policy.Tree, error) {
		revision, err := a.Revision(dir, name)
		if err != nil {
			return policy.Tree{}, err
		}
		return policy.Tree{
			Files: revision, Root: revision.Root, IsForeign: true,
			Called: func(path string) string { return workspace.RevPrefix + name + ":" + path },
		}, nil
	})
}

// baselineFrom reads a baseline in the working tree as it is at the revision of
// --config-from. What the revision doesn't have accepts nothing. One that is elsewhere is
// none that a change could edit.
func (c *checkCommand) baselineFrom(path string) (text []byte, isThere bool, err error) {
	if c.config.revision == "" || c.baseline.read == "" {
		return nil, false, nil
	}
	revision, err := c.Revision(repo.In(c.Base(), "."), c.config.revision)
	if err != nil {
		return nil, false, err
	}
	name, ok := revision.PathOf(path)
	switch {
	case !ok:
		return nil, false, nil
	case !revision.Has(name):
		c.Note(fmt.Sprintf("Note: %s%s has no baseline %s, so no finding is known", workspace.RevPrefix, diag.Escape(revision.Name), diag.Escape(name)))
		return nil, true, nil
	}
	text, err = revision.Read(name, baseline.MaxSize)
	if err != nil {
		err = fmt.Errorf("can't read the baseline %s%s:%s: %w", workspace.RevPrefix, diag.Escape(revision.Name), diag.Escape(name), err)
	}
	return text, true, err
}

// isConfigError reports whether something is wrong with a settings file, and not with reading
// all of them.
func isConfigError(err error) bool {
	return errors.As(err, new(*policy.Error))
}

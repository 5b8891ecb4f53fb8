package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// Where the settings of a gate come from: from the files beside the modules, from one file,
// or from a revision, which the change under review can't edit.

// defineConfig defines the flags that say where settings come from.
func defineConfig(f *gate.ConfigFlags, flags *pflag.FlagSet) {
	flags.StringVar(&f.File, "config", "", "read `FILE` instead of every .tofumerge.hcl")
	flags.StringVar(&f.Revision, "config-from", "", "read every .tofumerge.hcl as it is at the revision `REV`")
}

// checkConfig refuses values of the flags that can't be meant, and finds the revision.
func (a *app) checkConfig(flags *pflag.FlagSet, f gate.ConfigFlags) error {
	name, isPrefixed := workspace.ParseRev(f.Revision)
	switch {
	case !flags.Changed("config-from"):
		return nil
	case flags.Changed("config"):
		return errors.New("--config-from reads settings files that --config replaces; use only one of them")
	case f.Revision == "" || isPrefixed && name.Name == "":
		return errors.New("--config-from needs the name of a revision, such as main or HEAD~1")
	case isPrefixed:
		return fmt.Errorf("--config-from takes a revision without %s; use --config-from %s", workspace.RevPrefix, diag.Escape(name.Name))
	}
	_, err := a.ws.Revision(repo.In(a.ws.Base(), "."), f.Revision)
	return err
}

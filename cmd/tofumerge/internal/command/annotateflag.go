package command

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// An annotateFlag controls how overrides are described beside the configuration. The value of the
// flag is optional.
type annotateFlag string

// The ways to annotate.
const (
	annotateNone  annotateFlag = ""
	annotateShort annotateFlag = "short" // a mark for each name
	annotateFull  annotateFlag = "full"  // whole histories, in JSON
)

var annotateWays = []string{string(annotateShort), string(annotateFull)}

var errFullNative = errors.New("--annotate=full prints whole histories, which only JSON output can hold; add --json, or use explain --all")

// define defines the flag.
func (f *annotateFlag) define(flags *pflag.FlagSet) {
	flags.VarP(f, "annotate", "a", "mark what overrides do; `HOW` is short or full (JSON only)")
	flags.Lookup("annotate").NoOptDefVal = string(annotateShort)
}

// annotateHint is an error if a word that isn't a directory is meant as the value of the flag,
// which must follow an equals sign.
func annotateHint(ws *workspace.Workspace, cmd *cobra.Command, args []string) error {
	if !cmd.Flags().Changed("annotate") {
		return nil
	}
	for _, word := range args {
		if _, err := os.Stat(ws.Dir([]string{word})); slices.Contains(annotateWays, word) && os.IsNotExist(err) {
			return &FlagError{fmt.Errorf("no such directory: %s; did you mean --annotate=%[1]s?", word)}
		}
	}
	return nil
}

func (f *annotateFlag) String() string { return string(*f) }
func (f *annotateFlag) Type() string   { return "how" }

func (f *annotateFlag) Set(text string) error {
	switch text {
	case string(annotateShort), "true":
		*f = annotateShort
	case string(annotateFull):
		*f = annotateFull
	case "false":
		*f = annotateNone
	default:
		return fmt.Errorf("must be %s or %s", annotateShort, annotateFull)
	}
	return nil
}

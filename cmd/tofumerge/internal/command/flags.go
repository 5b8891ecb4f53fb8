// Package command holds the commands of the program, a file for each. A command turns its flags
// into options, selects modules through a workspace, and prints a view of them.
//
// Every function New… takes the workspace of a run and returns the command for the library. A
// command reaches modules only through the workspace, so a flag of a search, a revision or a format
// works in all commands or is refused in one function. Commands know neither the root of the
// program nor each other.
//
// Words completes the words of a command line for a shell. If anything fails, the shell gets
// nothing, because it shows no messages. The module may be anybody's, so time, memory and the number
// of words have bounds, and words that would act on a shell or a terminal are left out.
package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/gate"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/load/parts"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// Flags that several commands have.

// searchFlags defines -r and --exclude; recursive is the help for -r.
func searchFlags(cmd *cobra.Command, words Words, s *workspace.Search, recursive string) {
	cmd.Flags().BoolVarP(&s.Recursive, "recursive", "r", false, recursive)
	RepeatedVar(cmd.Flags(), &s.Exclude, "exclude", "", "with -r, skip directories that `GLOB` matches; repeatable")
	words.ForFlag(cmd, "exclude", words.Dirs)
}

// fullFlag defines --full.
func fullFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "full", false, "print long values whole")
}

// outputFlag defines -o for a command that prints a result, and wraps its RunE, so call it when RunE is set. The file
// gets the whole result or nothing: a run that fails without a result leaves the file as it was.
func outputFlag(cmd *cobra.Command, ws *workspace.Workspace) {
	name := cmd.Flags().StringP("output", "o", "", "write to `FILE`, not to standard output")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !cmd.Flags().Changed("output") {
			return run(cmd, args)
		}
		// Refuse the name of a format, which other tools take behind -o.
		switch f := cmd.Flags().Lookup("format"); {
		case f != nil && slices.Contains(f.Annotations[Choices], *name): // -o json: some tools take the format this way
			return fmt.Errorf("-o takes a file; for the format, use -f %s, and for a file of that name, -o ./%[1]s", *name)
		case f == nil && *name == "json":
			return errors.New("-o takes a file; for JSON, use --json in render, changes or check, and for a file of that name, -o ./json")
		}
		to, err := ws.OpenOutput("-o", *name)
		if err != nil {
			return err
		}
		// Run the command with its result held back, and write the file afterwards.
		text := ws.HoldForFile()
		// With findings, or an HTML page that shows errors, the result is complete in spite of the error.
		if err = run(cmd, args); err != nil && !errors.Is(err, workspace.ErrFound) && !errors.As(err, new(brokenError)) {
			return err
		}
		if failed := to.Write(text.Bytes(), ws.Warn); failed != nil {
			return failed
		}
		return err
	}
}

// filterFlag defines --filter, which takes patterns of addresses, separated by commas.
func filterFlag(cmd *cobra.Command, words Words, s *workspace.Search, usage string) {
	cmd.Flags().Func("filter", usage, func(text string) error {
		names, err := namesIn(text)
		if err != nil {
			return err
		}
		for _, name := range names {
			p, err := address.ParsePattern(name)
			if err != nil {
				return &FlagError{err}
			}
			s.Filter = append(s.Filter, p)
		}
		return nil
	})
	words.ForFlag(cmd, "filter", words.Addresses)
}

// listVar defines a flag that takes several names, separated by commas; the flag can also be repeated. It adds them
// to list.
func listVar(flags *pflag.FlagSet, list *[]string, name, usage string) {
	flags.Func(name, usage, func(text string) error {
		names, err := namesIn(text)
		*list = append(*list, names...)
		return err
	})
}

// RepeatedVar defines a flag that can be repeated, and adds each value to list. A comma is part of the value, because
// file names may contain one.
func RepeatedVar(flags *pflag.FlagSet, list *[]string, name, short, usage string) {
	flags.FuncP(name, short, usage, func(text string) error {
		*list = append(*list, text)
		return nil
	})
}

// ErrEmptyName is the error for a comma with no name before or after it.
var ErrEmptyName = errors.New("a comma has nothing beside it")

// namesIn splits the value of a flag at its commas, since no name contains one. It refuses a comma with nothing
// beside it.
func namesIn(text string) ([]string, error) {
	names := strings.Split(text, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
		if names[i] == "" && len(names) > 1 {
			return nil, ErrEmptyName
		}
	}
	return names, nil
}

// A FlagError is an error about the value of a flag whose text is complete: it is printed without the name of
// the flag.
type FlagError struct{ error }

// Unwrap returns the error itself, for package errors.
func (e *FlagError) Unwrap() error { return e.error }

// Choices is the annotation of a flag that lists its values.
const Choices = "choices"

// A format holds the value of --format and of its short form --json.
type format struct {
	name   string
	names  []string // formats that the command knows, its default first
	isJSON bool
}

// define defines --format and --json. names are the formats that the command knows; the first is the default.
func (f *format) define(cmd *cobra.Command, words Words, usage string, names ...string) {
	f.names = names
	flags := cmd.Flags()
	flags.StringVarP(&f.name, "format", "f", names[0], usage)
	flags.BoolVar(&f.isJSON, "json", false, "short for --format json")
	_ = flags.SetAnnotation("format", Choices, names)
	words.ForFlag(cmd, "format", Fixed(names))
}

// settle is called once the flags are parsed. It refuses a format that the command doesn't know, and makes name and
// isJSON agree.
func (f *format) settle(cmd *cobra.Command) error {
	switch {
	case !slices.Contains(f.names, f.name):
		return fmt.Errorf("--format takes %s, not %q", diag.Joined(f.names, "or"), f.name)
	case f.isJSON && cmd.Flags().Changed("format") && f.name != "json":
		return fmt.Errorf("--json is short for --format json; use only one of --json and --format %s", diag.Escape(f.name))
	case f.isJSON:
		f.name = "json"
	}
	f.isJSON = f.name == "json"
	return nil
}

// refuseFull refuses --full with JSON, where values are always whole.
func (f *format) refuseFull(isFull bool) error {
	if isFull && f.isJSON {
		return errors.New("--json prints values whole; leave --full out")
	}
	return nil
}

// configFlags defines --config and --config-from, which choose the file with the settings of check.
func configFlags(cmd *cobra.Command, words Words, f *gate.ConfigFlags) {
	cmd.Flags().StringVar(&f.File, "config", "", "read `FILE` instead of every .tofumerge.hcl")
	cmd.Flags().StringVar(&f.Revision, "config-from", "", "read every .tofumerge.hcl as it is at the revision `REV`")
	words.ForFlag(cmd, "config-from", words.Revisions)
}

// checkConfig refuses --config-from together with --config. It also opens the revision of --config-from, so that a
// wrong name fails before any module is read. Outside of a repository, each module opens the revision in its own.
func checkConfig(cmd *cobra.Command, ws *workspace.Workspace, f gate.ConfigFlags) error {
	switch {
	case !cmd.Flags().Changed("config-from"):
		return nil
	case cmd.Flags().Changed("config"):
		return errors.New("--config-from reads settings files that --config replaces; use only one of them")
	}
	name, err := workspace.ParseLeft("config-from", f.Revision)
	if err == nil && name.HasDir {
		err = fmt.Errorf("--config-from takes a revision without a directory; use --config-from %s", diag.Escape(name.Name))
	}
	if err != nil {
		return err
	}
	here := repo.In(ws.Base(), ".")
	if _, _, ok := ws.Repository(here); ok {
		_, err = ws.Revision(here, f.Revision)
	}
	return err
}

// ruleFlags defines the flags that switch rules on and off.
func ruleFlags(cmd *cobra.Command, words Words, s *policy.Settings) {
	listVar(cmd.Flags(), &s.Enable, "enable", "switch `RULES` on")
	listVar(cmd.Flags(), &s.Disable, "disable", "switch `RULES` off")
	listVar(cmd.Flags(), &s.AgainstEngines, "against-engine", "report what `ENGINES` read differently")
	words.ForFlag(cmd, "enable", Rules)
	words.ForFlag(cmd, "disable", Rules)
	words.ForFlag(cmd, "against-engine", Engines)
}

// sideFlags defines --since, --from and --without, which name the other side of a comparison.
func sideFlags(cmd *cobra.Command, words Words, s *workspace.Search) {
	revFlag(cmd, words, s, "since", "compare with revision `REV[:DIR]`, or A with B by A..B", &s.Since, workspace.ParseRev)
	cmd.Flags().Func("from", "compare with the modules in or below `DIR`", func(text string) error {
		if s.From = text; text == "" {
			return &FlagError{errors.New("--from needs the name of a directory")}
		}
		return nil
	})
	words.ForFlag(cmd, "from", words.Dirs)
	listVar(cmd.Flags(), &s.Without, "without", "right side without `GLOBS`; on both: --exclude-override")
	words.ForFlag(cmd, "without", words.OverrideFiles)
}

// onlyNewFlag defines --only-new.
func onlyNewFlag(cmd *cobra.Command, words Words, s *workspace.Search, to **workspace.Rev) {
	revFlag(cmd, words, s, "only-new", "report only findings that are new since `REV[:DIR]`", to, workspace.ParseLeft)
}

// revFlag defines a flag that takes a revision, which parse reads and *to receives. The first such flag of a command
// also goes into s.RevFlag: if a revision is given where a directory belongs, the error suggests that flag.
func revFlag(
	cmd *cobra.Command, words Words, s *workspace.Search, name, usage string, to **workspace.Rev,
	parse func(flag, text string) (workspace.Rev, error),
) {
	s.RevFlag = cmp.Or(s.RevFlag, name)
	cmd.Flags().Func(name, usage, func(text string) error {
		rev, err := parse(name, text)
		if err != nil {
			return &FlagError{err}
		}
		*to = &rev
		return nil
	})
	words.ForFlag(cmd, name, words.Revisions)
}

// The ways to annotate.
const (
	annotateShort = "short" // a mark for each name
	annotateFull  = "full"  // whole histories, in JSON
)

var annotateWays = []string{annotateShort, annotateFull}

// annotateFlag defines --annotate, which describes overrides beside the configuration. Its value is optional, and way
// receives it.
func annotateFlag(cmd *cobra.Command, words Words, way *string) {
	flags := cmd.Flags()
	flags.FuncP("annotate", "a", "mark what overrides do; `HOW` is short or full (JSON only)", func(text string) error {
		switch {
		case text == "true": // --annotate=true, as for a flag without values
			*way = annotateShort
		case text == "false":
			*way = ""
		case slices.Contains(annotateWays, text):
			*way = text
		default:
			return fmt.Errorf("must be %s", diag.Joined(annotateWays, "or"))
		}
		return nil
	})
	flags.Lookup("annotate").NoOptDefVal = annotateShort
	words.ForFlag(cmd, "annotate", Fixed(annotateWays))
}

// NoArguments refuses arguments, in the wording of this program.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments; leave out %q", cmd.CommandPath(), strings.Join(args, " "))
}

// A view collects what a command prints about the modules of a run: text or, with --json, a report. It keeps no
// module in memory.
type view struct {
	work   *workspace.Run // the work on the modules
	text   bytes.Buffer
	report *report.Report // with --json; nil before the first module
}

// addText adds a paragraph to the text, with an empty line before it.
func (v *view) addText(text []byte) {
	if v.text.Len() > 0 {
		v.text.WriteString("\n")
	}
	v.text.Write(text)
}

// record adds a module and its diagnostics to the report. It returns the directory by which other records refer to
// the module; empty if the run has no other module.
func (v *view) record(ws *workspace.Workspace, m *workspace.Module, diags hcl.Diagnostics) (dir string) {
	if v.work.IsMany {
		rec := m.Record()
		dir = rec.Directory
		v.report.Modules = append(v.report.Modules, rec)
	}
	ws.Record(v.report, m.Module, diags)
	return dir
}

// print prints the report, with totals if they are wanted, or the text.
func (v *view) print(ws *workspace.Workspace) error {
	if v.report == nil {
		_, err := ws.Out.Write(v.text.Bytes())
		return err
	}
	v.report.Skipped = v.work.Search.Record()
	if v.work.NeedsTotals {
		v.report.Totals = v.work.TotalsRecord()
	}
	return v.report.Write(ws.Out)
}

// numberStep matches the steps of an address that are numbers but not indexes: .0 and ["0"].
var numberStep = lazyregexp.New(`\.([0-9]+)\b|\["([0-9]+)"\]`)

// withIndexes returns a suggestion for an address with numbers as keys: rule[0].id for rule.0.id. It returns nil if
// that names nothing in the module either.
func withIndexes(mod *merge.Module, given string) []string {
	index := numberStep().ReplaceAllString(given, "[$1$2]")
	a, err := address.Parse(index)
	if index == given || err != nil || len(lookup.Find(mod, a))+len(address.Named(mod, a)) == 0 {
		return nil
	}
	return []string{index}
}

// similar returns suggestions, at most three, for an address that names nothing in a module: addresses that resemble
// it, or a pattern.
func similar(mod *merge.Module, given string) []string {
	if near := withIndexes(mod, given); near != nil {
		return near
	}
	// The type of a block without its labels: aws_instance stands for 'aws_instance.*'.
	for _, labels := range []string{".*", ".*.*"} {
		p, err := address.ParsePattern(given + labels)
		if err == nil && len(address.Matching(mod, p)) > 0 {
			return []string{"'" + diag.Escape(given) + labels + "'"}
		}
	}
	a, err := address.Parse(given)
	switch {
	case err != nil || address.IsPattern(given):
		return nil
	case a.Parent().IsEmpty(): // a bare name, which may be the last part of an address
		return similarNames(mod, a.String(), address.Address.Last)
	}
	if near := similarNames(mod, a.String(), address.Address.String); len(near) > 0 {
		return near
	}
	return similarKeys(mod, a)
}

// similarKeys returns at most three addresses that exist and differ from a given one in the last key only, by similar
// spelling: tags.Owner for tags.Owners. They name keys of an object or elements of a list. What precedes the key may
// be a bare name, so it may stand for arguments anywhere in the module.
func similarKeys(mod *merge.Module, given address.Address) []string {
	var known []string
	for _, t := range address.Named(mod, given.Parent()) {
		for _, it := range t.Effective() {
			a, ok := it.(*source.Attr)
			if !ok {
				continue
			}
			for _, p := range parts.Of(a).Parts {
				known = append(known, given.Parent().Step(p.Segment).String())
			}
		}
	}
	slices.Sort(known)
	return spelling.Similar(given.String(), slices.Compact(known), 3)
}

// notFoundError returns the error that nothing in modules, such as "the module", has an address or matches a pattern.
// It suggests the addresses in near or, if there are none, the command that lists all; listArgs are its arguments.
func notFoundError(given, modules string, near []string, listArgs string) error {
	text := fmt.Sprintf("nothing in %s has the address %s", modules, diag.Escape(given))
	if address.IsPattern(given) {
		text = fmt.Sprintf("nothing in %s matches %s", modules, diag.Escape(given))
	}
	if len(near) == 0 {
		return fmt.Errorf("%s; to list all addresses, run: tofumerge explain%s --all", text, listArgs)
	}
	return fmt.Errorf("%s; did you mean %s?", text, diag.Joined(near, "or"))
}

// similarNames returns at most three names in a module that resemble given. name selects which part of each address
// to compare and return: all of it, or only the last step.
func similarNames(mod *merge.Module, given string, name func(address.Address) string) []string {
	var known []string
	for _, a := range lookup.All(mod) {
		known = append(known, name(a))
	}
	slices.Sort(known)
	return spelling.Similar(given, slices.Compact(known), 3)
}

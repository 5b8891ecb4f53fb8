package early

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// A Row is what releases refuse in arguments that they compute before anything else,
// when most values are not known yet or would be written where anybody can read them.
type Row struct {
	// Args are the paths of the arguments; /** stands for all that is in a block.
	Args []string
	// Flag is the argument of a variable that decides.
	Flag string
	How  Refusal
	// only init refuses it, not every command
	AtInit  bool
	Summary string // of the error, as the engines have it
	Engines engine.Releases
}

// A Refusal is when a variable is refused.
type Refusal int

// The refusals.
const (
	// Derived values are refused: values computed from a variable whose flag is true.
	Derived Refusal = iota
	// Referenced variables are refused if their flag is false, however they are used.
	Referenced
	// Unflagged values are refused: values computed from a variable whose flag is not true.
	Unflagged
	// Called values are refused: values computed from the result of the function that is called as
	// the flag.
	Called
)

// Arguments that are evaluated early.
var (
	calls     = []string{"module/source", "module/version"}
	loaded    = append(calls, "provider/for_each")
	backend   = []string{"terraform/backend/**", "terraform/cloud/**"}
	inStorage = append(backend, "terraform/encryption/**")
)

// rows has the rows, as the releases were seen to do it.
var rows = []Row{
	{Args: calls[:1], Flag: "sensitive", How: Called, Summary: "Sensitive value not allowed", Engines: engine.Releases{OpenTofu: ">= 1.8"}},
	{Args: loaded, Flag: "sensitive", How: Derived, Summary: "Sensitive value not allowed", Engines: engine.Releases{OpenTofu: ">= 1.9"}},
	{Args: loaded, Flag: "ephemeral", How: Derived, Summary: "Ephemeral value not allowed", Engines: engine.Releases{OpenTofu: ">= 1.11"}},
	{Args: loaded, Flag: "const", How: Referenced, Summary: "Unable to use variable in static context", Engines: engine.Releases{OpenTofu: ">= 1.12"}},

	{Args: backend, Flag: "sensitive", How: Called, AtInit: true, Summary: "Backend config contains sensitive values", Engines: engine.Releases{OpenTofu: ">= 1.8"}},
	{Args: backend, Flag: "sensitive", How: Derived, AtInit: true, Summary: "Backend config contains sensitive values", Engines: engine.Releases{OpenTofu: ">= 1.9"}},
	{Args: backend, Flag: "ephemeral", How: Derived, AtInit: true, Summary: "Backend config contains ephemeral values", Engines: engine.Releases{OpenTofu: ">= 1.11"}},
	{Args: inStorage, Flag: "const", How: Referenced, AtInit: true, Summary: "Unable to use variable in static context", Engines: engine.Releases{OpenTofu: ">= 1.12"}},

	{Args: calls, Flag: "const", How: Unflagged, AtInit: true, Summary: "Unknown value for a module call", Engines: engine.Releases{Terraform: ">= 1.15"}},
	{Args: calls, Flag: "sensitive", How: Derived, AtInit: true, Summary: "Sensitive value for a module call", Engines: engine.Releases{Terraform: ">= 1.15"}},
	{Args: calls, Flag: "ephemeral", How: Derived, AtInit: true, Summary: "Ephemeral value for a module call", Engines: engine.Releases{Terraform: ">= 1.15"}},
}

// conditionsCarry are the releases in which the result of a conditional is sensitive,
// ephemeral or unknown if its condition is.
var conditionsCarry = engine.Releases{OpenTofu: ">= 1.10", Terraform: ">= 1.15"}

// DoConditionsCarry reports whether a release treats a conditional as made of its condition, too.
func DoConditionsCarry(e engine.Release) bool { return conditionsCarry.Has(e) }

// In are the rows that hold for a release.
func In(e engine.Release) []*Row {
	var list []*Row
	for i := range rows {
		if rows[i].Engines.Has(e) {
			list = append(list, &rows[i])
		}
	}
	return list
}

// Has reports whether the row is about the argument of a path.
func (r *Row) Has(path string) bool {
	return slices.ContainsFunc(r.Args, func(arg string) bool {
		block, isAll := strings.CutSuffix(arg, "**")
		return arg == path || isAll && strings.HasPrefix(path, block)
	})
}

// Tops are the types of top-level blocks that the row is about.
func (r *Row) Tops() []string {
	var list []string
	for _, arg := range r.Args {
		typ, _, _ := strings.Cut(arg, "/")
		list = append(list, typ)
	}
	return list
}

// IsDeep reports whether the contents of lists and objects are judged, too, because the value is
// stored as a whole.
func (r *Row) IsDeep() bool { return r.AtInit && strings.HasSuffix(r.Args[0], "**") }

// Carriers are functions whose results are sensitive, ephemeral or unknown if an argument is.
// Others may make something else of it.
var Carriers = []string{
	"abspath", "basename", "chomp", "coalesce", "dirname", "format", "join", "length", "lower", "pathexpand", "replace",
	"substr", "title", "tolist", "toset", "tostring", "trim", "trimprefix", "trimspace", "trimsuffix", "upper",
}

package early

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// A rule says what releases refuse in arguments that they compute before anything else: then most values are
// not known yet, or the result is written where anybody can read it.
type rule struct {
	// args are the paths of the arguments; /** stands for all that is in a block.
	args []string
	// flag is the argument of a variable that decides, or the function of ifCalled.
	flag string
	how  condition
	// onDemand are the types of blocks inside that are computed only if arguments refer to them, and skipped those
	// that aren't computed as long as there is nothing to read.
	onDemand, skipped []string
	atInit            bool   // only init refuses it, not every command
	summary           string // of the error, as the engines have it
	engines           engine.Releases
}

// A condition says when a rule refuses a value.
type condition int

// The conditions.
const (
	// ifDerived refuses values computed from a variable whose flag is true.
	ifDerived condition = iota
	// ifReferenced refuses variables whose flag is false, however they are used.
	ifReferenced
	// ifUnflagged refuses values computed from a variable whose flag is not true.
	ifUnflagged
	// ifCalled refuses values computed from the result of the function that is called as the flag.
	ifCalled
	// ifVarying refuses values that refer to anything, or call a function.
	ifVarying
	// ifDynamic refuses values that constants, variables and local values don't make.
	ifDynamic
)

// Arguments that are evaluated early.
var (
	calls     = []string{"module/source", "module/version"}
	loaded    = append(calls, "provider/for_each")
	backend   = []string{"terraform/backend/**", "terraform/cloud/**"}
	sealing   = []string{"terraform/encryption/**"}
	inStorage = append(backend, sealing...)
)

// rules are what the releases were seen to refuse.
var rules = []rule{
	{args: calls, how: ifDynamic, engines: engine.Releases{OpenTofu: ">= 1.8"}},
	{args: loaded[len(calls):], how: ifDynamic, engines: engine.Releases{OpenTofu: ">= 1.9"}},
	{args: backend, how: ifDynamic, atInit: true, engines: engine.Releases{OpenTofu: ">= 1.8"}},
	{args: sealing, how: ifDynamic, atInit: true, onDemand: []string{"key_provider", "method"}, skipped: []string{"fallback"}, engines: engine.Releases{OpenTofu: ">= 1.8"}},

	{args: calls[:1], flag: "sensitive", how: ifCalled, summary: "Sensitive value not allowed", engines: engine.Releases{OpenTofu: ">= 1.8"}},
	{args: loaded, flag: "sensitive", how: ifDerived, summary: "Sensitive value not allowed", engines: engine.Releases{OpenTofu: ">= 1.9"}},
	{args: loaded, flag: "ephemeral", how: ifDerived, summary: "Ephemeral value not allowed", engines: engine.Releases{OpenTofu: ">= 1.11"}},
	{args: loaded, flag: "const", how: ifReferenced, summary: "Unable to use variable in static context", engines: engine.Releases{OpenTofu: ">= 1.12"}},

	{args: backend, flag: "sensitive", how: ifCalled, atInit: true, summary: "Backend config contains sensitive values", engines: engine.Releases{OpenTofu: ">= 1.8"}},
	{args: backend, flag: "sensitive", how: ifDerived, atInit: true, summary: "Backend config contains sensitive values", engines: engine.Releases{OpenTofu: ">= 1.9"}},
	{args: backend, flag: "ephemeral", how: ifDerived, atInit: true, summary: "Backend config contains ephemeral values", engines: engine.Releases{OpenTofu: ">= 1.11"}},
	{args: inStorage, flag: "const", how: ifReferenced, atInit: true, summary: "Unable to use variable in static context", engines: engine.Releases{OpenTofu: ">= 1.12"}},

	{args: backend, how: ifVarying, atInit: true, summary: "Variables not allowed", engines: engine.Releases{OpenTofu: "< 1.8", Terraform: ">= 1.0"}},

	{args: calls, flag: "const", how: ifUnflagged, atInit: true, summary: "Unknown value for a module call", engines: engine.Releases{Terraform: ">= 1.15"}},
	{args: calls, flag: "sensitive", how: ifDerived, atInit: true, summary: "Sensitive value for a module call", engines: engine.Releases{Terraform: ">= 1.15"}},
	{args: calls, flag: "ephemeral", how: ifDerived, atInit: true, summary: "Ephemeral value for a module call", engines: engine.Releases{Terraform: ">= 1.15"}},
}

// earlyNames are the references that every early value may have besides variables and local values.
var earlyNames = map[string]engine.Releases{
	"path.module": {}, "path.root": {}, "path.cwd": {}, "terraform.workspace": {}, "tofu.workspace": {OpenTofu: ">= 1.9"},
}

// isEarly reports whether a release allows a reference such as path.module in every value that it computes early.
func isEarly(ref string, e engine.Release) bool {
	in, isKnown := earlyNames[ref]
	return isKnown && in.Has(e)
}

// conditionsCarry are the releases in which the result of a conditional is sensitive,
// ephemeral or unknown if its condition is.
var conditionsCarry = engine.Releases{OpenTofu: ">= 1.10", Terraform: ">= 1.15"}

// rulesOf returns the rules that apply to a release.
func rulesOf(e engine.Release) (list []*rule) {
	for i := range rules {
		if rules[i].engines.Has(e) {
			list = append(list, &rules[i])
		}
	}
	return list
}

// Tops returns the types of the top-level blocks with arguments that a release computes early.
func Tops(e engine.Release) (list []string) {
	for _, r := range rulesOf(e) {
		list = append(list, r.topTypes()...)
	}
	return list
}

// covers reports whether the rule is about the argument with a path, such as module/source. In the rule's paths, **
// at the end stands for all arguments of a block and of the blocks inside it.
func (r *rule) covers(path string) bool {
	return slices.ContainsFunc(r.args, func(arg string) bool {
		block, isAll := strings.CutSuffix(arg, "**")
		return arg == path || isAll && strings.HasPrefix(path, block)
	})
}

// whenComputed returns, for messages, when the engine computes the rule's arguments.
func (r *rule) whenComputed() string {
	if r.atInit {
		return "on init"
	}
	return "when it loads the module"
}

// topTypes returns the types of the top-level blocks that the rule is about, such as module.
func (r *rule) topTypes() []string { return r.pathSteps(0) }

// blockTypes returns the second steps of the rule's paths: of terraform/backend/** it is backend.
func (r *rule) blockTypes() []string { return r.pathSteps(1) }

// pathSteps returns the step with index i of each path in args; step 0 of module/source is module.
func (r *rule) pathSteps(i int) (list []string) {
	for _, arg := range r.args {
		list = append(list, strings.Split(arg, "/")[i])
	}
	return list
}

// isDeep reports whether the rule also refuses variables inside lists and objects. That holds for all arguments of a
// block (**), as of backend and encryption: the engine stores the whole value, so no element is harmless. In a row,
// either all paths end in ** or none does, and so the first one tells.
func (r *rule) isDeep() bool { return r.atInit && strings.HasSuffix(r.args[0], "**") }

// carriers are functions whose results are sensitive, ephemeral or unknown if an argument is.
// Others may make something else of it.
var carriers = []string{
	"abspath", "basename", "chomp", "coalesce", "dirname", "format", "join", "length", "lower", "pathexpand", "replace",
	"substr", "title", "tolist", "toset", "tostring", "trim", "trimprefix", "trimspace", "trimsuffix", "upper",
}

// atInit turns a diagnostic into a warning if only init refuses the value: other commands accept the module. It
// returns the diagnostic.
func atInit(r *rule, d *hcl.Diagnostic) *hcl.Diagnostic {
	if r.atInit {
		d.Severity = hcl.DiagWarning
		d = diag.WithCode(diag.InitRefuses, d)
	}
	return d
}

// functionsListed are the releases whose functions are all in functions, so that any other is unknown to
// them.
var functionsListed = engine.Releases{OpenTofu: ">= 1.8, < 1.14"}

// functions are the names of functions, by the releases that have them.
var functions = map[string]engine.Releases{
	`
		abs abspath alltrue anytrue base64decode base64encode base64gunzip base64gzip base64sha256 base64sha512 basename bcrypt can ceil chomp chunklist
		cidrcontains cidrhost cidrnetmask cidrsubnet cidrsubnets coalesce coalescelist compact concat contains csvdecode dirname distinct element endswith
		file filebase64 filebase64sha256 filebase64sha512 fileexists filemd5 fileset filesha1 filesha256 filesha512 flatten floor format formatdate formatlist
		indent index issensitive join jsondecode jsonencode keys length list log lookup lower map matchkeys max md5 merge min nonsensitive one parseint
		pathexpand plantimestamp pow range regex regexall replace reverse rsadecrypt sensitive setintersection setproduct setsubtract setunion sha1 sha256
		sha512 signum slice sort split startswith strcontains strrev substr sum templatefile templatestring textdecodebase64 textencodebase64 timeadd timecmp
		timestamp title tobool tolist tomap tonumber toset tostring transpose trim trimprefix trimspace trimsuffix try upper urldecode urlencode uuid uuidv5
		values yamldecode yamlencode zipmap
	`: {OpenTofu: ">= 1.8"},
	"ephemeralasnull": {OpenTofu: ">= 1.11"},
	`
		assumeequal assumelistlength assumelistlengthmax assumelistlengthmin assumemaplength assumemaplengthmax assumemaplengthmin assumenotnull
		assumesetlength assumesetlengthmax assumesetlengthmin assumestringprefix convert
	`: {OpenTofu: ">= 1.13"},
}

// notEarly are the functions that releases refuse in early values, by how their names start.
var notEarly = []struct {
	prefix, summary string // the latter of the error
	engines         engine.Releases
}{
	{prefix: "provider::", summary: "Provider function in static context"},
	{prefix: "symbols::", summary: "Language Experiment not enabled", engines: engine.SinceSymbols},
}

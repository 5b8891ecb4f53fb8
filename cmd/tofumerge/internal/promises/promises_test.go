package promises_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// The program's promises for every module, whatever it contains.

// A promise is checked on some of the mutants. broken returns the problem: the kind in the first
// line, and then details.
type promise struct {
	name   string
	rarely int // times that it is looked at more seldom than others
	broken func(x *subject) string
}

// promises are those that are looked at. The first one always is.
var promises = []promise{
	{"render", 1, rendersAgain},
	{"render --json", 1, rendersJSONAgain},
	{"both syntaxes", 1, saysTheSameInJSON},
	{"--annotate", 1, annotates},
	{"--annotate --json", 2, annotatesJSON("--annotate")},
	{"--annotate=full --json", 2, annotatesJSON("--annotate=full")},
	{"--sort", 2, sorts},
	{"--only-changed", 2, func(x *subject) string { return aPart(x, "--only-changed") }},
	{"--only-changed -a", 4, func(x *subject) string { return aPart(x, "--only-changed", "-a") }},
	{"--filter", 2, func(x *subject) string { return aPart(x, "--filter", "*.*") }},
	{"--filter below", 3, func(x *subject) string { return aPart(x, "--filter", "**.lifecycle.*", "--filter", "terraform.*") }},
	{"--no-overrides", 2, leavesOverridesOut},
	{"--quiet", 4, isQuiet},
	{"list", 1, lists},
	{"explain", 2, explains},
	{"diff", 1, diffs},
	{"changes", 1, listsChanges},
	{"check", 1, checks},
	{"-r", 4, manyAsOne},
	{"check reports", 2, reports},
	{"report", 3, writesPage},
	{"check --fix of comments", 4, marks},
	{"check --fix", 4, fixes},
	{"flatten", 6, flattens},
	{"extract", 4, extracts},
	{"another engine", 4, comparesEngines},
	{"schema", 10, followsSchema},
	{"the same again", 15, isDeterministic},
}

func rendersAgain(x *subject) string {
	got := x.render()
	if got.status != cli.ExitOK {
		return ""
	}
	if problem := parsesNative(got); problem != "" {
		return problem
	}
	again := x.alone(got.out, "").render()
	return same("printed again", got, again)
}

// same describes how the run on the output differs from the run that printed it.
func same(what string, first, second outcome) string {
	switch {
	case clitest.Loses(first.errs), strings.Contains(first.errs, "Invalid registry module source address"), strings.Contains(first.errs, "Version constraint takes effect"),
		strings.Contains(clitest.OneLine(first.errs), "refuses the printed result"):
		return "" // the warning mentions it
	case second.status != cli.ExitOK:
		return fmt.Sprintf("%s, it is refused: %s\n%s\n%s", what, kindOf(second.errs), second.errs, first.out)
	case first.out != second.out:
		return fmt.Sprintf("%s, it differs\n%s", what, cmp.Diff(first.out, second.out))
	}
	return ""
}

// kindOf is the summary of the first error.
func kindOf(errs string) string {
	return numbers.ReplaceAllString(strings.TrimPrefix(firstError(errs), "Error: "), "N")
}

func parsesNative(got outcome) string {
	if _, diags := hclsyntax.ParseConfig([]byte(got.out), "main.tf", hcl.InitialPos); diags.HasErrors() {
		return fmt.Sprintf("the output does not parse: %s\n%s\n%s", diags[0].Summary, diags, got.out)
	}
	return ""
}

func parsesJSON(got outcome) string {
	if !json.Valid([]byte(got.out)) {
		return "the output is not JSON\n" + got.out
	}
	if _, diags := hcljson.Parse([]byte(got.out), "main.tf.json"); diags.HasErrors() {
		return fmt.Sprintf("the output does not parse: %s\n%s\n%s", diags[0].Summary, diags, got.out)
	}
	return ""
}

func rendersJSONAgain(x *subject) string {
	got := x.run("--json")
	if got.status != cli.ExitOK {
		return ""
	}
	if problem := parsesJSON(got); problem != "" {
		return problem
	}
	if strings.Contains(got.errs, "Unsupported block type") || strings.Contains(got.errs, "Repeated JSON property") {
		return "" // JSON doesn't show which names are blocks, and how many labels they have
	}
	again := x.alone(got.out, ".json").run("--json")
	return same("printed again", got, again)
}

// isNative reports whether the engine reads native files only.
func (x *subject) isNative() bool {
	for _, name := range x.names() {
		if strings.HasSuffix(name, ".json") {
			return false
		}
	}
	return true
}

// saysTheSameInJSON: a module in JSON equals its native text in JSON.
func saysTheSameInJSON(x *subject) string {
	native, asJSON := x.render(), x.run("--json")
	if native.status != cli.ExitOK || asJSON.status != cli.ExitOK || !x.isNative() || strings.Contains(native.errs, "Unsupported block type") || clitest.Loses(native.errs) {
		return ""
	}
	again := x.alone(native.out, "").run("--json")
	asJSON.out, again.out = canonical(asJSON.out), canonical(again.out)
	return same("the native text in JSON", asJSON, again)
}

// withoutLayout removes the differences in an expression of several lines that was formatted again.
var withoutLayout = strings.NewReplacer(`\n`, "", `\t`, "", `\r`, "", " ", "", ",", ",\n")

// canonical is JSON without its layout and the order of properties.
func canonical(text string) string {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return text
	}
	again, err := json.Marshal(value)
	if err != nil {
		return text
	}
	return withoutLayout.Replace(string(again))
}

func annotates(x *subject) string {
	plain, got := x.render(), x.run("--annotate")
	if plain.status != got.status {
		return fmt.Sprintf("status %d with marks, %d without\n%s%s", got.status, plain.status, plain.errs, got.errs)
	}
	if got.status != cli.ExitOK {
		return ""
	}
	if problem := parsesNative(got); problem != "" {
		return problem
	}
	if clitest.Loses(plain.errs) {
		return ""
	}
	want, marked := x.alone(plain.out, "").run("--json"), x.alone(got.out, "").run("--json")
	if want.out != marked.out {
		return fmt.Sprintf("what is marked says something else\n%s\n%s%s", cmp.Diff(want.out, marked.out), marked.errs, got.out)
	}
	return ""
}

func annotatesJSON(flag string) func(*subject) string {
	return func(x *subject) string { return saysTheSame(x, flag) }
}

func saysTheSame(x *subject, flag string) string {
	plain, got := x.run("--json"), x.run(flag, "--json", "--redact")
	if plain.status != got.status {
		return fmt.Sprintf("status %d annotated, %d otherwise\n%s%s", got.status, plain.status, plain.errs, got.errs)
	}
	if got.status != cli.ExitOK {
		return ""
	}
	if problem := parsesJSON(got); problem != "" {
		return problem
	}
	want, marked := x.alone(plain.out, ".json").render(), x.alone(got.out, ".json").render()
	if want.out != marked.out {
		return fmt.Sprintf("what is annotated says something else\n%s\n%s", cmp.Diff(want.out, marked.out), got.out)
	}
	return ""
}

func sorts(x *subject) string {
	plain, got := x.render(), x.run("--sort")
	if plain.status != got.status {
		return fmt.Sprintf("status %d sorted, %d otherwise\n%s%s", got.status, plain.status, plain.errs, got.errs)
	}
	if got.status != cli.ExitOK {
		return ""
	}
	if problem := parsesNative(got); problem != "" {
		return problem
	}
	got.out = mergetest.LineFeeds(got.out) // text between blocks is the program's
	again := x.alone(got.out, "").run("--sort")
	return same("sorted again", got, again)
}

// aPart: a part of a module is text of its syntax.
func aPart(x *subject, flags ...string) string {
	if got := x.run(flags...); got.status == cli.ExitOK {
		if problem := parsesNative(got); problem != "" {
			return problem
		}
	}
	if got := x.run(append([]string{"--json"}, flags...)...); got.status == cli.ExitOK {
		return parsesJSON(got)
	}
	return ""
}

// primary are the files that are not override files.
func (x *subject) primary() map[string]string {
	files := map[string]string{}
	for name, text := range x.files {
		if !overrides(name) {
			files[name] = text
		}
	}
	return files
}

// leavesOverridesOut: without its override files a module equals the module of the others.
func leavesOverridesOut(x *subject) string {
	primary, got := x.primary(), x.run("--no-overrides")
	if got.status != cli.ExitOK || !x.isNative() || len(primary) == 0 || strings.Contains(strings.Join(x.names(), " "), ".tofu") {
		return ""
	}
	alone := x.on(primary).render()
	if isEmpty(alone) {
		return ""
	}
	return same("the primary files alone", got, alone)
}

func isQuiet(x *subject) string {
	plain, got := x.render(), x.run("--quiet")
	if got.status != plain.status || got.out != plain.out || strings.Contains("\n"+got.errs, "\nWarning: ") {
		return fmt.Sprintf("status %d, want %d\n%s%s", got.status, plain.status, got.out, got.errs)
	}
	return ""
}

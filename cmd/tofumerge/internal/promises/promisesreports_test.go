package promises_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

// Promises of commands that report on a module, or write files, for every module.

func lists(x *subject) string {
	for _, args := range [][]string{{"list"}, {"list", "--json"}} {
		got := x.run(args...)
		if (got.status != cli.ExitOK) != x.isRefused() {
			return fmt.Sprintf("status %d, but render has %d\n%s%s", got.status, x.render().status, got.errs, x.render().errs)
		}
		if len(args) == 2 && got.out != "" && !json.Valid([]byte(got.out)) {
			return "the output is not JSON\n" + got.out
		}
	}
	return ""
}

func explains(x *subject) string {
	text, asJSON := x.run("explain", "--all"), x.run("explain", "--all", "--json")
	if text.status != asJSON.status {
		return fmt.Sprintf("status %d in text, %d in JSON\n%s%s", text.status, asJSON.status, text.errs, asJSON.errs)
	}
	if asJSON.status == cli.ExitOK && !json.Valid([]byte(asJSON.out)) {
		return "the output is not JSON\n" + asJSON.out
	}
	if bad := control.FindString(text.out); bad != "" {
		return fmt.Sprintf("the output holds the control character %q\n%q", bad, text.out)
	}
	return ""
}

func diffs(x *subject) string {
	plain, patch := x.render(), x.run("diff")
	isSaid := plain.status == cli.ExitOK && x.run("--json").status == cli.ExitOK // in both syntaxes
	if patch.status == cli.ExitOK && x.isRefused() || patch.status != cli.ExitOK && isSaid {
		return fmt.Sprintf("status %d, but render has %d\n%s%s", patch.status, plain.status, patch.errs, plain.errs)
	}
	if patch.status != cli.ExitOK {
		return ""
	}
	found := x.run("diff", "--detailed-exitcode")
	if (found.status == cli.ExitFound) != (patch.out != "") {
		return fmt.Sprintf("status %d of a patch of %d bytes\n%s", found.status, len(patch.out), patch.out)
	}
	if got := x.run("diff", "--json"); got.status != cli.ExitOK || !json.Valid([]byte(got.out)) {
		return "the report is not JSON\n" + got.errs + got.out
	}
	return ""
}

// listsChanges: it takes what diff takes, and finds nothing if diff finds nothing.
func listsChanges(x *subject) string {
	patch, got := x.run("diff"), x.run("changes", "--detailed-exitcode")
	switch {
	case patch.status != cli.ExitOK && got.status == cli.ExitFailed:
		return ""
	case patch.status == cli.ExitOK && got.status == cli.ExitFailed:
		return "diff takes the module\n" + got.errs
	case patch.status == cli.ExitOK && patch.out == "" && got.status == cli.ExitFound:
		return "diff finds nothing\n" + got.out
	case strings.HasPrefix(got.out, "No override changes anything") != (got.status == cli.ExitOK):
		return fmt.Sprintf("status %d\n%s", got.status, got.out)
	}
	if got := x.run("changes", "--json", "--redact"); got.status != cli.ExitOK || !json.Valid([]byte(got.out)) {
		return "the report is not JSON\n" + got.errs + got.out
	}
	if got := x.run("changes", "-f", "markdown"); got.status != cli.ExitOK || len(got.out) > 65_536 {
		return fmt.Sprintf("a comment of %d bytes\n%s", len(got.out), got.errs)
	}
	return ""
}

// checks: problems of a module are findings, and a module without findings isn't refused.
func checks(x *subject) string {
	plain, got := x.render(), x.run("check", "--format", "json")
	if isEmpty(plain) || refusedByEngine(plain) {
		return "" // nothing to check; or printed although the engine refuses it
	}
	if got.status == cli.ExitFailed {
		return fmt.Sprintf("check failed: %s\n%s", kindOf(got.errs), got.errs)
	}
	var report struct {
		Findings []struct{ Rule, Severity string }
	}
	if err := json.Unmarshal([]byte(got.out), &report); err != nil {
		return fmt.Sprintf("the report is not JSON\n%v\n%s", err, got.out)
	}
	refused, isWrong := "", false
	for _, f := range report.Findings {
		isWrong = isWrong || f.Severity == "error"
		switch f.Rule {
		case "syntax-error", "merge-error", "unreadable":
			refused = f.Rule
		}
	}
	if x.isRefused() && !isWrong || !x.isRefused() && refused != "" {
		return fmt.Sprintf("render has status %d, and check finds %q\n%s\n%s", plain.status, refused, plain.errs, got.out)
	}
	return ""
}

// refusedByEngine reports output, with a warning, that the engine refuses.
func refusedByEngine(got outcome) bool {
	return strings.Contains(got.errs, "Unsupported block type") || strings.Contains(got.errs, "Incompatible module") || strings.Contains(got.errs, "Invalid registry module source address")
}

// isRefused reports whether the module itself has an error: text that only one of the syntaxes
// can't express isn't one.
func (x *subject) isRefused() bool {
	return x.render().status != cli.ExitOK && x.run("--json").status != cli.ExitOK
}

// isEmpty reports whether a module has no file that the engine reads.
func isEmpty(got outcome) bool { return strings.Contains(got.errs, "no configuration files") }

// reports: every format of a report is well-formed.
func reports(x *subject) string {
	flags := []string{"check", "--deny", "**", "--deny-overrides", "--enable", "unmarked-override", "--format"}
	want := x.run(append(flags, "text")...)
	if bad := control.FindString(want.out); bad != "" {
		return fmt.Sprintf("the output holds the control character %q\n%q", bad, want.out)
	}
	if isEmpty(want) {
		return ""
	}
	for _, format := range []string{"json", "sarif", "github", "junit"} {
		got := x.run(append(flags, format)...)
		if got.status != want.status {
			return fmt.Sprintf("status %d of %s, %d of text\n%s", got.status, format, want.status, got.errs)
		}
		if problem := wellFormed(format, got.out); problem != "" {
			return fmt.Sprintf("%s is not well-formed: %s\n%s", format, problem, got.out)
		}
	}
	return ""
}

func wellFormed(format, text string) string {
	switch format {
	case "json", "sarif":
		if !json.Valid([]byte(text)) {
			return "not JSON"
		}
	case "github":
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "::") {
				return "a line is no command"
			}
		}
	default:
		for dec := xml.NewDecoder(strings.NewReader(text)); ; {
			if _, err := dec.Token(); err == io.EOF {
				return ""
			} else if err != nil {
				return numbers.ReplaceAllString(err.Error(), "N")
			}
		}
	}
	return ""
}

// marks: with all comments about overrides written none is missing, and only comments change: the
// module is the same.
func marks(x *subject) string {
	marked := x.on(x.files)
	if got := marked.run(append([]string{"check", "--fix", "--write"}, marking...)...); got.status != cli.ExitOK {
		return ""
	}
	if got := marked.run(append([]string{"check"}, marking...)...); got.status != cli.ExitOK {
		return fmt.Sprintf("status %d of check after --fix\n%s%s", got.status, got.out, got.errs)
	}
	before, after := x.run("--json"), marked.run("--json")
	if before.out != after.out || before.status != after.status {
		return "the module is another one with the comments\n" + cmp.Diff(before.out, after.out) + after.errs
	}
	return ""
}

// fixes: with all fixes written there is nothing left to fix. No primary file changes, and
// where nothing was repeated the module is the same.
func fixes(x *subject) string {
	patch := x.run("check", "--fix")
	if isEmpty := x.run("check").status == cli.ExitFailed; isEmpty || patch.status == cli.ExitFailed {
		if !isEmpty {
			return "status 1 of --fix\n" + patch.errs
		}
		return ""
	}
	fixed := x.on(x.files)
	if got := fixed.run("check", "--fix", "--write"); got.status == cli.ExitFailed {
		return "status 1 of --fix --write\n" + got.errs
	}
	again := fixed.run("check", "--fix", "--disable", "block-replace-drops-blocks") // the patch alone repeats blocks
	if again.out != "" {
		return "there is more to fix\n" + again.out
	}
	if found := clitest.OneLine(x.run("check").out); strings.Contains(found, "-drops-") || strings.Contains(found, "outside the escaping block is used") {
		return "" // dropped parts are back, and duplicates were refused before
	}
	for name, text := range x.files {
		now, err := os.ReadFile(filepath.Join(fixed.dir, name))
		if err == nil && string(now) != text && !overrides(name) {
			return "a primary file was fixed\n" + name
		}
	}
	before, after := x.run("--json"), fixed.on(nil).readFrom(fixed.dir).run("--json")
	if canonical(before.out) != canonical(after.out) || before.status != after.status {
		return "the module is another one with fixes\n" + cmp.Diff(before.out, after.out) + after.errs + patch.out
	}
	return ""
}

// readFrom is a subject with the files of a directory.
func (x *subject) readFrom(dir string) *subject {
	entries, err := os.ReadDir(dir)
	if err != nil {
		x.c.t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		if text, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil {
			files[e.Name()] = string(text)
		}
	}
	return x.on(files)
}

// flattens: what flatten writes is what render prints, file by file.
func flattens(x *subject) string {
	plain := x.run("--json", "--sort")
	out := x.on(nil)
	engine := x.engine
	if engine == "" {
		engine = "opentofu"
	}
	got := x.run("flatten", "--only-config", "--output", out.dir, "--engine", engine)
	if got.status != cli.ExitOK || plain.status != cli.ExitOK {
		return ""
	}
	entries, err := os.ReadDir(out.dir)
	if err != nil {
		return err.Error()
	}
	for _, e := range entries {
		if name := e.Name(); overrides(name) {
			return "an override file was written\n" + name
		} else if text, err := os.ReadFile(filepath.Join(out.dir, name)); err == nil {
			out.files = mutant{out.files, ""}.with(name, string(text)).files
		}
	}
	again := out.run("--json", "--sort")
	plain.out, again.out = canonical(plain.out), canonical(again.out)
	if len(entries) == 0 || clitest.Loses(plain.errs) || !x.isNative() {
		return "" // an override in the other syntax decides on blocks and arguments
	}
	if problem := same("flattened", plain, again); problem != "" {
		return problem + "\n" + out.archive()
	}
	return ""
}

func comparesEngines(x *subject) string {
	other := "terraform"
	if strings.HasPrefix(x.engine, other) {
		other = "opentofu"
	}
	if got := x.run("check", "--against-engine", other, "--json"); !json.Valid([]byte(got.out)) {
		return "the report is not JSON\n" + got.out
	}
	return ""
}

func followsSchema(x *subject) string {
	for _, args := range [][]string{{"list", "--json"}, {"diff", "--json"}, {"changes", "--json"}, {"explain", "--all", "--json"}, {"check", "--format", "json"}} {
		got := x.run(args...)
		if got.out == "" || !json.Valid([]byte(got.out)) {
			continue
		}
		if err := x.c.schema(got.out); err != nil {
			return fmt.Sprintf("a report of %s is not as the schema says\n%v\n%s", args[0], err, got.out)
		}
	}
	return ""
}

func isDeterministic(x *subject) string {
	for _, args := range [][]string{nil, {"--json", "-a"}, {"check", "--format", "json"}, {"explain", "--all"}, {"diff"}, {"changes"}} {
		first := x.run(args...)
		if again, _ := x.exec(args); again != first {
			return fmt.Sprintf("%v\n%s", args, cmp.Diff(first, again, cmp.AllowUnexported(outcome{})))
		}
	}
	return ""
}

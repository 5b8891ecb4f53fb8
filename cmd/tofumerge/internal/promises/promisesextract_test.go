package promises_test

import (
	"regexp"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

// extracts: from the primary files and the effective configuration, extract makes an override with
// the meaning of the module's override files; from one module and itself it makes nothing.
func extracts(x *subject) string {
	printed, plain := x.render(), x.run("--json", "--sort")
	if printed.status != cli.ExitOK || plain.status != cli.ExitOK || isEmpty(printed) || clitest.Loses(printed.errs) || !x.isNative() {
		return ""
	}
	if got := x.run("extract", x.dir, x.dir); got.out != "" || got.status == cli.ExitFound {
		return "a module differs from itself\n" + got.out + got.errs
	}
	edited, base := x.alone(printed.out, ""), x.on(x.primary())
	if edited.render().status != cli.ExitOK || base.render().status != cli.ExitOK {
		return ""
	}
	got := x.run("extract", base.dir, edited.dir)
	switch {
	case got.status == cli.ExitFailed:
		if refusedByEngine(printed) || strings.Contains(got.errs, "Duplicate argument") {
			return ""
		}
		return "render takes both modules\n" + got.errs
	case got.status == cli.ExitFound:
		if !strings.Contains(clitest.OneLine(got.errs), "the override") {
			return "nothing is listed\n" + got.errs
		}
		return ""
	case strings.Contains(clitest.OneLine(got.errs), "in every file, so that edit is left out"):
		return ""
	}
	if strings.Contains(printed.out, "required_version") {
		return "" // a constraint that is given twice is one constraint
	}
	files := x.primary()
	if got.out != "" {
		files["zz_z_override.tf"] = got.out
	}
	again := x.on(files).run("--json", "--sort")
	first := edited.run("--json", "--sort")
	first.out, again.out = withoutNullVersion(canonical(first.out)), withoutNullVersion(canonical(again.out))
	if problem := same("extracted", first, again); problem != "" {
		return problem + "\n" + got.out
	}
	return ""
}

// withoutNullVersion is an encoded module without the arguments version = null of module calls, which
// the engine reads as none.
func withoutNullVersion(text string) string {
	return nullVersion.ReplaceAllString(text, "")
}

var nullVersion = regexp.MustCompile(`,\s*"version":\s*null`)

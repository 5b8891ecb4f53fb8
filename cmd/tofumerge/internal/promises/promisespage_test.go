package promises_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// What report writes of a module.

var (
	aside   = regexp.MustCompile(`(?s)<div class="row (?:gone|idle)[^"]*"><pre>.*?</pre>`) // not configuration
	quoted  = regexp.MustCompile(`(?s)<pre>(.*?)</pre>`)
	escaped = regexp.MustCompile(`\\(?:x..|u....|U........)`)
)

// writesPage: the page is whole and harmless, and holds the words of the configuration.
func writesPage(x *subject) string {
	plain, got := x.render(), x.run("report")
	if got.out == "" {
		if plain.status == cli.ExitOK && !isEmpty(plain) {
			return "render takes the module\n" + got.errs
		}
		return ""
	}
	isOdd := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }
	switch {
	case !strings.HasPrefix(got.out, "<!DOCTYPE html>\n") || !strings.HasSuffix(got.out, "</html>\n"):
		return "the page is not whole\n" + got.out
	case !utf8.ValidString(got.out) || strings.ContainsFunc(got.out, isOdd):
		return "the page holds what does not print\n" + got.out
	case (got.status == cli.ExitFailed) != strings.Contains(got.errs, "can't merge 1 module"):
		return fmt.Sprintf("status %d\n%s", got.status, got.errs)
	case plain.status == cli.ExitOK && got.status != cli.ExitOK && !refusedByEngine(plain):
		return "render takes the module\n" + got.errs
	}
	if plain.status != cli.ExitOK || got.status != cli.ExitOK || isPartial(got.out) || !strings.Contains(got.out, "<h3>Effective configuration</h3>") {
		return ""
	}
	var text strings.Builder
	for _, m := range quoted.FindAllStringSubmatch(aside.ReplaceAllString(got.out, ""), -1) {
		text.WriteString(m[1] + "\n")
	}
	want, have := printedWords(plain.out), printedWords(html.UnescapeString(text.String()))
	if diff := cmp.Diff(want, have); diff != "" {
		return "the words (-printed +page) are\n" + diff
	}
	return ""
}

// isPartial reports whether a page leaves something of the configuration out.
func isPartial(page string) bool {
	for _, part := range []string{`<p class="fold">`, wording.SensitiveValue, "more bytes", `class="quiet"`, "the text is not shown"} {
		if strings.Contains(page, part) {
			return true
		}
	}
	return false
}

// printedWords are the words of a text, except for those that a page escapes, in alphabetical
// order.
func printedWords(text string) []string {
	printed := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, escaped.ReplaceAllString(text, " "))
	list := strings.Fields(printed)
	slices.Sort(list)
	return list
}

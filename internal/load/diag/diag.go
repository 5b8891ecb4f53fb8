package diag

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// Escape makes a name from a user's file or command line safe to print: what
// is not printable is written as in a Go string.
func Escape(s string) string {
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

func New(at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  summary,
		Detail:   fmt.Sprintf(format, args...),
		Subject:  &at,
	}
}

func NewWith(related Related, at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	return WithRelated(related, New(at, summary, format, args...))
}

// Article is the indefinite article for the start of a sentence.
func Article(noun string) string {
	if noun != "" && strings.ContainsRune("aeiou", rune(noun[0])) {
		return "An"
	}
	return "A"
}

func DidYouMean(name string, candidates []string) string {
	if near := spelling.Nearest(name, candidates); near != "" {
		return fmt.Sprintf(" Did you mean %q?", near)
	}
	return ""
}

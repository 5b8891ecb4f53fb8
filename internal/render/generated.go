package render

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// All configuration text that stands in no source file is made here.

// wrap puts the braces of a block around lines. Each line of body is indented
// and ends with eol.
func wrap(header, body, indent, eol string) string {
	return header + " {" + eol + body + indent + "}"
}

// furtherTerraform is a terraform block that holds one version constraint.
func furtherTerraform(c chunk, eol string) string {
	return wrap("terraform", indentUnit+c.at(indentUnit, eol)+eol, "", eol)
}

// literalText is computed text: a value written out, or a source text with
// some stretches exchanged.
func literalText(l *merge.Literal) []byte {
	if len(l.Changes) > 0 {
		return l.Text()
	}
	return hclwrite.TokensForValue(l.Value).Bytes()
}

// escaping is an escaping block for items that must not be taken for
// meta-arguments.
func escaping(lines []string, indent, eol string) string {
	inner := indent + indentUnit
	return wrap(load.EscapeBlock, inner+strings.Join(lines, eol+inner)+eol, indent, eol)
}

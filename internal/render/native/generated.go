package native

import (
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
)

// All configuration text that is in no source file is made here.

// wrap puts the braces of a block around lines. Each line of body is indented
// and ends with eol.
func wrap(header, body, indent, eol string) string {
	return header + " {" + eol + body + indent + "}"
}

// furtherTerraform is a terraform block that holds one version constraint.
func furtherTerraform(c textedit.Chunk, eol string) string {
	return wrap("terraform", textedit.IndentUnit+c.At(textedit.IndentUnit, eol)+eol, "", eol)
}

// escaping is an escaping block for items that must not be taken for
// meta-arguments.
func escaping(lines []string, indent, eol string) string {
	inner := indent + textedit.IndentUnit
	return wrap(source.EscapeBlock, inner+strings.Join(lines, eol+inner)+eol, indent, eol)
}

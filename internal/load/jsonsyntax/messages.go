package jsonsyntax

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// Messages about JSON.

// VoidBlock warns of a null or [] where nested blocks are expected.
func VoidBlock(name string, at hcl.Range) *hcl.Diagnostic {
	d := diag.WithCode(diag.NoEffect, diag.New(at, "Override has no effect",
		"\"%s\" is a block type here, and this value declares no block. Blocks of earlier files stay unchanged.",
		diag.Escape(name)))
	d.Severity = hcl.DiagWarning
	return d
}

// pathWords describes the body of a path: "resource aws_instance", "root of resource
// aws_instance".
func pathWords(path string) string {
	parts := strings.SplitN(path, "/", 3)
	words := diag.Escape(strings.Join(parts[:min(2, len(parts))], " "))
	if len(parts) == 3 {
		words = diag.Escape(strings.ReplaceAll(parts[2], "/", ".")) + " of " + words
	}
	return words
}

// maxGuessed is how many names a warning has.
const maxGuessed = 5

// namesOf lists the names of guesses, of many the first ones.
func namesOf(list []guess) string {
	var names []string
	for _, g := range list[:min(len(list), maxGuessed)] {
		names = append(names, "\""+diag.Escape(g.name)+"\"")
	}
	if more := len(list) - len(names); more > 0 {
		return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", more)
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return names[0]
}

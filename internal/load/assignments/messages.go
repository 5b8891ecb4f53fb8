package assignments

import (
	"errors"
	"io/fs"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// Every message of the package, one function each.

func blockIn(typ string, at hcl.Range) *hcl.Diagnostic {
	if typ == declaration {
		return diag.New(at, "Variable declared in a variables file", "A variables file gives values to variables and can't declare any. Move the block to a configuration file; to set the variable, write NAME = VALUE here.")
	}
	return diag.New(at, "Block in a variables file", "A variables file can't hold blocks, only arguments that give values to variables. Move the block to a configuration file.")
}

// notConstant refuses an expression that an engine would have to compute. word is the whole value
// if that is a word.
func notConstant(at hcl.Range, word string) *hcl.Diagnostic {
	remedy := "Write the value out."
	if word != "" {
		remedy = "If it is text, put it in quotes."
	}
	return diag.New(at, "Value isn't constant", "A value that is given to a variable can't refer to anything or call functions. %s", remedy)
}

func unreadable(name string, err error) *hcl.Diagnostic {
	why := input.StripPath(err).Error()
	if errors.Is(err, fs.ErrNotExist) {
		why = "there is no such file, or it is a symbolic link to nothing"
	}
	return diag.WithCode(diag.Unreadable, diag.New(hcl.Range{Filename: name}, "Failed to read file", "Can't read the file: %s.", why))
}

// passedOver warns of a link to nothing that has the name of a file which engines look for
// before they read it.
func passedOver(name string) *hcl.Diagnostic {
	d := diag.WithCode(diag.Unreadable, diag.New(hcl.Range{Filename: name}, "Variables file is missing", "This is a symbolic link to nothing, so no value comes from it. Restore its target, or remove the link."))
	d.Severity = hcl.DiagWarning
	return d
}

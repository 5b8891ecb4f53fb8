package assignments

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// environmentPrefix is how the names of environment variables start that give a value.
const environmentPrefix = "TF_VAR_"

// optionName is the option that sets one variable, as ranges name it.
const optionName = "--var"

// Environment returns the values in an environment, which is a list of NAME=VALUE. Of several
// entries for one name, the last wins.
func Environment(environ []string) []Value {
	var values []Value
	for _, entry := range environ {
		rest, ok := strings.CutPrefix(entry, environmentPrefix)
		if name, text, isSet := strings.Cut(rest, "="); ok && isSet {
			values = append(values, ofText(environmentPrefix+name, name, text))
		}
	}
	return values
}

// Option is the value that NAME=VALUE of an option gives.
func Option(text string) (Value, hcl.Diagnostics) {
	name, value, isSet := strings.Cut(text, "=")
	switch {
	case !isSet:
		return Value{}, hcl.Diagnostics{diag.New(hcl.Range{Filename: optionName}, "Invalid variable option", "%q has no equals sign. Write NAME=VALUE.", diag.Escape(text))}
	case strings.HasSuffix(name, " "):
		return Value{}, hcl.Diagnostics{diag.New(hcl.Range{Filename: optionName}, "Invalid variable option", "The name %q ends with a blank. Write NAME=VALUE without blanks around the equals sign.", diag.Escape(name))}
	}
	return ofText(optionName, name, value), nil
}

// ofText is a value whose text is in no file; its ranges give from as the file name.
func ofText(from, name, text string) Value {
	at := hcl.Range{Filename: from, Start: hcl.InitialPos, End: hcl.InitialPos}
	return Value{Name: name, Key: at, Range: at, text: []byte(text)}
}

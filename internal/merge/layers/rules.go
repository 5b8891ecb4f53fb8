package layers

// A Source is a way to set a variable, as reports name it.
type Source string

// The sources.
const (
	Default Source = "default" // of the declaration
	File    Source = "file"    // that is loaded for the directory
)

// Why explains in a sentence when each source applies, as the releases that engine.Observed lists
// treat it.
// https://opentofu.org/docs/language/values/variables/#variable-definition-precedence documents most of it.
var Why = map[Source]string{
	Default: "Used if nothing else gives a value, or if that is null and nullable = false.",
	File:    "Loaded for the directory: terraform.tfvars, then terraform.tfvars.json, then the other files by their names. If several set a variable, the last one wins.",
}

// declaration is the type of the blocks that declare what layers give values to; defaultOf
// is the argument that is the lowest layer, and typeOf what values are converted to.
const (
	declaration = "variable"
	defaultOf   = "default"
	typeOf      = "type"
)

// A remote is a block in effect with which variables may be set where they can't be seen: in
// the workspaces of a service.
type remote struct {
	path  string // block types, joined by "/"
	label string // of the last one, empty for any
}

var remotes = []remote{
	{"terraform/cloud", ""},
	{"terraform/backend", "remote"},
}

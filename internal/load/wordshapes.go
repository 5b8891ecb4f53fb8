package load

// The part of the table in shapes.go that is about references and addresses.

// roots are the words at the start of references to something else than a managed
// resource, and the releases that know them.
var roots = map[string]Engines{
	"var": {}, "local": {}, "module": {}, "data": {}, "path": {}, "terraform": {}, "self": {}, "count": {}, "each": {},
	"ephemeral": sinceEphemeral,
	"tofu":      {OpenTofu: ">= 1.9"},
	"action":    {Terraform: ">= 1.13"},
	"caller":    {Terraform: ">= 1.16"},
}

// movable and importable are the modes of resources that can be moved, and imported,
// by the word at the start of their addresses, and the releases in which they can.
var (
	movable    = map[string]Engines{"": {}, "data": {}, "ephemeral": {Terraform: every}, "list": {Terraform: every}}
	importable = map[string]Engines{"": {}, "data": {OpenTofu: every, Terraform: "< 1.7"}, "ephemeral": {OpenTofu: every}}
)

// modes are what may stand before the type of a resource.
var modes = map[string]Engines{
	"data":      {},
	"ephemeral": sinceEphemeral,
	"list":      {Terraform: ">= 1.13"},
	"resource":  {Terraform: ">= 1.9"},
}

// Terraform since 1.10 takes what other references start with for no type.
var (
	wordsAreNoTypes = Engines{Terraform: ">= 1.10"}
	noTypes         = []string{"var", "local", "each", "count", "self", "path", "terraform", "template", "lazy", "arg"}
)

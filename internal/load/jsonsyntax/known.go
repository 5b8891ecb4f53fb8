package jsonsyntax

import (
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// JSON does not say whether a property of a body that belongs to a provider is
// an argument or a nested block. What is known of such names is gathered here.

// A verdict says what a property is.
type verdict struct {
	block   bool
	labels  int  // of the block
	guessed bool // nothing but the look of the value said so
	// disputed: the schemas of several providers contradict each other.
	disputed bool
}

// known is what tells arguments from nested blocks.
type Known struct {
	Schema *ProviderSchema
	Usage  Usage
}

// A usage says how files write names, by the path of the body, such as
// resource/aws_instance/ebs_block_device, and the name.
type Usage map[string]map[string]use

type use struct {
	argument, block bool // written so in native syntax; a dynamic block in JSON
	labels          int  // of the block
	scalar          bool // has a value in JSON that can be no block
	array           bool // is an array of objects in JSON
}

// decide says what a property of a body is: by the provider's schema, by the
// way native files write the name, by what the language itself or every
// provider means by it; else by the look of the value, here and elsewhere.
func (k *Known) decide(path, name string, v Value, repeated func() bool) verdict {
	if !spelling.IsNativeName(name) || !isCollection(v) {
		return verdict{}
	}
	fromSchema, ok := k.Schema.lookup(path, name, v)
	if ok {
		return fromSchema
	}
	u := k.Usage[path][name]
	if u.block != u.argument && (u.labels > 0 || u.argument || mayBeBlocks(v)) {
		return verdict{block: u.block, labels: u.labels}
	}
	if !mayBeBlocks(v) {
		return verdict{}
	}
	if found, ok := wellKnown(path, name); ok {
		return found
	}
	if repeated() {
		return verdict{block: true} // an argument can't be given twice
	}
	if u.scalar {
		return verdict{}
	}
	return verdict{block: u.array && !v.isVoid(), guessed: true, disputed: fromSchema.disputed}
}

// isCollection tells values that do not show by themselves that they are no
// blocks: objects, arrays and null.
func isCollection(v Value) bool {
	k := v.Kind()
	return k == '{' || k == '[' || k == 'n'
}

// mayBeBlocks tells values that can stand for nested blocks: objects whose keys
// can name arguments, arrays of such, and what stands for no block at all.
func mayBeBlocks(v Value) bool {
	switch v.Kind() {
	case 'n':
		return true
	case '{':
		for p := range v.Children() {
			name := p.Name()
			if !spelling.IsNativeName(name) && name != commentKey || name == source.DynamicBlock && !isCollection(p) {
				return false
			}
		}
		return true
	case '[':
		for c := range v.Children() {
			if c.Kind() != '{' || !mayBeBlocks(c) {
				return false
			}
		}
		return true
	}
	return false
}

// makesBlocks tells values of a property "dynamic" that can be dynamic blocks: bodies,
// each of which has a for_each, by the type of what they make. Any other value is
// that of an argument of this name, if the provider has one.
func (v Value) makesBlocks() bool {
	for made := range v.Objects() {
		for arg := range made.Objects() {
			if arg.Name() == "for_each" {
				return true
			}
		}
	}
	return false
}

// LooksDynamic tells whether an argument called dynamic, with a value that is this JSON text, could
// be taken for dynamic blocks.
func LooksDynamic(a *source.Attr, text []byte) bool {
	return !holdsArguments(pathOf(a.In)) && newReader(text).value(0).makesBlocks()
}

// pathOf is the path of a block's body.
func pathOf(b *source.Block) string {
	switch {
	case b.In == nil:
		return bodyPath(b)
	case b.Type == language.EscapeBlock:
		return pathOf(b.In)
	}
	return pathOf(b.In) + "/" + b.Called()
}

// argumentBodies start the paths of bodies that hold arguments only, whoever
// they belong to.
var argumentBodies = []string{"module/", "terraform/encryption/", "terraform/backend/", "terraform/cloud", "language/"}

// wellKnown says what a name is that means the same to every provider, or that
// the engine's own resource types have.
func wellKnown(path, name string) (verdict, bool) {
	kind, rest, _ := strings.Cut(path, "/")
	typ, _, nested := strings.Cut(rest, "/")
	switch {
	case path == "terraform/backend/remote" && name == "workspaces", path == "terraform/cloud" && name == "workspaces":
		return verdict{block: true}, true
	case holdsArguments(path):
		return verdict{}, true
	case kind == "resource" && typ == "terraform_data", kind == "data" && typ == "terraform_remote_state":
		return verdict{}, true
	case kind == "provider" && !nested:
		_, isBlock := providerBlocks[typ+"/"+name]
		return verdict{block: true}, isBlock
	case name == "timeouts" && !nested:
		return verdict{block: true}, true
	}
	_, isMap := mapArguments[name]
	return verdict{}, isMap
}

// holdsArguments tells bodies that hold no nested blocks but those of the
// language.
func holdsArguments(path string) bool {
	_, inner, _ := strings.Cut(path, "/")
	_, inner, _ = strings.Cut(inner, "/")
	first, _, _ := strings.Cut(inner, "/")
	return startsWithAny(path+"/", argumentBodies) || strings.HasPrefix(path, "resource/") && (first == "connection" || first == "provisioner")
}

func startsWithAny(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// mapArguments are arguments of resources, and of their nested blocks, that hold
// maps with every provider that has them.
var mapArguments = map[string]struct{}{
	"annotations": {}, "keepers": {}, "labels": {}, "tags": {}, "tags_all": {}, "triggers": {},
}

// providerBlocks are nested blocks of provider configurations.
var providerBlocks = map[string]struct{}{
	"aws/assume_role": {}, "aws/assume_role_with_web_identity": {}, "aws/default_tags": {}, "aws/endpoints": {}, "aws/ignore_tags": {},
	"azurerm/features": {}, "google/batching": {}, "google-beta/batching": {},
	"helm/kubernetes": {}, "helm/registry": {}, "kubernetes/exec": {}, "vault/auth_login": {},
}

// at changes what is known of a name.
func (u Usage) at(path, name string, change func(*use)) {
	inner := u[path]
	if inner == nil {
		inner = map[string]use{}
		u[path] = inner
	}
	was := inner[name]
	change(&was)
	inner[name] = was
}

func (u Usage) noteBlock(path, name string, labels int) {
	u.at(path, name, func(x *use) { x.block, x.labels = true, max(x.labels, labels) })
}

// add joins what several files say.
func (u Usage) Add(o Usage) {
	for path, names := range o {
		for name, more := range names {
			u.at(path, name, func(x *use) {
				*x = use{x.argument || more.argument, x.block || more.block, max(x.labels, more.labels), x.scalar || more.scalar, x.array || more.array}
			})
		}
	}
}

package load

import (
	"strings"
)

// JSON does not say whether a property of a body that belongs to a provider is
// an argument or a nested block. What is known of such names is gathered here.

// A verdict says what a property is.
type verdict struct {
	block   bool
	labels  int  // of the block
	guessed bool // nothing but the look of the value said so
}

// known is what tells arguments from nested blocks.
type known struct {
	schema *ProviderSchema
	usage  usage
}

// A usage says how native files write names, by the path of the body and the
// name: resource/aws_instance/ebs_block_device.
type usage map[string]use

type use struct {
	argument, block bool
	labels          int
}

// decide says what a property of a body is: by the provider's schema, by the
// way native files write the name, by what the language itself or every
// provider means by it; else by the look of the value.
func (k *known) decide(path, name string, v jsonValue, repeated func() bool) verdict {
	if !isName(name) || !mayBeBlocks(v) {
		return verdict{}
	}
	key := path + "/" + name
	if found, ok := k.schema.lookup(path, name, v); ok {
		return found
	}
	if u := k.usage[key]; u.block != u.argument {
		return verdict{block: u.block, labels: u.labels}
	}
	if found, ok := wellKnown(path, name); ok {
		return found
	}
	if repeated() {
		return verdict{block: true} // an argument can't be given twice
	}
	return verdict{block: v.kind() == '[' && !v.node().empty, guessed: true}
}

// mayBeBlocks tells values that can stand for nested blocks: objects whose keys
// can name arguments, arrays of such, and what stands for no block at all.
func mayBeBlocks(v jsonValue) bool {
	switch v.kind() {
	case 'n':
		return true
	case '{':
		for p := range v.children() {
			if name := p.name(); !isName(name) && name != commentKey {
				return false
			}
		}
		return true
	case '[':
		for c := range v.children() {
			if c.kind() != '{' || !mayBeBlocks(c) {
				return false
			}
		}
		return true
	}
	return false
}

// argumentBodies start the paths of bodies that hold arguments only, whoever
// they belong to.
var argumentBodies = []string{"module/", "terraform/encryption/", "terraform/backend/", "terraform/cloud", "language/"}

// wellKnown says what a name is that means the same to every provider, or that
// the engine's own resource types have.
func wellKnown(path, name string) (verdict, bool) {
	kind, rest, _ := strings.Cut(path, "/")
	typ, inner, nested := strings.Cut(rest, "/")
	switch {
	case path == "terraform/backend/remote" && name == "workspaces", path == "terraform/cloud" && name == "workspaces":
		return verdict{block: true}, true
	case startsWithAny(path+"/", argumentBodies):
		return verdict{}, true
	case kind == "resource" && typ == "terraform_data", kind == "data" && typ == "terraform_remote_state":
		return verdict{}, true
	case nested && (strings.HasSuffix(inner, "connection") || strings.HasPrefix(inner, "provisioner")):
		return verdict{}, true
	case kind == "provider":
		_, isBlock := providerBlocks[typ+"/"+name]
		return verdict{block: true}, isBlock && !nested
	case nested:
		return verdict{}, false
	case name == "timeouts":
		return verdict{block: true}, true
	}
	_, isMap := mapArguments[name]
	return verdict{}, isMap
}

func startsWithAny(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// mapArguments are arguments of resources that hold maps with every provider
// that has them.
var mapArguments = map[string]struct{}{
	"annotations": {}, "keepers": {}, "labels": {}, "tags": {}, "tags_all": {}, "triggers": {},
}

// providerBlocks are nested blocks of provider configurations.
var providerBlocks = map[string]struct{}{
	"aws/assume_role": {}, "aws/assume_role_with_web_identity": {}, "aws/default_tags": {}, "aws/endpoints": {}, "aws/ignore_tags": {},
	"azurerm/features": {}, "google/batching": {}, "google-beta/batching": {},
	"helm/kubernetes": {}, "helm/registry": {}, "kubernetes/exec": {}, "vault/auth_login": {},
}

// note remembers how a native top-level block writes the names in its body.
func (u usage) note(b *Block, asked names) {
	shape, ok := Root.Block(b.Type)
	if ok && b.Body != nil && len(b.Labels) == len(shape.Labels) {
		u.noteBody(b.Body, shape.Body, bodyPath(b), asked)
	}
}

// names are those of properties in JSON bodies that may be nested blocks.
type names map[string]bool

// bodyPath is the path of the body of a top-level block.
func bodyPath(b *Block) string {
	if len(b.Labels) == 0 {
		return b.Type
	}
	return b.Type + "/" + b.Labels[0]
}

func (u usage) noteBody(body *Body, shape *BodyShape, path string, asked names) {
	for _, it := range body.Items {
		name := it.Called()
		nb, isBlock := it.(*Block)
		at := ""
		if isBlock || asked[name] {
			at = path + "/" + name
		}
		switch {
		case !isBlock:
			if asked[name] && shape.isOpen() && !shape.Knows(name) {
				was := u[at]
				was.argument = true
				u[at] = was
			}
		case nb.Type == EscapeBlock:
			u.noteBody(nb.Body, open, path, asked)
		case nb.Type == dynamicType && len(nb.Labels) == 1:
			u.noteBlock(at, 0)
			for _, content := range nb.Body.Blocks("content") {
				u.noteBody(content.Body, open, at, asked)
			}
		default:
			inner, known := shape.Block(name)
			if !known {
				u.noteBlock(at, len(nb.Labels))
				inner.Body = open
			}
			u.noteBody(nb.Body, inner.Body, innerPath(at, nb, known), asked)
		}
	}
}

// noteJSON remembers what a JSON body says for certain: a dynamic block makes
// nested blocks. It also gathers the names that other files may be asked about.
func (u usage) noteJSON(body jsonValue, path string, asked names) {
	for p := range body.objects() {
		if k := p.kind(); k != '{' && k != '[' && k != 'n' {
			continue
		}
		if name := p.rawKey(); string(name) == `"`+dynamicType+`"` {
			u.noteDynamic(p, path, asked)
		} else if !asked[string(name[1:len(name)-1])] {
			asked[p.name()] = true
		}
		if p.kind() != 'n' {
			u.noteJSON(p, path+"/"+p.name(), asked)
		}
	}
}

func (u usage) noteDynamic(p jsonValue, path string, asked names) {
	for made := range p.objects() {
		at := path + "/" + made.name()
		u.noteBlock(at, 0)
		for arg := range made.objects() {
			if arg.name() == "content" {
				u.noteJSON(arg, at, asked)
			}
		}
	}
}

// innerPath is the path of the body of a nested block. Blocks of the language
// that have a type for a label have it in the path.
func innerPath(at string, b *Block, known bool) string {
	if known && len(b.Labels) > 0 {
		return at + "/" + b.Labels[0]
	}
	return at
}

func (u usage) noteBlock(at string, labels int) {
	was := u[at]
	was.block = true
	was.labels = max(was.labels, labels)
	u[at] = was
}

// add joins what several files say.
func (u usage) add(o usage) {
	for at, more := range o {
		was := u[at]
		u[at] = use{was.argument || more.argument, was.block || more.block, max(was.labels, more.labels)}
	}
}

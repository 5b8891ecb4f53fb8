package jsonsyntax

import (
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// JSON does not show whether a property of a body whose schema is a provider's is an argument or a
// nested block:
//
//	{"resource": {"aws_instance": {"web": {
//	  "tags":             {"Name": "web"},
//	  "ebs_block_device": {"device_name": "/dev/sdb"}
//	}}}}
//
// is in native syntax
//
//	resource "aws_instance" "web" {
//	  tags = { Name = "web" }
//	  ebs_block_device {
//	    device_name = "/dev/sdb"
//	  }
//	}

// commentKey is the name of a property that is a comment in a body.
const commentKey = "//"

// A decision says whether a property is an argument or nested blocks, and why. The zero value says that it surely is
// an argument.
type decision struct {
	block   bool // blocks; otherwise an argument
	labels  int  // how many labels the blocks have
	guessed bool // decided only by the form of the value
	evident bool // decided by how other files of the module write the name
	// disputed: the schemas of several providers contradict each other.
	disputed bool
}

// A Classifier decides which properties of JSON bodies are arguments and which are nested blocks.
type Classifier struct {
	Schema   *providerschema.Schema
	Evidence Evidence
}

// Evidence says how the files of a module write names. Its keys are the path of a body, such as
// resource/aws_instance/ebs_block_device, and then the name.
type Evidence map[string]map[string]nameEvidence

// A nameEvidence says how files write one name in bodies of one path.
type nameEvidence struct {
	argument, block bool // native files write it so; block also if JSON has a dynamic block of the type
	labels          int  // the most that a native block of the name has
	notBlock        bool // some JSON value can't be a block
	objectArray     bool // some JSON value is an array of objects
}

// decide tells whether property v, called name in the body at path, is an argument or blocks. It asks the provider's
// schema, then how other files write the name, then names that mean the same to every provider, and then whether the
// name comes twice in the body (repeated) or has a value that can't be blocks. If none of these tells, it guesses:
// blocks if a value of the name is an array of objects somewhere, otherwise an argument.
func (k *Classifier) decide(path, name string, v jsontree.Value, repeated func() bool) decision {
	// Blocks can't have such a name or such a value.
	if !spelling.IsNativeName(name) || !isCollection(v) {
		return decision{}
	}
	// The provider's schema decides.
	use, ok := k.Schema.Lookup(path, name, v) // without ok, use tells only whether schemas disagree
	if ok {
		return decision{block: use.Block, labels: use.Labels}
	}
	// Other files decide if they agree, and if the value fits.
	u := k.Evidence[path][name]                          // how other files write the name
	filesAgree := u.block != u.argument                  // they write it, and in one way only
	fits := u.argument || u.labels > 0 || mayBeBlocks(v) // any collection fits an argument, or has labels as keys
	if filesAgree && fits {
		return decision{block: u.block, labels: u.labels, evident: true}
	}
	// From here on, blocks would have no labels, so the value must be bodies.
	if !mayBeBlocks(v) {
		return decision{}
	}
	if found, ok := wellKnown(path, name); ok {
		return found
	}
	if repeated() {
		return decision{block: true} // an argument can't be given twice
	}
	if u.notBlock { // another value of the name can't be blocks
		return decision{}
	}
	// A guess by the form of the values, with a warning. An empty array or null (IsVoid) stays an argument.
	return decision{block: u.objectArray && !v.IsVoid(), guessed: true, disputed: use.Disputed}
}

// isCollection reports whether a value is an object, an array or null: no other value can be blocks.
func isCollection(v jsontree.Value) bool {
	k := v.Kind()
	return k == '{' || k == '[' || k == 'n'
}

// mayBeBlocks reports whether a value can be nested blocks: an object whose keys can be names of arguments, an array
// of such objects, which may be empty, or null. In a body, "dynamic" must hold blocks, so its value is a collection.
func mayBeBlocks(v jsontree.Value) bool {
	switch v.Kind() {
	case 'n':
		return true
	case '{':
		for p := range v.Children() {
			name := p.Name()
			isPossible := spelling.IsNativeName(name) || name == commentKey
			if !isPossible || name == source.DynamicBlock && !isCollection(p) {
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

// makesBlocks reports whether the value of a property called "dynamic" is dynamic blocks: keyed by the type of the
// blocks that they make, with a for_each in at least one. Any other value belongs to an argument of that name.
func makesBlocks(v jsontree.Value) bool {
	for byType := range v.Objects() {
		for arg := range byType.Objects() {
			if arg.Name() == "for_each" {
				return true
			}
		}
	}
	return false
}

// LooksDynamic reports whether an argument called dynamic would be read as dynamic blocks if it were written in JSON
// with the value text.
func LooksDynamic(a *source.Attr, text []byte) bool {
	return !holdsArguments(providerschema.PathOf(a.Within())) && makesBlocks(jsontree.NewReader(text).Value(0))
}

// argumentBodies lists the path prefixes of bodies that hold only arguments, whichever provider or module
// they belong to.
var argumentBodies = []string{"module/", "terraform/encryption/", "terraform/backend/", "terraform/cloud", "language/"}

// wellKnown decides whether a name is a block or an argument, in the body at path, such as
// resource/aws_instance/ebs_block_device. It knows names that mean the same to every provider, names in the
// configurations of some providers, and bodies of the engine's own resource types. ok is false for any other name.
func wellKnown(path, name string) (decision, bool) {
	kind, rest, _ := strings.Cut(path, "/")
	typ, _, nested := strings.Cut(rest, "/") // nested: path is of a nested block
	switch {
	// The exceptions to the next case.
	case path == "terraform/backend/remote" && name == "workspaces", path == "terraform/cloud" && name == "workspaces":
		return decision{block: true}, true
	case holdsArguments(path): // decision{} is an argument, as any in a module block
		return decision{}, true
	case kind == "resource" && typ == "terraform_data", kind == "data" && typ == "terraform_remote_state":
		return decision{}, true
	case kind == "provider" && !nested: // such as features of azurerm
		_, isBlock := providerBlocks[typ+"/"+name]
		return decision{block: true}, isBlock
	case name == "timeouts" && !nested:
		return decision{block: true}, true
	}
	_, isMap := mapArguments[name] // such as tags
	return decision{}, isMap
}

// holdsArguments reports whether the body at path has no nested blocks except those of the language, whichever the
// provider, as in a module or a provisioner.
func holdsArguments(path string) bool {
	isArgumentBody := slices.ContainsFunc(argumentBodies, func(prefix string) bool {
		return strings.HasPrefix(path+"/", prefix)
	})
	if isArgumentBody || !strings.HasPrefix(path, "resource/") {
		return isArgumentBody
	}
	_, rest, _ := strings.Cut(path, "/") // resource/TYPE/provisioner/file: block is provisioner
	_, rest, _ = strings.Cut(rest, "/")
	block, _, _ := strings.Cut(rest, "/")
	return block == "connection" || block == "provisioner"
}

// mapArguments are arguments of resources and of their nested blocks that hold a map in every provider that
// has them.
var mapArguments = map[string]struct{}{
	"annotations": {}, "keepers": {}, "labels": {}, "tags": {}, "tags_all": {}, "triggers": {},
}

// providerBlocks are nested blocks of provider configurations.
var providerBlocks = map[string]struct{}{
	"aws/assume_role": {}, "aws/assume_role_with_web_identity": {}, "aws/default_tags": {}, "aws/endpoints": {},
	"aws/ignore_tags":  {},
	"azurerm/features": {}, "google/batching": {}, "google-beta/batching": {},
	"helm/kubernetes": {}, "helm/registry": {}, "kubernetes/exec": {}, "vault/auth_login": {},
}

// update calls change with what is known about a name in bodies of a path, nothing at first, and stores the result.
func (u Evidence) update(path []byte, name string, change func(*nameEvidence)) {
	inner := u[string(path)]
	if inner == nil {
		inner = map[string]nameEvidence{}
		u[string(path)] = inner
	}
	old := inner[name]
	updated := old
	if change(&updated); updated != old {
		inner[name] = updated
	}
}

// noteBlock notes that name is a block type in bodies of a path, with so many labels.
func (u Evidence) noteBlock(path []byte, name string, labels int) {
	u.update(path, name, func(x *nameEvidence) { x.block, x.labels = true, max(x.labels, labels) })
}

// Add adds the evidence that was found in other files.
func (u Evidence) Add(o Evidence) {
	for path, names := range o {
		for name, more := range names {
			u.update([]byte(path), name, func(x *nameEvidence) {
				*x = nameEvidence{
					argument:    x.argument || more.argument,
					block:       x.block || more.block,
					labels:      max(x.labels, more.labels),
					notBlock:    x.notBlock || more.notBlock,
					objectArray: x.objectArray || more.objectArray,
				}
			})
		}
	}
}

// Evidence from files about names in bodies whose schema is a provider's.

// Note notes how a native top-level block writes the names in its body: all nested blocks, and those arguments whose
// names are ambiguous in JSON files.
func (u Evidence) Note(b *source.Block, ambiguous Ambiguous) {
	shape, ok := language.Of(b.File.Engine).Block(b.Type)
	if ok && len(b.Labels) == len(shape.Labels) {
		u.noteBody(b, shape.Body, append(make([]byte, 0, 64), providerschema.TopPath(b)...), ambiguous)
	}
}

// Ambiguous is the set of names in JSON bodies whose values leave open whether they are arguments or nested blocks.
type Ambiguous map[string]bool

// noteBody notes how the body of a native block, and the bodies in it, write names: block types of a provider, and
// its arguments with ambiguous names. It appends to path for the bodies inside, so that all share one memory.
func (u Evidence) noteBody(b *source.Block, shape *language.BodyShape, path []byte, ambiguous Ambiguous) {
	for _, it := range b.Items() {
		name := it.Called()
		nb, isBlock := it.(*source.Block)
		switch {
		case !isBlock: // other names need no evidence
			if shape.IsOpen() && ambiguous[name] && !shape.Knows(name) {
				u.update(path, name, func(x *nameEvidence) { x.argument = true })
			}
		case nb.Type == source.EscapeBlock: // its contents belong to this body
			u.noteBody(nb, language.Open, path, ambiguous)
		case nb.Type == source.DynamicBlock && len(nb.Labels) == 1: // name is the type of the blocks that it makes
			u.noteBlock(path, name, 0)
			for _, content := range nb.Blocks("content") {
				u.noteBody(content, language.Open, append(append(path, '/'), name...), ambiguous)
			}
		default:
			inner, known := shape.Block(name)
			if !known {
				u.noteBlock(path, name, len(nb.Labels))
				inner = language.BlockShape{Body: language.Open}
			}
			u.noteBody(nb, inner.Body, innerPath(append(append(path, '/'), name...), nb, inner), ambiguous)
		}
	}
}

// innerPath returns the path of a nested block's body. at is the path so far, which ends with the block's type; a
// label that selects the schema follows, such as a provisioner's type. The body of a data block in a check is like
// that of a top-level one (shape.Like), so it has the path of that: data/TYPE.
func innerPath(at []byte, b *source.Block, shape language.BlockShape) []byte {
	if len(shape.Labels) == 0 || len(b.Labels) == 0 {
		return at
	}
	if shape.Like != "" {
		at = []byte(shape.Like)
	}
	return append(append(at, '/'), b.Labels[0]...)
}

// noteJSON notes what the values in a JSON body, and in all objects inside, tell about their names: [1, 2] can't be
// blocks, and [{…}] looks like blocks. It adds each name with a value that could be either to ambiguous.
func (u Evidence) noteJSON(body jsontree.Value, path string, ambiguous Ambiguous) {
	for p := range body.Objects() {
		name := p.Name()
		switch {
		case name == source.EscapeBlock: // its contents belong to this body
			u.noteJSON(p, path, ambiguous)
		case name == source.DynamicBlock && !holdsArguments(path) && makesBlocks(p):
			u.noteDynamic(p, path, ambiguous)
		case !isCollection(p) || p.Kind() == '[' && !p.IsEmpty() && !p.HoldsNested(): // "x": 1 or [1, 2] can't be blocks
			if !u[path][name].notBlock {
				u.update([]byte(path), name, func(x *nameEvidence) { x.notBlock = true })
			}
		default:
			ambiguous[name] = true // null, [], {…} or [{…}]: an argument or blocks
			if p.Kind() == '[' && !p.IsEmpty() && mayBeBlocks(p) {
				u.update([]byte(path), name, func(x *nameEvidence) { x.objectArray = true })
			}
			// In case the value is blocks, note the names in their bodies.
			if p.Kind() != 'n' {
				u.noteJSON(p, path+"/"+name, ambiguous)
			}
		}
	}
}

// noteNested notes the evidence in a block whose own body the language defines. A provider defines the names in two
// kinds of nested blocks: those whose bodies are open to any name, and those that are like a top-level block, such as
// a data block in a check.
func (u Evidence) noteNested(body jsontree.Value, shape *language.BodyShape, path string, ambiguous Ambiguous) {
	for p := range body.Objects() {
		inner, _ := shape.Block(p.Name()) // the zero shape for an argument, which no case takes
		switch {
		case inner.Like != "":
			for typ := range p.Objects() { // by type, then by name
				for block := range typ.Objects() {
					u.noteJSON(block, inner.Like+"/"+typ.Name(), ambiguous)
				}
			}
		case len(inner.Labels) == 0 && inner.Body.IsOpen(): // with labels, the keys of p are no names in the body
			u.noteJSON(p, path+"/"+p.Name(), ambiguous)
		}
	}
}

// noteDynamic notes that the keys in the value of "dynamic" are types of blocks without labels, and the evidence in
// their content blocks.
func (u Evidence) noteDynamic(p jsontree.Value, path string, ambiguous Ambiguous) {
	for byType := range p.Objects() {
		u.noteBlock([]byte(path), byType.Name(), 0)
		for arg := range byType.Objects() {
			if arg.Name() == "content" {
				u.noteJSON(arg, path+"/"+byType.Name(), ambiguous)
			}
		}
	}
}

package language

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Which providers blocks need without any entry of required_providers.

// NeededProvider returns the local name of the provider that a block of a shape needs, and the item
// that determines it: the block that configures it or whose type implies it, or an argument that
// names it. arg returns the arguments in effect, or nil. The name is empty for a block that needs
// none.
func NeededProvider(
	b *source.Block, shape BlockShape, arg func(name string) *source.Attr,
) (local string, by source.Item) {
	if isProviderConfig(b) && len(b.Labels) > 0 {
		return b.Labels[0], b
	}
	named, address := shape.Body.argOf(kindProviderRef), shape.Body.argOf(kindImportAddress)
	if named == "" {
		return "", b
	}
	if a := arg(named); a != nil {
		return rootName(a.Expr()), a
	}
	typ := label(b, shape, "type")
	if a := arg(address); typ == "" && address != "" && a != nil {
		typ = rootName(a.Expr())
		if _, isModule := Of(b.File.Engine).Block(typ); isModule {
			return "", b // it is an address in a module that is called
		}
	}
	local, _, _ = strings.Cut(typ, "_")
	return local, b
}

// NeedsProvider reports whether blocks of a type at the top level may need a provider.
func NeedsProvider(typ string, shape BlockShape) bool {
	return typ == providerConfig || shape.Body.argOf(kindProviderRef) != ""
}

// providerConfig is the type of blocks that configure providers, and the argument that names
// a configuration.
const providerConfig = "provider"

func isProviderConfig(b *source.Block) bool { return b.Within() == nil && b.Type == providerConfig }

// ProviderVersion is the version constraint in effect in a block that configures a provider,
// or nil.
func ProviderVersion(b *source.Block, shape BlockShape, arg func(name string) *source.Attr) *source.Attr {
	name := shape.Body.argOf(kindConstraint)
	if !isProviderConfig(b) || name == "" {
		return nil
	}
	return arg(name)
}

// MayNameProvider reports whether the text of a block may set an argument that names a
// provider configuration. It is quick, and right where it reports false.
func MayNameProvider(text []byte) bool {
	word := []byte(providerConfig)
	for {
		at := bytes.Index(text, word)
		if at < 0 {
			return false
		}
		if text = text[at+len(word):]; len(text) > 0 && bytes.IndexByte([]byte(" \t\r\n=/#"), text[0]) >= 0 {
			return true
		}
	}
}

// argOf is the first name, in byte order, of an argument of a kind, or "".
func (s *BodyShape) argOf(k *Kind) string {
	found := ""
	if s == nil {
		return found
	}
	for name, a := range s.Args {
		if a.Kind == k && (found == "" || name < found) {
			found = name
		}
	}
	return found
}

// label is the label of a block that its shape calls so, or "".
func label(b *source.Block, shape BlockShape, called string) string {
	for i, name := range shape.Labels {
		if name == called && i < len(b.Labels) {
			return b.Labels[i]
		}
	}
	return ""
}

// rootName is the first name of a reference, or "".
func rootName(e hcl.Expression) string {
	ref, _ := hcl.AbsTraversalForExpr(constant.Unquote(e))
	if len(ref) == 0 {
		if index, ok := e.(interface{ Variables() []hcl.Traversal }); ok && len(index.Variables()) > 0 {
			ref = index.Variables()[0]
		}
	}
	if len(ref) == 0 {
		return ""
	}
	return ref.RootName()
}

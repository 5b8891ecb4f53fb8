package command

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// A pathSource is a module call with a source that is relative to the directory of the
// module.
type pathSource struct {
	Place   string // of the source
	Address address.Address
	Source  string
}

// String words the effect of another directory on it.
func (s pathSource) String() string {
	return fmt.Sprintf("%s: %s is relative to the module's directory, and the new directory lacks its target; "+
		"flatten both with -r, from a directory that holds them, or change the source", s.Place, s.Address.String())
}

// relativeSources finds the sources of module calls in effect that are relative to the module's directory.
func relativeSources(m *merge.Module) []pathSource {
	var found []pathSource
	isCall := func(f *source.File, i int) bool { return language.HasModuleSource(f.Engine, string(f.TypeOf(i))) }
	address.WalkSome(m, isCall, func(own address.Address, e *merge.MergedItem) {
		for _, it := range e.Live {
			a, isAttr := it.(*source.Attr)
			if !isAttr || !language.IsModuleSource(a) {
				continue
			}
			if text, isText := constant.String(a); isText && (strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")) {
				found = append(found, pathSource{wording.Place(a), own, text})
			}
		}
	})
	return found
}

// moduleDirs finds the locations at which a module refers to path.module.
func moduleDirs(m *merge.Module) []string {
	var found []string
	for _, f := range m.Source.Files {
		for i := range f.Len() {
			if bytes.Contains(f.TextOf(i), []byte("path.module")) {
				for _, at := range moduleDirsIn(f, f.Block(i).Extent()) {
					found = append(found, diag.Place(f.Place(at)))
				}
			}
		}
	}
	return found
}

func moduleDirsIn(f *source.File, at hcl.Range) []hcl.Range {
	var found []hcl.Range
	tokens := parse.Tokens(f.Text(at), f.Name, at.Start)
	for i := range len(tokens) - 2 {
		three := tokens[i : i+3]
		if string(three[0].Bytes) == "path" && three[1].Type == hclsyntax.TokenDot &&
			string(three[2].Bytes) == "module" && three[0].Type == hclsyntax.TokenIdent {
			found = append(found, hcl.RangeBetween(three[0].Range, three[2].Range))
		}
	}
	return found
}

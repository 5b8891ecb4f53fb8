package wording

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
)

// RelativeToModule words what means something else when the configuration files of a
// module are in another directory: local module sources and path.module. If the rest of
// the directory comes along (withRest), only sources that lead out of it count.
func RelativeToModule(m *merge.Module, withRest bool) []string {
	var found []string
	eachModuleSource(m, func(own address.Address, a *source.Attr) {
		source, isText := language.ConstantString(a)
		isUp, isDown := strings.HasPrefix(source, "../"), strings.HasPrefix(source, "./")
		if isText && (isUp || isDown && !withRest) {
			found = append(
				found, fmt.Sprintf("%s: %s is relative to the module's directory", Place(a), diag.Escape(own.String())),
			)
		}
	})
	if withRest {
		return found
	}
	for _, f := range m.Source.Files {
		for _, at := range moduleDirs(f) {
			found = append(found, fmt.Sprintf("%s: path.module is another directory there", PlaceOf(f.Place(at))))
		}
	}
	return found
}

// eachModuleSource visits the sources in effect of the module calls.
func eachModuleSource(m *merge.Module, visit func(own address.Address, a *source.Attr)) {
	address.WalkAll(m, func(own address.Address, e *merge.MergedItem) {
		for _, it := range e.Live {
			switch it := it.(type) {
			case *source.Attr:
				if language.IsModuleSource(it) {
					visit(own, it)
				}
			case *source.Block:
				if it.Body != nil || it.In != nil || !language.HasModuleSource(it) {
					continue
				}
				for _, inner := range it.Tree().Body.Items {
					if a, ok := inner.(*source.Attr); ok && language.IsModuleSource(a) {
						visit(own.Child(a.Name), a)
					}
				}
			}
		}
	})
}

// moduleDirs finds where a file refers to path.module.
func moduleDirs(f *source.File) []hcl.Range {
	var found []hcl.Range
	for i := range f.Len() {
		if bytes.Contains(f.TextOf(i), []byte("path.module")) {
			found = append(found, moduleDirsIn(f, f.Block(i).Extent())...)
		}
	}
	return found
}

func moduleDirsIn(f *source.File, at hcl.Range) []hcl.Range {
	var found []hcl.Range
	tokens, _ := hclsyntax.LexConfig(f.Text(at), f.Name, at.Start)
	for i := range len(tokens) - 2 {
		three := tokens[i : i+3]
		if string(three[0].Bytes) == "path" && three[1].Type == hclsyntax.TokenDot &&
			string(three[2].Bytes) == "module" && three[0].Type == hclsyntax.TokenIdent {
			found = append(found, hcl.RangeBetween(three[0].Range, three[2].Range))
		}
	}
	return found
}

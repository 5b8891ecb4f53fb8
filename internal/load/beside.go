package load

import (
	"errors"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// ParseBeside parses a native file that is none of a module, such as the lock file.
// What would overflow the parser's stack is refused as in a file of a module.
func ParseBeside(src []byte, name string) (*hclsyntax.Body, hcl.Diagnostics) {
	if _, diags := checkDepth(&File{Name: name, Src: src}); diags.HasErrors() {
		return nil, diags
	}
	parsed, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	return parsed.Body.(*hclsyntax.Body), diags
}

// errTooDeep words for one line what ParseBeside refuses.
var errTooDeep = errors.New("brackets nest too deep in it")

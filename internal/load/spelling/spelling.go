package spelling

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// IsName reports whether a text can be a name. Names of plain letters, which most
// are, need no look into the tables of Unicode.
func IsName(s string) bool {
	for i := range len(s) {
		c := s[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && (c == '-' || c >= '0' && c <= '9')
		if !plain {
			return hclsyntax.ValidIdentifier(s)
		}
	}
	return s != ""
}

// IsNativeName reports whether native syntax can have a name without quotes. To the
// HCL library a name may begin with a byte order mark, which nothing can in a file.
func IsNativeName(s string) bool {
	return IsName(s) && !strings.HasPrefix(s, string(UTF8BOM))
}

var UTF8BOM = []byte("\xef\xbb\xbf")

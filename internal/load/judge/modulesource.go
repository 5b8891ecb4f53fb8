package judge

import (
	"net/url"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// IsRegistrySource reports whether an address is one of a module registry:
// [HOST/]NAMESPACE/NAME/SYSTEM, perhaps with //SUBDIRECTORY.
func IsRegistrySource(addr string) bool {
	addr, below, _ := strings.Cut(addr, "//")
	parts := strings.Split(addr, "/")
	host := ""
	if len(parts) == 4 {
		host, parts = parts[0], parts[1:]
		if host == "github.com" || host == "bitbucket.org" || !registryHost().MatchString(host) {
			return false
		}
	}
	return len(parts) == 3 &&
		isRegistryName(parts[0]) && isRegistryName(parts[1]) && parts[2] != "" && !strings.ContainsFunc(parts[2], func(r rune) bool { return !isAlphanumeric(r) || r >= 'A' && r <= 'Z' }) &&
		!strings.Contains(below, "\n")
}

// isRegistryName reports whether a namespace or a module may have a name: letters and digits,
// and between them dashes and underscores.
func isRegistryName(name string) bool {
	const signs = "-_"
	return name != "" && strings.Trim(name, signs) == name &&
		strings.IndexFunc(name, func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune(signs, r) }) < 0
}

func isAlphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

var (
	registryHost = lazyregexp.New(`^([0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?\.)+` +
		`[0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?(:[0-9]+)?$`)
	getter  = lazyregexp.New(`^[A-Za-z0-9]+::`)
	outside = lazyregexp.New(`[^:]//\.\./`)
	// shorthand is an address without a scheme that implies one.
	shorthand = lazyregexp.New(`^/[^/]|^/$|^github\.com/[^/]+/|^bitbucket\.org/[^/]+/|^git@[^:]+:|` +
		`\.amazonaws\.com/|^www\.googleapis\.com/storage/[^/]+/[^/]+/`)
)

// IsLocalSource reports whether an address is a path from the module's directory.
func IsLocalSource(addr string) bool {
	addr = strings.ReplaceAll(addr, `\`, "/")
	return strings.HasPrefix(addr, "./") || strings.HasPrefix(addr, "../")
}

// IsSourceAddress reports whether a module can be got from an address.
func IsSourceAddress(addr string) bool {
	if IsLocalSource(addr) || IsRegistrySource(addr) {
		return true
	}
	addr = getter().ReplaceAllString(addr, "")
	if outside().MatchString(addr) {
		return false
	}
	u, err := url.Parse(addr)
	return err == nil && u.Scheme != "" || shorthand().MatchString(addr)
}

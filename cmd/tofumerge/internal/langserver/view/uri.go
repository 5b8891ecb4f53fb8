package view

import (
	"net/url"
	gopath "path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

const isWindows = runtime.GOOS == "windows"

// URIOf is the URI of an absolute path.
func URIOf(path string) protocol.DocumentURI { return uriOf(filepath.ToSlash(path), isWindows) }

// PathOf is the path of the file that a URI names. It reports false if the URI names no file.
func PathOf(uri protocol.DocumentURI) (path string, ok bool) {
	path, ok = pathOf(string(uri), isWindows)
	return filepath.FromSlash(path), ok
}

// uriOf is URIOf for Windows or for other systems.
func uriOf(slashed string, isWindows bool) protocol.DocumentURI {
	u := url.URL{Scheme: "file", Path: slashed}
	if isWindows {
		if host, path, isShare := shareOf(slashed); isShare {
			u.Host, u.Path = host, path
		} else {
			u.Path = "/" + slashed // C:/modules
		}
	}
	return protocol.DocumentURI(u.String())
}

// shareOf splits a UNC path, such as //host/share/main.tf, into its host and the rest.
func shareOf(slashed string) (host, path string, ok bool) {
	rest, ok := strings.CutPrefix(slashed, "//")
	host, path, hasPath := strings.Cut(rest, "/")
	return host, "/" + path, ok && hasPath && host != ""
}

// pathOf is PathOf for Windows or for other systems. The path has slashes on both.
func pathOf(uri string, isWindows bool) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Opaque != "" || strings.ContainsRune(u.Path, 0) {
		return "", false
	}
	path = u.Path
	switch {
	case !isWindows:
		return gopath.Clean(path), strings.HasPrefix(path, "/") && (u.Host == "" || u.Host == "localhost")
	case u.Host != "" && u.Host != "localhost":
		return "//" + u.Host + gopath.Clean(path), true
	}
	path = strings.TrimPrefix(path, "/")
	if len(path) < 3 || path[1] != ':' || path[2] != '/' {
		return "", false
	}
	return strings.ToUpper(path[:1]) + ":" + gopath.Clean(path[2:]), true
}

package report

import (
	"net/url"
	"path"
	"runtime"
	"strings"
)

const isWindows = runtime.GOOS == "windows"

// joinSlashed is path.Join for a path of files, which on Windows may begin with two slashes: a
// share's (//server/share) or an extended path's (//?/C:/).
func joinSlashed(dir, name string, isWindows bool) string {
	joined := path.Join(dir, name)
	if isWindows && strings.HasPrefix(dir, "//") && !strings.HasPrefix(dir, "///") {
		return "/" + joined
	}
	return joined
}

// uriOf is a reference to a file whose path has slashes: relative, unless the path is
// absolute (RFC 8089, with the forms of its appendix E for Windows).
func uriOf(path string, isWindows bool) string {
	u := url.URL{Path: path}
	if isWindows {
		u = windowsURI(path)
	} else if strings.HasPrefix(path, "/") {
		u.Scheme = "file"
	}
	return u.String()
}

func windowsURI(path string) url.URL {
	rest, isExtended := strings.CutPrefix(path, "//?/")
	if share, isShare := strings.CutPrefix(rest, "UNC/"); isExtended && isShare {
		rest = "//" + share
	}
	share, isShare := strings.CutPrefix(rest, "//")
	switch {
	case len(rest) > 2 && rest[1:3] == ":/" && (rest[0]|0x20) >= 'a' && (rest[0]|0x20) <= 'z': // the letter of a drive
		return url.URL{Scheme: "file", Path: "/" + rest}
	case isShare:
		host, below, _ := strings.Cut(share, "/")
		return url.URL{Scheme: "file", Host: host, Path: "/" + below}
	}
	return url.URL{Path: rest} // even one from the root of the current drive, which no URI can express
}

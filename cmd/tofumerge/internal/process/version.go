package process

import (
	"runtime"
	"runtime/debug"
)

// version is set when a release is linked.
var version = ""

// A Build describes how the program was built.
type Build struct {
	Version   string
	Commit    string // empty outside of a repository
	Date      string // of the commit
	GoVersion string
	Platform  string // as in linux/amd64
}

// ThisBuild returns the build of the program that runs.
func ThisBuild() Build {
	b := Build{Version: version, GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		}
	}
	if b.Version == "" {
		b.Version = build.Main.Version
	}
	return b
}

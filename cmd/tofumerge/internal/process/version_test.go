package process

import (
	"runtime"
	"strings"
	"testing"
)

// A release knows its version from the linker; every other build from the module.
func TestCurrent(t *testing.T) {
	b := ThisBuild()
	if b.Version == "" || b.GoVersion != runtime.Version() || b.Platform != runtime.GOOS+"/"+runtime.GOARCH || strings.Count(b.Platform, "/") != 1 {
		t.Errorf("%+v", b)
	}
	version = "9.9.9"
	t.Cleanup(func() { version = "" })
	if b := ThisBuild(); b.Version != "9.9.9" {
		t.Errorf("a linked version is %q", b.Version)
	}
}

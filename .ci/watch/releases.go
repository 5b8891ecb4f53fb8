package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"golang.org/x/mod/semver"
)

// versionName is what versions consist of that get into commands, files and issues.
var versionName = regexp.MustCompile(`^[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}(-[0-9A-Za-z]{1,20}(\.[0-9A-Za-z]{1,20}){0,3})?$`)

// named are the releases that arguments name in full.
func named(args []string) ([]engine.Release, error) {
	var list []engine.Release
	for _, arg := range args {
		e, err := engine.Parse(arg)
		if err != nil {
			return nil, err
		}
		if e.String() != arg || !versionName.MatchString(string(e.Version)) {
			return nil, fmt.Errorf("%q doesn't name a release; use one such as %s", arg, engine.Default())
		}
		list = append(list, e)
	}
	return list, nil
}

// unknown are the releases that the tables don't know, by the tags in a directory, or else of the
// repositories.
func unknown(dir string) ([]engine.Release, error) {
	var list []engine.Release
	for _, p := range engine.Products() {
		read := func() ([]byte, error) { return os.ReadFile(filepath.Join(dir, string(p))) }
		if dir == "" {
			read = exec.Command("git", "ls-remote", "--tags", "--refs", "https://"+sources[p].module).Output
		}
		tags, err := read()
		if err != nil {
			return nil, fmt.Errorf("the tags of %s: %w", p.Title(), err)
		}
		found, err := unknownIn(p, string(tags))
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// unknownIn returns the newest release of each minor version in a list of tags, as "git ls-remote"
// prints it, unless the tables know it or a newer one.
func unknownIn(p engine.Product, tags string) ([]engine.Release, error) {
	newest := map[string]string{} // by minor version
	var isThere []string
	for tag := range strings.FieldsSeq(tags) {
		v, ok := strings.CutPrefix(tag, "refs/tags/")
		if !ok || !versionName.MatchString(strings.TrimPrefix(v, "v")) || !semver.IsValid(v) {
			continue
		}
		isThere = append(isThere, v)
		if minor := semver.MajorMinor(v); semver.Compare(newest[minor], v) < 0 {
			newest[minor] = v
		}
	}
	for _, e := range p.Observed() {
		known := "v" + string(e.Version)
		if !slices.Contains(isThere, known) {
			return nil, fmt.Errorf("the list of tags isn't complete: it lacks %s, which the tables know", e)
		}
		if minor := semver.MajorMinor(known); semver.Compare(newest[minor], known) <= 0 {
			delete(newest, minor)
		}
	}
	list := slices.DeleteFunc(slices.Collect(maps.Values(newest)), func(v string) bool {
		return semver.Compare(v, "v"+p.Oldest().Minor()) < 0
	})
	semver.Sort(list)
	var releases []engine.Release
	for _, v := range list {
		releases = append(releases, engine.Release{Product: p, Version: engine.Version(v[1:])})
	}
	return releases, nil
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	goversion "github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// Version files hold nothing but the release of one product. What they say counts as the
// user's word, so one that makes no sense ends the run.

// byVersionFile chooses the engine by the nearest version file.
func (f *found) byVersionFile(dirs []string, files *fileSource) error {
	for _, at := range dirs {
		for _, product := range engine.Products() {
			path := filepath.Join(at, product.VersionFile())
			if !files.hasVersionFile(path) {
				continue // that a directory can't be looked into is said when it is read
			}
			choice, doubt, err := files.versionIn(product, path)
			if err != nil {
				return versionFileError{err, path}
			}
			if doubt != "" {
				f.doubts = append(f.doubts, doubt)
			}
			f.choice = choice
			return nil
		}
	}
	return nil
}

// versionIn reads the version file of a product.
func (s *fileSource) versionIn(product engine.Product, path string) (choice engineChoice, doubt string, err error) {
	name := diag.Escape(fromHere(path))
	text, isOpen, err := s.readVersionFile(path)
	if err != nil {
		return choice, "", fmt.Errorf("can't read %s: %w; to do without it, name the engine with --engine", name, worldly(err))
	}
	choice, doubt, err = readVersion(product, name, text)
	if err != nil && !isOpen && repo.LeadsOut(path) {
		err = fmt.Errorf("%s names no known version. %s To do without it, name the engine with --engine", name, load.NotQuoted)
	}
	return choice, doubt, err
}

// isVersionFile reports whether a file with this name may choose the engine for the
// modules in its directory and below.
func isVersionFile(name string) bool {
	return slices.ContainsFunc(engine.Products(), func(p engine.Product) bool { return p.VersionFile() == name }) ||
		slices.ContainsFunc(managerFiles, func(m managerFile) bool { return m.name == name })
}

// hasVersionFile reports whether a version file is on the disk, or open in an editor.
func (s *fileSource) hasVersionFile(path string) bool {
	_, isOpen := s.settingsText(path)
	return isOpen || isThere(path)
}

// readVersionFile reads a version file, or takes its text from the editor if it is open
// there.
func (s *fileSource) readVersionFile(path string) (text []byte, isOpen bool, err error) {
	text, isOpen = s.settingsText(path)
	switch {
	case !isOpen:
		text, err = input.Read(path, input.MaxVersionSize)
	case len(text) > input.MaxVersionSize:
		err = fmt.Errorf("it is larger than %d bytes", input.MaxVersionSize)
	}
	return text, isOpen, err
}

// isThere reports whether a directory has a name, even if that is a link that leads
// nowhere.
func isThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// maxVersion is how many bytes a version, or a pattern of versions, has at most.
const maxVersion = 200

// readVersion reads what a version file says: a version, latest or latest:REGEX.
// What depends on more than the file is in doubt, and the newest known release is
// taken.
func readVersion(product engine.Product, name string, text []byte) (engineChoice, string, error) {
	wanted := firstWord(text)
	example := product.Newest().Version
	switch pattern, isPattern := strings.CutPrefix(wanted, "latest:"); {
	case len(wanted) > maxVersion:
		return engineChoice{}, "", fmt.Errorf("%s: its first word has %d bytes, which is no version; write a version, such as %s, or name the engine with --engine", name, len(wanted), example)
	case wanted == "":
		return engineChoice{}, "", fmt.Errorf("%s names no version; write one, such as %s", name, example)
	case wanted == "latest-allowed", wanted == "min-required":
		doubt := fmt.Sprintf("%s says %s, which names no release, so the rules of %s apply. To name one, use --engine %s@VERSION.", name, wanted, product.Newest(), product)
		return engineChoice{Release: product.Newest(), from: name}, doubt, nil
	case isPattern:
		e, err := newestLike(product, pattern)
		if err != nil {
			return engineChoice{}, "", fmt.Errorf(
				"%s says %s, %w; name a release with --engine %s@VERSION", name, diag.Escape(wanted), err, product,
			)
		}
		return engineChoice{Release: e, from: name}, "", nil
	case wanted != "latest" && !isVersion(wanted):
		return engineChoice{}, "", fmt.Errorf("%s: %q is no version of %s; write a version, such as %s, or name the engine with --engine", name, wanted, product.Title(), example)
	}
	e, err := product.Release(wanted)
	if err != nil {
		return engineChoice{}, "", fmt.Errorf("%s: %w; name another one with --engine", name, err)
	}
	return engineChoice{Release: e, from: name}, "", nil
}

func isVersion(text string) bool {
	_, err := goversion.NewVersion(text)
	return err == nil
}

// firstWord is the first word of a text, but for comments and the mark that some
// editors put before everything else.
func firstWord(text []byte) string {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	for line := range bytes.Lines(text) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		if words := strings.Fields(string(line)); len(words) > 0 {
			return words[0]
		}
	}
	return ""
}

// newestLike is the newest known release whose version a pattern matches.
func newestLike(product engine.Product, pattern string) (engine.Release, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return engine.Release{}, errors.New("which is no regular expression")
	}
	for _, e := range slices.Backward(product.Observed()) {
		if re.MatchString(string(e.Version)) {
			return e, nil
		}
	}
	return engine.Release{}, errors.New("which no known release matches")
}

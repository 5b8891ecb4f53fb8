package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A dirStatus is an engine's treatment of a name of the directory.
type dirStatus int

// The statuses of a name.
const (
	Read     dirStatus = iota // loaded in its role
	Shadowed                  // hidden by the same name with an extension that takes precedence
	Ignored                   // resembles a configuration file, such as an editor's backup
	Excluded                  // an override file to leave out
	Unread                    // resembles an override file, but is not even a configuration file
	Foreign                   // a configuration file to other releases
)

// A DirEntry is one name of a module directory that is, or resembles, a
// configuration file.
type DirEntry struct {
	Name   string
	Role   source.Role
	Syntax source.Syntax
	Tofu   bool
	Status dirStatus
	By     string // for a shadowed name, the name that hides it
	// Meant is the name that would make the file an override file, if its name resembles one.
	Meant string
}

// extensions are the endings of configuration files. If two belong to one syntax the first hides
// the second, to engines that know both.
var extensions = []struct {
	suffix string
	syntax source.Syntax
	tofu   bool
}{
	{".tofu.json", source.JSON, true},
	{".tf.json", source.JSON, false},
	{".tofu", source.Native, true},
	{".tf", source.Native, false},
}

// Classify returns an engine's treatment of each name of a directory, in the order given; names
// that do not resemble configuration are left out.
func Classify(names []string, e engine.Release) []DirEntry {
	entries := make([]DirEntry, 0, len(names))
	hiding := map[string]bool{} // names that hide others
	for _, name := range names {
		if entry, ok := classifyName(name); ok {
			entries = append(entries, entry)
			if entry.Tofu && entry.Status == Read {
				hiding[name] = true
			}
		} else if isBackup(name) {
			entries = append(entries, DirEntry{Name: name, Status: Ignored})
		} else if meant := nearMiss(name); meant != "" {
			entries = append(entries, DirEntry{Name: name, Status: Unread, Meant: meant})
		}
	}
	readsTofu := e.ReadsTofuFiles()
	for i := range entries {
		if readsTofu {
			hideShadowed(&entries[i], hiding)
		} else if entries[i].Tofu && entries[i].Status == Read {
			entries[i].Status, entries[i].Meant = Foreign, ""
		}
	}
	tellApart(entries, names)
	return entries
}

// tellApart gives names that are meant for the same one, or for one that is there, others with a
// number.
func tellApart(entries []DirEntry, names []string) {
	if !slices.ContainsFunc(entries, func(e DirEntry) bool { return e.Meant != "" }) {
		return
	}
	taken, last := map[string]bool{}, map[string]int{}
	for _, name := range names {
		taken[name] = true
	}
	var alike []*DirEntry
	for i := range entries {
		switch e := &entries[i]; {
		case e.Meant == "":
		case taken[e.Meant]:
			alike = append(alike, e)
		default:
			taken[e.Meant] = true
		}
	}
	for _, e := range alike {
		meant := e.Meant
		stem, suffix := splitExtension(meant)
		for taken[e.Meant] {
			last[meant]++
			e.Meant = fmt.Sprintf("%s%d_override%s", strings.TrimSuffix(stem, "override"), 1+last[meant], suffix)
		}
		taken[e.Meant] = true
	}
}

func classifyName(name string) (DirEntry, bool) {
	for _, ext := range extensions {
		stem, ok := strings.CutSuffix(name, ext.suffix)
		if !ok {
			continue
		}
		entry := DirEntry{Name: name, Syntax: ext.syntax, Tofu: ext.tofu}
		if isOverrideStem(stem) {
			entry.Role = source.Override
		}
		if IsIgnoredName(name) {
			entry.Status = Ignored
		} else if entry.Role == source.Primary {
			entry.Meant = nearMiss(name)
		}
		return entry, true
	}
	return DirEntry{}, false
}

func hideShadowed(entry *DirEntry, hiding map[string]bool) {
	if len(hiding) == 0 || entry.Tofu || entry.Status == Ignored {
		return
	}
	stem, suffix := splitExtension(entry.Name)
	if by := stem + strings.Replace(suffix, ".tf", ".tofu", 1); hiding[by] {
		entry.Status, entry.By = Shadowed, by
	}
}

// IsIgnoredName reports whether engines ignore a name: hidden files and the backup and
// lock files of editors.
func IsIgnoredName(name string) bool {
	return strings.HasPrefix(name, ".") ||
		strings.HasSuffix(name, "~") ||
		strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#")
}

// readNames lists the files of a directory in byte order of their names. A symbolic link is listed
// by its own name, whatever its target; the target is examined when the link is opened. The links
// are also returned separately.
func readNames(dir string) (names []string, links map[string]bool, err error) {
	info, err := os.Stat(dir)
	switch {
	case dir == "":
		return nil, nil, errors.New("the name of the directory is empty; for the current directory, leave it out")
	case os.IsNotExist(err):
		return nil, nil, fmt.Errorf("no such directory: %s", diag.Escape(dir))
	case err != nil:
		return nil, nil, fmt.Errorf("can't read the directory %s: %w", diag.Escape(dir), input.StripPath(err))
	case !info.IsDir():
		return nil, nil, fmt.Errorf("%s is not a directory; name the directory of the module",
			diag.Escape(dir))
	}
	found, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("can't read the directory %s: %w", diag.Escape(dir), input.StripPath(err))
	}
	links = map[string]bool{}
	for _, f := range found {
		if !f.IsDir() {
			names = append(names, f.Name())
		}
		if f.Type()&fs.ModeSymlink != 0 {
			links[f.Name()] = true
		}
	}
	return names, links, nil
}

// A NoFilesError reports that a directory holds no configuration.
type NoFilesError struct {
	Dir    string
	Engine engine.Release
	Names  []DirEntry // that resemble configuration files
	Of     string     // the directory's origin, if it is not on the disk
}

func (e *NoFilesError) Error() string {
	endings := ".tf or .tf.json"
	if e.Engine.ReadsTofuFiles() {
		endings = ".tf, .tofu, .tf.json or .tofu.json"
	}
	text := fmt.Sprintf("no configuration files (%s) in %s", endings, diag.Escape(e.Dir))
	if e.Of != "" {
		text += " of " + diag.Escape(e.Of)
	}
	hasReason := false
	for _, n := range e.Names {
		if n.Status == Foreign {
			text += fmt.Sprintf("; %s does not read %s, %s does: choose it with --engine", e.Engine.Title(),
				diag.Escape(n.Name), engine.Describe(engine.Release.ReadsTofuFiles))
			hasReason = true
			break
		}
	}
	for _, n := range e.Names {
		if n.Meant != "" {
			text += fmt.Sprintf("; %s is ignored: to make it an override file, rename it to %s", diag.Escape(n.Name),
				diag.Escape(n.Meant))
			hasReason = true
		}
	}
	if !hasReason {
		text += "; name the directory of a module"
	}
	return text
}

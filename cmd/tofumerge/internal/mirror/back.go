package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// longestBack is the size of a file at most that comes back.
const longestBack = 256 << 20

// A Return is the fate of the files that a tool wrote.
type Return struct {
	Lost      []string // what did not come back, and why, each a sentence without its end
	LostState bool     // a state is among that
	Left      int      // files that belong to the directory that they are in, and stay there
}

// A returner collects the files to bring back.
type returner struct {
	*Tree
	set       *replace.Set
	translate func(path string, text []byte) []byte
	nameOf    func(path string) string
	modes     map[string]fs.FileMode // that files have when all is written
	Return
}

// BringBack copies the tool's changes in the copy to the original, all or nothing. translate maps a
// text back to the original, and nameOf names a file in messages.
func (t *Tree) BringBack(
	opts replace.Options, translate func(path string, text []byte) []byte, nameOf func(path string) string,
) (Return, error) {
	r := &returner{Tree: t, set: replace.NewSet(opts), translate: translate, nameOf: nameOf, modes: map[string]fs.FileMode{}}
	defer r.set.Close()
	missing := t.known
	t.known = map[string]stamp{}
	back := func(path string, info fs.FileInfo) {
		was, isOld := missing[path]
		delete(missing, path)
		if isOld && was == stampOf(info) {
			return
		}
		if why := r.take(path, info, was, isOld); why != "" {
			r.Lost = append(r.Lost, nameOf(path)+" "+why)
		}
	}
	err := t.walk(back)
	t.walkOutside(back)
	for path := range missing {
		if _, err := os.Lstat(path); !t.isOutside(path) {
			r.Lost = append(r.Lost, nameOf(path)+" was removed by the tool from the copy only")
		} else if err != nil {
			r.Lost = append(r.Lost, nameOf(path)+" was removed by the tool"+throughLink)
		}
	}
	slices.Sort(r.Lost)
	if err == nil {
		err = r.set.Run()
	}
	if err != nil {
		return r.Return, err
	}
	for path, mode := range r.modes {
		if err := os.Chmod(path, mode); err != nil {
			r.Lost = append(r.Lost, nameOf(path)+" keeps its mode: "+input.StripPath(err).Error())
		}
	}
	return r.Return, nil
}

// executable are the bits of a mode by which a file can be run.
const executable = 0o111

// throughLink is how a tool reaches files that aren't copied.
const throughLink = " through a link that points outside of the copy"

// take adds a file to those to bring back, or explains why not.
func (r *returner) take(path string, info fs.FileInfo, was stamp, isOld bool) (why string) {
	if r.isOutside(path) {
		return "was written by the tool" + throughLink
	}
	if !repo.IsWithin(path, r.Base) {
		r.LostState = r.LostState || strings.Contains(filepath.Base(path), ".tfstate")
		return "was written by the tool outside of the copy, and is not copied back"
	}
	if isKept, isState := r.keeps(path); isState {
		// Add a new state to the files to bring back, byte for byte, or explain why not.
		text, err := input.Read(r.Copied(path), longestBack)
		if err == nil && info.Mode().IsRegular() && r.create(path, text) == nil {
			return ""
		}
		r.LostState = true
		return "is a state that the tool wrote into the copy, and is not copied back"
	} else if isKept {
		r.Left++
		return ""
	}
	flat := r.flat[path]
	switch {
	case flat != nil && !flat.IsSame:
		const merged = ", but is merged in the copy"
		now, err := input.Read(r.Copied(path), longestBack)
		if err != nil || !info.Mode().IsRegular() {
			return "was replaced by the tool" + merged + "; change the originals"
		}
		d := patch.Diff(filepath.Base(path), flat.Text, []textedit.Edit{textedit.Replace(0, len(flat.Text), string(now))})
		if !d.Changes() {
			return ""
		}
		return "was changed by the tool" + merged + "; change the originals: " + r.originsOf(flat, d)
	case isOld && !info.Mode().IsRegular():
		return "was replaced by the tool in the copy only: it is not a regular file"
	case !info.Mode().IsRegular():
		return "is not a regular file, so it is not copied back"
	case !isOld && r.isOverride(path):
		return "would override the original, so it is not copied back"
	case !repo.IsWithin(repo.Real(nearest(filepath.Dir(path))), r.Base):
		return "would be outside of the original, so it is not copied back"
	}
	text, err := input.Read(r.Copied(path), longestBack)
	if err == nil && isOld {
		if why = r.rewrite(path, text, was); why == "" && was.mode.IsRegular() && was.mode != info.Mode() {
			r.modes[path] = info.Mode().Perm()
		}
		return why
	}
	if err == nil {
		err = r.create(path, r.translate(path, text))
	}
	if mode := info.Mode().Perm(); err == nil && mode&executable != 0 {
		r.modes[path] = mode
	}
	if err != nil {
		return "is not copied back: " + input.StripPath(err).Error()
	}
	return ""
}

// keeps reports whether a file is one that engines or git keep for the directory that it is in, and
// whether it is a state.
func (r *returner) keeps(path string) (isKept, isState bool) {
	for at := path; at != r.Base && at != filepath.Dir(at); at = filepath.Dir(at) {
		name := filepath.Base(at)
		isKept = isKept || writeback.IsKept(name)
		switch name {
		case ".terraform", ".git":
			return true, false
		case "terraform.tfstate.d":
			isState = true
		}
		isState = isState || isKept && at == path && strings.Contains(name, ".tfstate") && !strings.HasSuffix(name, ".lock.info")
	}
	return isKept, isState
}

// isOverride reports whether a new file would be an override file of an original module, or is one that
// flattening removed.
func (r *returner) isOverride(path string) bool {
	if r.written[path] {
		return true
	}
	e := load.Classify([]string{filepath.Base(path)}, engine.Default())
	if len(e) != 1 || e[0].Role != source.Override || e[0].Status != load.Read {
		return false
	}
	_, err := os.Stat(filepath.Dir(path))
	return err == nil
}

// nearest is the nearest directory above a path that is there.
func nearest(path string) string {
	for {
		if _, err := os.Lstat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

func (r *returner) create(path string, text []byte) error {
	if _, err := os.Lstat(path); err == nil {
		return errors.New("the original now has another file of that name")
	}
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = r.set.Create(path, r.nameOf(path), text)
	}
	return err
}

// rewrite adds a change to a file that was not flattened.
func (r *returner) rewrite(path string, text []byte, was stamp) (why string) {
	target := path
	if was.mode&fs.ModeSymlink != 0 { // a long file was a link in the copy
		if target = repo.Real(path); !repo.IsWithin(target, r.Base) {
			return "was replaced by the tool in the copy only: it is a link in the original"
		}
	}
	info, err := os.Lstat(path)
	var old []byte
	if err == nil {
		old, err = input.Read(target, longestBack)
	}
	if err != nil {
		return "was changed by the tool in the copy only: " + input.StripPath(err).Error()
	}
	if bytes.Equal(old, text) {
		return ""
	}
	if was.mode.IsRegular() && (info.Size() != was.size || !info.ModTime().Equal(was.time)) {
		return "was changed by the tool, and by somebody else in the original meanwhile; the tool's change is not copied back"
	}
	if err := r.set.Rewrite(target, r.nameOf(path), old, r.translate(path, text)); err != nil {
		return "was changed by the tool in the copy only: " + input.StripPath(err).Error()
	}
	return ""
}

// mostLines is how many changed lines of a flattened file are named.
const mostLines = 5

// originsOf names the original lines of the changes to a flattened file.
func (r *returner) originsOf(flat *Flat, d *patch.File) string {
	var names []string
	lines := flat.Lines()
	for _, run := range d.Runs {
		for line := run.From + 1; line <= max(run.To, run.From+1); line++ {
			at, ok := lines.At(min(line, lines.Lines))
			if !ok {
				continue
			}
			o := at.Origins[0]
			name := fmt.Sprintf("%s:%d", r.nameOf(filepath.Join(flat.Dir, o.File)), o.Line)
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) > mostLines {
		return fmt.Sprintf("%s and %s more", strings.Join(names[:mostLines], ", "), wording.Count(len(names)-mostLines, "line"))
	}
	return strings.Join(names, ", ")
}

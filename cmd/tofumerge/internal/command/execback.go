package command

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/term"
)

// longestNew is the size of a new file at most that is brought back.
const longestNew = 256 << 20

// bringBack writes new files of the copy into the original, all or none, and names what else changed
// there, which is an error.
func (t *execTree) bringBack() error {
	ws := t.execOptions.ws
	set := replace.NewSet(replace.Options{Warn: ws.Warn, Step: ws.Interrupt})
	defer set.Close()
	var lost []string
	err := t.walk(func(rel string, info fs.FileInfo) error {
		was, isOld := t.known[rel]
		delete(t.known, rel)
		why := ""
		switch {
		case isOld && was == stamp{info.Size(), info.ModTime(), info.Mode()}:
		case isOld:
			why = t.changed(rel)
		default:
			why = t.take(set, rel, info)
		}
		if why != "" {
			lost = append(lost, t.nameOf(rel)+" "+why)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for rel := range t.known {
		lost = append(lost, t.nameOf(rel)+" was removed by the tool from the copy only")
	}
	if err := set.Run(); err != nil {
		return err
	}
	for _, text := range lost {
		ws.Message(term.ErrorHead, text)
	}
	if len(lost) > 0 {
		return workspace.ErrReported
	}
	return nil
}

// nameOf is a path of the original in messages.
func (t *execTree) nameOf(rel string) string {
	base := repo.Real(repo.Absolute(repo.In(t.execOptions.ws.Base(), ".")))
	return diag.Escape(repo.From(base, filepath.Join(t.root, rel)))
}

// changed says what the tool changed in a file; nothing where the text is the same.
func (t *execTree) changed(rel string) string {
	now, err := input.ReadFile(filepath.Join(t.copy, rel), longestNew)
	if err != nil {
		return "was changed by the tool in the copy only"
	}
	f := t.flat[rel]
	if f == nil {
		was, err := input.ReadFile(filepath.Join(t.root, rel), longestNew)
		if err == nil && bytes.Equal(was, now) {
			return ""
		}
		return "was changed by the tool in the copy only; run the tool on the original to change it"
	}
	d := patch.Diff(rel, f.text, []textedit.Edit{textedit.Replace(0, len(f.text), string(now))})
	if !d.Changes() {
		return ""
	}
	at, ok := f.lines.At(d.Runs[0].From + 1)
	if !ok {
		return "was changed by the tool behind its last line; it holds merged files, so change those"
	}
	return fmt.Sprintf("was changed by the tool, first at what comes from %s:%d; it holds merged files, so change those",
		t.nameOf(filepath.Join(f.dir, at.Origins[0].File)), at.Origins[0].Line)
}

// take adds a new file to what is brought back, or says why not.
func (t *execTree) take(set *replace.Set, rel string, info fs.FileInfo) string {
	to := filepath.Join(t.root, rel)
	for at := rel; at != "."; at = filepath.Dir(at) {
		if writeback.IsKept(filepath.Base(at)) {
			return "" // of the directory that it is in, and worth nothing elsewhere
		}
	}
	e := load.Classify([]string{filepath.Base(rel)}, engine.Default())
	switch {
	case !info.Mode().IsRegular():
		return "is not a regular file, so it was not brought back"
	case t.written[rel] || len(e) == 1 && e[0].Role == source.Override && e[0].Status == load.Read:
		return "would override the original, so it was not brought back"
	case info.Size() > longestNew:
		return "is too long to be brought back"
	}
	if _, err := os.Lstat(to); err == nil {
		return "is another file in the original, so it was not brought back"
	}
	if real := repo.Real(filepath.Dir(to)); !repo.IsWithin(real, t.root) {
		return "would be outside of the original, so it was not brought back"
	}
	text, err := input.ReadFile(filepath.Join(t.copy, rel), longestNew)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o777)
	}
	if err == nil {
		err = set.Create(to, diag.Escape(rel), text)
	}
	if err != nil {
		return "was not brought back: " + input.StripPath(err).Error()
	}
	return ""
}

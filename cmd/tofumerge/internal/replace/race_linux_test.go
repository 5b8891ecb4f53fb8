package replace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// A renaming is a system that renames files, with actions of others right before and right after,
// and with failures.
type renaming struct {
	calls  int
	fails  func(call int) error
	before func(call int, from, to string)
	after  func(call int, from, to string)
}

func (r *renaming) install(t *testing.T) {
	t.Helper()
	renameat2 = func(fromFD int, from string, toFD int, to string, flags uint) error {
		r.calls++
		call := r.calls
		if r.fails != nil {
			if err := r.fails(call); err != nil {
				return err
			}
		}
		if r.before != nil {
			r.before(call, from, to)
		}
		err := unix.Renameat2(fromFD, from, toFD, to, flags)
		if r.after != nil && err == nil {
			r.after(call, from, to)
		}
		return err
	}
	t.Cleanup(func() { renameat2 = unix.Renameat2 })
}

// Whichever renaming fails, everything is as it was.
func TestRenamingFails(t *testing.T) {
	for failing := 1; failing <= 4; failing++ {
		dir := put(t, before)
		r := &renaming{fails: func(call int) error {
			if call == failing {
				return unix.EIO
			}
			return nil
		}}
		s := planned(t, dir, Options{})
		r.install(t)
		err := s.Run()
		want := "nothing was written: can't write " + []string{"a", "b", "new", "gone"}[failing-1] + ": input/output error"
		if errText(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
		if diff := cmp.Diff(before, found(t, dir)); diff != "" {
			t.Errorf("renaming %d fails (-want +got):\n%s", failing, diff)
		}
	}
}

// If undoing fails as well, all texts are kept, and the error names them.
func TestUndoFails(t *testing.T) {
	dir := put(t, before)
	syncs := 0
	r := &renaming{fails: func(int) error {
		if syncs >= 2 {
			return unix.EROFS
		}
		return nil
	}}
	r.install(t)
	sync = func(*os.File) error {
		if syncs++; syncs == 2 {
			return unix.EIO
		}
		return nil
	}
	t.Cleanup(func() { sync = (*os.File).Sync })
	err := planned(t, dir, Options{}).Run()
	kept := ""
	var texts []string
	for name, text := range found(t, dir) {
		texts = append(texts, text)
		if text == "3" {
			kept = name
		}
	}
	slices.Sort(texts)
	if diff := cmp.Diff([]string{"1", "2", "3", "four", "one", "two"}, texts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	text := strings.ReplaceAll(errText(err), dir, "DIR")
	want := fmt.Sprintf("can't sync the directory DIR: input/output error; the rest was undone, but the old gone is kept in DIR/%s; rename new ", kept)
	if !strings.HasPrefix(text, want) || strings.Contains(text, "\n") || !errors.Is(err, unix.EIO) {
		t.Errorf("%s\nwant %s…", text, want)
	}
}

// Changes are taken back from the last to the first, so that no state between is one
// that was not there before.
func TestUndoOrder(t *testing.T) {
	dir := put(t, before)
	syncs := 0
	var done []string
	r := &renaming{after: func(_ int, from, to string) {
		if strings.HasPrefix(to, Prefix) {
			to = from
		}
		done = append(done, to)
	}}
	r.install(t)
	sync = func(*os.File) error {
		if syncs++; syncs == 2 {
			return unix.EIO
		}
		return nil
	}
	t.Cleanup(func() { sync = (*os.File).Sync })
	if err := planned(t, dir, Options{}).Run(); err == nil {
		t.Error("no error")
	}
	if diff := cmp.Diff([]string{"a", "b", "new", "gone", "gone", "new", "b", "a"}, done); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What somebody saves between the last look at a file and its renaming is put back.
func TestSavedBeforeRenaming(t *testing.T) {
	for i, name := range []string{"a", "b", "new", "gone"} {
		dir := put(t, before)
		r := &renaming{before: func(call int, _, _ string) {
			if call == i+1 {
				save(t, filepath.Join(dir, name), "saved")
			}
		}}
		r.install(t)
		err := planned(t, dir, Options{}).Run()
		want := "nothing was written: " + name + " changed on disk after it was read; run the command again"
		if errText(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
		all := map[string]string{"a": "1", "b": "2", "gone": "3"}
		all[name] = "saved"
		if diff := cmp.Diff(all, found(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// save saves a file as editors do that rename.
func save(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".swp", []byte(text), 0o600); err != nil {
		t.Error(err)
	}
	if err := os.Rename(path+".swp", path); err != nil {
		t.Error(err)
	}
}

// A text that is saved twice, before a rename and after it, is kept twice.
func TestSavedTwice(t *testing.T) {
	for i, name := range []string{"a", "", "", "gone"} {
		if name == "" {
			continue
		}
		dir := put(t, before)
		r := &renaming{
			before: func(call int, _, _ string) {
				if call == i+1 {
					save(t, filepath.Join(dir, name), "first")
				}
			},
			after: func(call int, _, _ string) {
				if call == i+1 {
					save(t, filepath.Join(dir, name), "second")
				}
			},
		}
		r.install(t)
		err := planned(t, dir, Options{}).Run()
		checkKeptTwice(t, dir, name, err)
	}
}

// The same holds if a saved text can't be put back.
func TestSavedNotPutBack(t *testing.T) {
	for i, name := range []string{"a", "", "", "gone"} {
		if name == "" {
			continue
		}
		dir := put(t, before)
		r := &renaming{
			before: func(call int, _, _ string) {
				if call == i+1 {
					save(t, filepath.Join(dir, name), "first")
				}
			},
			fails: func(call int) error {
				if call == i+2 {
					save(t, filepath.Join(dir, name), "second")
					return unix.EIO
				}
				return nil
			},
		}
		r.install(t)
		err := planned(t, dir, Options{}).Run()
		checkKeptTwice(t, dir, name, err)
	}
}

func checkKeptTwice(t *testing.T, dir, name string, err error) {
	t.Helper()
	got := found(t, dir)
	other, saved := "", map[string]bool{got[name]: true}
	for n, text := range got {
		if strings.HasPrefix(n, Prefix) {
			other, saved[text] = n, true
			delete(got, n)
		}
	}
	want := name + " changed on disk after it was read; the rest was undone, but "
	if text := errText(err); !strings.HasPrefix(text, want) || !strings.HasSuffix(text, " is kept in "+filepath.Join(dir, other)) {
		t.Errorf("%v, want %s… is kept in %s", err, want, other)
	}
	if !saved["first"] || !saved["second"] || len(saved) != 2 || len(got) != 3 {
		t.Errorf("%s: %v, %v", name, got, saved)
	}
}

// A rewritten file that somebody saves again is not restored, and its earlier text is kept.
func TestUndoSaved(t *testing.T) {
	for name, want := range map[string]string{
		"a":    "another program saved a meanwhile; the version before that is kept in ",
		"new":  "",
		"gone": "the old gone is kept in ",
	} {
		dir := put(t, before)
		syncs := 0
		sync = func(*os.File) error {
			if syncs++; syncs < 2 {
				return nil
			}
			save(t, filepath.Join(dir, name), "saved")
			return unix.EIO
		}
		err := planned(t, dir, Options{}).Run()
		sync = (*os.File).Sync
		got := found(t, dir)
		if got[name] != "saved" {
			t.Errorf("%s is %q", name, got[name])
		}
		delete(got, name)
		rest, kept := map[string]string{"a": "1", "b": "2", "gone": "3"}, ""
		for n := range got {
			if strings.HasPrefix(n, Prefix) {
				kept = n
			}
		}
		if want != "" {
			rest[kept] = rest[name]
			want = "can't sync the directory " + dir + ": input/output error; the rest was undone, but " + want + filepath.Join(dir, kept)
		} else {
			want = "nothing was written: can't sync the directory " + dir + ": input/output error"
		}
		delete(rest, name)
		if errText(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
		if diff := cmp.Diff(rest, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A file that can neither be exchanged nor linked is still replaced. It can't be restored then, and the
// error mentions that.
func TestNoLinks(t *testing.T) {
	withoutExchange(t)
	link = func(*os.Root, string, string) error { return unix.EPERM }
	t.Cleanup(func() { link = (*os.Root).Link })
	for want, c := range map[string]struct {
		fails bool
		all   map[string]string
	}{
		"<nil>": {false, after},
		"can't sync the directory .: input/output error; the rest was undone, but b has its new text; a has its new text": {
			true, map[string]string{"a": "one", "b": "two", "gone": "3"}},
	} {
		t.Chdir(put(t, before))
		syncs := 0
		sync = func(*os.File) error {
			if syncs++; c.fails && syncs == 2 {
				return unix.EIO
			}
			return nil
		}
		err := planned(t, ".", Options{}).Run()
		sync = (*os.File).Sync
		if errText(err) != want {
			t.Errorf("%v, want %s", err, want)
		}
		if diff := cmp.Diff(c.all, found(t, ".")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// A file whose place a FIFO takes between the look and the read is another file, and nobody waits for a writer.
func TestTextNeverWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	d, err := openDir(filepath.Dir(path), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	read := make(chan bool)
	go func() {
		for end := time.Now().Add(time.Second / 2); time.Now().Before(end); {
			_, _ = holdsText([]byte("text"))(d, "a")
		}
		close(read)
	}()
	for limit := time.After(20 * time.Second); ; {
		select {
		case <-read:
			return
		case <-limit:
			t.Fatal("a read waits")
		default:
		}
		err := errors.Join(os.WriteFile(path, []byte("text"), 0o600), os.Remove(path), syscall.Mkfifo(path, 0o600), os.Remove(path))
		if err != nil {
			t.Fatal(err)
		}
	}
}

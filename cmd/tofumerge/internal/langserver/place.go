package langserver

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"golang.org/x/text/unicode/norm"
)

// To which module a document belongs. Only the file system knows, because a directory can have
// several names, and file systems can be slow. So it is never accessed under the mutex, nor by the
// goroutine that reads messages: a document is placed some time after it was opened, and requests
// wait for that.

// maxPlacing is how many documents are placed at the same time.
const maxPlacing = 64

// place finds the module of an open document, whose text is as it was opened.
func (s *server) place(doc *openDocument, text *view.Text) {
	defer s.caughtAside()
	defer close(doc.placed)
	_ = s.placing.acquire(context.Background())
	defer s.placing.release()
	dir, name := filepath.Dir(doc.path), nameOf(doc.path)
	if rel, err := filepath.Rel(doc.governs, doc.path); err == nil && doc.governs != "" && doc.governs != dir {
		dir, name = doc.governs, filepath.ToSlash(rel)
	}
	onDisk, err := input.Read(doc.path, s.MaxFileSize)
	key := s.lockedKeyOf(dir)
	defer s.mutex.Unlock()
	if err == nil && text != nil && doc.saved == nil && bytes.Equal(onDisk, text.Bytes()) {
		doc.saved = text
	}
	if s.docs[doc.uri] != doc || s.isClosed {
		return
	}
	m := s.modules[key]
	if m == nil {
		m = newModule(s, key, dir)
		s.modules[key] = m
	}
	doc.module, doc.name = m, name
	m.docs[doc.uri] = doc
	m.edited(doc)
	s.governed(doc)
}

// unplacedFor returns the open documents whose module isn't known yet, and may be the one in a
// directory or may hold settings for it. The server is locked.
func (s *server) unplacedFor(dir string) []*openDocument {
	var list []*openDocument
	for _, doc := range s.docs {
		isFor := filepath.Dir(doc.path) == dir || doc.governs != "" && isBelow(dir, doc.governs)
		if doc.isUnplaced() && isFor {
			list = append(list, doc)
		}
	}
	return list
}

// allUnplaced returns all open documents whose module isn't known yet.
func (s *server) allUnplaced() []*openDocument {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	docs := slices.Collect(maps.Values(s.docs))
	return slices.DeleteFunc(docs, func(d *openDocument) bool { return !d.isUnplaced() })
}

// isUnplaced reports whether the module of a document isn't known yet.
func (d *openDocument) isUnplaced() bool { return !isDone(d.placed) }

// isDone reports whether a channel is closed.
func isDone(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// allPlaced waits until documents have been placed.
func allPlaced(ctx context.Context, docs []*openDocument) error {
	for _, doc := range docs {
		select {
		case <-doc.placed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// placed waits until the module is known, and every document that was open when the request
// arrived is in it.
func (w *snapshotRequest) placed(ctx context.Context) error {
	s := w.server
	if err := allPlaced(ctx, w.unplaced); err != nil {
		return err
	}
	if w.path == "" || w.module != nil && len(w.unplaced) == 0 {
		return nil
	}
	key := ""
	if w.doc == nil {
		var err error
		if key, err = s.keyWithin(ctx, filepath.Dir(w.path)); err != nil {
			return err
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case w.doc == nil:
		w.module = s.modules[key]
	case s.docs[w.doc.uri] != w.doc:
		return errModified
	default:
		w.module, w.name = w.doc.module, w.doc.name
	}
	if w.module != nil {
		w.state = w.module.state
	}
	return nil
}

// keyOf returns the key that the module of a directory has, or would have.
func (s *server) keyOf(dir string) string {
	key := s.lockedKeyOf(dir)
	s.mutex.Unlock()
	return key
}

// keyWithin is keyOf. It gives up when ctx is done.
func (s *server) keyWithin(ctx context.Context, dir string) (string, error) {
	found := make(chan string, 1)
	go func() {
		defer s.caughtAside()
		defer close(found) // after a panic, the request must not wait
		found <- s.keyOf(dir)
	}()
	select {
	case key := <-found:
		return key, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// lockedKeyOf is keyOf, and locks the server. Some file systems accept several names for a
// directory that identity doesn't unify, such as names that differ in case.
func (s *server) lockedKeyOf(dir string) string {
	key := s.identity(dir)
	var known []string // names that are like the key, in modules that were looked at
	for {
		s.mutex.Lock()
		like := s.keysLike(key)
		if s.modules[key] != nil || slices.Equal(like, known) {
			return key
		}
		s.mutex.Unlock()
		known = like
		if same := sameDir(dir, like); same != "" {
			key = same
		}
	}
}

// keysLike returns the keys of modules that differ from a key at most in case and composed
// letters. The server is locked.
func (s *server) keysLike(key string) []string {
	var like []string
	for other := range s.modules {
		if isLike(other, key) {
			like = append(like, other)
		}
	}
	slices.Sort(like)
	return like
}

// isLike reports whether names differ at most in case and composed letters.
func isLike(a, b string) bool {
	return a == b || strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b))
}

// sameDir returns which of some names denotes a directory, or "".
func sameDir(dir string, names []string) string {
	info, err := os.Stat(dir)
	if err != nil {
		return ""
	}
	for _, name := range names {
		if other, err := os.Stat(name); err == nil && os.SameFile(info, other) {
			return name
		}
	}
	return ""
}

// identity is the canonical name of a directory, with links resolved. A directory that doesn't
// exist yet has the name that it will have.
func (s *server) identity(dir string) string {
	target, err := s.EvalSymlinks(dir)
	parent := filepath.Dir(dir)
	switch {
	case err == nil:
		return target
	case errors.Is(err, fs.ErrNotExist) && parent != dir:
		return filepath.Join(s.identity(parent), filepath.Base(dir))
	}
	return dir
}

// nameOf is the name of a file in its directory, which may differ from the client's in case or
// in composed letters.
func nameOf(path string) string {
	dir, name := filepath.Split(path)
	if _, err := os.Lstat(path); err != nil {
		return name // it isn't saved yet
	}
	entries, _ := os.ReadDir(dir)
	same := name
	for _, e := range entries {
		switch {
		case e.Name() == name:
			return name
		case isLike(e.Name(), name):
			same = e.Name()
		}
	}
	return same
}

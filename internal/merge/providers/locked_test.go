package providers_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
)

// revision is a directory that is not on the disk, with one file at most.
type revision struct {
	load.Directory
	lock string
}

func (d revision) Read(name string, limit int64) ([]byte, error) {
	switch {
	case d.lock == "" || name != load.LockName:
		return nil, fs.ErrNotExist
	case int64(len(d.lock)) > limit:
		return nil, errors.New("too large")
	}
	return []byte(d.lock), nil
}

// A lock file is read as far as it is one; versions that can't be read are nil.
func TestLocked(t *testing.T) {
	lock := "provider \"registry.opentofu.org/a/b\" {\n  version = \"1.2.3\"\n}\nprovider \"c\" {\n}\nprovider \"d\" {\n  version = \"x\"\n}\nother \"e\" {\n}\n"
	onDisk, there := &load.Module{Dir: t.TempDir()}, &load.Module{From: revision{lock: lock}}
	if err := os.WriteFile(filepath.Join(onDisk.Dir, load.LockName), []byte(lock), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*load.Module{onDisk, there} {
		list, diags, err := providers.Locked(m, input.MaxFileSize)
		if err != nil || len(diags) > 0 {
			t.Fatal(err, diags)
		}
		var got []string
		for _, p := range list {
			got = append(got, fmt.Sprintf("%s %v line %d", p.Source, p.Version, p.Range.Start.Line))
		}
		if diff := cmp.Diff([]string{"registry.opentofu.org/a/b 1.2.3 line 1", "c <nil> line 4", "d <nil> line 6"}, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if _, _, err := providers.Locked(there, 10); err == nil {
		t.Error("a limit is no error")
	}
	if _, _, err := providers.Locked(onDisk, 10); err == nil {
		t.Error("a limit is no error on the disk")
	}
	if _, _, err := providers.Locked(&load.Module{From: revision{}}, 1000); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a lock file: %v", err)
	}
}

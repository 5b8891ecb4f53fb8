package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
)

// A baseline that another run wrote in the meantime is not overwritten.
func TestBaselineChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.json")
	b := &BaselineFile{Write: path}
	if err := b.replace(path, []byte("one"), replace.Options{}); err != nil {
		t.Fatal(err)
	}
	err := b.replace(path, []byte("other"), replace.Options{}) // it read that there is none
	if err == nil || !strings.Contains(err.Error(), "changed while check ran") {
		t.Errorf("the error is %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "one" {
		t.Errorf("it is %q, %v", text, err)
	}
	b.old = []byte("one")
	if err := b.replace(path, []byte("other"), replace.Options{}); err != nil {
		t.Error(err)
	}
}

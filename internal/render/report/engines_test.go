package report_test

import (
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

func release(t *testing.T, name string) engine.Release {
	t.Helper()
	e, err := engine.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// names is a directory for tests that need only the names.
type names []string

func (d names) Names() ([]string, map[string]bool, error) { return d, nil, nil }
func (d names) Read(string, int64) ([]byte, error)        { panic("nothing is read") }
func (d names) EscapesRepo(string) bool                   { return false }

var _ load.Directory = names{}

package report_test

import (
	"github.com/tofumerge/tofumerge/internal/load"
)

// names is a directory for tests that need only the names.
type names []string

func (d names) Names() ([]string, map[string]bool, error) { return d, nil, nil }
func (d names) Read(string, int64) ([]byte, error)        { panic("nothing is read") }
func (d names) EscapesRepo(string) bool                   { return false }

var _ load.Directory = names{}

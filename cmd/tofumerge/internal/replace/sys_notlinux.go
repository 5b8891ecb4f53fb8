//go:build !linux

package replace

import (
	"errors"
	"os"
)

func renameat2(_ int, _ string, _ int, _ string, _ uint) error { return errors.ErrUnsupported }

func attributesLost(*os.File, string) string { return "" }

func removeInheritedACL(*os.File) {}

//go:build !linux

package replace

import (
	"errors"
	"os"
)

func renameat2(_ int, _ string, _ int, _ string, _ uint) error { return errors.ErrUnsupported }

func lostAttributes(*os.File, string) string { return "" }

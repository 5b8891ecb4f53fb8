//go:build !linux

package replace

import (
	"errors"
	"os"
)

const noReplace, exchanging = 0, 0

func (d *dir) rename(_, _ string, _ uint) error { return errors.ErrUnsupported }

func dropACL(*os.File)                         {}
func lostAttributes(*os.File, string) []string { return nil }

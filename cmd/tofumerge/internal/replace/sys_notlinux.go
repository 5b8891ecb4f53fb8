//go:build !linux

package replace

import "errors"

func (d *dir) exchange(_, _ string) error  { return errors.ErrUnsupported }
func (d *dir) renameNew(_, _ string) error { return errors.ErrUnsupported }

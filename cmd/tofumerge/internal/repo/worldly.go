package repo

import "io/fs"

// Worldly is an error without the path that package os puts into it.
func Worldly(err error) error {
	if pathErr, ok := err.(*fs.PathError); ok {
		return pathErr.Err
	}
	return err
}

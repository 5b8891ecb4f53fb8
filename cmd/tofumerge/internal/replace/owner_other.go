//go:build !unix

package replace

import "os"

func keepOwner(_ *os.File, info os.FileInfo) ([]string, os.FileMode, error) {
	return nil, info.Mode(), nil
}

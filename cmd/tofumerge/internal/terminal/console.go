package terminal

import (
	"io"
	"os"
)

// A console is a terminal whose system doesn't act on the sequences that colour text: what
// is written to it is translated first.
type console struct {
	io.Writer
	file *os.File
}

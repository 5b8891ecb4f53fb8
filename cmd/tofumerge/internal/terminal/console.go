package terminal

import (
	"io"
	"os"
)

// A console is a terminal whose system doesn't act on the sequences that colour text: its text is
// translated first.
type console struct {
	io.Writer
	file *os.File
}

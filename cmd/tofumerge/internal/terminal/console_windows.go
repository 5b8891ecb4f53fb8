package terminal

import (
	"io"
	"os"

	"github.com/mattn/go-colorable"
	"golang.org/x/sys/windows"
)

// OpenConsole makes the console understand colour sequences (Windows 10 and later), or returns a writer that
// translates them.
func OpenConsole(f *os.File) io.Writer {
	var mode uint32
	handle := windows.Handle(f.Fd())
	if windows.GetConsoleMode(handle, &mode) != nil {
		return f // no console
	}
	if windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil {
		return f
	}
	return &console{colorable.NewColorable(f), f}
}

package terminal

import (
	"io"
	"os"

	"github.com/mattn/go-colorable"
	"golang.org/x/sys/windows"
)

// OpenConsole has the console act on sequences (Windows 10 and later), or else translates
// them.
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

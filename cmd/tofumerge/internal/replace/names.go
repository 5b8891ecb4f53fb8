package replace

import (
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const isWindows = runtime.GOOS == "windows"

var errReserved = errors.New("the name is reserved for a device on Windows; choose another one")

// reserved are the names of devices on Windows, in every directory and with any extension.
var reserved = []string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}

// isReserved reports whether a name is a device's on Windows.
func isReserved(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	if port, isPort := strings.CutPrefix(stem, "COM"); isPort {
		return isDigit(port)
	}
	if port, isPort := strings.CutPrefix(stem, "LPT"); isPort {
		return isDigit(port)
	}
	return slices.Contains(reserved, stem)
}

func isDigit(s string) bool { return len([]rune(s)) == 1 && strings.Contains("0123456789¹²³", s) }

// checkName refuses to make a file or a directory whose name Windows takes for a device.
// The device itself, as NUL, may be written to.
func checkName(path string, isWindows bool) error {
	if name := filepath.Base(path); isWindows && isReserved(name) && strings.Contains(name, ".") {
		return errReserved
	}
	return nil
}

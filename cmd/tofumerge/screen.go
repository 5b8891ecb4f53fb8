package main

import (
	"bytes"
	"io"
	"os"
	"strconv"

	"github.com/mattn/go-isatty"
	"github.com/tofumerge/tofumerge/internal/render/highlight"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/term"
	xterm "golang.org/x/term"
)

// screen says what is known of who reads a stream.
func (a *app) screen(w io.Writer) screen.Screen {
	s := screen.Screen{Palette: palette.New(a.colored(w)), Width: screen.DefaultWidth, IsTerminal: isTerminal(w)}
	if s.IsTerminal {
		s.Width = a.terminalWidth(beneath(w).(*os.File))
	}
	return s
}

// The widths that are believed. A narrower terminal breaks the lines itself.
const minWidth, maxWidth = 20, 4000

// terminalWidth is how many columns a terminal has: what COLUMNS says, as git and others
// read it, or else the terminal itself.
func (a *app) terminalWidth(f *os.File) int {
	columns, err := strconv.Atoi(a.env("COLUMNS"))
	if err != nil || columns <= 0 || columns > maxWidth {
		columns, _, err = xterm.GetSize(int(f.Fd()))
	}
	if err != nil || columns <= 0 {
		return screen.DefaultWidth
	}
	return max(minWidth, columns)
}

// colored decides on colour for a stream: by the flag, then by the environment
// in the way of https://no-color.org and https://bixense.com/clicolors, then by
// what the stream is.
func (a *app) colored(w io.Writer) palette.Coloring {
	switch {
	case a.noColor:
		return false
	case a.color == "always":
		return true
	case a.color == "never", a.env("NO_COLOR") != "":
		return false
	case a.env("CLICOLOR_FORCE") != "" && a.env("CLICOLOR_FORCE") != "0":
		return true
	case a.env("TERM") == "dumb":
		return false
	}
	return palette.Coloring(isTerminal(w))
}

// highlights reports whether configuration is coloured: on a terminal, or if the user asks for
// it. Variables of the environment colour messages and marks also where programs may read the
// configuration, but never that.
func (a *app) highlights(w io.Writer) bool {
	return bool(a.colored(w)) && (isTerminal(w) || a.color == "always")
}

// jsonOut is standard output for JSON.
func (a *app) jsonOut() io.Writer {
	if !a.highlights(a.out) {
		return a.out
	}
	return highlight.JSON(a.out, palette.New(true))
}

func isTerminal(w io.Writer) bool {
	f, ok := beneath(w).(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// message prints a message that belongs to no place in a file.
func (a *app) message(head, text string) {
	var out bytes.Buffer
	term.Message(&out, head, text, a.screen(a.err))
	_, _ = a.err.Write(out.Bytes())
}

// warn prints a warning that belongs to no place in a file.
func (a *app) warn(text string) {
	if !a.quiet {
		a.message(term.WarningHead, text)
	}
}

// note prints what is worth knowing and nothing to worry about.
func (a *app) note(text string) {
	if !a.quiet {
		a.message("", text)
	}
}

// tell prints what --verbose asks for.
func (a *app) tell(text string) { a.message("", text) }

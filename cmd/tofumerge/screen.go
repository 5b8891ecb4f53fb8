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

// Screen says what is known of who reads a stream.
func (a *app) Screen(w io.Writer) screen.Screen {
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
	columns, err := strconv.Atoi(a.Env("COLUMNS"))
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
	case a.NoColor:
		return false
	case a.Color == "always":
		return true
	case a.Color == "never", a.Env("NO_COLOR") != "":
		return false
	case a.Env("CLICOLOR_FORCE") != "" && a.Env("CLICOLOR_FORCE") != "0":
		return true
	case a.Env("TERM") == "dumb":
		return false
	}
	return palette.Coloring(isTerminal(w))
}

// Highlights reports whether configuration is coloured: on a terminal, or if the user asks for
// it. Variables of the environment colour messages and marks also where programs may read the
// configuration, but never that.
func (a *app) Highlights(w io.Writer) bool {
	return bool(a.colored(w)) && (isTerminal(w) || a.Color == "always")
}

// JSONOut is standard output for JSON.
func (a *app) JSONOut() io.Writer {
	if !a.Highlights(a.Out) {
		return a.Out
	}
	return highlight.JSON(a.Out, palette.New(true))
}

func isTerminal(w io.Writer) bool {
	f, ok := beneath(w).(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// Message prints a Message that belongs to no place in a file.
func (a *app) Message(head, text string) {
	var out bytes.Buffer
	term.Message(&out, head, text, a.Screen(a.Err))
	_, _ = a.Err.Write(out.Bytes())
}

// Warn prints a warning that belongs to no place in a file.
func (a *app) Warn(text string) {
	if !a.Quiet {
		a.Message(term.WarningHead, text)
	}
}

// Note prints what is worth knowing and nothing to worry about.
func (a *app) Note(text string) {
	if !a.Quiet {
		a.Message("", text)
	}
}

// Tell prints what --verbose asks for.
func (a *app) Tell(text string) { a.Message("", text) }

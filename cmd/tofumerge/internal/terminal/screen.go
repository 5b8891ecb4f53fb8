package terminal

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/mattn/go-isatty"
	"github.com/tofumerge/tofumerge/internal/render/highlight"
	"github.com/tofumerge/tofumerge/internal/render/screen"
	"github.com/tofumerge/tofumerge/internal/render/term"
	"github.com/tofumerge/tofumerge/internal/render/wording"
	xterm "golang.org/x/term"
)

// A Console holds the streams of a run, and the user's settings for them. Flags set its fields
// before anything is written.
type Console struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	Env func(string) string
	// Environ lists the environment as NAME=VALUE; nil for an empty one.
	Environ func() []string

	Color   string // auto, always or never
	NoColor bool
	Verbose bool
	Quiet   bool

	stdout *bufferedStdout
	said   sync.Map // texts printed once
}

// New returns the console of a run. Text written to out is held back at first, so that a run that
// fails half-way has written nothing. Flush passes it on, Drop discards it.
func New(in io.Reader, out, err io.Writer, env func(string) string) *Console {
	h := hold(out)
	h.blanks.hasMessages, h.blanks.hasResult = IsTerminal(err), IsTerminal(out)
	return &Console{In: in, Out: h, Err: messages{to: err, after: h}, Env: env, stdout: h}
}

// Silent returns a console that discards everything written to it.
func Silent(in io.Reader, env func(string) string) *Console {
	return &Console{In: in, Out: io.Discard, Err: io.Discard, Env: env, Color: "never"}
}

// HoldForFile has the result go to a buffer, which is for a file: nothing in it is coloured.
func (c *Console) HoldForFile() *bytes.Buffer {
	f := &fileText{}
	c.Out = f
	return &f.Buffer
}

// A fileText is a result on its way to a file.
type fileText struct{ bytes.Buffer }

// Flush passes on the held part of the result, and returns the error of writing it.
func (c *Console) Flush() error { return c.stdout.Flush() }

// Drop discards the held part of the result.
func (c *Console) Drop() { c.stdout.drop() }

// Screen describes the reader of a stream.
func (c *Console) Screen(w io.Writer) screen.Screen {
	s := screen.Screen{Palette: screen.NewPalette(c.Colored(w)), Width: screen.DefaultWidth, IsTerminal: IsTerminal(w)}
	if s.IsTerminal {
		s.Width = c.terminalWidth(Beneath(w).(*os.File))
	}
	return s
}

// MinWidth and maxWidth are the widths that are believed. A narrower terminal breaks the lines itself.
const MinWidth, maxWidth = 20, 4000

// terminalWidth is the number of columns of a terminal: from COLUMNS, as git and others read it, or
// else from the terminal itself.
func (c *Console) terminalWidth(f *os.File) int {
	columns, err := strconv.Atoi(c.Env("COLUMNS"))
	if err != nil || columns <= 0 || columns > maxWidth {
		columns, _, err = xterm.GetSize(int(f.Fd()))
	}
	if err != nil || columns <= 0 {
		return screen.DefaultWidth
	}
	return max(MinWidth, columns)
}

// Colored decides on colour for a stream: by the flag, then by the environment as
// https://no-color.org and https://bixense.com/clicolors define, then by the kind of the stream.
func (c *Console) Colored(w io.Writer) screen.Coloring {
	_, isFile := w.(*fileText)
	switch {
	case c.NoColor, isFile:
		return false
	case c.Color == "always":
		return true
	case c.Color == "never", c.Env("NO_COLOR") != "":
		return false
	case c.Env("CLICOLOR_FORCE") != "" && c.Env("CLICOLOR_FORCE") != "0":
		return true
	case c.Env("TERM") == "dumb":
		return false
	}
	return screen.Coloring(IsTerminal(w))
}

// Highlights reports whether configuration is coloured: on a terminal, or on the user's request.
// Environment variables colour messages and marks even if programs may read the configuration, but
// never the configuration.
func (c *Console) Highlights(w io.Writer) bool {
	return bool(c.Colored(w)) && (IsTerminal(w) || c.Color == "always")
}

// JSONOut is standard output for JSON.
func (c *Console) JSONOut() io.Writer {
	if !c.Highlights(c.Out) {
		return c.Out
	}
	return highlight.JSON(c.Out, screen.NewPalette(true))
}

// IsTerminal reports whether people read a stream on a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := Beneath(w).(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// Message prints a message without a location in a file.
func (c *Console) Message(head, text string) {
	var out bytes.Buffer
	term.Message(&out, head, text, c.Screen(c.Err))
	_, _ = c.Err.Write(out.Bytes())
}

// Warn prints a warning without a location in a file.
func (c *Console) Warn(text string) {
	if !c.Quiet {
		c.Message(term.WarningHead, text)
	}
}

// Note prints useful information that isn't a reason to worry.
func (c *Console) Note(text string) {
	if !c.Quiet {
		c.Message("", text)
	}
}

// NoteHidden prints how many things flags hide, also under Quiet: nobody is to take a part for the whole.
func (c *Console) NoteHidden(flags string, n int, noun string) {
	if n > 0 {
		c.Message("", "Note: "+flags+" "+wording.Count(n, noun))
	}
}

// Tell prints the details for --verbose, and how a run ended. On a terminal they are dimmed.
func (c *Console) Tell(text string) {
	var out bytes.Buffer
	term.Aside(&out, text, c.Screen(c.Err))
	_, _ = c.Err.Write(out.Bytes())
}

// NoteOnce prints a note that is the same for many modules; nothing without a text.
func (c *Console) NoteOnce(text string) {
	if _, known := c.said.LoadOrStore(text, true); !known && text != "" {
		c.Note(text)
	}
}

// Summarizes reports whether a run ends with a summary line: under Verbose, and on a terminal,
// unless the user wants quiet.
func (c *Console) Summarizes() bool { return c.Verbose || IsTerminal(c.Err) && !c.Quiet }

// maxErrorText is how many bytes of an error are shown. It may quote a file.
const maxErrorText = 4000

// Error prints an error without a location in a file.
func (c *Console) Error(err error) { c.Message(term.ErrorHead, shortened(err.Error(), maxErrorText)) }

// Block prints messages of several lines each.
func (c *Console) Block(text []byte) {
	if m, ok := c.Err.(messages); ok {
		_, _ = m.write(text, true)
		return
	}
	_, _ = c.Err.Write(text)
}

// shortened is a text of so many bytes at most, or a little more.
func shortened(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

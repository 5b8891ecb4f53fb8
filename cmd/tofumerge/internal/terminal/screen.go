// Package terminal holds the program's streams: one for the result, which is held back until the
// run is likely to succeed, and one for people, with messages, colours and progress.
//
// It wraps the streams of a process, as the flags of all commands require. The package decides on
// colour and width, keeps messages and result apart on a terminal, and takes care that no pipeline
// acts on a message. It knows neither modules nor commands.
package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
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
// fails half-way has written nothing. Flush passes it on, Drop discards it. Messages wait for Flush, too: the
// log of a pipeline joins both streams, and people look for the result above what is said of it.
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

// Flush passes on the held part of the result, and then the messages. It returns the error of writing
// the result.
func (c *Console) Flush() error {
	if c.stdout != nil {
		defer c.stdout.tell()
		return c.stdout.Flush()
	}
	return nil
}

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

// NoteOnce prints a note that is the same for many modules. It prints nothing for an empty text.
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

// bufferedBytes is how much of the result is held back.
const bufferedBytes = 1 << 20

// A bufferedStdout keeps the beginning of its text, so that a program that fails half-way has
// written nothing.
type bufferedStdout struct {
	text   [][]byte // in pieces, so that none is copied when there is more
	size   int      // of text, in bytes
	passed [][]byte // pieces that were passed on
	to     io.Writer
	err    error // of writing to the stream, which ends all further writing
	blanks *blankLines

	mutex sync.Mutex
	later []message // that wait for the text
}

// A message waits for the result.
type message struct {
	to      io.Writer
	text    string
	isBlock bool
}

// tell writes the messages that wait.
func (h *bufferedStdout) tell() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, m := range h.later {
		h.blanks.take(m.to, m.isBlock)
		_, _ = io.WriteString(m.to, m.text)
	}
	h.later = nil
}

func hold(to io.Writer) *bufferedStdout { return &bufferedStdout{to: to, blanks: &blankLines{}} }

// Write holds back what there is room for.
func (h *bufferedStdout) Write(text []byte) (int, error) {
	if h.size+len(text) <= bufferedBytes {
		h.keep(text)
		return len(text), nil
	}
	if err := h.Flush(); err != nil {
		return 0, err
	}
	h.blanks.take(h.to, false)
	n, err := h.to.Write(text)
	h.err = err
	return n, err
}

// keep adds text to the held part.
func (h *bufferedStdout) keep(text []byte) {
	const smallest, largest = 4 << 10, 128 << 10 // pieces
	h.size += len(text)
	for len(text) > 0 {
		n := len(h.text)
		if n == 0 || len(h.text[n-1]) == cap(h.text[n-1]) {
			var piece []byte // the memory of one that was passed on, if there is any
			if n < len(h.passed) {
				piece = h.passed[n][:0]
			} else {
				piece = make([]byte, 0, min(largest, smallest<<n))
			}
			h.text = append(h.text, piece)
			n++
		}
		last := h.text[n-1]
		added := min(cap(last)-len(last), len(text))
		h.text[n-1] = append(last, text[:added]...)
		text = text[added:]
	}
}

// Flush passes on the held part.
func (h *bufferedStdout) Flush() error {
	for _, text := range h.text {
		if h.err == nil {
			h.blanks.take(h.to, false)
			_, h.err = h.to.Write(text)
		}
	}
	h.drop()
	return h.err
}

// drop discards the held part.
func (h *bufferedStdout) drop() {
	if len(h.text) > len(h.passed) {
		h.passed = h.text
	}
	h.text, h.size = nil, 0
}

// messages is a stream for people, which waits for the result. In the log of a pipeline no message is a
// command, if each is written as a whole.
type messages struct {
	to    io.Writer
	after *bufferedStdout
}

func (m messages) Write(text []byte) (int, error) { return m.write(text, false) }

func (m messages) write(text []byte, isBlock bool) (int, error) {
	m.after.mutex.Lock()
	defer m.after.mutex.Unlock()
	m.after.later = append(m.after.later, message{m.to, safetext.Inert(string(text)), isBlock})
	return len(text), nil
}

// Beneath is the stream that another one writes to.
func Beneath(w io.Writer) io.Writer {
	switch w := w.(type) {
	case *bufferedStdout:
		return Beneath(w.to)
	case messages:
		return Beneath(w.to)
	case *console:
		return w.file
	}
	return w
}

// blankLines puts blank lines, on a terminal, between messages and the result, and around messages
// of several lines.
type blankLines struct {
	hasMessages, hasResult bool // people see them on a terminal

	last     io.Writer
	wasBlock bool
}

// take notes that a stream is about to be written to.
func (t *blankLines) take(stream io.Writer, isBlock bool) {
	isApart := stream == t.last && (isBlock || t.wasBlock) || stream != t.last && t.hasResult
	if t.hasMessages && t.last != nil && isApart {
		_, _ = io.WriteString(stream, "\n")
	}
	t.last, t.wasBlock = stream, isBlock
}

// A Progress shows on a terminal how far a long run is, on one line that disappears at the end.
// Anything other than a terminal gets nothing.
type Progress struct {
	to      io.Writer
	line    func() string
	mutex   sync.Mutex // of the stream
	isShown bool
	quit    chan bool // nil without a terminal
	gone    chan bool
}

// Progress starts a line with the number of modules that are done. One module has none.
func (c *Console) Progress(verb string, total int, done *atomic.Int64) *Progress {
	p := &Progress{to: Beneath(c.Err)} // a line that disappears isn't a message
	if !IsTerminal(c.Err) || total < 2 {
		return p
	}
	p.line = func() string { return fmt.Sprintf("\r%s %d of %s", verb, done.Load(), wording.Count(total, "module")) }
	p.quit, p.gone = make(chan bool), make(chan bool)
	go p.run()
	return p
}

func (p *Progress) run() {
	const patience, every = time.Second, 200 * time.Millisecond
	defer close(p.gone)
	for wait := patience; ; wait = every {
		select {
		case <-p.quit:
			return
		case <-time.After(wait):
			p.mutex.Lock()
			fmt.Fprint(p.to, p.line())
			p.isShown = true
			p.mutex.Unlock()
		}
	}
}

// Aside calls a function that may print messages.
func (p *Progress) Aside(do func()) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.clear()
	do()
}

func (p *Progress) clear() {
	if p.isShown {
		fmt.Fprint(p.to, "\r\x1b[K")
		p.isShown = false
	}
}

// Stop ends it; a second time does nothing.
func (p *Progress) Stop() {
	if p.quit == nil {
		return
	}
	close(p.quit)
	<-p.gone
	p.quit = nil
	p.clear()
}

// WhereToReport is the address for reports of defects.
const WhereToReport = "https://github.com/tofumerge/tofumerge/issues"

// maxCrashText is how many bytes of a panic's text are shown.
const maxCrashText = 300

// Crashed reports a panic that nothing caught.
func (c *Console) Crashed(crash *parallel.Crash) {
	c.Message(term.ErrorHead, fmt.Sprintf("tofumerge crashed: %s; this is a bug in tofumerge, report it at %s",
		CrashText(crash), WhereToReport))
	if !c.Stack(crash) {
		fmt.Fprintln(c.Err, "  To get the stack for the report, use -v.")
	}
}

// Stack prints where a panic happened if the user wants to know, and reports whether it did.
func (c *Console) Stack(crash *parallel.Crash) bool {
	if c.Verbose {
		fmt.Fprintf(c.Err, "%s", safetext.Printable(string(crash.Stack)))
	}
	return c.Verbose
}

// CrashText is the message of a panic, shortened.
func CrashText(crash *parallel.Crash) string {
	return shortened(diag.Escape(crash.Error()), maxCrashText)
}

// A console is a terminal whose system doesn't act on the sequences that colour text: its text is
// translated first.
type console struct {
	io.Writer
	file *os.File
}

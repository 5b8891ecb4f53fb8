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

// New returns the console of a run. It holds back the beginning of the result, so that a run that fails
// half-way has written nothing: Flush passes that on, Drop discards it. Messages wait for Flush, too, because
// people look for the result above the messages about it, even where a log joins both streams.
func New(in io.Reader, out, err io.Writer, env func(string) string) *Console {
	h := hold(out)
	h.blanks.hasMessages, h.blanks.hasResult = IsTerminal(err), IsTerminal(out)
	return &Console{In: in, Out: h, Err: messages{to: err, after: h}, Env: env, stdout: h}
}

// Silent returns a console that discards everything written to it.
func Silent(in io.Reader, env func(string) string) *Console {
	return &Console{In: in, Out: io.Discard, Err: io.Discard, Env: env, Color: "never"}
}

// HoldForFile makes the result go to a buffer, which is meant for a file: nothing in it is coloured.
func (c *Console) HoldForFile() *bytes.Buffer {
	f := &fileText{}
	c.Out = f
	return &f.Buffer
}

// A fileText is a result that is written to a file later.
type fileText struct{ bytes.Buffer }

// Flush passes on the held part of the result, and then the messages. It returns the error of writing the
// result.
func (c *Console) Flush() error {
	if c.stdout != nil {
		defer c.stdout.writeMessages()
		return c.stdout.Flush()
	}
	return nil
}

// Drop discards the held part of the result.
func (c *Console) Drop() { c.stdout.drop() }

// Screen returns the width and the colours with which to print to a stream.
func (c *Console) Screen(w io.Writer) screen.Screen {
	s := screen.Screen{Palette: screen.NewPalette(c.Colored(w)), Width: screen.DefaultWidth, IsTerminal: IsTerminal(w)}
	if s.IsTerminal {
		s.Width = c.terminalWidth(Beneath(w).(*os.File))
	}
	return s
}

// MinWidth and maxWidth limit the widths that are believed. A narrower terminal breaks the lines itself.
const MinWidth, maxWidth = 20, 4000

// terminalWidth returns the number of columns of a terminal, at least MinWidth: from the variable COLUMNS if it
// has a believable number, as git does, or else from the terminal itself.
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

// Highlights reports whether configuration is coloured when written to w: on a terminal, or with
// --color=always. The environment variable CLICOLOR_FORCE isn't enough: it colours messages and marks, but
// without a terminal a program may read the configuration.
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

// NoteHidden prints a note such as "--filter hides 3 blocks"; clause is its start, with the verb. It prints
// even under Quiet, so that nobody takes a part for the whole.
func (c *Console) NoteHidden(clause string, n int, noun string) {
	if n > 0 {
		c.Message("", "Note: "+clause+" "+wording.Count(n, noun))
	}
}

// Tell prints details for --verbose, or the line that sums up a run; dimmed on a terminal. It prints even under
// Quiet, so the caller decides.
func (c *Console) Tell(text string) {
	var out bytes.Buffer
	term.Aside(&out, text, c.Screen(c.Err))
	_, _ = c.Err.Write(out.Bytes())
}

// NoteOnce prints a note unless the run has printed the same one before. It prints nothing for an empty text.
func (c *Console) NoteOnce(text string) {
	if _, known := c.said.LoadOrStore(text, true); !known && text != "" {
		c.Note(text)
	}
}

// Summarizes reports whether a run ends with a summary line: under Verbose, and on a terminal,
// unless the user wants quiet.
func (c *Console) Summarizes() bool { return c.Verbose || IsTerminal(c.Err) && !c.Quiet }

// maxErrorText is the maximum length of an error in bytes, since it may quote a file.
const maxErrorText = 4000

// Error prints an error without a location in a file.
func (c *Console) Error(err error) { c.Message(term.ErrorHead, shorten(err.Error(), maxErrorText)) }

// Block prints text of several lines as one message.
func (c *Console) Block(text []byte) {
	if m, ok := c.Err.(messages); ok {
		_, _ = m.write(text, true)
		return
	}
	_, _ = c.Err.Write(text)
}

// shorten returns a text cut to most bytes, with an ellipsis if anything was cut.
func shorten(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// bufferedBytes is the maximum size of the result that is held back.
const bufferedBytes = 1 << 20

// A bufferedStdout holds back its text up to bufferedBytes, so that a program that fails half-way has written
// nothing.
type bufferedStdout struct {
	text   [][]byte // in pieces, so that growing copies nothing
	size   int      // of text, in bytes
	passed [][]byte // pieces that were written or dropped; keep reuses their memory
	to     io.Writer
	err    error // the error of writing, after which nothing more is written
	blanks *blankLines

	mutex sync.Mutex
	later []message // messages that wait for the text
}

// A message waits until the result is written.
type message struct {
	to      io.Writer
	text    string
	isBlock bool
}

// writeMessages writes the messages that wait.
func (h *bufferedStdout) writeMessages() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, m := range h.later {
		h.blanks.separate(m.to, m.isBlock)
		_, _ = io.WriteString(m.to, m.text)
	}
	h.later = nil
}

// hold returns a buffer in front of a stream.
func hold(to io.Writer) *bufferedStdout { return &bufferedStdout{to: to, blanks: &blankLines{}} }

// Write holds text back. If that would exceed bufferedBytes, it passes on the held part and the text instead.
func (h *bufferedStdout) Write(text []byte) (int, error) {
	if h.size+len(text) <= bufferedBytes {
		h.keep(text)
		return len(text), nil
	}
	if err := h.Flush(); err != nil {
		return 0, err
	}
	h.blanks.separate(h.to, false) // false: not a block
	n, err := h.to.Write(text)
	h.err = err
	return n, err
}

// keep adds text to the held part. It fills the last piece, and then as many further ones as it takes.
func (h *bufferedStdout) keep(text []byte) {
	const smallest, largest = 4 << 10, 128 << 10 // bytes; each piece is twice as large as the one before
	h.size += len(text)
	for len(text) > 0 {
		pieces := len(h.text)
		isFull := pieces == 0 || len(h.text[pieces-1]) == cap(h.text[pieces-1])
		if isFull {
			var piece []byte
			if pieces < len(h.passed) {
				piece = h.passed[pieces][:0] // reuses its memory
			} else {
				piece = make([]byte, 0, min(largest, smallest<<pieces))
			}
			h.text = append(h.text, piece)
			pieces++
		}
		last := h.text[pieces-1]
		added := min(cap(last)-len(last), len(text))
		h.text[pieces-1] = append(last, text[:added]...)
		text = text[added:]
	}
}

// Flush passes on the held part, or drops it if writing has failed before. It returns the first error of writing.
func (h *bufferedStdout) Flush() error {
	for _, text := range h.text {
		if h.err == nil {
			h.blanks.separate(h.to, false) // a blank line if messages precede; false: not a block
			_, h.err = h.to.Write(text)
		}
	}
	h.drop()
	return h.err
}

// drop discards the held part, but keeps the memory of its pieces for the next one.
func (h *bufferedStdout) drop() {
	if len(h.text) > len(h.passed) {
		h.passed = h.text
	}
	h.text, h.size = nil, 0
}

// messages is the stream of messages for people, which wait for the result. In the log of a pipeline no
// message acts as a command, provided that each is written whole.
type messages struct {
	to    io.Writer
	after *bufferedStdout
}

// Write implements io.Writer. Each call is one message.
func (m messages) Write(text []byte) (int, error) { return m.write(text, false) }

// write adds a message to those that wait for the result. isBlock sets it apart by blank lines.
func (m messages) write(text []byte, isBlock bool) (int, error) {
	m.after.mutex.Lock()
	defer m.after.mutex.Unlock()
	m.after.later = append(m.after.later, message{m.to, safetext.Inert(string(text)), isBlock})
	return len(text), nil
}

// Beneath returns the stream behind the wrappers of this package, such as the *os.File of standard output.
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

// blankLines puts blank lines, on a terminal, between messages and the result, and around messages of several
// lines.
type blankLines struct {
	hasMessages, hasResult bool // people see them on a terminal

	last     io.Writer // the stream written to last; nil before the first text
	wasBlock bool      // the last text was a message of several lines
}

// separate must be called before each text written to a stream: it puts a blank line in front if one is needed.
// It is needed between messages and the result if both go to a terminal, and between two messages on a terminal
// if one of them has several lines (isBlock). A text of the result is never a block.
func (t *blankLines) separate(stream io.Writer, isBlock bool) {
	isOtherStream := stream != t.last // a message after the result, or the reverse
	isApart := isOtherStream && t.hasResult || !isOtherStream && (isBlock || t.wasBlock)
	if t.hasMessages && t.last != nil && isApart {
		_, _ = io.WriteString(stream, "\n")
	}
	t.last, t.wasBlock = stream, isBlock
}

// A Progress shows on a terminal how far a long run is, on one line that disappears at the end.
// Anything other than a terminal gets nothing.
type Progress struct {
	to      io.Writer
	line    func() string // the text to show now; it starts with \r, and so replaces the one shown before
	mutex   sync.Mutex    // guards the stream and isShown
	isShown bool
	quit    chan bool // nil without a terminal
	gone    chan bool // closed once run has ended
}

// Progress starts a line with the number of modules that are done, which verb describes. A single module gets
// no line. Call Stop at the end.
func (c *Console) Progress(verb string, total int, done *atomic.Int64) *Progress {
	p := &Progress{to: Beneath(c.Err)} // not through c.Err, which waits for the result
	if !IsTerminal(c.Err) || total < 2 {
		return p
	}
	p.line = func() string { return fmt.Sprintf("\r%s %d of %s", verb, done.Load(), wording.Count(total, "module")) }
	p.quit, p.gone = make(chan bool), make(chan bool)
	go p.run()
	return p
}

// run shows the line after a second, and then again and again until Stop.
func (p *Progress) run() {
	const patience, every = time.Second, 200 * time.Millisecond
	defer close(p.gone)
	for wait := patience; ; wait = every {
		select {
		case <-p.quit:
			return
		case <-time.After(wait):
			p.mutex.Lock()
			fmt.Fprint(p.to, p.line()) // over the previous line, which isn't longer
			p.isShown = true
			p.mutex.Unlock()
		}
	}
}

// Aside calls a function that may print messages. It removes the line first, and run shows it again later.
func (p *Progress) Aside(do func()) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.clear()
	do()
}

// clear removes the line. The caller must hold the mutex, unless run has ended.
func (p *Progress) clear() {
	if p.isShown {
		fmt.Fprint(p.to, "\r\x1b[K")
		p.isShown = false
	}
}

// Stop removes the line for good. A second call does nothing.
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

// maxCrashText is the maximum length in bytes of a panic's text in a message.
const maxCrashText = 300

// Crashed prints the message about a panic that nothing caught.
func (c *Console) Crashed(crash *parallel.Crash) {
	c.Message(term.ErrorHead, fmt.Sprintf("tofumerge crashed: %s; this is a bug in tofumerge, report it at %s",
		CrashText(crash), WhereToReport))
	if !c.Stack(crash) {
		fmt.Fprintln(c.Err, "  To get the stack for the report, use -v.")
	}
}

// Stack prints the stack of a panic under Verbose, and reports whether it did.
func (c *Console) Stack(crash *parallel.Crash) bool {
	if c.Verbose {
		fmt.Fprintf(c.Err, "%s", safetext.Printable(string(crash.Stack)))
	}
	return c.Verbose
}

// CrashText returns the message of a panic, escaped and shortened.
func CrashText(crash *parallel.Crash) string {
	return shorten(diag.Escape(crash.Error()), maxCrashText)
}

// A console is a terminal on a system that doesn't understand colour sequences: the writer translates them.
type console struct {
	io.Writer
	file *os.File
}

package terminal

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/parallel"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// console is one over buffers, with an environment.
func over(env map[string]string) (c *Console, out, errs *bytes.Buffer) {
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	return New(strings.NewReader(""), out, errs, func(name string) string { return env[name] }), out, errs
}

// Colour follows the flags, then the environment, and then the kind of the stream.
func TestColored(t *testing.T) {
	for _, test := range []struct {
		color       string
		no          bool
		env         map[string]string
		want, marks bool
	}{
		{"auto", false, nil, false, false},
		{"always", false, nil, true, true},
		{"always", true, nil, false, false},
		{"never", false, map[string]string{"CLICOLOR_FORCE": "1"}, false, false},
		{"auto", false, map[string]string{"CLICOLOR_FORCE": "1"}, true, false},
		{"auto", false, map[string]string{"CLICOLOR_FORCE": "0"}, false, false},
		{"auto", false, map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false, false},
		{"always", false, map[string]string{"NO_COLOR": "1", "TERM": "dumb"}, true, true},
	} {
		c, _, _ := over(test.env)
		c.Color, c.NoColor = test.color, test.no
		if got := bool(c.Colored(c.Out)); got != test.want {
			t.Errorf("%+v: coloured %v", test, got)
		}
		if got := c.Highlights(c.Out); got != test.marks {
			t.Errorf("%+v: highlighted %v", test, got)
		}
	}
}

// The result is held back until it is flushed, and nothing of it is there after a drop.
func TestHeldBack(t *testing.T) {
	c, out, _ := over(nil)
	_, _ = io.WriteString(c.Out, "half")
	if out.Len() > 0 {
		t.Errorf("written at once: %s", out)
	}
	c.Drop()
	_, _ = io.WriteString(c.Out, "whole\n")
	if err := c.Flush(); err != nil || out.String() != "whole\n" {
		t.Errorf("%v, written is %q", err, out)
	}
}

// Text beyond the held part is passed on unchanged, in order; the error of a failing stream is
// returned.
func TestHeldMuch(t *testing.T) {
	c, out, _ := over(nil)
	var want strings.Builder
	for i := range 300 {
		piece := strings.Repeat(string(rune('a'+i%26)), 9001)
		want.WriteString(piece)
		if _, err := io.WriteString(c.Out, piece); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Flush(); err != nil || out.String() != want.String() {
		t.Errorf("%v, %d bytes are written, want %d", err, out.Len(), want.Len())
	}
	broke := errors.New("it broke")
	c = New(nil, failing{broke}, io.Discard, func(string) string { return "" })
	for range 3 {
		_, _ = c.Out.Write(make([]byte, bufferedBytes))
	}
	if err := c.Flush(); !errors.Is(err, broke) {
		t.Errorf("the error is %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Messages for people: warnings and notes are left out under --quiet, and nothing is a command of a
// pipeline or a control sequence.
func TestMessages(t *testing.T) {
	for _, test := range []struct {
		quiet bool
		want  string
	}{
		{false, "Warning: w\nn\ntold\nError: e\\x1b\n\\x3a:error block\n"},
		{true, "told\nError: e\\x1b\n\\x3a:error block\n"},
	} {
		c, _, errs := over(nil)
		c.Quiet = test.quiet
		c.Warn("w")
		c.NoteOnce("n")
		c.NoteOnce("n")
		c.NoteOnce("")
		c.Tell("told")
		c.Error(errors.New("e\x1b"))
		c.Block([]byte("::error block\n"))
		_ = c.Flush()
		if got := errs.String(); got != test.want {
			t.Errorf("quiet %v: %q, want %q", test.quiet, got, test.want)
		}
		if c.Summarizes() {
			t.Error("no terminal, and a run ends with a line")
		}
		if c.Verbose = true; !c.Summarizes() {
			t.Error("verbose, and a run ends without a line")
		}
	}
	c, _, errs := over(nil)
	c.Error(errors.New(strings.Repeat("x", 2*maxErrorText)))
	_ = c.Flush()
	if n := errs.Len(); n > maxErrorText+100 {
		t.Errorf("an error takes %d bytes", n)
	}
}

// A stream that isn't a terminal is wide and plain, whatever the environment.
func TestScreen(t *testing.T) {
	c, _, _ := over(map[string]string{"COLUMNS": "30"})
	if s := c.Screen(c.Out); s.IsTerminal || s.Width != screen.DefaultWidth || s.IsColored() {
		t.Errorf("%+v", s)
	}
	c.Color = "always"
	if _, err := io.WriteString(c.Out, "{\"a\": 1}\n"); err != nil {
		t.Fatal(err)
	}
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	p := c.Progress("checked", 10, new(atomic.Int64))
	done := false
	p.Aside(func() { done = true })
	p.Stop()
	if !done {
		t.Error("what is said beside the progress is not said")
	}
}

// A crash is reported with the address for reports, and its stack only on request.
func TestCrashed(t *testing.T) {
	crash := parallel.Crashed("it\x1b broke" + strings.Repeat("!", 2*maxCrashText))
	for _, verbose := range []bool{false, true} {
		c, _, errs := over(nil)
		c.Verbose = verbose
		c.Crashed(crash)
		_ = c.Flush()
		text := strings.Join(strings.Fields(errs.String()), " ")
		if !strings.Contains(text, `tofumerge crashed: it\x1b broke!!!`) || !strings.Contains(text, WhereToReport) || strings.Contains(text, "goroutine") != verbose {
			t.Errorf("verbose %v: %s", verbose, text)
		}
	}
	if text := CrashText(crash); len(text) > maxCrashText+10 {
		t.Errorf("its text has %d bytes", len(text))
	}
}

// Text for a silent console is lost.
func TestSilent(t *testing.T) {
	c := Silent(strings.NewReader("in"), func(string) string { return "" })
	c.Warn("w")
	if n, err := c.Out.Write([]byte("x")); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if text, _ := io.ReadAll(c.In); string(text) != "in" {
		t.Errorf("the input is %q", text)
	}
}

// Messages stand below the result, whoever reads them; on a terminal they and the result are kept apart,
// and blocks of messages, too. A broken stream for the result keeps none of them back.
func TestTurns(t *testing.T) {
	var both bytes.Buffer
	h := hold(&both)
	errs := struct{ io.Writer }{&both}
	h.blanks.hasMessages, h.blanks.hasResult = true, true
	c := &Console{Out: h, Err: messages{to: errs, after: h}, stdout: h}
	_, _ = io.WriteString(c.Err, "one\n")
	_, _ = io.WriteString(c.Out, "result\n")
	c.Block([]byte("block\n"))
	c.Block([]byte("block\n"))
	_, _ = io.WriteString(c.Err, "end\n")
	_ = c.Flush()
	if want := "result\n\none\n\nblock\n\nblock\n\nend\n"; both.String() != want {
		t.Errorf("%q, want %q", &both, want)
	}
	both.Reset()
	h.to = failing{errors.New("it broke")}
	_, _ = io.WriteString(c.Out, "result\n")
	_, _ = io.WriteString(c.Err, "all the same")
	if err := c.Flush(); err == nil || !strings.Contains(both.String(), "all the same") {
		t.Errorf("%v, and the messages are %q", err, &both)
	}
}

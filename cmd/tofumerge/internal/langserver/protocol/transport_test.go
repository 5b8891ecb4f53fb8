package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"
)

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

const limit = 1 << 16

// exchange sends what a peer writes to a server that answers every request with its method,
// and returns the bodies of the answers, and the methods of notifications.
func exchange(t *testing.T, sent string) (answers, notes []string) {
	t.Helper()
	var out bytes.Buffer
	s := NewStream(strings.NewReader(sent), &out, limit)
	handle := handlerFunc(func(ctx context.Context, c *jsonrpc2.Conn, r *jsonrpc2.Request) {
		if r.Notif {
			notes = append(notes, r.Method)
			return
		}
		_ = c.Reply(ctx, r.ID, r.Method)
	})
	conn := jsonrpc2.NewConn(context.Background(), s, handle, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	<-conn.DisconnectNotify()
	if err := s.Close(); err != nil && !errors.Is(err, ErrHeader) {
		t.Error(err)
	}
	<-s.written
	return bodies(t, out.String()), notes
}

type handlerFunc func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request)

func (f handlerFunc) Handle(ctx context.Context, c *jsonrpc2.Conn, r *jsonrpc2.Request) { f(ctx, c, r) }

// bodies returns the bodies of frames.
func bodies(t *testing.T, text string) (list []string) {
	t.Helper()
	for text != "" {
		var n int
		head, rest, ok := strings.Cut(text, "\r\n\r\n")
		if _, err := fmt.Sscanf(head, "Content-Length: %d", &n); !ok || err != nil || n > len(rest) {
			t.Fatalf("not a frame: %q", text)
		}
		if !json.Valid([]byte(rest[:n])) {
			t.Errorf("not JSON: %q", rest[:n])
		}
		list = append(list, rest[:n])
		text = rest[n:]
	}
	return list
}

// Whatever a peer sends, the next request is answered, and so is every invalid message that can
// have an answer.
func TestHostileMessages(t *testing.T) {
	const (
		next       = `{"id":7,"result":"next","jsonrpc":"2.0"}`
		parseError = -32700
		invalid    = -32600
	)
	for _, c := range []struct {
		name, sent string
		code       int    // of the answer to the message; 0 for none
		id         string // in that
	}{
		{"no JSON", frame(`{"id":1,`), parseError, "null"},
		{"empty", frame(``), parseError, "null"},
		{"text behind JSON", frame(`{"id":1,"method":"m"} x`), parseError, "null"},
		{"a batch", frame(`[{"id":1,"method":"m"}]`), invalid, "null"},
		{"a number", frame(`1`), invalid, "null"},
		{"null", frame(`null`), invalid, "null"},
		{"no method", frame(`{"id":1}`), invalid, "1"},
		{"a method that is no string", frame(`{"id":"a","method":1}`), invalid, `"a"`},
		{"request and response", frame(`{"id":1,"method":"m","result":1}`), invalid, "1"},
		{"a fractional id", frame(`{"id":1.5,"method":"m"}`), invalid, "1.5"},
		{"a huge id", frame(`{"id":1e400,"method":"m"}`), invalid, "1e400"},
		{"null as id", frame(`{"id":null,"method":"m"}`), invalid, "null"},
		{"an object as id", frame(`{"id":{"a":1},"method":"m"}`), invalid, `{"a":1}`},
		{"deep JSON", frame(`{"id":1,"method":"m","params":` + strings.Repeat("[", 20000) + `}`), parseError, "null"},
		{"an unknown response", frame(`{"id":99,"result":null}`), 0, ""},
		{"an unknown error", frame(`{"id":"x","error":{"code":1,"message":"m"}}`), 0, ""},
		{"an error that is none", frame(`{"id":"x","error":1}`), invalid, "null"},
		{"a response without id", frame(`{"result":1}`), 0, ""},
		{"no length", "Content-Type: x\r\n\r\n", parseError, "null"},
		{"a long header", strings.Repeat("X", 1<<20) + ": y\r\n\r\n", parseError, "null"},
		{"too large", frame(strings.Repeat(" ", limit+1)), parseError, "null"},
		{"garbage before the header", "garbage\r\n\r\n", parseError, "null"},
		{"line ends of Unix", strings.ReplaceAll(frame(`{"method":"note"}`), "\r", ""), 0, ""},
		{"a header in lower case", "content-length:17\r\nContent-Type: x\r\n\r\n" + `{"method":"note"}`, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			answers, _ := exchange(t, c.sent+frame(`{"id":7,"method":"next"}`))
			if len(answers) == 0 || answers[len(answers)-1] != next {
				t.Fatalf("the next request has no answer: %q", answers)
			}
			var got []string
			for _, a := range answers[:len(answers)-1] {
				var e struct {
					ID    json.RawMessage
					Error struct{ Code int }
				}
				_ = json.Unmarshal([]byte(a), &e)
				got = append(got, fmt.Sprintf("%d %s", e.Error.Code, e.ID))
			}
			var want []string
			if c.code != 0 {
				want = []string{fmt.Sprintf("%d %s", c.code, c.id)}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An answer has the id of its request, unchanged.
func TestIDs(t *testing.T) {
	for _, id := range []string{"0", "1", "-1", "2147483647", "-2147483648", "9223372036854775807", `""`, `"1"`, `"\u2028<&>"`} {
		answers, _ := exchange(t, frame(fmt.Sprintf(`{"id":%s,"method":"m"}`, id)))
		if len(answers) != 1 {
			t.Fatalf("%s: %q", id, answers)
		}
		var got, want any
		var a struct{ ID json.RawMessage }
		_ = json.Unmarshal([]byte(answers[0]), &a)
		_, _ = json.Unmarshal(a.ID, &got), json.Unmarshal([]byte(id), &want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

// After an impossible length, nothing can be understood any more: the peer gets the reason, and the
// connection ends with that error.
func TestImpossibleHeader(t *testing.T) {
	for _, length := range []string{"-5", "ten", "1e3", "", "0x10", "99999999999", "4611686018427387904", strings.Repeat("1", 30), "\x1b[2J"} {
		in := strings.NewReader("Content-Length: " + length + "\r\n\r\n{}" + frame(`{"id":7,"method":"next"}`))
		var out strings.Builder
		s := NewStream(in, &out, limit)
		var message json.RawMessage
		if err := s.ReadObject(&message); !errors.Is(err, ErrHeader) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v, %s", length, err, message)
		}
		<-s.Failed()
		if err := s.Close(); !errors.Is(err, ErrHeader) {
			t.Errorf("%q: %v", length, err)
		}
		if text := out.String(); strings.Count(text, "Content-Length") != 1+strings.Count(text, `\"Content-Length`) || !strings.Contains(text, "impossible header") {
			t.Errorf("%q: answered %s", length, text)
		}
	}
}

// A header that announces a large message costs no memory before that arrives, and the
// connection ends if the peer ends in the middle of a message.
func TestTruncated(t *testing.T) {
	for _, sent := range []string{"Content-Length: 60000\r\n\r\n{", "Content-Length: 4000000\r\n\r\n{", "Content-Le"} {
		if answers, _ := exchange(t, sent); len(answers) > 0 {
			t.Errorf("%q: %q", sent, answers)
		}
	}
}

// A peer that never reads blocks nothing: the stream keeps a bounded number of bytes for it, and
// then fails.
func TestPeerThatDoesNotRead(t *testing.T) {
	in, _ := io.Pipe()
	_, out := io.Pipe() // a write to it blocks forever
	s := NewStream(in, out, limit)
	note := json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
	sent := 0
	for s.send(note) == nil {
		if sent++; sent > 1000 {
			t.Fatal("the queue has no limit")
		}
	}
	select {
	case <-s.Failed():
	case <-time.After(time.Minute):
		t.Fatal("the stream has not failed")
	}
	if !errors.Is(s.Err(), ErrNotRead) || sent < maxWaiting>>20 {
		t.Errorf("%v after %d messages", s.Err(), sent)
	}
	if err := s.Close(); !errors.Is(err, ErrNotRead) {
		t.Error(err)
	}
}

// slowly is a writer that takes its time.
type slowly struct{ bytes.Buffer }

func (w *slowly) Write(p []byte) (int, error) {
	time.Sleep(50 * time.Millisecond)
	return w.Buffer.Write(p)
}

// TestCloseTwice closes a stream while another call closes it: both wait until everything is
// written.
func TestCloseTwice(t *testing.T) {
	out := &slowly{}
	s := NewStream(strings.NewReader(""), out, 1<<10)
	s.patience = time.Minute
	if err := s.WriteObject(map[string]int{"id": 1}); err != nil {
		t.Fatal(err)
	}
	go s.Close()
	time.Sleep(time.Millisecond)
	if err := s.Close(); err != nil || out.Len() == 0 {
		t.Errorf("closed with %v before anything was written: %v", err, out.Len() == 0)
	}
}

// Whatever bytes arrive, the server doesn't panic or hang, and writes nothing but frames of JSON.
func FuzzStream(f *testing.F) {
	f.Add([]byte(frame(`{"id":1,"method":"m","params":{}}`) + frame(`{"method":"n"}`)))
	f.Add([]byte("Content-Length: 3\r\n\r\n{}\nContent-Length: 99999999\r\n\r\n"))
	f.Add([]byte(frame(`{"id":-1,"method":"m"}`) + "x\n\n" + frame(`[]`)))
	f.Fuzz(func(t *testing.T, sent []byte) { exchange(t, string(sent)) })
}

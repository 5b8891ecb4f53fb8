package protocol

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// A Stream is the connection to a client. It implements jsonrpc2.ObjectStream.
type Stream struct {
	in    *bufio.Reader
	out   io.Writer
	limit int64 // maximum size of a message
	// patience is how long the client has at the end to read the remaining messages.
	patience time.Duration

	mutex   sync.Mutex
	queue   [][]byte
	waiting int64 // bytes in the queue and in the frames being written
	closed  bool
	err     error         // of writing, or ErrHeader
	failed  chan struct{} // closed when err is set
	wake    chan struct{} // signals that the queue isn't empty, or that the stream is closed
	written chan struct{} // closed when the last frame is written
}

// maxWaiting is how many bytes may wait for a client to read them.
const maxWaiting = 64 << 20

// ErrNotRead is the error if a client sends messages and doesn't read the answers.
var ErrNotRead = errors.New("the client does not read what the server sends")

// ErrHeader is the error if a client sends a header with an impossible length. The start of the
// next message is then unknown.
var ErrHeader = errors.New("the client sends an impossible header")

// maxTimesLimit is how many times the maximum size of a message (Stream.limit) a header may announce. Messages
// up to there are read and refused.
const maxTimesLimit = 64

// NewStream makes a stream. It refuses to read messages of more than limit bytes.
func NewStream(in io.Reader, out io.Writer, limit int64) *Stream {
	s := &Stream{
		in:       bufio.NewReaderSize(in, 1<<16),
		out:      out,
		limit:    limit,
		patience: time.Second,
		failed:   make(chan struct{}),
		wake:     make(chan struct{}, 1),
		written:  make(chan struct{}),
	}
	go s.write()
	return s
}

// ReadObject reads the next valid message into v, as jsonrpc2.ObjectStream requires. It answers invalid ones with
// errors itself, because a jsonrpc2.Conn would end at the first.
func (s *Stream) ReadObject(v any) error {
	for {
		body, err := s.readFrame()
		if bad := (*frameError)(nil); errors.As(err, &bad) {
			s.refuse(nil, jsonrpc2.CodeParseError, bad.Error())
			continue
		}
		if errors.Is(err, ErrHeader) {
			s.refuse(nil, jsonrpc2.CodeParseError, err.Error())
			s.mutex.Lock()
			s.fail(err)
			s.mutex.Unlock()
		}
		if err != nil {
			return err
		}
		if !s.accepts(body) {
			continue
		}
		if err = json.Unmarshal(body, v); err == nil {
			return nil
		}
		s.refuse(nil, jsonrpc2.CodeInvalidRequest, "the message is neither a request nor a response")
	}
}

// An envelope holds the fields of a message, without its parameters.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method json.RawMessage `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// accepts reports whether a message may be passed on. It answers an invalid one with an error, and drops a response
// without an id, since nobody knows what that responds to.
func (s *Stream) accepts(body []byte) bool {
	var e envelope
	err := json.Unmarshal(body, &e)
	syntax := (*json.SyntaxError)(nil)
	isCall, isReply := e.Method != nil, e.Result != nil || e.Error != nil
	switch {
	case errors.As(err, &syntax):
		s.refuse(nil, jsonrpc2.CodeParseError, "the message is not JSON: "+err.Error())
	case bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")):
		s.refuse(nil, jsonrpc2.CodeInvalidRequest, "the Language Server Protocol has no batches of messages")
	case err != nil || isCall == isReply: // JSON of another form, or neither, or both
		s.refuse(e.ID, jsonrpc2.CodeInvalidRequest, "the message is neither a request nor a response")
	case isCall && e.Method[0] != '"':
		s.refuse(e.ID, jsonrpc2.CodeInvalidRequest, "the name of the method is not a string")
	case e.ID != nil && !isID(e.ID):
		s.refuse(e.ID, jsonrpc2.CodeInvalidRequest, "the id is neither an integer nor a string")
	default:
		isDropped := isReply && e.ID == nil // nobody knows what it responds to
		return !isDropped
	}
	return false
}

// isID reports whether a JSON value can be the id of a message: an integer or a string.
func isID(id []byte) bool {
	_, err := strconv.ParseInt(string(id), 10, 64)
	return id[0] == '"' || err == nil
}

// refuse answers an invalid message with an error. id is that of the message; nil if it has none.
func (s *Stream) refuse(id json.RawMessage, code int64, message string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	_ = s.send(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": jsonrpc2.Error{Code: code, Message: message},
	})
}

// A frameError is the error of a bad header. The next frame may be good.
type frameError struct{ why string }

// Error implements error.
func (e *frameError) Error() string { return e.why }

// The maximum size of a header.
const (
	maxHeaderLine  = 1 << 12
	maxHeaderLines = 32
)

// readFrame reads the next frame, a header and a body, and returns the body. After a frameError, the next frame can
// still be read; after any other error nothing can.
func (s *Stream) readFrame() ([]byte, error) {
	length := int64(-1)
	for range maxHeaderLines {
		line, err := s.readLine()
		if err != nil {
			return nil, err
		}
		if line == "" { // the header ends
			return s.readBody(length)
		}
		name, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue
		}
		length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		isExcessive := length/maxTimesLimit > s.limit // too long even to read past it
		if err != nil || length < 0 || isExcessive {
			return nil, fmt.Errorf("%w: %.60q", ErrHeader, line)
		}
	}
	return nil, &frameError{"the header of a message is too long"}
}

// readBody reads the body of a frame whose header announces length bytes; -1 if the header has no length. Its errors
// are those of readFrame.
func (s *Stream) readBody(length int64) ([]byte, error) {
	switch {
	case length < 0:
		return nil, &frameError{"a message has no Content-Length"}
	case length > s.limit:
		if _, err := io.CopyN(io.Discard, s.in, length); err != nil {
			return nil, err
		}
		return nil, &frameError{fmt.Sprintf("a message is larger than %d bytes", s.limit)}
	}
	// Memory grows as the body arrives: a client may announce much and send little.
	var body bytes.Buffer
	body.Grow(int(min(length, 1<<20)) + bytes.MinRead)
	if n, err := body.ReadFrom(io.LimitReader(s.in, length)); err != nil || n < length {
		return nil, errors.Join(err, io.ErrUnexpectedEOF)
	}
	return body.Bytes(), nil
}

// readLine reads a line of a header, without its end. Of a very long line it keeps only the start.
func (s *Stream) readLine() (string, error) {
	var line []byte
	for {
		part, err := s.in.ReadSlice('\n')
		if len(line) < maxHeaderLine {
			line = append(line, part...)
		}
		switch {
		case err == nil:
			return strings.TrimRight(string(line), "\r\n"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		}
	}
}

// WriteObject sends a message, as jsonrpc2.ObjectStream requires. It doesn't block.
func (s *Stream) WriteObject(v any) error { return s.send(v) }

// send puts a message into the queue for write. If too much waits there already, because the client doesn't read,
// the stream fails.
func (s *Stream) send(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	body = withSignedID(body)
	frame := append(fmt.Appendf(make([]byte, 0, len(body)+32), "Content-Length: %d\r\n\r\n", len(body)), body...)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case s.err != nil:
		return s.err
	case s.closed:
		return jsonrpc2.ErrClosed
	case s.waiting > maxWaiting:
		s.fail(ErrNotRead)
		return s.err
	}
	s.queue = append(s.queue, frame)
	s.waiting += int64(len(frame))
	s.signal()
	return nil
}

// withSignedID returns a message with the sign of a negative id restored. Package jsonrpc2 stores ids as uint64, so a
// response to request -1 would have the id 18446744073709551615. Only ids with as many digits can be negative ones,
// except for numbers below -8446744073709551616, which no client uses.
func withSignedID(body []byte) []byte {
	rest, ok := bytes.CutPrefix(body, []byte(`{"id":`))
	end := bytes.IndexByte(rest, ',')
	if !ok || end != len("18446744073709551615") {
		return body
	}
	id, err := strconv.ParseUint(string(rest[:end]), 10, 64)
	if err != nil || id <= math.MaxInt64 {
		return body
	}
	return append(fmt.Appendf(nil, `{"id":%d`, int64(id)), rest[end:]...)
}

// signal wakes the writer. The stream is locked.
func (s *Stream) signal() {
	select {
	case s.wake <- struct{}{}:
	default: // it is awake, or will wake
	}
}

// write runs in its own goroutine, so that a client that doesn't read blocks nothing else. It writes the frames in
// the queue until the stream is closed and the queue is empty, or until the stream fails.
func (s *Stream) write() {
	defer close(s.written)
	for range s.wake {
		s.mutex.Lock()
		queue, isLast := s.queue, s.closed
		s.queue = nil
		s.mutex.Unlock()
		n, err := s.out.Write(bytes.Join(queue, nil))
		s.mutex.Lock()
		s.waiting -= int64(n)
		if err != nil {
			s.fail(err)
		}
		isLast = isLast || s.err != nil
		s.mutex.Unlock()
		if isLast {
			return
		}
	}
}

// fail records err as the error of the stream, unless it has one, and closes failed. The stream is locked.
func (s *Stream) fail(err error) {
	if s.err == nil {
		s.err = err
		close(s.failed)
	}
}

// Failed returns a channel that is closed when the stream fails. Err then returns the error.
func (s *Stream) Failed() <-chan struct{} { return s.failed }

// Err returns why the stream failed, or nil.
func (s *Stream) Err() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.err
}

// Close lets no more messages in, and waits until the client has read those in the queue, for at most s.patience. It
// returns the error of the stream, if any. A second call waits in the same way.
func (s *Stream) Close() error {
	s.mutex.Lock()
	s.closed = true
	s.signal()
	s.mutex.Unlock()
	select {
	case <-s.written:
	case <-time.After(s.patience):
	}
	return s.Err()
}

package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
)

// Handling messages. Notifications are handled at once, in their order. A request is answered in
// its own goroutine, once the server has recorded which text it is about.

// A phase is a phase of the session.
type phase int

const (
	phaseNew phase = iota
	phaseInitialized
	phaseShutDown
	phaseExited
)

// maxPending is how many requests may wait for their answers.
const maxPending = 1000

// A pendingRequest was not answered yet.
type pendingRequest struct{ cancel context.CancelFunc }

// A handler accepts a request and returns how to answer it. Handlers are called in the order of
// the messages and must not block.
type handler func(s *server, params json.RawMessage) (answer, error)

// An answer makes the result of a request. It runs in its own goroutine and may block.
type answer func(ctx context.Context, t *turn) (any, error)

// maxAnswers is how many answers are made and sent at the same time, since answers about a large
// document take memory.
const maxAnswers = 4

// A semaphore limits how many goroutines do something at the same time, to its capacity.
type semaphore chan struct{}

// acquire waits until one more may, or until ctx is done.
func (s semaphore) acquire(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s semaphore) release() { <-s }

// A turn lets one request make its answer, as one of maxAnswers.
type turn struct {
	server  *server
	isTaken bool
}

// take waits for the turn, or until ctx is done.
func (t *turn) take(ctx context.Context) error {
	err := t.server.answers.acquire(ctx)
	t.isTaken = err == nil
	return err
}

// end gives the turn to the next request.
func (t *turn) end() {
	if t.isTaken {
		t.server.answers.release()
	}
}

// handle handles a message. The next one is not read before it returns.
func (s *server) handle(ctx context.Context, r *jsonrpc2.Request) {
	defer s.caught(r)
	if r.Notif {
		s.handleNotification(r)
	} else {
		s.handleRequest(ctx, r)
	}
}

func (s *server) handleNotification(r *jsonrpc2.Request) {
	s.mutex.Lock()
	phase := s.phase
	if r.Method == "exit" && phase != phaseExited {
		s.endedEarly = phase != phaseShutDown
		s.phase = phaseExited
		close(s.exit)
	}
	s.mutex.Unlock()
	do := s.notifications[r.Method]
	if do == nil || phase != phaseInitialized {
		return
	}
	begun := time.Now()
	if err := do(s, paramsOf(r)); err != nil {
		s.logf("%s: %s", short(r.Method), errorOf(err).Message)
	}
	s.trace("%s: %v", short(r.Method), time.Since(begun).Round(time.Microsecond))
}

func (s *server) handleRequest(ctx context.Context, r *jsonrpc2.Request) {
	do, err := s.admit(r.Method)
	if err != nil {
		s.reply(r, nil, err)
		return
	}
	later, err := do(s, paramsOf(r))
	if err != nil || later == nil {
		s.reply(r, nil, err)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	own := &pendingRequest{cancel}
	s.mutex.Lock()
	s.pending[r.ID] = own
	s.mutex.Unlock()
	begun := time.Now()
	go func() {
		defer cancel()
		t := &turn{server: s}
		defer t.end()
		result, err := s.answered(ctx, r, later, t)
		s.mutex.Lock()
		if s.pending[r.ID] == own {
			delete(s.pending, r.ID)
		}
		s.mutex.Unlock()
		s.reply(r, result, err)
		s.trace("%s: %v", short(r.Method), time.Since(begun).Round(time.Microsecond))
	}()
}

// admit returns the handler of a method, or the error if the server can't accept it now.
func (s *server) admit(method string) (handler, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	do := s.requests[method]
	switch {
	case s.phase == phaseNew && method != "initialize":
		return nil, &jsonrpc2.Error{Code: protocol.CodeNotInitialized, Message: "the first request must be initialize"}
	case s.phase >= phaseShutDown:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is shut down"}
	case do == nil:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "the server has no such method"}
	case s.phase != phaseNew && method == "initialize":
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is initialized"}
	case len(s.pending) >= maxPending:
		return nil, &jsonrpc2.Error{Code: protocol.CodeServerCancelled, Message: "too many requests wait for an answer"}
	}
	return do, nil
}

// answered makes the answer to a request. It turns a panic into an error.
func (s *server) answered(ctx context.Context, r *jsonrpc2.Request, later answer, t *turn) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Crashed(p)
			err = errCrashed
		}
	}()
	result, err = later(ctx, t)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return result, err
}

var errCrashed = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "tofumerge crashed; its log has more"}

// caught reports a panic while a message is handled, so that the server survives it.
func (s *server) caught(r *jsonrpc2.Request) {
	if p := recover(); p != nil {
		s.Crashed(p)
		if !r.Notif {
			s.reply(r, nil, errCrashed)
		}
	}
}

// reply answers a request.
func (s *server) reply(r *jsonrpc2.Request, result any, err error) {
	if err != nil {
		failed := errorOf(err)
		s.trace("%s: error %d: %s", short(r.Method), failed.Code, failed.Message)
		_ = s.conn.ReplyWithError(context.Background(), r.ID, failed)
		return
	}
	if err := s.conn.Reply(context.Background(), r.ID, result); err != nil {
		s.trace("can't answer %s: %v", short(r.Method), err)
	}
}

// errorOf converts an error for the client.
func errorOf(err error) *jsonrpc2.Error {
	failed := (*jsonrpc2.Error)(nil)
	switch {
	case errors.As(err, &failed):
		return failed
	case errors.Is(err, context.Canceled):
		return &jsonrpc2.Error{Code: protocol.CodeRequestCancelled, Message: "the request was cancelled"}
	case errors.Is(err, errModified):
		return &jsonrpc2.Error{Code: protocol.CodeContentModified, Message: err.Error()}
	}
	return &jsonrpc2.Error{Code: protocol.CodeRequestFailed, Message: err.Error()}
}

func paramsOf(r *jsonrpc2.Request) json.RawMessage {
	if r.Params == nil {
		return nil
	}
	return *r.Params
}

// decode decodes parameters.
func decode(params json.RawMessage, into any) error {
	if err := json.Unmarshal(params, into); err != nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "invalid parameters: " + strings.TrimPrefix(err.Error(), "json: ")}
	}
	return nil
}

// cancelRequest cancels a request, which is then answered with an error.
func (s *server) cancelRequest(p protocol.CancelParams) error {
	id := jsonrpc2.ID{IsString: true}
	var number *int64 // nil for null, which is the id of no request
	if json.Unmarshal(p.ID, &number) == nil {
		if number == nil {
			return nil
		}
		id = jsonrpc2.ID{Num: uint64(*number)} // jsonrpc2 has no sign
	} else if err := decode(p.ID, &id.Str); err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if waiting := s.pending[id]; waiting != nil {
		waiting.cancel()
	}
	return nil
}

// short cuts the name of a method for the log.
func short(method string) string { return fmt.Sprintf("%.*s", maxNamed, method) }

package gitrev

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/input"
)

// objects reads the objects of a repository. One process describes objects, so that none is read
// that is too large, and one returns their bytes.
type objects struct {
	about, content *pipe
}

func newObjects(g git) *objects {
	return &objects{
		about:   &pipe{git: g, args: []string{"cat-file", "--batch-check"}},
		content: &pipe{git: g, args: []string{"cat-file", "--batch"}},
	}
}

func (o *objects) close() {
	o.about.close()
	o.content.close()
}

// An object is git's description of one.
type object struct {
	id, kind string
	size     int64
}

// errMissing means that the repository does not have an object.
var errMissing = errors.New("the repository doesn't have it")

// find returns the object for a name.
func (o *objects) find(name string) (found object, err error) {
	if strings.ContainsAny(name, "\n\x00") {
		return object{}, errMissing
	}
	err = o.about.ask(name+"\n", func(from *bufio.Reader) (err error) {
		found, err = header(from)
		return err
	})
	return found, err
}

// header reads git's line about an object.
func header(from *bufio.Reader) (object, error) {
	line, err := from.ReadString('\n')
	if err != nil {
		return object{}, err
	}
	words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
	if len(words) != 3 {
		return object{}, errMissing // "main missing", "ab ambiguous", and also of names with blanks
	}
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || len(words[0]) < 40 {
		return object{}, errMissing
	}
	return object{words[0], words[1], size}, nil
}

// read returns the bytes of an object of a kind, which may be limit at most.
func (o *objects) read(id, kind string, limit int64) (text []byte, err error) {
	what, err := o.find(id)
	switch {
	case err != nil:
		return nil, err
	case what.kind != kind:
		return nil, fmt.Errorf("it is a %s, not a %s", what.kind, kind)
	case what.size > limit:
		return nil, input.TooLargeError(limit)
	}
	err = o.content.ask(id+"\n", func(from *bufio.Reader) error {
		again, err := header(from)
		if err != nil {
			return err
		}
		if again != what {
			return fmt.Errorf("git printed two answers about %s", id)
		}
		text = make([]byte, what.size)
		if _, err := io.ReadFull(from, text); err != nil {
			return err
		}
		_, err = from.Discard(1)
		return err
	})
	return text, err
}

// A pipe is a process that answers questions, one after the other. It is started with the
// first one.
type pipe struct {
	git  git
	args []string

	mutex sync.Mutex
	stop  func()
	in    io.WriteCloser
	out   *bufio.Reader
	fault error // ends all asking
}

// ask writes a query and reads the answer.
func (p *pipe) ask(question string, answer func(*bufio.Reader) error) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.out == nil && p.fault == nil {
		p.fault = p.start()
	}
	if p.fault != nil {
		return p.fault
	}
	_, err := io.WriteString(p.in, question)
	if err == nil {
		if err = answer(p.out); err == nil || errors.Is(err, errMissing) {
			return err
		}
	}
	p.stop()
	return p.fault
}

func (p *pipe) start() error {
	ctx, cancel := context.WithCancel(context.Background())
	cmd := p.git.command(ctx, p.args...)
	said := &beginning{}
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.Reader
		if out, err = cmd.StdoutPipe(); err == nil {
			p.in, p.out = in, bufio.NewReaderSize(out, 64<<10)
			err = cmd.Start()
		}
	}
	if err != nil {
		cancel()
		return &gitError{p.args[0], "", err}
	}
	p.stop = func() {
		_ = in.Close() // which ends the process
		if p.fault == nil {
			cancel()
		}
		err := cmd.Wait()
		cancel()
		p.fault = &gitError{p.args[0], said.String(), err}
	}
	return nil
}

// close ends the process.
func (p *pipe) close() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.out != nil && p.fault == nil {
		p.stop()
	}
	p.fault = errors.New("the repository is closed")
}

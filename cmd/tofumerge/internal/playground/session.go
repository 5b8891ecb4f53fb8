package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/parallel"
)

// A request asks for a view of a module.
type request struct {
	View string `json:"view"` // effective, changes, check, explain or engines
	// Module is the module; without one the request is about that of the request before.
	Module *moduleText `json:"module"`
	At     *position   `json:"at"` // of explain
	// Columns is how many columns explain may use; 0 for any number.
	Columns int `json:"columns"`
}

// A moduleText is a module as the page has it.
type moduleText struct {
	// Files are texts by their paths, with slashes.
	Files  map[string]string `json:"files"`
	Dir    string            `json:"dir"`    // of the module among the files; empty for the top
	Engine string            `json:"engine"` // as in --engine; empty if the files choose it
}

// A position is a line and a column of a file, which both start at 1.
type position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in characters; 0 for the start of the text of the line
}

// An answer is what the page draws. Views that weren't asked for are missing.
type answer struct {
	// Error is the reason why there is no module, in words for people.
	Error string `json:"error,omitempty"`
	// Crash is set if the program failed.
	Crash   bool           `json:"crash,omitempty"`
	Module  *moduleAnswer  `json:"module,omitempty"`
	Explain *explanation   `json:"explain,omitempty"`
	Engines []engineChoice `json:"engines,omitempty"`
}

// An engineChoice is a product and the releases of it to choose from, the newest first.
type engineChoice struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Releases []string `json:"releases"`
}

// A session keeps the module of the last request, so that the page need not send it again. It is
// for one goroutine.
type session struct{ last *analysis }

// answer answers a request. A crash becomes an error, since a page without an answer would wait.
func (s *session) answer(text []byte) (out []byte) {
	defer func() {
		if r := recover(); r != nil {
			s.last = nil
			out = encode(answer{Crash: true, Error: fmt.Sprintf("tofumerge crashed on this module: %s", parallel.Crashed(r))})
		}
	}()
	var r request
	if err := json.Unmarshal(text, &r); err != nil {
		return encode(answer{Error: "the request can't be read: " + err.Error()})
	}
	return encode(s.do(&r))
}

func (s *session) do(r *request) answer {
	if r.View == "engines" {
		return answer{Engines: engines()}
	}
	if r.Module != nil {
		s.last = nil
		a, err := analyse(r.Module)
		if err != nil {
			return answer{Error: err.Error()}
		}
		s.last = a
	}
	switch {
	case s.last == nil:
		return answer{Error: "the request has no module"}
	case r.View != "explain":
		return answer{Module: s.last.view(r.View)}
	case r.At == nil:
		return answer{Error: "explain needs a position"}
	}
	return answer{Explain: s.last.explain(*r.At, r.Columns)}
}

func engines() (list []engineChoice) {
	for _, p := range engine.Products() {
		c := engineChoice{Name: string(p), Title: p.Title()}
		for _, e := range p.Observed() {
			c.Releases = append([]string{string(e.Version)}, c.Releases...)
		}
		list = append(list, c)
	}
	return list
}

func encode(a answer) []byte {
	out, err := json.Marshal(a)
	if err != nil {
		panic(err) // every field has a JSON form
	}
	return out
}

// maxRequest is how many bytes a line of standard input may have.
const maxRequest = 64 << 20

// serve answers the requests that a reader holds, one on each line.
func serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxRequest)
	s := &session{}
	for lines.Scan() {
		if _, err := fmt.Fprintf(out, "%s\n", s.answer(lines.Bytes())); err != nil {
			return err
		}
	}
	return lines.Err()
}

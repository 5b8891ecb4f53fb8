package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A worker compares the builds on one module after the other.
type worker struct {
	builds     [2]build
	timeout    time.Duration
	work, home string
	report     *report
}

// module compares the builds on the module with the number at.
func (w *worker) module(ctx context.Context, modules []string, at int) error {
	known, err := w.look(modules, at)
	if err != nil {
		return err
	}
	for i, f := range forms {
		if err := ctx.Err(); err != nil {
			return err
		}
		if f.in == nowhere && at > 0 {
			continue
		}
		c, ok := w.call(f, modules[at], known)
		if !ok {
			continue
		}
		if err := w.compare(i, at, c); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) compare(form, at int, c call) error {
	var got [2]outcome
	for i, b := range w.builds {
		var err error
		if got[i], err = c.run(b, environment(w.work), w.timeout); err != nil {
			return err
		}
	}
	return w.report.add(form, at, got, func() (string, error) { return w.repeat(c, at) })
}

// call fills in the words of a form; it fails where nothing stands for one.
func (w *worker) call(f form, module string, known map[string]string) (call, bool) {
	c := call{dir: module}
	known["{out}"] = filepath.Join(w.home, "out")
	switch f.in {
	case above:
		c.dir = filepath.Dir(module)
	case aCopy:
		c.source, c.copied = module, filepath.Join(w.home, "copy")
		c.dir = c.copied
	case nowhere:
		c.dir = filepath.Join(w.work, "home")
	}
	for _, word := range f.words() {
		if word == "-" {
			c.stdin = filepath.Join(module, known["{file}"])
			if known["{file}"] == "" {
				return c, false
			}
		}
		if before, name, isFilled := strings.Cut(word, "{"); isFilled {
			value := known["{"+name]
			if value == "" {
				return c, false
			}
			if name == "out}" {
				c.out = value
			}
			word = before + value
		}
		c.args = append(c.args, word)
	}
	return c, true
}

// repeat is a command line for bash that repeats the runs of both builds. A module that is copied
// is kept, because a plain copy may contain links to the outside.
func (w *worker) repeat(c call, at int) (string, error) {
	var b strings.Builder
	kept := filepath.Join(w.work, "copied", fmt.Sprint(at))
	if _, err := os.Lstat(kept); c.copied != "" && err != nil {
		if err := copyModule(c.source, kept); err != nil {
			return "", err
		}
	}
	b.WriteString("for build in old new; do ")
	for _, dir := range []string{c.copied, c.out} {
		if dir != "" {
			b.WriteString("rm -rf " + quote(dir) + "; ")
		}
	}
	if c.copied != "" {
		b.WriteString("cp -a " + quote(kept) + " " + quote(c.copied) + "; ")
	}
	b.WriteString("(cd " + quote(c.dir) + " && env -i LC_ALL=C " + quote(w.work) + "/$build/" + binaryName)
	for _, arg := range c.args {
		b.WriteString(" " + quote(arg))
	}
	if c.stdin != "" {
		b.WriteString(" <" + quote(c.stdin))
	}
	b.WriteString("); done")
	return b.String(), nil
}

// quote quotes a word for bash where it needs that.
func quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-=:,@+%", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

const (
	exitSame   = 0
	exitDiffer = 1
	exitFailed = 2
)

func main() {
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(exitSame)
	}
	same := err == nil
	if err == nil {
		same, err = o.run(os.Stdout)
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "watch:", err)
		os.Exit(exitFailed)
	case !same:
		os.Exit(exitDiffer)
	}
}

// options are the options of the command line.
type options struct {
	releases []engine.Release
	as       engine.Release // to follow instead of each release itself
	list     bool
	answers  string
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("watch", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run ./.ci/watch [flags] [PRODUCT@VERSION...]")
		flags.PrintDefaults()
	}
	tags := flags.String("tags", "", "take the tags from this `directory`, which has a file for each product, with the output of \"git ls-remote --tags\"")
	as := flags.String("as", "", "follow each as this `release`, as if the tables knew no later one")
	flags.BoolVar(&o.list, "list", false, "print the releases as JSON, and ask none")
	flags.StringVar(&o.answers, "answers", "", "report these recorded answers instead of asking")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if *as != "" {
		if o.as, err = engine.Parse(*as); err != nil {
			return o, err
		}
	}
	if flags.NArg() > 0 {
		o.releases, err = named(flags.Args())
	} else {
		o.releases, err = unknown(*tags)
	}
	return o, err
}

// run asks the releases one after the other, and reports whether all do as the tables claim.
func (o options) run(out io.Writer) (same bool, err error) {
	if o.list {
		names := []string{}
		for _, e := range o.releases {
			names = append(names, e.String())
		}
		return true, json.NewEncoder(out).Encode(names)
	}
	same = true
	for _, e := range o.releases {
		r := report{release: e, follow: o.as}
		if o.as == (engine.Release{}) {
			r.follow = e
		}
		if err := r.ask(o.answers); err != nil {
			fmt.Fprintf(out, "%s could not be asked: %v\n", e, err)
			return false, err
		}
		same = same && len(r.differences()) == 0
		if err := r.write(out); err != nil {
			return false, err
		}
	}
	return same, nil
}

// ask builds the release, and runs the tests that ask it, unless there are recorded answers.
func (r *report) ask(recorded string) error {
	if recorded == "" {
		dir, err := os.MkdirTemp("", "watch")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if r.program, err = build(r.release, dir); err != nil {
			return err
		}
		recorded = filepath.Join(dir, "answers")
		r.output, r.cpu, r.failure = command("", nil, "go", "test", "-count=1", "-timeout=0", "-run=^TestLive(Providers)?$",
			"./cmd/tofumerge/internal/cli", "./internal/merge/extract",
			"-live="+r.follow.String()+"="+r.program.path, "-answers="+recorded)
	}
	text, err := os.ReadFile(recorded)
	if err != nil {
		return errors.Join(err, r.failure)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		var a loadtest.Answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return err
		}
		r.answers = append(r.answers, a)
	}
	for _, dir := range []string{"testdata/live/", "testdata/rules/", "testdata/documentation/"} {
		if !slices.ContainsFunc(r.answers, func(a loadtest.Answer) bool { return strings.HasPrefix(a.Module, dir) }) {
			return errors.Join(fmt.Errorf("it answered nothing about %s", dir), r.failure)
		}
	}
	if len(r.differences()) == 0 {
		return r.failure
	}
	return nil
}

// A report is about one release.
type report struct {
	release, follow engine.Release
	program         program
	answers         []loadtest.Answer
	cpu             time.Duration
	output          string // of the tests
	failure         error
}

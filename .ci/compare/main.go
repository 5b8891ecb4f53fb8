package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	exitSame   = 0
	exitDiffer = 1
	exitFailed = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	same, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(exitSame)
	case err != nil:
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(exitFailed)
	case !same:
		os.Exit(exitDiffer)
	}
}

// options are the options of the command line.
type options struct {
	old, new  string
	dirs      []string
	generated int
	seed      uint64
	jobs      int
	show      int
	timeout   time.Duration
}

func parse(args []string, errs io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		fmt.Fprintln(errs, "usage: go run ./.ci/compare [flags] OLD NEW [DIR...]")
		flags.PrintDefaults()
	}
	flags.IntVar(&o.generated, "generated", 0, "make this `many` modules of those found")
	flags.Uint64Var(&o.seed, "seed", 1, "make them by this `seed`")
	flags.IntVar(&o.jobs, "j", runtime.NumCPU(), "work on this `many` modules at a time")
	flags.IntVar(&o.show, "show", 1, "show this `many` differences of each command and kind")
	flags.DurationVar(&o.timeout, "timeout", 30*time.Second, "end a run after this `time`")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	switch {
	case flags.NArg() < 2:
		flags.Usage()
		return o, errors.New("name two builds, OLD and NEW")
	case o.jobs < 1 || o.generated < 0 || o.show < 0:
		return o, errors.New("-j must be at least 1, -generated and -show at least 0")
	}
	o.old, o.new, o.dirs = flags.Arg(0), flags.Arg(1), flags.Args()[2:]
	return o, nil
}

// run compares, and reports whether everything is the same.
func run(ctx context.Context, args []string, out, progress io.Writer) (bool, error) {
	o, err := parse(args, progress)
	if err != nil {
		return false, err
	}
	work, err := os.MkdirTemp("", "compare")
	if err != nil {
		return false, err
	}
	keep := false
	defer func() {
		if !keep {
			os.RemoveAll(work)
		}
	}()
	if work, err = filepath.EvalSymlinks(work); err != nil {
		return false, err
	}
	builds, err := install(work, o)
	if err != nil {
		return false, err
	}
	modules, err := gather(work, o)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(progress, "%d modules, %d ways to call the program\n", len(modules), len(forms))
	r := newReport(o.show)
	if err := compareAll(ctx, work, o, builds, modules, r, progress); err != nil {
		return false, err
	}
	keep = r.differ()
	err = r.print(out)
	if keep {
		fmt.Fprintf(out, "kept to repeat them: %s\n", work)
	}
	return !keep, err
}

// compareAll has each worker compare the builds on one module at a time. It fails
// when it is interrupted.
func compareAll(ctx context.Context, work string, o options, builds [2]build, modules []string, r *report, progress io.Writer) error {
	next := make(chan int)
	failed := make(chan error, o.jobs)
	var done atomic.Int64
	var wg sync.WaitGroup
	for i := range o.jobs {
		w := &worker{builds: builds, timeout: o.timeout, home: filepath.Join(work, fmt.Sprintf("w%d", i)), work: work, report: r}
		if err := os.MkdirAll(w.home, 0o755); err != nil {
			return err
		}
		wg.Go(func() {
			var err error
			for at := range next {
				if err == nil { // else the rest is not tried
					err = w.module(ctx, modules, at)
				}
				if n := done.Add(1); n%50 == 0 {
					fmt.Fprintf(progress, "%d of %d modules\n", n, len(modules))
				}
			}
			failed <- err
		})
	}
	for at := range modules {
		next <- at
	}
	close(next)
	wg.Wait()
	close(failed)
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	var errs []error
	for err := range failed {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

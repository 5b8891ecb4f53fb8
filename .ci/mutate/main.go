package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

const modulePath = "github.com/tofumerge/tofumerge"

var (
	size    = flag.Int("n", 0, "try this many defects, chosen at random; 0 tries all")
	seed    = flag.Uint64("seed", 1, "choose by this seed")
	jobs    = flag.Int("j", 2, "try this many at a time")
	ownOnly = flag.Bool("own", false, "run only the tests of the package that a defect is in")
	limit   = flag.Duration("time", 24*time.Hour, "stop after this time, and report what was found out")
	least   = flag.Float64("min", 0, "fail if less than this share of the defects is noticed, in percent")
)

func main() {
	log.SetFlags(log.Ltime)
	flag.Parse()
	if err := run(flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func run(patterns []string) error {
	r := &runner{homes: make(chan string, *jobs), deadline: time.Now().Add(*limit), judges: []judge{own, scripts, others}}
	if *ownOnly {
		r.judges = r.judges[:1]
	}
	w, err := weave(patterns)
	if err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "mutate"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	for range *jobs {
		home, err := os.MkdirTemp(r.work, "")
		if err != nil {
			return err
		}
		r.homes <- home
	}
	r.switches = len(w.mutants)
	chosen := choose(w.mutants, *size, *seed)
	log.Printf("%d of %d defects are chosen by seed %d", len(chosen), r.switches, *seed)
	if r.overlay, err = w.overlay(r.work, chosen); err != nil {
		return err
	}
	if err := r.findTests(); err != nil {
		return err
	}
	if err := r.try(chosen); err != nil {
		return err
	}
	share := report(os.Stdout, chosen)
	if r.isLate() {
		return errors.New("the time was up; tests that might notice the survivors were not run")
	}
	if share < *least {
		return fmt.Errorf("%.1f %% of the defects are noticed; at least %g %% should be", share, *least)
	}
	return nil
}

// choose picks n, or all for 0, in order.
func choose(mutants []*mutant, n int, seed uint64) []*mutant {
	chosen := slices.Clone(mutants)
	rand.New(rand.NewPCG(seed, seed)).Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	if n > 0 {
		chosen = chosen[:min(n, len(chosen))]
	}
	slices.SortFunc(chosen, func(a, b *mutant) int { return a.id - b.id })
	return chosen
}

package main

import (
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A runner holds the build with the defects in it, and facts about the packages.
type runner struct {
	work     string
	overlay  string
	homes    chan string                // directories, one for each run at a time, in which tests learn which defect is in force
	dirs     map[string]string          // of the packages that have tests
	users    map[string]map[string]bool // packages whose tests depend on one
	switches int
	judges   []judge
	deadline time.Time
}

// each does something with each of n things, as many at a time as there are homes.
func (r *runner) each(n int, do func(home string, i int)) {
	var wg sync.WaitGroup
	for i := range n {
		home := <-r.homes
		wg.Go(func() {
			defer func() { r.homes <- home }()
			do(home, i)
		})
	}
	wg.Wait()
}

// A judge is which tests noticed a defect.
type judge string

const (
	nobody  judge = ""
	own     judge = "own"     // of the package that it is in
	scripts judge = "scripts" // of the command line
	others  judge = "others"  // of another package
)

// scriptsPackage runs the scripts of testdata/script.
const scriptsPackage = modulePath + "/cmd/tofumerge"

// judgeOf is which tests those of a package are for a defect.
func (m *mutant) judgeOf(pkg string) judge {
	switch pkg {
	case m.pkg:
		return own
	case scriptsPackage:
		return scripts
	}
	return others
}

// try runs the tests of each defect's own package first, then the scripts, then the tests of all
// others that depend on the package. It ends early at the deadline.
func (r *runner) try(mutants []*mutant) error {
	// Those nearest to a package come first, as they have the fewest users themselves.
	order := slices.Sorted(maps.Keys(r.dirs))
	slices.SortStableFunc(order, func(a, b string) int { return len(r.users[b]) - len(r.users[a]) })
	for _, as := range r.judges {
		for _, pkg := range order {
			if err := r.ask(pkg, as, mutants); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *runner) isLate() bool { return time.Now().After(r.deadline) }

// ask runs the tests of a package on the defects that nobody has noticed.
func (r *runner) ask(pkg string, as judge, mutants []*mutant) error {
	mutants = slices.DeleteFunc(slices.Clone(mutants), func(m *mutant) bool {
		return m.by != nobody || m.judgeOf(pkg) != as || !r.users[m.pkg][pkg]
	})
	if len(mutants) == 0 || r.isLate() {
		return nil
	}
	start := time.Now()
	s, err := r.prepare(pkg)
	if err != nil {
		return err
	}
	defer os.Remove(s.path)
	prepared := time.Since(start)
	r.each(len(mutants), func(home string, i int) {
		if m := mutants[i]; !r.isLate() && s.notices(home, m) {
			m.by = as
		}
	})
	noticed := 0
	for _, m := range mutants {
		if m.by != nobody {
			noticed++
		} else if as == own {
			log.Printf("its own tests don't notice: %s", m)
		}
	}
	log.Printf("%s: %s notice %d of %d (%d s, %d of them to prepare)", as, short(pkg), noticed, len(mutants),
		int(time.Since(start).Seconds()), int(prepared.Seconds()))
	return nil
}

// short is a package's path within the module.
func short(pkg string) string { return strings.TrimPrefix(pkg, modulePath+"/") }

// String is where the defect is, and what it does.
func (m *mutant) String() string {
	text := fmt.Sprintf("%s/%s:%d: %s", short(m.pkg), filepath.Base(m.at.Filename), m.at.Line, m.what)
	if !m.passed {
		text += " (no test that ran comes here)"
	}
	return text
}

// report prints the survivors, then a row for each package and one for all, and returns the share
// of defects that were noticed, in percent.
func report(out io.Writer, mutants []*mutant) (share float64) {
	const total = "total"
	rows := map[string]map[judge]int{total: {}}
	for _, m := range mutants {
		if m.by == nobody {
			fmt.Fprintln(out, m)
		}
		name := short(m.pkg)
		if rows[name] == nil {
			rows[name] = map[judge]int{}
		}
		rows[name][m.by]++
		rows[total][m.by]++
	}
	fmt.Fprintf(out, "%8s %8s %8s %8s %8s  %s\n", "defects", own, scripts, others, "nobody", "package")
	for _, name := range slices.Sorted(maps.Keys(rows)) { // the total comes behind cmd and internal
		c := rows[name]
		noticed := c[own] + c[scripts] + c[others]
		fmt.Fprintf(out, "%8d %8d %8d %8d %8d  %s\n", noticed+c[nobody], c[own], c[scripts], c[others], c[nobody], name)
		share = 100 * float64(noticed) / float64(max(noticed+c[nobody], 1))
	}
	fmt.Fprintf(out, "%.1f %% noticed\n", share)
	return share
}

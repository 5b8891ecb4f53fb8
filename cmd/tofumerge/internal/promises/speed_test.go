package promises_test

import (
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

var ledgerFile = flag.String("ledger", "", "the file that names the commit for TestSpeed to compare with")

// slower is by how much a command may have become slower since the commit of the ledger.
const slower = 1.15

// speedCommands are the commands of TestSpeed, with DIR for the module and OUT for a file.
var speedCommands = []struct{ name, args string }{
	{"render", "DIR"},
	{"--json", "--json DIR"},
	{"-a", "-a DIR"},
	{"list", "list DIR"},
	{"check", "check DIR"},
	{"changes", "changes DIR"},
	{"report", "report DIR -o OUT"},
	{"explain", "explain DIR x_server.n7_7.size"},
}

// TestSpeed compares the processor time of commands with that at an earlier commit:
//
//	go test ./cmd/tofumerge/internal/promises -run 'TestSpeed$' -count 1 -v -ledger .ci/ledger
//
// Both programs run in turns on the large module, in one thread, so a busy machine slows both.
// A command that looks slower is measured twice more before it fails.
func TestSpeed(t *testing.T) {
	if *ledgerFile == "" {
		t.Skip("needs -ledger")
	}
	old := builtAt(t, ledgerCommit(t))
	program, large := asInstalled(t, "../.."), scales[1]
	dir := clitest.ScaleModule(t, large.files, large.blocks, large.overrides, large.overridden)
	page := filepath.Join(t.TempDir(), "report.html")
	for _, c := range speedCommands {
		args := strings.Fields(strings.NewReplacer("DIR", dir, "OUT", page).Replace(c.args))
		ratio := ratioOf(t, program, old, args)
		for again := 0; ratio > slower && again < 2; again++ {
			ratio = min(ratio, ratioOf(t, program, old, args))
		}
		t.Logf("%-8s %.2f", c.name, ratio)
		if ratio > slower {
			t.Errorf("%s takes %.2f times as long as at the commit in %s; make it faster, or take out what costs more than it is worth",
				c.name, ratio, *ledgerFile)
		}
	}
}

// ratioOf is the ratio of two programs' processor time for a command: the median of nine pairs.
func ratioOf(t *testing.T, program, old string, args []string) float64 {
	t.Helper()
	var ratios []float64
	for range 9 {
		now := oneThread(t, program, args)
		ratios = append(ratios, float64(now)/float64(oneThread(t, old, args)))
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}

func oneThread(t *testing.T, program string, args []string) time.Duration {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Stdout = append(os.Environ(), "GOMAXPROCS=1"), io.Discard
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != findingsStatus {
		t.Fatalf("%s %s: %v", program, strings.Join(args, " "), err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// findingsStatus is the status of a run that succeeded and found something.
const findingsStatus = 2

// ledgerCommit is the commit of the ledger. It must be one that the branch is made from.
func ledgerCommit(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../..", *ledgerFile))
	if err != nil {
		t.Fatal(err)
	}
	commit, _, _ := strings.Cut(string(text), "\n")
	if err := exec.Command("git", "cat-file", "-e", commit+"^{commit}").Run(); err != nil {
		t.Skipf("this clone lacks the commit %s, so speed isn't compared; fetch the whole history", commit)
	}
	if err := exec.Command("git", "merge-base", "--is-ancestor", commit, "HEAD").Run(); err != nil {
		t.Fatalf("%s names %s, which is not in the history of this commit", *ledgerFile, commit)
	}
	return commit
}

// builtAt builds the program of an earlier commit.
func builtAt(t *testing.T, commit string) string {
	t.Helper()
	tree := filepath.Join(t.TempDir(), "tree")
	for _, args := range [][]string{
		{"clone", "-q", "--shared", "--no-checkout", "../../../..", tree},
		{"-C", tree, "checkout", "-q", "--detach", commit},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return asInstalled(t, filepath.Join(tree, "cmd", "tofumerge"))
}

// asInstalled builds the program of a directory as for a release, copies it as for an
// installation, since the system takes longer to load a file that the linker has just written,
// and returns its path.
func asInstalled(b testing.TB, in string) string {
	b.Helper()
	linked := filepath.Join(b.TempDir(), "linked")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", linked, ".")
	build.Dir, build.Env = in, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	program, err := os.ReadFile(linked)
	if err == nil {
		err = os.WriteFile(linked+"-copy", program, 0o755)
	}
	if err != nil {
		b.Fatal(err)
	}
	return linked + "-copy"
}

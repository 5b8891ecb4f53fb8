package promises_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
)

// writeTree puts files into directories of a new one.
func writeTree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// manyModules are modules that each call those behind them, with findings of every kind.
func manyModules() map[string]string {
	files := map[string]string{}
	for i := range 40 {
		dir := fmt.Sprintf("m%d", i)
		files[dir+"/main.tf"] = fmt.Sprintf("module \"next\" {\n  source = \"../m%d\"\n}\nlocals {\n  a = { b = 1, c = 2 }\n}\n", i+1)
		files[dir+"/override.tf"] = "locals {\n  a = { b = 2 }\n}\n"
	}
	return files
}

// Reports about many modules match the schema.
func TestReportSchemaOfMany(t *testing.T) {
	schema := compileSchema(t, "")
	dir := writeTree(t, manyModules())
	for _, args := range []string{
		"list --json -r", "explain --json --all -r", "diff --json -r", "changes --json -r", "check --json -r",
	} {
		got := runOnDir(dir, strings.Fields(args)...)
		if strings.Count(got.out, `"directory"`) < 40 {
			t.Errorf("%s: status %d, %s%.300s", args, got.status, got.errs, got.out)
		}
		if err := schema.Validate(decode(t, got.out)); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// Several modules at a time are printed as one after the other would be.
func TestManyInOrder(t *testing.T) {
	dir := writeTree(t, manyModules())
	for _, args := range []string{"list -r", "diff -r", "changes -r", "changes -f markdown -r", "check -r", "check -r --fix --enable unmarked-override"} {
		first := runOnDir(dir, strings.Fields(args)...)
		if first.status == cli.ExitFailed || first.out == "" {
			t.Errorf("%s: %s", args, first.errs)
		}
		for range 5 {
			if again := runOnDir(dir, strings.Fields(args)...); again != first {
				t.Errorf("%s: another result", args)
			}
		}
	}
}

func BenchmarkMany(b *testing.B) {
	dir := writeTree(b, manyModules())
	for b.Loop() {
		if got := runOnDir(dir, "changes", "-r"); got.status != cli.ExitOK {
			b.Fatal(got.errs)
		}
	}
}

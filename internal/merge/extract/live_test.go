package extract_test

import (
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

var livePlans = flag.Int("plans", 3, "have an engine plan this many random `edits`, if one is installed")

// planned is a module that needs only what engines have built in.
const planned = `variable "size" {
  type    = number
  default = 3
}

variable "tags" {
  type    = map(string)
  default = { Owner = "shop" }
}

locals {
  name = "n-${var.size}"
  list = [1, 2]
}

resource "terraform_data" "a" {
  count            = 2
  input            = { name = local.name, tags = var.tags }
  triggers_replace = [local.list]

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "b" {
  for_each = var.tags
  input    = each.value

  provisioner "local-exec" {
    command = "true"
  }
}

output "name" {
  value       = terraform_data.a[0].input.name
  description = "What it is called"
}

output "size" {
  value     = var.size
  sensitive = false
}
`

// TestLive has the engine plan EDITED, and BASE with the override: if nothing is left, the plans must
// be the same.
func TestLive(t *testing.T) {
	program, release := installed(t)
	base := map[string]string{"main.tf": planned}
	done := 0
	defer func() { t.Logf("%s planned %d edits twice", release, done) }()
	for n := uint64(0); done < *livePlans && n < 50*uint64(*livePlans); n++ {
		ed := &mergetest.Editor{Rand: rand.New(rand.NewPCG(n, 7)), Files: base, Engine: release}
		ed.Edit(2)
		e := edit{engine: release, base: base, edited: ed.Files}
		r, err := find(e.base, e.edited, release, extract.Options{Null: true})
		if err != nil || len(r.Left) > 0 || len(r.Texts) == 0 {
			continue
		}
		want, err := planOf(t, program, e.edited)
		if err != nil {
			continue // the edit made an invalid module
		}
		done++
		got, err := planOf(t, program, e.with(r))
		if err != nil {
			t.Errorf("%s\n%s", err, r.Texts)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-edited +merged):\n%s\n%s\n%s", diff, ed.Files["main.tf"], r.Texts)
		}
	}
}

// installed is the engine of this machine; the test is skipped without one.
func installed(t *testing.T) (program string, release engine.Release) {
	t.Helper()
	for product, name := range map[string]string{"opentofu": "tofu", "terraform": "terraform"} {
		out, err := exec.Command(name, "version").Output()
		if err != nil {
			continue
		}
		if found := regexp.MustCompile(`v(\d+\.\d+)`).FindSubmatch(out); found != nil {
			return name, releaseOf(t, product+"@"+string(found[1]))
		}
	}
	t.Skip("no engine is installed")
	return "", engine.Release{}
}

// planOf returns the planned values.
func planOf(t *testing.T, program string, files map[string]string) (map[string]any, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out []byte
	for _, args := range [][]string{{"init", "-input=false"}, {"plan", "-input=false", "-out=p"}, {"show", "-json", "p"}} {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		var err error
		if out, err = cmd.Output(); err != nil {
			var failed *exec.ExitError
			if errors.As(err, &failed) {
				return nil, errors.New(string(failed.Stderr))
			}
			return nil, err
		}
	}
	var plan map[string]any
	if err := json.Unmarshal(out, &plan); err != nil {
		t.Fatal(err)
	}
	return map[string]any{"values": plan["planned_values"], "outputs": plan["output_changes"], "changes": plan["resource_changes"], "variables": plan["variables"]}, nil
}

package extract_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
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

// TestLive has each engine that is installed plan EDITED, and BASE with the override: if nothing is
// left, the plans must be the same.
func TestLive(t *testing.T) {
	for _, live := range loadtest.LiveEngines(t) {
		t.Run(live.String(), func(t *testing.T) { planEdits(t, live) })
	}
}

func planEdits(t *testing.T, live loadtest.LiveEngine) {
	base := map[string]string{"main.tf": planned}
	done := 0
	defer func() { t.Logf("%d edits were planned twice", done) }()
	for n := uint64(0); done < *livePlans && n < 50*uint64(*livePlans); n++ {
		ed := &editor{Rand: rand.New(rand.NewPCG(n, 7)), Files: base, Engine: live.Release}
		ed.Edit(2)
		e := edit{engine: live.Release, base: base, edited: ed.Files}
		r, err := find(e.base, e.edited, live.Release, extract.Options{})
		if err != nil || len(r.Left) > 0 || len(r.Texts) == 0 {
			continue
		}
		want, errs := planOf(t, live, e.edited)
		if errs != "" {
			continue // the edited module can't be planned
		}
		done++
		got, errs := planOf(t, live, e.with(r))
		answer := loadtest.Answer{Module: fmt.Sprintf("edit %d of TestLive in internal/merge/extract", n), Given: errs + cmp.Diff(want, got)}
		if answer.Given != "" {
			t.Logf("EDITED and the override:\n%s\n%s", ed.Files["main.tf"], r.Texts)
		}
		loadtest.Answered(t, answer)
	}
}

// planOf returns the values to come in a plan of files, or why there is no plan.
func planOf(t *testing.T, live loadtest.LiveEngine, files map[string]string) (plan map[string]any, errs string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if errs, ok := live.Init(t, dir); !ok {
		return nil, "init: " + errs
	}
	var out string
	for _, args := range [][]string{{"plan", "-input=false", "-out=p"}, {"show", "-json", "p"}} {
		var ok bool
		if out, errs, ok = live.Run(t, loadtest.Call{Dir: dir, Args: args}); !ok {
			return nil, args[0] + ": " + errs
		}
	}
	if err := json.Unmarshal([]byte(out), &plan); err != nil {
		t.Fatal(err)
	}
	return map[string]any{"values": plan["planned_values"], "outputs": plan["output_changes"], "changes": plan["resource_changes"], "variables": plan["variables"]}, ""
}

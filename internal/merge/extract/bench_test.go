package extract_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

// BenchmarkExtract extracts edits of a large module: of one argument in one file, of one in a
// twentieth of all blocks, and of one in every block. It compares that with reading and printing
// BASE.
func BenchmarkExtract(b *testing.B) {
	const files, blocks = 200, 40
	base := map[string]string{"a_override.tf": ""}
	for i := range files {
		var text bytes.Buffer
		for j := range blocks {
			fmt.Fprintf(&text, "# Node %d.\nresource \"aws_instance\" \"n%d_%d\" {\n  ami           = \"ami-1\"\n  instance_type = var.type # sized\n  subnet_id     = local.subnet\n\n  tags = {\n    Name  = \"n-${var.region}-%d\"\n    Owner = \"shop\"\n  }\n\n  ebs_block_device {\n    device_name = \"sda\"\n    volume_size = %d\n  }\n}\n\n", j, i, j, j, j)
		}
		base[fmt.Sprintf("f%03d.tf", i)] = text.String()
	}
	for _, c := range []struct {
		name  string
		every int
	}{{"one", files * blocks}, {"twentieth", 20}, {"all", 1}} {
		edited := map[string]string{}
		n := 0
		for i := range files {
			name := fmt.Sprintf("f%03d.tf", i)
			parts := bytes.SplitAfter([]byte(base[name]), []byte("ami-1"))
			for k := range parts {
				if n++; n%c.every == 0 && k+1 < len(parts) {
					parts[k] = append(bytes.TrimSuffix(parts[k], []byte("ami-1")), "ami-2"...)
				}
			}
			edited[name] = string(bytes.Join(parts, nil))
		}
		edited["a_override.tf"] = ""
		b.Run(c.name, func(b *testing.B) { extractAgain(b, base, edited) })
	}
	b.Run("render", func(b *testing.B) {
		for b.Loop() {
			m, _, err := loadDir(base, nil)
			if err != nil {
				b.Fatal(err)
			}
			merged, _ := merge.Files(m, merge.Options{})
			text, _ := render.Native(merged, render.Options{})
			_ = text.Write(io.Discard)
		}
	})
}

func loadDir(files map[string]string, cache *load.Cache) (*load.Module, hcl.Diagnostics, error) {
	opts := mergetest.InMemory(files, engine.Default())
	opts.Cache = cache
	return load.Dir(".", opts)
}

func extractAgain(b *testing.B, base, edited map[string]string) {
	for b.Loop() {
		cache := load.NewCache()
		first, _, _ := loadDir(base, cache)
		last, _, _ := loadDir(edited, cache)
		r, err := extract.Find(first, last, extract.Options{
			Name: "z_override.tf",
			Write: func(name string, parts []*merge.Part) ([]byte, hcl.Diagnostics) {
				return rewrite.Made(last, name, parts)
			},
			Load: func(more map[string][]byte) (*load.Module, hcl.Diagnostics, error) {
				all := map[string]string{}
				for name, text := range base {
					all[name] = text
				}
				for name, text := range more {
					all[name] = string(text)
				}
				return loadDir(all, cache)
			},
		})
		if err != nil || len(r.Left) > 0 || len(r.Expressed) == 0 {
			b.Fatal(err, len(r.Left), len(r.Expressed))
		}
	}
}

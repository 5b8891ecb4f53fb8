package sidefiles_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
)

func tools(pairs ...string) []sidefiles.Tool {
	var list []sidefiles.Tool
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, sidefiles.Tool{Product: engine.Product(pairs[i]), Wanted: pairs[i+1]})
	}
	return list
}

func TestToolVersions(t *testing.T) {
	for text, want := range map[string][]sidefiles.Tool{
		"":                                    nil,
		"nodejs 20\n":                         nil,
		"terraform-docs 0.16\n":               nil,
		"terraform 1.9.5":                     tools("terraform", "1.9.5"),
		"\uFEFFterraform 1.9.5\r\n":           tools("terraform", "1.9.5"),
		"  opentofu\t1.9 1.8 # old\n":         tools("opentofu", "1.9"),
		"terraform 1.9\nterraform 1.8\n":      tools("terraform", "1.9"),
		"# terraform 1.9\nopentofu # none":    tools("opentofu", ""),
		"opentofu 1.9\nruby 3\nterraform 1.5": tools("opentofu", "1.9", "terraform", "1.5"),
		"Terraform 1.9":                       nil,
		"aqua:opentofu/opentofu 1.9":          nil,
	} {
		if diff := cmp.Diff(want, sidefiles.ToolVersions([]byte(text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestRelease(t *testing.T) {
	for wanted, want := range map[string]string{
		"1.9.1":                  "opentofu@1.9.1",
		"v1.9.1":                 "opentofu@1.9.1",
		"1.9":                    "opentofu@1.9.4",
		"1":                      "opentofu@1.12.6",
		"latest":                 "opentofu@1.12.6",
		"latest:1.9":             "opentofu@1.9.4",
		"prefix:1.9":             "opentofu@1.9.4",
		"2.0.1":                  "opentofu@2.0.1",
		"":                       "opentofu@1.12.6, which names no release; the newest known",
		"system":                 "opentofu@1.12.6, which names no release; the newest known",
		"ref:v1.9":               "opentofu@1.12.6, which names no release; the newest known",
		"path:/x":                "opentofu@1.12.6, which names no release; the newest known",
		"sub-1:latest":           "opentofu@1.12.6, which names no release; the newest known",
		strings.Repeat("1", 300): "opentofu@1.12.6, which names no release; the newest known",
		"1.5.7":                  "opentofu@1.6.3, whose release is too old to be known; the oldest known release?",
	} {
		release, assumed, isCertain := sidefiles.Tool{Product: engine.OpenTofu, Wanted: wanted}.Release()
		got := release.String() + assumed
		if !isCertain {
			got += "?"
		}
		if got != want {
			t.Errorf("%q is %s, want %s", wanted, got, want)
		}
	}
}

func TestLockedBy(t *testing.T) {
	for text, want := range map[string][]engine.Product{
		"": nil,
		"provider \"registry.opentofu.org/hashicorp/aws\" {\n}":                        {engine.OpenTofu},
		"provider\t\"Registry.Terraform.io/hashicorp/aws\" {\r\n":                      {engine.Terraform},
		"provider \"registry.opentofu.org.evil.example/hashicorp/aws\" {":              nil,
		"provider \"registry.opentofu.org":                                             nil,
		"# provider \"registry.opentofu.org/hashicorp/aws\" {":                         nil,
		"provider \"a.b/c/d\" {\n}\nprovider \"registry.terraform.io/c/d\" {\n}":       {engine.Terraform},
		"provider \"registry.terraform.io/c/d\" {}\nprovider \"registry.opentofu.org/": {engine.Terraform, engine.OpenTofu},
	} {
		if diff := cmp.Diff(want, sidefiles.LockedBy([]byte(text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The entries for package managers name the files of a release as GoReleaser does, and the workflow
// that signs them.
func TestPackageEntries(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	config, aqua := read(".goreleaser.yaml"), read(".ci/packages/aqua/registry.yaml")
	for _, c := range []struct{ config, aqua string }{
		{`name_template: "{{ .ProjectName }}_{{ .Version }}_{{ .Os }}_{{ .Arch }}"`, "asset: tofumerge_{{trimV .Version}}_{{.OS}}_{{.Arch}}.{{.Format}}"},
		{"formats: [tar.gz]", "format: tar.gz"},
		{"formats: [zip]", "format: zip"},
		{"name_template: checksums.txt", "asset: checksums.txt"},
		{`signature: "${artifact}.sigstore.json"`, "asset: checksums.txt.sigstore.json"},
		{"goos: [linux, darwin, windows]", "supported_envs:\n          - linux\n          - darwin\n          - windows\n"},
	} {
		if !strings.Contains(config, c.config) || !strings.Contains(aqua, c.aqua) {
			t.Errorf("%q in .goreleaser.yaml doesn't match %q for aqua", c.config, c.aqua)
		}
	}
	const workflow = "tofumerge/tofumerge/.github/workflows/release.yaml"
	if read(".github/workflows/release.yaml") == "" || strings.Count(aqua, workflow) != 2 {
		t.Errorf("aqua doesn't name the workflow %s", workflow)
	}
}

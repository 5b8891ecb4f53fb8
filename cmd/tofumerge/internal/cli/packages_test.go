package cli

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The flake pins the modules that the program is built of.
func TestNixVendorHash(t *testing.T) {
	flake, err := os.ReadFile(filepath.Join(repository, ".ci", "nix", "flake.nix"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "vendor")
	cmd := exec.Command("go", "mod", "vendor", "-o", dir)
	cmd.Dir, cmd.Env = repository, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("the modules can't be copied: %v\n%s", err, out)
	}
	sum := sha256.New()
	writeNAR(t, sum, "nix-archive-1")
	writeNARNode(t, sum, dir)
	want := `vendorHash = "sha256-` + base64.StdEncoding.EncodeToString(sum.Sum(nil)) + `";`
	if !strings.Contains(string(flake), want) {
		t.Errorf(".ci/nix/flake.nix lacks %s", want)
	}
}

// writeNAR writes strings as an archive of Nix has them: the length, the text, and zeros up to a
// multiple of eight bytes.
func writeNAR(t *testing.T, w io.Writer, texts ...string) {
	t.Helper()
	for _, text := range texts {
		b := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
		b = append(append(b, text...), make([]byte, (8-len(text)%8)%8)...)
		if _, err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
}

// writeNARNode writes a file or a directory; modules have no programs and no links.
func writeNARNode(t *testing.T, sum hash.Hash, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !info.IsDir() {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		writeNAR(t, sum, "(", "type", "regular", "contents", string(text), ")")
		return
	}
	entries, err := os.ReadDir(path) // sorted
	if err != nil {
		t.Fatal(err)
	}
	writeNAR(t, sum, "(", "type", "directory")
	for _, e := range entries {
		writeNAR(t, sum, "entry", "(", "name", e.Name(), "node")
		writeNARNode(t, sum, filepath.Join(path, e.Name()))
		writeNAR(t, sum, ")")
	}
	writeNAR(t, sum, ")")
}

// The flake makes a package for each system, of the release that action.yml names. A small stand-in
// for nixpkgs shows the version and the sources.
func TestNixFlake(t *testing.T) {
	if _, err := exec.LookPath("nix-instantiate"); err != nil {
		t.Skip("nix-instantiate is missing")
	}
	root := t.TempDir()
	for _, name := range []string{"action.yml", ".ci/nix/flake.nix"} {
		text, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(root, filepath.FromSlash(name))
		if os.MkdirAll(filepath.Dir(to), 0o777) != nil || os.WriteFile(to, text, 0o666) != nil {
			t.Fatal("the copy can't be written")
		}
	}
	const expression = `let
  lib = { genAttrs = names: f: builtins.listToAttrs (map (name: { inherit name; value = f name; }) names);
    optionalString = c: s: if c then s else ""; licenses.mpl20 = "MPL-2.0"; };
  pkgs = { inherit lib; buildGoModule = a: a; installShellFiles = "i"; stdenv = { buildPlatform.canExecute = _: true; hostPlatform = {}; }; };
  nixpkgs = { inherit lib; legacyPackages = lib.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ] (_: pkgs); };
  made = ((import ./.ci/nix/flake.nix).outputs { self = { shortRev = "abc1234"; }; inherit nixpkgs; }).packages;
in builtins.concatStringsSep " " (map (s: "${s}:${made.${s}.default.version}:${toString made.${s}.default.src}") (builtins.attrNames made))`
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	evaluate := func() string {
		cmd := exec.Command("nix-instantiate", "--eval", "--strict", "-E", expression)
		cmd.Dir, cmd.Env = root, append(os.Environ(), "NIX_STORE_DIR="+t.TempDir(), "NIX_STATE_DIR="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.Trim(strings.TrimSpace(string(out)), `"`)
	}
	if got := evaluate(); strings.Count(got, ":0-abc1234:"+real) != 4 && releaseIn(t, root) == "" {
		t.Error(got)
	}
	action := filepath.Join(root, "action.yml")
	text, err := os.ReadFile(action)
	if err != nil {
		t.Fatal(err)
	}
	released := regexp.MustCompile(`RELEASE: ".*?"`).ReplaceAllString(string(text), `RELEASE: "v1.2.3-rc.1"`)
	if err := os.WriteFile(action, []byte(released), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := evaluate(); strings.Count(got, ":1.2.3-rc.1:"+real) != 4 {
		t.Error(got)
	}
}

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

// asdf lists releases in their order, and installs one that the installer has verified.
func TestASDF(t *testing.T) {
	s := newReleases(t)
	s.add(t, "v1.2.3")
	installer, err := os.ReadFile(filepath.Join(repository, "docs", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, "raw/v1.2.3/docs/install.sh", string(installer))
	s.command(t, "git", `#!/bin/sh
for tag in v1.9.0 v1.10.0 v1.2.3 v1.2.3-rc.1 v1 nightly; do printf 'abc\trefs/tags/%s\n' $tag; done
`)
	dir := t.TempDir()
	run := func(name string, env ...string) (string, error) {
		cmd := exec.Command("bash", filepath.Join(repository, ".ci", "packages", "asdf", "bin", name))
		cmd.Env = append(append(os.Environ(), s.env...), append([]string{"ASDF_INSTALL_TYPE=version", "ASDF_INSTALL_VERSION=1.2.3",
			"ASDF_DOWNLOAD_PATH=" + filepath.Join(dir, "a download"), "ASDF_INSTALL_PATH=" + filepath.Join(dir, "an install")}, env...)...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if got, err := run("list-all"); err != nil || got != "1.2.3-rc.1 1.2.3 1.9.0 1.10.0\n" {
		t.Errorf("%v: %q", err, got)
	}
	if out, err := run("download", "ASDF_INSTALL_TYPE=ref"); err == nil {
		t.Errorf("a commit was installed: %s", out)
	}
	if out, err := run("download", "REFUSED=cosign"); err == nil {
		t.Errorf("a release without a signature was installed: %s", out)
	}
	for _, step := range []string{"download", "install"} {
		if out, err := run(step); err != nil {
			t.Fatalf("%s: %v\n%s", step, err, out)
		}
	}
	if out, err := exec.Command(filepath.Join(dir, "an install", "bin", "tofumerge")).Output(); err != nil || !strings.HasPrefix(string(out), "release v1.2.3 ") {
		t.Errorf("%v: %q", err, out)
	}
}

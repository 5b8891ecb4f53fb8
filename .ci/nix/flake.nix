# nix run "github:tofumerge/tofumerge?dir=.ci/nix" -- --help
{
  description = "Show the effective configuration of OpenTofu and Terraform modules";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      # The release that the commit belongs to, or the commit.
      written = builtins.match ".*RELEASE: \"v([^\"]+)\".*" (builtins.readFile ../../action.yml);
      version = if written == null then "0-${self.shortRev or "dirty"}" else builtins.head written;
    in
    {
      packages = nixpkgs.lib.genAttrs systems (
        system:
        let
          pkgs = nixpkgs.legacyPackages.${system};
        in
        {
          default = pkgs.buildGoModule {
            pname = "tofumerge";
            inherit version;
            src = ../..;
            subPackages = [ "cmd/tofumerge" ];
            # The hash of "go mod vendor"; TestNixVendorHash computes it.
            vendorHash = "sha256-Aj/LU1UQ1VVPjgOWgwzGlICarGoOZvyFYSu/EAttG10=";
            env.CGO_ENABLED = 0;
            ldflags = [
              "-s"
              "-w"
              "-X github.com/tofumerge/tofumerge/cmd/tofumerge/internal/version.version=${version}"
            ];
            doCheck = false; # the tests run in CI, with git and the engines
            nativeBuildInputs = [ pkgs.installShellFiles ];
            postInstall = pkgs.lib.optionalString (pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform) ''
              $out/bin/tofumerge man man
              $out/bin/tofumerge man --completions completions
              installManPage man/*.1
              installShellCompletion --bash completions/tofumerge.bash --zsh completions/_tofumerge --fish completions/tofumerge.fish
            '';
            meta = {
              description = "Show the effective configuration of OpenTofu and Terraform modules";
              homepage = "https://github.com/tofumerge/tofumerge";
              license = pkgs.lib.licenses.mpl20;
              mainProgram = "tofumerge";
            };
          };
        }
      );
    };
}

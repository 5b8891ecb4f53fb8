#!/bin/sh
# Installs a release of tofumerge, after its checksum, its signature and its attestation were verified.
#
#   curl -fsSL https://raw.githubusercontent.com/tofumerge/tofumerge/main/docs/install.sh | sh
#   curl -fsSL https://raw.githubusercontent.com/tofumerge/tofumerge/main/docs/install.sh | sh -s -- --version v1.2.3
#
# Nothing runs unless the whole script has arrived: all of it is in functions, and the call on the
# last line is a syntax error if it is cut.

usage() {
  cat <<'EOF'
Usage: install.sh [--version VERSION] [--into DIR] [--verify WITH] [--from URL] [--platform OS_ARCH]

  --version VERSION    install this release, such as v1.2.3; by default the newest
  --into DIR           install into DIR; by default ~/.local/bin
  --verify WITH        verify the signature with cosign (3 or later) or with gh, or only
                       the checksum with checksum; by default with the one that is installed
  --from URL           download from a copy of the releases: https://, http:// or file://
  --platform OS_ARCH   install the program for this system, such as linux_arm64
EOF
}

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

has() { command -v "$1" > /dev/null 2>&1; }

# fetch URL FILE: a redirect to another protocol is refused.
fetch() {
  curl -fsSL --proto "=${from%%:*}" --proto-redir "=${from%%:*}" --connect-timeout 30 --max-time 900 \
    --max-filesize 200000000 --retry 2 -o "$2" "$1" || fail "can't download $1"
}

detect_platform() {
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    MINGW* | MSYS* | CYGWIN*) os=windows ;;
    *) fail "there is no release for $(uname -s); build it with Go: go install $module@latest" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) architecture=amd64 ;;
    aarch64 | arm64) architecture=arm64 ;;
    *) fail "there is no release for $(uname -m); build it with Go: go install $module@latest" ;;
  esac
  platform=${os}_$architecture
}

is_version() {
  printf '%s\n' "$1" | LC_ALL=C grep -Eqx 'v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?' &&
    [ "$(printf '%s\n' "$1" | wc -l)" -eq 1 ]
}

# newest reads the version from the list of the newest release. The signature of the list has to
# match that version, too.
newest() {
  fetch "$from/latest/download/checksums.txt" newest.txt
  version=v$(sed -n "s/^[0-9a-f]\{64\}  tofumerge_\(.*\)_$platform\.$ending\$/\1/p" newest.txt)
  is_version "$version" || fail "the newest release has no program for $platform"
}

choose_verifier() {
  [ -z "$verify" ] || return 0
  if has cosign; then
    verify=cosign
  elif has gh && gh auth status > /dev/null 2>&1; then
    verify=gh
  else
    fail "to verify the signature, install cosign (https://docs.sigstore.dev/cosign/system_config/installation), or gh and log in; to trust the download without it: --verify checksum"
  fi
}

# verify_signature accepts only what the release workflow signed for the tag of this version.
verify_signature() {
  issuer=https://token.actions.githubusercontent.com
  identity=https://github.com/$repository/.github/workflows/release.yaml@refs/tags/$version
  case $verify in
    cosign)
      fetch "$from/download/$version/checksums.txt.sigstore.json" checksums.txt.sigstore.json
      cosign verify-blob checksums.txt --bundle checksums.txt.sigstore.json \
        --certificate-oidc-issuer "$issuer" --certificate-identity "$identity" >&2 ||
        fail "the signature of checksums.txt isn't that of the release $version; cosign has to be 3 or later"
      fetch "$from/download/$version/provenance.sigstore.json" provenance.sigstore.json
      cosign verify-blob-attestation "$archive" --bundle provenance.sigstore.json --type slsaprovenance1 \
        --certificate-oidc-issuer "$issuer" --certificate-identity "$identity" >&2 ||
        fail "the attestation of $archive isn't that of the release $version"
      ;;
    gh)
      gh attestation verify "$archive" --repo "$repository" --cert-oidc-issuer "$issuer" --cert-identity "$identity" >&2 ||
        fail "the attestation of $archive isn't that of the release $version"
      ;;
    checksum) echo "install.sh: the signature isn't verified, only the checksum" >&2 ;;
  esac
}

verify_checksum() {
  want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' checksums.txt)
  [ "${#want}" -eq 64 ] || fail "checksums.txt of $version doesn't name $archive once"
  if has sha256sum; then
    got=$(sha256sum < "$archive")
  elif has shasum; then
    got=$(shasum -a 256 < "$archive")
  else
    fail "to verify the checksum, install sha256sum or shasum"
  fi
  [ "${got%% *}" = "$want" ] || fail "$archive isn't the file that checksums.txt of $version names"
}

# put gives the program its name at once, so that a run of it never sees half of it.
put() {
  mkdir -p -- "$into" || fail "can't make $into"
  new=$into/.$program.$$
  if ! { cp -- "$program" "$new" && chmod 755 "$new" && mv -f -- "$new" "$into/$program"; }; then
    rm -f -- "$new"
    fail "can't write $into/$program"
  fi
}

parse() {
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
      --version | --into | --verify | --from | --platform) ;;
      *) fail "there is no option $1; see --help" ;;
    esac
    [ -n "${2-}" ] || fail "$1 needs a value"
    case $1 in
      --version) version=$2 ;;
      --into) into=$2 ;;
      --verify) verify=$2 ;;
      --from) from=${2%/} ;;
      --platform) platform=$2 ;;
    esac
    shift 2
  done
}

check_options() {
  [ -z "$version" ] || is_version "$version" || fail "--version takes a release, such as v1.2.3"
  case $verify in '' | cosign | gh | checksum) ;; *) fail "--verify takes cosign, gh or checksum" ;; esac
  case $from in
    https://* | file://*) ;;
    http://*) [ "$verify" != checksum ] || fail "over http:// the checksum proves nothing; leave --verify out" ;;
    *) fail "--from takes https://, http:// or file://" ;;
  esac
  [ -n "$into" ] || { [ -n "${HOME-}" ] && into=$HOME/.local/bin; } || fail "HOME isn't set; name a directory: --into DIR"
  case $into in /* | [A-Za-z]:*) ;; *) into=$(pwd)/$into ;; esac
  [ -n "$platform" ] || detect_platform
  case $platform in
    linux_amd64 | linux_arm64 | darwin_amd64 | darwin_arm64) ending=tar.gz program=tofumerge ;;
    windows_amd64 | windows_arm64) ending=zip program=tofumerge.exe ;;
    *) fail "there is no release for $platform" ;;
  esac
}

main() {
  set -eu
  repository=tofumerge/tofumerge
  module=github.com/$repository/cmd/tofumerge
  from=https://github.com/$repository/releases
  version='' into='' verify='' platform=''
  parse "$@"
  check_options
  has curl || fail "to download the release, install curl"
  choose_verifier

  work=$(mktemp -d "${TMPDIR:-/tmp}/tofumerge.XXXXXX") || fail "can't make a temporary directory"
  trap 'rm -rf -- "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  cd -- "$work"
  [ -n "$version" ] || newest
  archive=tofumerge_${version#v}_$platform.$ending
  fetch "$from/download/$version/checksums.txt" checksums.txt
  fetch "$from/download/$version/$archive" "$archive"
  verify_checksum
  verify_signature
  if [ "$ending" = zip ]; then unzip -q "$archive" "$program"; else tar -xzf "$archive" "$program"; fi || fail "$archive holds no $program"
  if [ -L "$program" ] || [ ! -f "$program" ]; then fail "$archive holds no $program"; fi
  put

  echo "installed tofumerge $version as $into/$program" >&2
  case :$PATH: in *":$into:"*) ;; *) echo "$into isn't on your PATH" >&2 ;; esac
}

{ main "$@" < /dev/null; }

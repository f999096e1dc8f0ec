#!/bin/sh
# Installs the newest release of noregret for one user, on Linux or macOS:
#
#   curl -fsSL https://github.com/noregret/noregret/releases/latest/download/install.sh | sh
#
# NOREGRET_VERSION names another version, NOREGRET_BIN another folder than ~/.local/bin, NOREGRET_RELEASES another place to download from.
set -eu

fail() {
    echo "error: $*" >&2
    exit 1
}

# In a function, so that half a script does nothing.
main() {
    releases=${NOREGRET_RELEASES:-https://github.com/noregret/noregret/releases}
    folder=${NOREGRET_BIN:-$HOME/.local/bin}
    case $(uname -m) in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "there is no release for the processor $(uname -m): build it with \`cargo install noregret\`" ;;
    esac
    case $(uname -s) in
    Linux) target=$machine-unknown-linux-musl ;;
    Darwin) target=$machine-apple-darwin ;;
    *) fail "there is no release for $(uname -s) here: see $releases" ;;
    esac
    command -v curl >/dev/null || fail "curl is missing"
    if [ -n "${NOREGRET_VERSION:-}" ]; then
        place=$releases/download/v${NOREGRET_VERSION#v}
    else
        place=$releases/latest/download
    fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    curl -fsSL "$place/SHA256SUMS" -o "$work/SHA256SUMS" || fail "cannot download $place/SHA256SUMS"
    archive=$(awk -v target="$target" '$2 ~ target "\\.tar\\.gz$" { print $2 }' "$work/SHA256SUMS")
    [ -n "$archive" ] || fail "that release has nothing for $target"
    curl -fsSL "$place/$archive" -o "$work/$archive" || fail "cannot download $place/$archive"
    expected=$(awk -v file="$archive" '$2 == file { print $1 }' "$work/SHA256SUMS")
    if command -v sha256sum >/dev/null; then
        found=$(sha256sum "$work/$archive" | cut -d' ' -f1)
    else
        found=$(shasum -a 256 "$work/$archive" | cut -d' ' -f1)
    fi
    [ "$found" = "$expected" ] || fail "$archive was damaged on the way: its SHA-256 is $found and must be $expected"
    tar xzf "$work/$archive" -C "$work"
    mkdir -p "$folder"
    # Beside its place and then renamed, so that a running program is not written into.
    cp "$work/${archive%.tar.gz}/noregret" "$folder/.noregret.part"
    mv "$folder/.noregret.part" "$folder/noregret"
    "$folder/noregret" --version
    echo "installed $folder/noregret"
    case :$PATH: in
    *:$folder:*) ;;
    *) echo "note: $folder is not on the PATH" ;;
    esac
}

main

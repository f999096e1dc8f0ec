//! Puts the files of the page where `src/page.rs` includes them. `scripts/pack-page` has built and compressed them.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=page.pack");
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("page.pack");
    let bytes = fs::read(&pack).unwrap_or_else(|error| fail(&format!("{}: {error}", pack.display())));
    let files = unpack(&bytes).unwrap_or_else(|| fail(&format!("{} is damaged", pack.display())));
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut code = format!("/// The files of the page.\npub static ASSETS: [Asset; {}] = [\n", files.len());
    for (number, file) in files.iter().enumerate() {
        let name = |ending: &str| out.join(format!("asset-{number}.{ending}"));
        write(&name("plain"), &file.plain);
        write(&name("gz"), file.gzip);
        write(&name("br"), file.brotli);
        let _ = writeln!(
            code,
            "    Asset {{ path: {:?}, kind: {:?}, etag: \"\\\"{}\\\"\", hashed: {}, plain: include_bytes!({:?}), \
             gzip: include_bytes!({:?}), brotli: include_bytes!({:?}) }},",
            file.path,
            kind(file.path),
            file.etag,
            file.path.starts_with("assets/"),
            name("plain"),
            name("gz"),
            name("br"),
        );
    }
    code.push_str("];\n");
    write(&out.join("assets.rs"), code.as_bytes());
}

/// A file of the page. What does not compress has no compressed form.
struct PackedFile<'a> {
    path: &'a str,
    etag: &'a str,
    plain: Vec<u8>,
    gzip: &'a [u8],
    brotli: &'a [u8],
}

/// The files of a pack: a line for each in the header, and their bytes after an empty line. None if it is not one.
fn unpack(bytes: &[u8]) -> Option<Vec<PackedFile<'_>>> {
    let end = bytes.windows(2).position(|pair| pair == b"\n\n")?;
    let (header, mut rest) = (std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 2..]);
    let mut lines = header.lines();
    if lines.next()? != "noregret page 1" {
        return None;
    }
    let mut files = Vec::new();
    for line in lines.filter_map(|line| line.strip_prefix("file ")) {
        let mut fields = line.split('\t');
        let (path, etag) = (fields.next()?, fields.next()?);
        let mut part = || {
            let (part, after) = rest.split_at_checked(fields.next()?.parse().ok()?)?;
            rest = after;
            Some(part)
        };
        let (plain, gzip, brotli) = (part()?, part()?, part()?);
        let plain = if plain.is_empty() && !gzip.is_empty() { inflate(gzip)? } else { plain.to_vec() };
        files.push(PackedFile { path, etag, plain, gzip, brotli });
    }
    (rest.is_empty() && files.iter().any(|file| file.path == "index.html")).then_some(files)
}

fn inflate(gzip: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(gzip).read_to_end(&mut plain).ok()?;
    Some(plain)
}

/// Ends the build with a message that can be read.
fn fail(message: &str) -> ! {
    let _ = writeln!(
        std::io::stderr(),
        "\n{message}\n\nThe page of `noregret serve` is in crates/serve/page.pack, which scripts/pack-page makes with Node.js.\n\
         To build without the web app: cargo build --no-default-features\n"
    );
    std::process::exit(1);
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| fail(&format!("{}: {error}", path.display())));
}

fn kind(file: &str) -> &'static str {
    match file.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

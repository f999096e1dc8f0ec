//! Builds the page in `web/` and puts it, compressed, where `src/page.rs` includes it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What the page is made of, for knowing when to build it anew.
const SOURCES: [&str; 8] = [
    "index.html",
    "package-lock.json",
    "package.json",
    "public",
    "src",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

const NO_NPM: &str = "\
The page of `noregret serve` is built with npm, which did not run.
Install Node.js 20.19 or later (https://nodejs.org), or build without the web app:
  cargo build --no-default-features
or set NOREGRET_WEB_DIST to a folder with the built page.";

fn main() {
    println!("cargo:rerun-if-env-changed=NOREGRET_WEB_DIST");
    println!("cargo:rerun-if-changed=build.rs");
    let dist = dist();
    let mut files = Vec::new();
    list(&dist, &dist, &mut files);
    files.sort();
    if !files.iter().any(|file| file == "index.html") {
        fail(&format!("There is no index.html in {}.", dist.display()));
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut code = format!("/// The files of the page.\npub static ASSETS: [Asset; {}] = [\n", files.len());
    for (number, file) in files.iter().enumerate() {
        let plain = read(&dist.join(file));
        let name = |ending: &str| out.join(format!("asset-{number}.{ending}"));
        let (gzip, brotli) = (gzip(&plain), brotli(&plain));
        let kept = |packed: Vec<u8>| if packed.len() < plain.len() { packed } else { Vec::new() };
        write(&name("plain"), &plain);
        write(&name("gz"), &kept(gzip));
        write(&name("br"), &kept(brotli));
        let etag = &blake3::hash(&plain).to_hex()[..32];
        let _ = writeln!(
            code,
            "    Asset {{ path: {file:?}, kind: {:?}, etag: \"\\\"{etag}\\\"\", hashed: {}, plain: include_bytes!({:?}), \
             gzip: include_bytes!({:?}), brotli: include_bytes!({:?}) }},",
            kind(file),
            file.starts_with("assets/"),
            name("plain"),
            name("gz"),
            name("br"),
        );
    }
    code.push_str("];\n");
    write(&out.join("assets.rs"), code.as_bytes());
}

/// The folder with the built page.
fn dist() -> PathBuf {
    if let Some(folder) = env::var_os("NOREGRET_WEB_DIST") {
        let folder = PathBuf::from(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        return folder;
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let web = package.join("../../web");
    let dist = web.join("dist");
    if !web.join("package.json").exists() {
        // The page as it was built elsewhere, without its sources: in a published package, or beside the crates.
        let built = [package.join("page"), dist].into_iter().find(|page| page.join("index.html").exists());
        let built = built.unwrap_or_else(|| fail(&format!("There is no page in {}.", package.display())));
        println!("cargo:rerun-if-changed={}", built.display());
        return built;
    }
    for source in SOURCES {
        println!("cargo:rerun-if-changed={}", web.join(source).display());
    }
    let modules = web.join("node_modules/.package-lock.json");
    if age(&modules) < age(&web.join("package-lock.json")) {
        // Not `npm ci`: a lock file that was written where packages for other systems could not be had does not list them.
        npm(&web, &["install", "--no-save", "--no-fund", "--no-audit"]);
    }
    npm(&web, &["run", "build"]);
    dist
}

/// When a file was written; the beginning of time if it is not there.
fn age(path: &Path) -> std::time::SystemTime {
    fs::metadata(path).and_then(|file| file.modified()).unwrap_or(std::time::UNIX_EPOCH)
}

fn npm(web: &Path, arguments: &[&str]) {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(program).args(arguments).current_dir(web).output();
    match output {
        Ok(output) if output.status.success() => {}
        Ok(output) => {
            let text = [output.stdout, output.stderr].concat();
            fail(&format!("`npm {}` has failed:\n{}", arguments.join(" "), String::from_utf8_lossy(&text)));
        }
        Err(error) => fail(&format!("npm cannot be started: {error}")),
    }
}

/// Ends the build with a message that can be read.
fn fail(message: &str) -> ! {
    let _ = writeln!(std::io::stderr(), "\n{message}\n\n{NO_NPM}\n");
    std::process::exit(1);
}

fn list(root: &Path, folder: &Path, files: &mut Vec<String>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| fail(&format!("{}: {error}", folder.display())));
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            list(root, &path, files);
        } else if let Ok(inside) = path.strip_prefix(root) {
            files.push(inside.to_string_lossy().replace('\\', "/"));
        }
    }
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| fail(&format!("{}: {error}", path.display())))
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| fail(&format!("{}: {error}", path.display())));
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
    match brotli::BrotliCompress(&mut &bytes[..], &mut packed, &parameters) {
        Ok(_) => packed,
        Err(error) => fail(&format!("brotli: {error}")),
    }
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

//! The pages of the book, and where their links lead.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The pages of the book.
pub fn book() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["", "guide", "reference"]
        .iter()
        .flat_map(|folder| root().join("docs").join(folder).read_dir().unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages
}

/// All pages whose blocks and links are tested.
pub fn all() -> Vec<PathBuf> {
    let others = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    book().into_iter().chain(others.map(|name| root().join(name))).collect()
}

/// Pages that the summary does not list, and links that lead nowhere.
pub fn problems() -> Vec<String> {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed: BTreeSet<PathBuf> = links(&summary).map(|link| docs.join(link)).collect();
    let mut problems: Vec<String> = book()
        .iter()
        .filter(|page| !page.ends_with("SUMMARY.md") && !listed.contains(*page))
        .map(|page| format!("{} is not in SUMMARY.md", page.display()))
        .collect();
    for page in all() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in links(&text).filter(|link| !link.starts_with("http")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            let exists = target.exists()
                && (anchor.is_empty()
                    || anchors(&std::fs::read_to_string(&target).unwrap()).any(|known| known == anchor));
            if !exists {
                problems.push(format!("{}: the link to {link} leads nowhere", page.display()));
            }
        }
    }
    problems
}

/// The targets of links and pictures, outside of code.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("```").step_by(2);
    code.flat_map(|text| text.split("](").skip(1)).filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// The anchors of a page's headings.
fn anchors(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().filter_map(|line| line.strip_prefix('#')).map(|heading| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

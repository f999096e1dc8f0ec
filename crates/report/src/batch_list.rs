//! The list of a batch's jobs, which tells a report what each file weighs.
//!
//! A text file with tabs beside the solutions: a heading, then a line for each file with its name, how many flops it stands for,
//! and what sets it apart from the same flops of other variants.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The name of the list in a batch's directory.
pub const BATCH_LIST: &str = "batch.tsv";

/// The first line of a list.
pub const LIST_HEADING: &str = "file\tweight\tvariant";

/// What the list says of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The name of the file.
    pub file: String,
    /// How many flops it stands for.
    pub weight: u32,
    /// Its ranges and its stack, if the batch has several.
    pub variant: String,
}

/// The text of a list.
pub fn list_text(files: &[Listed]) -> String {
    let mut text = format!("{LIST_HEADING}\n");
    for Listed { file, weight, variant } in files {
        text.push_str(&format!("{file}\t{weight}\t{variant}\n"));
    }
    text
}

/// Reads a list. The error is the number of the line that is wrong.
pub fn parse_list(text: &str) -> Result<Vec<Listed>, usize> {
    let mut lines = text.lines().zip(1..);
    if lines.next().is_none_or(|(line, _)| line != LIST_HEADING) {
        return Err(1);
    }
    let listed = |(line, number): (&str, usize)| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, weight, variant] = fields[..] else { return Err(number) };
        // Nothing that would not read back as it is written.
        if line.chars().any(|char| char.is_control() && char != '\t') {
            return Err(number);
        }
        let weight = weight.parse().ok().filter(|weight| *weight > 0).ok_or(number)?;
        Ok(Listed { file: file.to_owned(), weight, variant: variant.to_owned() })
    };
    lines.map(listed).collect()
}

/// Why the list of a batch cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// It cannot be read.
    #[error("cannot read {list}: {error}", list = list.display())]
    Read {
        /// The list.
        list: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A line of it is none.
    #[error("{list}, line {line}: not a line of a batch's list; start the batch again, and it is made anew", list = list.display())]
    Line {
        /// The list.
        list: PathBuf,
        /// The number of the line, from 1.
        line: usize,
    },
}

/// What the list beside a file says, by file name; nothing if there is none. An error names the list and the line.
pub fn list_beside(path: &Path) -> Result<HashMap<String, Listed>, ListError> {
    let list = path.with_file_name(BATCH_LIST);
    let bytes = match noregret_store::read(&list) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(error) => return Err(ListError::Read { list, error }),
    };
    let listed = std::str::from_utf8(&bytes).map_err(|_| 1).and_then(parse_list);
    let listed = listed.map_err(|line| ListError::Line { list, line })?;
    Ok(listed.into_iter().map(|listed| (listed.file.clone(), listed)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn listed(file: &str, weight: u32, variant: &str) -> Listed {
        Listed { file: file.to_owned(), weight, variant: variant.to_owned() }
    }

    #[test]
    fn a_list_reads_back_and_a_bad_line_is_named() {
        let files = [listed("a.nrs", 24, ""), listed("wide-90-b.nrs", 4, "wide, 90")];
        let text = list_text(&files);
        assert_eq!(parse_list(&text), Ok(files.to_vec()));
        assert_eq!(parse_list("nonsense"), Err(1));
        assert_eq!(parse_list(&text.replace("24", "x")), Err(2));
        assert_eq!(parse_list(&text.replace('4', "0")), Err(3));
        assert_eq!(parse_list(&text.replace('\n', "\r\n")), Ok(files.to_vec()));
        assert_eq!(parse_list(&format!("{}\r", text.trim_end())), Err(3));
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a.nrs");
        assert!(list_beside(&path).unwrap().is_empty());
        std::fs::write(home.path().join(BATCH_LIST), &text).unwrap();
        assert_eq!(list_beside(&path).unwrap()["a.nrs"], files[0]);
        std::fs::write(home.path().join(BATCH_LIST), "x").unwrap();
        assert!(
            list_beside(&path)
                .unwrap_err()
                .to_string()
                .contains("batch.tsv, line 1: not a line of a batch's list")
        );
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(file\tweight\tvariant\n|[a-z]\t|[0-9]{1,12}|\t|\n|\\PC){0,12}") {
            let _ = parse_list(&text);
        }
    }
}

//! Names from outside: paths inside the library that look harmless.

/// The longest id, in bytes.
const MAX_ID: usize = 200;
/// How many folders deep an id may be.
pub const MAX_DEPTH: usize = 8;
/// The id of the library folder itself.
pub const ROOT: &str = "~";

/// Names that mean a device on some systems, with or without an ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A path inside the library that looks harmless: no part of it leads up, hides, or means a device.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(pub(super) String);

impl Id {
    /// Checks a text from outside.
    pub fn new(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        if text.is_empty() {
            return Err("a name is missing".to_owned());
        }
        if text.len() > MAX_ID || parts.len() > MAX_DEPTH {
            return Err(format!("a name has at most {MAX_ID} bytes and {MAX_DEPTH} parts"));
        }
        parts.iter().try_for_each(|part| check_part(part))?;
        Ok(Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The name with a number added, its last part cut short where it would be too long; none if nothing would be left of
    /// that.
    pub(super) fn numbered(&self, number: u32) -> Option<Self> {
        if number < 2 {
            return Some(self.clone());
        }
        let suffix = format!("-{number}");
        let (folder, name) = self.0.split_at(self.0.len() - self.name().len());
        let room = MAX_ID.checked_sub(folder.len() + suffix.len())?;
        let mut stem = name.to_owned();
        while stem.len() > room {
            stem.pop();
        }
        (!stem.is_empty()).then(|| Self::new(&format!("{folder}{stem}{suffix}")).ok()).flatten()
    }
}

/// Checks a part of a path.
pub fn check_part(part: &str) -> Result<(), String> {
    let shown: String = part.chars().take(40).flat_map(char::escape_default).collect();
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_lowercase();
    let is_port = |name: &str| {
        stem.strip_prefix(name)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    if part.is_empty() {
        Err("a part of the name is empty: write it like `folder/name`".to_owned())
    } else if part.starts_with('.') || part.ends_with(['.', ' ']) || part.starts_with(' ') || part == ROOT {
        Err(format!("`{shown}`: a name does not begin or end with a dot or a blank"))
    } else if part.chars().any(|c| c.is_control() || "\\:*?\"<>|%".contains(c)) {
        Err(format!("`{shown}`: a name has none of \\ : * ? \" < > | % and no control characters"))
    } else if DEVICES.contains(&stem.as_str()) || is_port("com") || is_port("lpt") {
        Err(format!("`{shown}` is the name of a device on some systems"))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for bad in [
            "",
            "..",
            "../outside",
            "a/../../outside",
            "/etc/passwd",
            "a//b",
            "a/",
            ".jobs/1",
            ".ranges",
            "a\\b",
            "c:x",
            "a\0b",
            "nul",
            "NUL.txt",
            "com1",
            "LPT9.x",
            "a ",
            "a.",
            " a",
            "a\nb",
            "~",
            "a/~/b",
            "con ",
            "*",
        ] {
            assert!(Id::new(bad).is_err(), "{bad:?}");
        }
        assert!(Id::new(&"a".repeat(201)).is_err() && Id::new(&["a"; 9].join("/")).is_err());
        for good in ["spot", "flops/QsJh2h", "a b", "v1.2", "ünïcode", "com", "com12", "console"] {
            assert!(Id::new(good).is_ok(), "{good:?}");
        }
        assert_eq!(Id::new("nul").unwrap_err(), "`nul` is the name of a device on some systems");
    }
}

//! What the `uses:` of workflows and actions name.

use std::path::{Path, PathBuf};

/// A remote action or workflow, `OWNER/NAME/PATH@REF`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remote {
    /// `OWNER/NAME`.
    pub(crate) repository: String,
    /// Inside it; empty for its root.
    pub(crate) path: String,
    pub(crate) reference: String,
}

impl Remote {
    fn parse(words: &str) -> Option<Self> {
        let (place, reference) = words.split_once('@')?;
        let mut parts = place.splitn(3, '/');
        let (owner, name) = (parts.next()?, parts.next()?);
        let remote =
            !owner.is_empty() && !matches!(owner, "." | ".." | "$") && !place.contains(':');
        remote.then(|| Self {
            repository: format!("{owner}/{name}"),
            path: parts.next().unwrap_or_default().to_owned(),
            reference: reference.to_owned(),
        })
    }

    /// `OWNER/NAME@REF`.
    pub(crate) fn key(&self) -> String {
        format!("{}@{}", self.repository, self.reference)
    }
}

/// Every remote `uses:` of a text, in order.
pub(crate) fn remotes(text: &str) -> Vec<Remote> {
    text.lines()
        .filter_map(|line| Remote::parse(used(line)?.1))
        .collect()
}

/// The text with each `uses: $/PATH` spelled out as `OWNER/NAME/PATH@REF`, which means the same; so is `uses: ./`, the
/// root of what was checked out, because act would find `$/` in it.
pub(crate) fn spell_out(text: &str, repository: &str, reference: &str) -> String {
    let spelled = text.split_inclusive('\n').map(|line| {
        let Some((before, words)) = used(line) else {
            return line.to_owned();
        };
        let path = match words.strip_prefix('$') {
            Some(path) if path.starts_with('/') => path,
            None if words == "./" => "",
            Some(_) | None => return line.to_owned(),
        };
        let after = &line[before + words.len()..];
        format!("{}{repository}{path}@{reference}{after}", &line[..before])
    });
    spelled.collect()
}

/// Where in a line what a `uses:` names begins, and that.
fn used(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start();
    let rest = rest.strip_prefix('-').map_or(rest, str::trim_start);
    let rest = rest.strip_prefix("uses:")?.trim_start();
    let rest = rest.trim_start_matches(['\'', '"']);
    let end = rest
        .find(|c: char| c.is_whitespace() || matches!(c, '\'' | '"'))
        .unwrap_or(rest.len());
    (end > 0).then(|| (line.len() - rest.len(), &rest[..end]))
}

/// The workflows and actions below a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(folder, &mut found);
    found.sort();
    found
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            if entry.file_name() != ".git" {
                walk(&path, found);
            }
        } else if is_workflow(&path) || is_action(&path) {
            found.push(path);
        }
    }
}

/// Whether a file is in a place where workflows lie.
pub(crate) fn is_workflow(file: &Path) -> bool {
    is_yaml(file)
        && file
            .parent()
            .is_some_and(|folder| folder.ends_with(".github/workflows"))
}

/// Whether a file describes an action.
pub(crate) fn is_action(file: &Path) -> bool {
    is_yaml(file) && file.file_stem().is_some_and(|stem| stem == "action")
}

fn is_yaml(file: &Path) -> bool {
    file.extension()
        .is_some_and(|end| end == "yml" || end == "yaml")
}

#[test]
fn remotes_are_told_from_all_else() {
    let text = "\
      - uses: actions/checkout@3d3c42e # v7\n\
      - id: x\n        uses: 'o/n/a/b@v1'\n\
      - uses: $/actions/plan\n      - uses: ./actions/plan\n      - uses: docker://alpine:3\n\
      # uses: o/comment@v1\n    uses: \"o/n/.github/workflows/w.yml@main\"\n      run: echo uses: o/n@v1\n";
    let found: Vec<_> = remotes(text)
        .iter()
        .map(|r| (r.key(), r.path.clone()))
        .collect();
    let expected = [
        ("actions/checkout@3d3c42e", ""),
        ("o/n@v1", "a/b"),
        ("o/n@main", ".github/workflows/w.yml"),
    ];
    assert_eq!(
        found,
        expected.map(|(key, path)| (key.to_owned(), path.to_owned()))
    );
}

#[test]
fn our_own_are_spelled_out() {
    let text = "  - uses: $/actions/plan # ours\n  uses: '$/.github/workflows/w.yml'\n- uses: ./x\n- uses: ./ # root\n- run: echo $/a";
    let expected = "  - uses: o/n/actions/plan@v1 # ours\n  uses: 'o/n/.github/workflows/w.yml@v1'\n- uses: ./x\n- uses: o/n@v1 # root\n- run: echo $/a";
    assert_eq!(spell_out(text, "o/n", "v1"), expected);
}

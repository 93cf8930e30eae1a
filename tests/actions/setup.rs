//! Where `setup` takes the program from when none of its version is on the path: its release, the cache, a build.

use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use mache::play::manifest::sha256_of;

use crate::repositories::write;
use crate::run::Run;
use crate::tools;
use crate::trigger::Trigger;
use crate::world::World;

const OLDER: &str = "#!/bin/sh\necho mache 0.0.1\n";
const UNDER_TEST: &str = "#!/bin/sh\nexec \"$MACHE_UNDER_TEST\" \"$@\"\n";

/// In place of `gh`: it has the release in a folder, and an attestation when it is told so.
const GH: &str = r#"#!/bin/sh
echo "$@" >>"$STUBS/gh.log"
case "$1 $2" in
  "release download")
    while [ "$1" != --dir ]; do shift; done
    cp "$STUBS/release/"* "$2"
    ;;
  "attestation verify") [ -n "$ATTESTED" ] ;;
  *) exit 1 ;;
esac
"#;

/// In place of `cargo`: what it builds is the program under test.
const CARGO: &str = r#"#!/bin/sh
echo "$@" >>"$STUBS/cargo.log"
while [ "$1" != --target-dir ]; do shift; done
mkdir -p "$2/release"
cp "$STUBS/mache-under-test" "$2/release/mache"
"#;

/// A machine with an older mache, and its programs.
struct Machine {
    world: World,
    stubs: PathBuf,
}

impl Machine {
    fn new() -> Self {
        let world = World::with_mache();
        let stubs = world.path("stubs");
        let programs = [
            ("mache", OLDER),
            ("gh", GH),
            ("cargo", CARGO),
            ("mache-under-test", UNDER_TEST),
        ];
        for (name, text) in programs {
            write(&stubs.join(name), text);
        }
        Self { world, stubs }
    }

    /// Puts a release out whose archive holds this program.
    fn release(&self, program: &str) {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        let mut header = tar::Header::new_gnu();
        header.set_size(program.len() as u64);
        header.set_mode(0o755);
        archive
            .append_data(&mut header, "mache", program.as_bytes())
            .unwrap();
        let bytes = archive.into_inner().unwrap().finish().unwrap();
        let arch = if cfg!(target_arch = "aarch64") {
            "arm64"
        } else {
            "x86-64"
        };
        let name = format!("mache-linux-{arch}.tar.gz");
        let sum = sha256_of(&bytes);
        write(
            &self.stubs.join("release/SHA256SUMS"),
            &format!("{sum}  {name}\n"),
        );
        std::fs::write(self.stubs.join("release").join(name), bytes).unwrap();
    }

    fn setup(&self) -> Trigger<'_> {
        let steps = concat!(
            "- run: echo \"${STUBS}\" >>\"${GITHUB_PATH}\"\n",
            "- id: setup\n  uses: OWNER/mache/actions/setup@v",
            env!("CARGO_PKG_VERSION"),
            "\n- run: mache --version\n"
        );
        let trigger = self.world.steps(steps).env("STUBS", self.stubs.display());
        trigger.env(
            "MACHE_UNDER_TEST",
            tools::programs().join("mache").display(),
        )
    }

    /// What was asked of one of the stand-ins, a line a call.
    fn asked(&self, program: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.stubs.join(format!("{program}.log")));
        text.unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }
}

#[track_caller]
fn assert_set_up(run: &Run) {
    let job = run.passed().job("steps");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(job.output("setup", "version"), version);
    let last = job.steps.iter().rfind(|step| step.path.len() == 1).unwrap();
    assert_eq!(last.log.trim(), format!("mache {version}"));
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_release_is_taken_when_it_is_sound() {
    let machine = Machine::new();
    machine.release(UNDER_TEST);
    let run = machine.setup().env("ATTESTED", 1).run();
    assert_set_up(&run);
    let asked = machine.asked("gh");
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        asked[0].starts_with(&format!("release download v{version} --repo OWNER/mache ")),
        "{asked:?}"
    );
    assert!(asked[1].starts_with("attestation verify "), "{asked:?}");
    assert!(machine.asked("cargo").is_empty());
}

#[test]
#[ignore = "needs act: run bin/test"]
fn a_release_that_is_not_what_it_says_ends_the_job() {
    let machine = Machine::new();
    machine.release(UNDER_TEST);
    let unattested = machine.setup().run();
    let errors = unattested
        .failed()
        .job("steps")
        .messages("error")
        .join("\n");
    assert!(errors.contains("has no sound attestation"), "{errors}");

    let sums = machine.stubs.join("release/SHA256SUMS");
    let text = std::fs::read_to_string(&sums).unwrap();
    let other = if text.starts_with('0') { "1" } else { "0" };
    std::fs::write(&sums, format!("{other}{}", &text[1..])).unwrap();
    let altered = machine.setup().env("ATTESTED", 1).run();
    let errors = altered.failed().job("steps").messages("error").join("\n");
    assert!(
        errors.contains("is not the file its release's SHA256SUMS names"),
        "{errors}"
    );
    assert!(
        machine.asked("cargo").is_empty(),
        "nothing is built in its place"
    );
}

#[test]
#[ignore = "needs act: run bin/test"]
fn without_a_release_it_is_built_once_and_then_cached() {
    let machine = Machine::new();
    for _ in 0..2 {
        assert_set_up(&machine.setup().run());
    }
    let built = machine.asked("cargo");
    assert_eq!(built.len(), 1, "{built:?}");
    assert!(
        built[0].starts_with("build --release --locked --manifest-path "),
        "{built:?}"
    );
}

//! The machine a match is played on.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::thread;

use serde::{Deserialize, Serialize};

/// What of a machine bears on how strong an engine plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor as it calls itself; empty when the system does not say.
    pub cpu: String,
    /// Physical cores this process may use.
    pub cores: NonZeroUsize,
    /// Hardware threads this process may use.
    pub threads: NonZeroUsize,
    /// Operating system, such as `linux`.
    pub os: String,
    /// Instruction set, such as `x86_64`.
    pub arch: String,
}

impl Machine {
    /// This machine. Where cores cannot be told from hardware threads, each thread counts as a core.
    #[must_use]
    pub fn current() -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let described = description();
        Self {
            cpu: described.cpu,
            cores: described.cores.map_or(threads, |cores| cores.min(threads)),
            threads,
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
        }
    }

    /// Games that can be played at once when the hungrier engine searches with so many threads: one core for
    /// each thread, and at least one game.
    #[must_use]
    pub fn slots(&self, engine_threads: NonZeroUsize) -> NonZeroUsize {
        NonZeroUsize::new(self.cores.get() / engine_threads).unwrap_or(NonZeroUsize::MIN)
    }
}

/// What the system says of its processor.
#[derive(Debug, Default)]
struct Description {
    cpu: String,
    cores: Option<NonZeroUsize>,
}

#[cfg(target_os = "linux")]
fn description() -> Description {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    parse_cpuinfo(&text)
}

#[cfg(target_os = "macos")]
fn description() -> Description {
    let ask = |name| duct::cmd!("sysctl", "-n", name).stderr_null().read().ok();
    Description {
        cpu: ask("machdep.cpu.brand_string").unwrap_or_default(),
        cores: ask("hw.physicalcpu").and_then(|count| count.trim().parse().ok()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn description() -> Description {
    Description {
        cpu: std::env::var("PROCESSOR_IDENTIFIER").unwrap_or_default(),
        cores: None,
    }
}

/// Reads `/proc/cpuinfo`: one block a hardware thread, a core known by its package and its number there. Some
/// machines name neither.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn parse_cpuinfo(text: &str) -> Description {
    let mut cores = BTreeSet::new();
    let mut model = None;
    for block in text.split("\n\n") {
        let field = |name: &str| {
            block.lines().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                (key.trim() == name).then(|| value.trim().to_owned())
            })
        };
        model = model.or_else(|| field("model name"));
        if let Some(core) = field("core id") {
            cores.insert((field("physical id"), core));
        }
    }
    Description {
        cpu: model.unwrap_or_default(),
        cores: NonZeroUsize::new(cores.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hardware_threads_share_a_core() {
        let block = |package: u32, core: u32| {
            format!(
                "processor\t: 0\nmodel name\t: Chip: 9000\nphysical id\t: {package}\ncore id\t\t: {core}\n\n"
            )
        };
        let text = [block(0, 0), block(0, 1), block(0, 0), block(1, 0)].concat();
        let found = parse_cpuinfo(&text);
        assert_eq!(found.cpu, "Chip: 9000");
        assert_eq!(found.cores, NonZeroUsize::new(3));
    }

    #[test]
    fn a_silent_system_leaves_the_cores_open() {
        let found = parse_cpuinfo("processor\t: 0\nBogoMIPS\t: 50.00\n");
        assert_eq!((found.cpu.as_str(), found.cores), ("", None));
    }

    #[test]
    fn slots_hold_the_threads_of_the_hungrier_engine() {
        let count = |n| NonZeroUsize::new(n).unwrap();
        let machine = Machine {
            cores: count(8),
            ..Machine::current()
        };
        assert_eq!(machine.slots(count(1)), count(8));
        assert_eq!(machine.slots(count(3)), count(2));
        assert_eq!(machine.slots(count(99)), count(1));
    }

    #[test]
    fn this_machine_has_a_core() {
        let machine = Machine::current();
        assert!(machine.cores <= machine.threads);
    }
}

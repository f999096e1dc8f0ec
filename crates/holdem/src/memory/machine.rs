//! How much memory there is: on the machine, in the control group that the program runs in, and by `ulimit -v`.

use noregret_store::Bytes;
use std::path::Path;

/// The memory that the program can have, in bytes; no limit where the system does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MachineMemory {
    /// All that there is.
    pub total: u64,
    /// What can be allocated now.
    pub available: u64,
    /// What says so, as in `this machine has`.
    pub whose: &'static str,
}

/// What `ulimit -v` leaves is not for numbers alone: libraries map files, and allocators more than they give out.
const MAPPED_ELSEWHERE: u64 = 96 << 20;
/// What each thread maps: its stack, and the room that allocators set aside for it.
const MAPPED_BY_THREAD: u64 = 66 << 20;
/// Threads beyond that many share such rooms.
const MOST_THREADS: usize = 16;
/// What every command may take without asking, once all that is mapped: tables of hands, buffers of files, rows on their way.
const LEAST: u64 = 64 << 20;

const MACHINE: &str = "this machine has";
const ADDRESS_SPACE: &str = "ulimit -v leaves";

impl MachineMemory {
    /// Whether a limit of the system leaves less than the machine has: whoever takes more is ended by it.
    pub fn is_limited(&self) -> bool {
        self.whose != MACHINE
    }

    /// Refuses to begin where `ulimit -v` leaves so little that some small allocation would fail later, which ends a program at once.
    /// For a program that is going to start so many threads beside those that solve. It takes next to no memory itself, so that it can
    /// come before anything that does.
    pub fn check_address_space(others: usize) -> Result<(), String> {
        match address_space_now(others) {
            Some((total, left)) => check_least(total, left),
            None => Ok(()),
        }
    }

    /// As it is now.
    pub fn now() -> Self {
        Self::before_threads(0)
    }

    /// As it is now, for a program that is going to start so many threads beside those that solve.
    pub fn before_threads(others: usize) -> Self {
        let mut memory = Self::of_machine();
        memory.limit(
            cgroup_memory(Path::new("/"), &read("/proc/self/cgroup")),
            "its control group (cgroup) leaves",
        );
        memory.limit(address_space_now(others), ADDRESS_SPACE);
        memory
    }

    fn of_machine() -> Self {
        let whose = MACHINE;
        let Ok(mut system) = sysinfo::System::new() else {
            return Self { total: u64::MAX, available: u64::MAX, whose };
        };
        system.refresh_memory();
        let limits = system.cgroup_limits();
        let (total, free) =
            limits.map_or((u64::MAX, u64::MAX), |limits| (limits.total_memory, limits.free_memory));
        Self {
            total: system.total_memory().min(total),
            available: system.available_memory().min(free),
            whose,
        }
    }

    /// Takes over a limit, as (all, left), if it is the lower one.
    fn limit(&mut self, limit: Option<(u64, u64)>, whose: &'static str) {
        let Some((total, left)) = limit else { return };
        self.total = self.total.min(total);
        if left < self.available {
            (self.available, self.whose) = (left, whose);
        }
    }
}

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Whether so much of the address space that `ulimit -v` allows is enough to begin with.
fn check_least(total: u64, left: u64) -> Result<(), String> {
    if left >= LEAST {
        return Ok(());
    }
    let (left, least, missing) = (Bytes(left), Bytes(LEAST), Bytes(total + (LEAST - left)));
    Err(format!(
        "{ADDRESS_SPACE} {left} of {} once libraries and threads have theirs, and every command takes up to {least}: \
         allow {missing} or more",
        Bytes(total)
    ))
}

/// What `ulimit -v` allows and leaves to a program that is going to start so many threads beside those that solve.
fn address_space_now(others: usize) -> Option<(u64, u64)> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    let mapped = MAPPED_ELSEWHERE + MAPPED_BY_THREAD * (threads + others) as u64;
    address_space(&read("/proc/self/limits"), &read("/proc/self/status"), mapped)
}

/// What `ulimit -v` allows and what it leaves, from `/proc/self/limits` and `/proc/self/status`, once so much is mapped that is yet to
/// be.
fn address_space(limits: &str, status: &str, mapped: u64) -> Option<(u64, u64)> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let allowed: u64 = line.split_whitespace().next()?.parse().ok()?;
    let used = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let used: u64 = used.split_whitespace().next()?.parse().ok()?;
    Some((allowed, allowed.saturating_sub(used.saturating_mul(1024)).saturating_sub(mapped)))
}

/// What the control groups that the program is in allow and leave, of version 2 or 1. Each group is within its parent's limit
/// too. Pages of files that can be given up count as left.
fn cgroup_memory(root: &Path, groups: &str) -> Option<(u64, u64)> {
    let of_group = |folder: &Path, names: [&str; 3]| {
        let number = |name: &str| read(folder.join(name)).trim().parse::<u64>().ok();
        // `max` is no number, and version 1 says it with one that is nearly 2⁶³.
        let allowed = number(names[0]).filter(|&allowed| allowed < 1 << 62)?;
        let used = number(names[1])?;
        let stat = read(folder.join("memory.stat"));
        let files = stat.lines().find_map(|line| line.strip_prefix(names[2])?.trim().parse::<u64>().ok());
        Some((allowed, allowed.saturating_sub(used.saturating_sub(files.unwrap_or(0)))))
    };
    let mut least: Option<(u64, u64)> = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (mount, names) = match controllers {
            "" => ("sys/fs/cgroup", ["memory.max", "memory.current", "inactive_file "]),
            named if named.split(',').any(|name| name == "memory") => (
                "sys/fs/cgroup/memory",
                ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "],
            ),
            _ => continue,
        };
        let mount = root.join(mount);
        // A path with `..` is outside of what can be seen from here; the mount is then the group itself.
        let path = Path::new(path.trim_start_matches('/'));
        let inside = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        let path = if inside { path } else { Path::new("") };
        for group in path.ancestors() {
            if let Some((allowed, left)) = of_group(&mount.join(group), names) {
                let (total, available) = least.unwrap_or((u64::MAX, u64::MAX));
                least = Some((total.min(allowed), available.min(left)));
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ulimit_is_read_and_what_is_mapped_counts() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                      Max address space         1073741824           unlimited            bytes\n";
        let status = "Name:\tnoregret\nVmSize:\t  262144 kB\nVmRSS:\t 1 kB\n";
        let mapped = MAPPED_ELSEWHERE;
        let left = (1 << 30) - (256 << 20) - mapped;
        assert_eq!(address_space(limits, status, mapped), Some((1 << 30, left)));
        assert_eq!(address_space(&limits.replace("1073741824", "unlimited "), status, mapped), None);
        let low = limits.replace("1073741824", "1000000   ");
        assert_eq!(address_space(&low, status, mapped), Some((1_000_000, 0)));
        assert_eq!(address_space("", "", mapped), None);
        assert_eq!(check_least(300_000_000, LEAST), Ok(()));
        assert_eq!(
            check_least(300_000_000, LEAST - 10_000_000).unwrap_err(),
            "ulimit -v leaves 57 MB of 300 MB once libraries and threads have theirs, and every command takes up to 67 MB: \
             allow 310 MB or more"
        );
    }

    #[test]
    fn every_control_group_on_the_way_up_is_a_limit() {
        let root = tempfile::tempdir().unwrap();
        let write = |folder: &str, name: &str, text: &str| {
            let folder = root.path().join("sys/fs/cgroup").join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(name), text).unwrap();
        };
        let found = |groups: &str| cgroup_memory(root.path(), groups);
        assert_eq!(found("0::/user/job\n"), None);
        write("user/job", "memory.max", "max\n");
        write("user/job", "memory.current", "500\n");
        assert_eq!(found("0::/user/job\n"), None);
        write("user", "memory.max", "1000\n");
        write("user", "memory.current", "700\n");
        assert_eq!(found("0::/user/job\n"), Some((1000, 300)));
        write("user", "memory.stat", "anon 300\ninactive_file 400\n");
        assert_eq!(found("0::/user/job\n"), Some((1000, 700)));
        write("user/job", "memory.max", "600\n");
        assert_eq!(found("0::/user/job\n"), Some((600, 100)));
        // Of another group, and of one that is not to be seen.
        assert_eq!(found("0::/other\n"), None);
        assert_eq!(found("0::/../user\n"), None);
        write("memory/old", "memory.limit_in_bytes", "9223372036854771712\n");
        write("memory/old", "memory.usage_in_bytes", "50\n");
        assert_eq!(found("4:cpu,memory:/old\n"), None);
        write("memory/old", "memory.limit_in_bytes", "80\n");
        assert_eq!(found("5:pids:/old\n4:cpu,memory:/old\n"), Some((80, 30)));
    }
}

//! Threads that give way to others.

/// How much less a thread counts that gives way, in steps of `nice`.
#[cfg(target_os = "linux")]
const STEPS: i32 = 10;

/// Lets other threads go first from now on: a solve takes all cores for minutes, a request one of them for a moment.
/// Elsewhere than on Linux only whole processes have a priority, and it stays as it is.
pub fn give_way() {
    // Where it is not allowed, the thread runs as it did.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(STEPS);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn nice() -> i32 {
        rustix::process::getpriority_process(None).unwrap()
    }

    #[test]
    fn the_calling_thread_gives_way_and_no_other() {
        let before = nice();
        let within = std::thread::spawn(|| (give_way(), nice()).1).join().unwrap();
        assert_eq!((within, nice()), ((before + STEPS).min(19), before));
    }
}

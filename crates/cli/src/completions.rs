//! `noregret completions`: what a shell completes after `noregret`.

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::output;
use clap::Command;
use clap_complete::Shell;

/// Print a completion script for a shell.
///
/// The script goes to standard output. Where it belongs depends on the shell; the examples are for one user.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  noregret completions bash > ~/.local/share/bash-completion/completions/noregret
  noregret completions zsh > \"${fpath[1]}/_noregret\"
  noregret completions fish > ~/.config/fish/completions/noregret.fish
  noregret completions powershell >> $PROFILE")]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Runs the command; `command` is the whole program.
pub fn run(args: &Args, command: Command) -> Result<ExitCode, Failure> {
    output::print(script(args.shell, command).trim_end())?;
    Ok(ExitCode::SUCCESS)
}

fn script(shell: Shell, mut command: Command) -> String {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut command, "noregret", &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::CommandFactory;

    #[test]
    fn every_shell_completes_every_command() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let script = script(shell, Cli::command());
            for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
                assert!(script.contains(command.get_name()), "{shell} lacks {}", command.get_name());
            }
            assert!(script.contains("max-iterations"), "{shell}");
        }
    }
}

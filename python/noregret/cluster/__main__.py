"""The command line of clusters: `python -m noregret.cluster`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence

from .._errors import NoregretError
from . import ClusterError, Outcome, WrongRequest, batch, forty_two, status


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code: 0 done, 1 failed, 2 a wrong request, 130 interrupted."""
    args = _parser().parse_args(arguments)
    try:
        if args.command == "status":
            return _show_status(args)
        outcome = _run(args)
    except KeyboardInterrupt:
        print("stopped; the next run goes on with what is missing", file=sys.stderr)
        return 130
    except WrongRequest as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except (ClusterError, NoregretError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps(dataclasses.asdict(outcome)))
    for name, reason in outcome.failed.items():
        print(f"{name} failed: {reason}", file=sys.stderr)
    print(
        f"{outcome.made:,} made, {outcome.skipped:,} were there, {len(outcome.failed):,} failed in {outcome.seconds:.1f} s, "
        f"{outcome.bytes / 1e6:,.1f} MB written by {outcome.tasks:,} tasks",
        file=sys.stderr,
    )
    return 1 if outcome.failed else 0


def _run(args: argparse.Namespace) -> Outcome:
    if args.command == "batch":
        return batch(args.plan, args.out, address=args.address, cpus=args.cpus)
    return forty_two(
        args.seeds,
        args.decls,
        args.out,
        format=args.format,
        layout=args.layout,
        opponents=args.opponents,
        split=args.split,
        per_table=args.per_table,
        levels=args.levels,
        balance=args.balance is not None,
        decode=args.decode,
        seed=args.seed,
        address=args.address,
    )


def _show_status(args: argparse.Namespace) -> int:
    found = status(args.folder)
    if args.json:
        print(json.dumps(dataclasses.asdict(found)))
        return 0
    print(
        f"{found.kind}: {found.done:,} of {found.total:,} files are there, {found.bytes / 1e6:,.1f} MB; "
        f"{len(found.failed):,} jobs failed, {len(found.solving):,} were begun"
    )
    for name, reason in found.failed.items():
        print(f"{name} failed: {reason}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m noregret.cluster",
        description="Batches and Texas 42 data on a Ray cluster. Folders are URLs like s3://bucket/name, or paths that all nodes share.",
        epilog="Exit codes: 0 done; 1 a job failed; 2 the request was wrong; 130 interrupted, after a clean stop.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, about: str, example: str) -> argparse.ArgumentParser:
        added = commands.add_parser(
            name,
            help=about,
            description=about,
            epilog=f"Example:\n  python -m noregret.cluster {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.add_argument("--json", action="store_true", help="print JSON on standard output, and nothing else there")
        return added

    solve = command("batch", "Solve one spec on many flops.", "batch plan.toml --out s3://spots/solved")
    solve.add_argument("plan", metavar="PLAN", help="the plan, a TOML file beside the spec that it names")
    solve.add_argument("--out", metavar="URL", help="where solutions and checkpoints go [default: `out` of the plan]")
    solve.add_argument("--cpus", type=int, metavar="N", help="processors of a job [default: by its share of the memory]")
    tables = command(
        "forty-two",
        "Make Texas 42 tables, rows or samples.",
        "forty-two --seeds 0..1000 --decls all --out s3://tables/train",
    )
    tables.add_argument("--seeds", required=True, metavar="SEEDS", help="like 7, 0..100 (without 100) or 0..=99")
    tables.add_argument("--decls", required=True, metavar="LIST", help="declarations by name or number, or all")
    tables.add_argument("--out", required=True, metavar="URL", help="the folder to write to")
    tables.add_argument("--format", choices=["table", "rows", "samples"], default="table", help="what to write")
    tables.add_argument("--layout", choices=["scored", "to-go"], help="how states are packed")
    tables.add_argument("--opponents", type=int, metavar="K", help="deals of the other three hands for each first hand")
    tables.add_argument("--split", action="store_true", help="write to the folders train, val and test")
    tables.add_argument("--per-table", type=int, metavar="N", help="samples: positions to draw from each table")
    tables.add_argument("--levels", metavar="LEVELS", help="samples: numbers of tricks left, like 2..=4")
    tables.add_argument("--balance", choices=["level"], help="samples: draw as many from each level")
    tables.add_argument("--decode", action="store_true", help="samples: add columns that need no unpacking")
    tables.add_argument("--seed", type=int, default=0, metavar="S", help="samples: what the draws depend on")
    for added in (solve, tables):
        added.add_argument("--address", metavar="ADDR", help="the cluster [default: one on this machine]")
    shown = command("status", "Say how far a run is, by what is in its folder.", "status s3://spots/solved")
    shown.add_argument("folder", metavar="URL", help="the folder that the run writes to")
    return parser


if __name__ == "__main__":
    sys.exit(main())

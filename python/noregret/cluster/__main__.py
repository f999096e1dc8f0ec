"""The command line of clusters: `python -m noregret.cluster`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence

from .._errors import DoesNotFit, NoregretError, SpecError
from . import ClusterError, Outcome, WrongRequest, batch, forty_two, plan, solve, status, unit_costs


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code: 0 done, 1 failed, 2 a wrong request, 130 interrupted."""
    args = _parser().parse_args(arguments)
    try:
        if args.command == "status":
            return _show_status(args)
        if args.command == "plan":
            return _show_plan(args)
        if args.command == "solve":
            return _solve(args)
        outcome = _run(args)
    except KeyboardInterrupt:
        print("stopped; the next run goes on with what is missing", file=sys.stderr)
        return 130
    except (WrongRequest, SpecError, DoesNotFit) as error:
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


def _solve(args: argparse.Namespace) -> int:
    outcome = solve(
        args.spec,
        args.out,
        workers=args.workers,
        address=args.address,
        cpus=args.cpus,
        target=args.target,
        max_iterations=args.max_iterations,
        precision=args.precision,
        memory=args.memory,
        checkpoint_every=args.checkpoint_every,
        force=args.force,
    )
    if args.json:
        print(json.dumps(dataclasses.asdict(outcome)))
    if outcome.note:
        print(outcome.note, file=sys.stderr)
    said = [
        f"{outcome.iterations:,} iterations in {outcome.seconds:.1f} s on {outcome.workers} workers, {outcome.lost} of them replaced: "
        f"exploitability {outcome.exploitability:.4f}% of the pot"
    ]
    if outcome.run_iterations:
        per_iteration = (outcome.bytes_sent + outcome.bytes_received) / outcome.run_iterations
        said.append(f"{per_iteration / 1e6:.2f} MB sent and received per iteration")
    print(", ".join(said), file=sys.stderr)
    return 0


def _show_plan(args: argparse.Namespace) -> int:
    if args.what is None:
        known = unit_costs(args.costs).values()
        if args.json:
            print(json.dumps([dataclasses.asdict(cost) for cost in known]))
            return 0
        for cost in known:
            print(f"{cost.name}: {cost.unit}: {cost.core_seconds:,.3g} core-seconds, {cost.bytes:,} bytes")
        return 0
    estimate = plan(args.what, args.count, price=args.price, cores=args.cores, costs=args.costs)
    if args.json:
        print(json.dumps(dataclasses.asdict(estimate)))
        return 0
    words = [f"{estimate.core_hours:,.2f} core-hours", f"{estimate.bytes / 1e9:,.2f} GB written"]
    words.append(f"{estimate.memory_bytes / 1e9:,.2f} GB of memory a process")
    words += [] if estimate.hours is None else [f"{estimate.hours:,.2f} hours on {args.cores:,} cores"]
    words += [] if estimate.money is None else [f"{estimate.money:,.2f} at {args.price:g} a core-hour"]
    print(f"{estimate.count:,} of {estimate.name}: {', '.join(words)}")
    return 0


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
        description="Batches, Texas 42 data and single large spots on a Ray cluster. Folders are URLs like s3://bucket/name, or paths that all nodes share.",
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

    solve_batch = command("batch", "Solve one spec on many flops.", "batch plan.toml --out s3://spots/solved")
    solve_batch.add_argument("plan", metavar="PLAN", help="the plan, a TOML file beside the spec that it names")
    solve_batch.add_argument("--out", metavar="URL", help="where solutions and checkpoints go [default: `out` of the plan]")
    solve_batch.add_argument("--cpus", type=int, metavar="N", help="processors of a job [default: by its share of the memory]")
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
    spot = command(
        "solve",
        "Solve one spot on many workers, divided by its turn cards.",
        "solve spot.toml --workers 16 --out s3://spots/spot.nrs",
    )
    spot.add_argument("spec", metavar="SPEC", help="the spec, a TOML file")
    spot.add_argument("--workers", type=int, required=True, metavar="N", help="how many workers; no more are started than turns")
    spot.add_argument("--out", required=True, metavar="URL", help="the solution file; checkpoints are beside it")
    spot.add_argument("--cpus", type=int, default=1, metavar="N", help="processors of a worker [default: 1]")
    spot.add_argument("--target", type=float, metavar="PCT", help="stop at this exploitability, in percent of the pot")
    spot.add_argument("--max-iterations", type=int, metavar="N", help="stop after so many iterations")
    spot.add_argument("--precision", metavar="BITS", help="bits of strategies and regrets, as in the spec")
    spot.add_argument("--memory", metavar="BYTES", help="what a worker may allocate, like 4GiB")
    spot.add_argument(
        "--checkpoint-every", type=float, default=300.0, metavar="SECONDS", help="time between checkpoints [default: 300]"
    )
    spot.add_argument("--force", action="store_true", help="write over a file that is not a solution")
    for added in (solve_batch, spot, tables):
        added.add_argument("--address", metavar="ADDR", help="the cluster [default: one on this machine]")
    planned = command(
        "plan",
        "Say what a run will take, from unit costs that were measured.",
        "plan three-bet-pot 1755 --price 0.04 --cores 64",
    )
    planned.add_argument("what", nargs="?", metavar="WHAT", help="what is made [default: list what was measured]")
    planned.add_argument("count", nargs="?", type=int, default=1, metavar="COUNT", help="how many [default: 1]")
    planned.add_argument("--price", type=float, metavar="PRICE", help="of a core-hour, in any currency")
    planned.add_argument("--cores", type=int, metavar="N", help="how many cores there are")
    planned.add_argument("--costs", metavar="FILE", help="unit costs that `scripts/unit-costs` wrote")
    shown = command("status", "Say how far a run is, by what is in its folder.", "status s3://spots/solved")
    shown.add_argument("folder", metavar="URL", help="the folder that the run writes to")
    return parser


if __name__ == "__main__":
    sys.exit(main())

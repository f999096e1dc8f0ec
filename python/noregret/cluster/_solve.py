"""One spot on a cluster: over many workers, or by one task if there is nothing to divide it by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any

from .._errors import FileError
from .._noregret import Spot, SpreadPlan, check_solution_place, read_place, remove_place, spread_plan
from .._progress import Progress
from ._command import Receipt
from ._driver import Driver, SolveOutcome
from ._engine import ClusterError, Engine, Unit, WrongRequest
from ._place import is_url, place, split, text_of

_ANY_MEMORY = 1 << 60
"""More than any machine has: precisions are picked as on one with memory enough."""


def solve(
    spec: str | PathLike[str] | Spot,
    out: str | PathLike[str],
    *,
    workers: int,
    address: str | None = None,
    cpus: int = 1,
    target: float | None = None,
    max_iterations: int | None = None,
    precision: str | None = None,
    memory: int | str | None = None,
    checkpoint_every: float = 300.0,
    force: bool = False,
    progress: bool | Progress | None = None,
) -> SolveOutcome:
    """Solves one spot on many workers of a Ray cluster, to the digest of `noregret solve`.

    The tree is cut after the flop. This process owns the flop; each of `workers` workers owns some turn cards with all their rivers, has
    `cpus` processors, and takes the memory of its turns, which `memory` limits. `out` is the solution file: a URL like
    `s3://bucket/spot.nrs`, or a path that all nodes share.

    Every `checkpoint_every` seconds all workers write checkpoints beside `out`. A worker that is lost is replaced; all go back to the last
    checkpoint and make the iterations since again, to the same bits. The same call goes on from that checkpoint after a stop or a kill.
    Ctrl-C finishes the iteration under way and writes a checkpoint. While a driver lives, another one with the same `out` is refused.

    A spot that begins on the turn or the river has no turn card to be divided by: one task solves it, with a checkpoint of its own.
    """
    spot = spec if isinstance(spec, Spot) else _read(spec)
    at = place(out)
    if not 0 <= checkpoint_every <= 1e9:
        raise WrongRequest("checkpoint_every: must be a number of seconds from 0 to 1000000000, like 300 or 0.5")

    def planned(costs: Sequence[float] | None) -> SpreadPlan | None:
        return spread_plan(
            spot,
            workers,
            threads=cpus,
            target=target,
            max_iterations=max_iterations,
            precision=precision,
            memory=memory,
            costs=costs,
        )

    def planned_by(costs: Sequence[float]) -> SpreadPlan:
        again = planned(costs)
        assert again is not None, "whether a spot is divided does not depend on costs"
        return again

    plan = planned(None)
    check_solution_place(at, force)
    with Engine(address) as engine:
        if plan is not None:
            return Driver(engine, plan, planned_by, at, cpus, checkpoint_every).run(progress)
        limits = {"--target": target, "--max-iterations": max_iterations, "--memory": memory}
        limits |= {"--precision": spot.plan(precision=precision, threads=cpus, memory=memory or _ANY_MEMORY).precision}
        return _solve_in_one_task(engine, spot, at, cpus, limits, checkpoint_every, force, progress)


def _read(path: str | PathLike[str]) -> Spot:
    text = place(path)
    return Spot.from_text(text_of(text, read_place(text))) if is_url(text) else Spot.from_toml(path)


def _solve_in_one_task(
    engine: Engine,
    spot: Spot,
    out: str,
    cpus: int,
    limits: dict[str, Any],
    checkpoint_every: float,
    force: bool,
    progress: bool | Progress | None,
) -> SolveOutcome:
    planned = spot.plan(precision=limits["--precision"], threads=cpus, memory=limits["--memory"] or _ANY_MEMORY)
    needs = engine.needs(planned.memory_bytes, cpus)
    given = [word for name, value in limits.items() if value is not None for word in (name, str(value))]
    checkpoint = f"{out}.nrc"
    arguments = ["solve", "spec.toml", "--out", out, "--threads", str(cpus), "--json", *given]
    arguments += ["--checkpoint", checkpoint, "--checkpoint-every", str(checkpoint_every), *(["--force"] if force else [])]
    answers: list[dict[str, Any]] = []

    def receive(_: Unit, receipt: Receipt) -> int:
        if receipt.code != 0 or not receipt.lines:
            raise ClusterError(receipt.error or f"a task has ended with exit code {receipt.code}")
        answers.extend(receipt.lines)
        return 1

    def units(_: int) -> Iterator[Unit]:
        yield Unit(tuple(arguments), 1, {"spec.toml": spot.to_toml()}, resume=checkpoint)

    engine.run(units, needs, receive, 1, "solves", progress, out=split(out)[0])
    try:
        remove_place(checkpoint)
    except FileError:
        # The solution is written; the next solve to this place goes on from the checkpoint, which has the same bits.
        pass
    answer = answers[0]
    return SolveOutcome(
        out=out,
        iterations=answer["iterations"],
        seconds=answer["seconds"],
        exploitability=answer["exploitability_pct"],
        digest=answer["strategy_digest"],
        ev=(answer["ev"]["oop"], answer["ev"]["ip"]),
        workers=1,
        note="there is no turn card to divide the spot by: one task has solved it",
    )

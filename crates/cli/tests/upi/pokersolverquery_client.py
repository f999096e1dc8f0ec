"""Drives a solver with pokersolverquery.py from PyPI, unchanged, and prints what it read as JSON."""

import json
import sys

from pokersolverquery.solver import LoadedTree, SolverException, UPISolver

solver_path, build_path, tree_path = sys.argv[1:]
solver = UPISolver(solver_path=solver_path)
answer = {"tree_before": solver.tree_exists}

with open(build_path) as build:
    solver.commands(build.read().splitlines())
answer["tree_built"] = solver.tree_exists


def solve():
    solver.command("go")
    # Updates end like answers do: wait for the line itself.
    solver.write_line("wait_for_solver")
    solver.read_until("wait_for_solver ok!")
    solver.read_until_end()


def numbers(command):
    """The rows of an answer; what is not a number is none in JSON."""
    rows = [[float(number) for number in line.split()] for line in solver.command(command)[:-1]]
    return [[None if number != number else number for number in row] for row in rows]


solve()
answer["hands"] = solver.command("show_hand_order")[0].split()
answer["strategy"] = numbers("show_strategy r:0:c")
answer["ev"] = numbers("calc_ev IP r:0:c")[0]
answer["results"] = solver.command("calc_results")[:-1]
try:
    solver.command("show_strategy r:0:b7")
except SolverException as error:
    answer["error"] = str(error).strip()

solver.command(f'dump_tree "{tree_path}"')
solver.command("free_tree")
tree = LoadedTree(tree_path, solver)
answer["flop"] = str(tree.flop)
answer["lines"] = tree.all_lines
answer["combos"] = [sum(tree.opp_range.range_), sum(tree.ip_range.range_)]
answer["has_aces"] = "AhAs" in tree.opp_range

rows = numbers("show_strategy r:0")
# Checking is the last child.
always_check = [0.0] * 1326 * (len(rows) - 1) + [1.0] * 1326
solver.command("set_strategy r:0 " + " ".join(str(share) for share in always_check))
solver.command("lock_node r:0")
solve()
answer["locked_strategy"] = numbers("show_strategy r:0")
answer["locked_results"] = solver.command("calc_results")[:-1]
solver.exit()
print(json.dumps(answer))

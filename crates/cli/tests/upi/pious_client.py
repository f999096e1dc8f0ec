"""Drives a solver with the client class of pious from PyPI, a copy of pyosolver, unchanged, and prints what it read as JSON."""

import json
import os
import sys

from pious.pio.line import get_all_lines
from pious.pio.solver import Solver

solver_path, build_path, tree_path = sys.argv[1:]
folder, name = os.path.split(solver_path)
solver = Solver(folder, name.removesuffix(".exe"))
answer = {"version": solver.version, "ready": solver.is_ready()}

with open(build_path) as build:
    for line in build.read().splitlines():
        command, *arguments = line.split(" ")
        response = solver._run(command, *arguments)
        assert response == f"{command} ok!", response
solver.set_accuracy(5.4)
solver.go(quiet=True)
answer["hands"] = solver.show_hand_order()
answer["strategy"] = solver.show_strategy("r:0:c")
evs, matchups = solver.calc_ev("IP", "r:0:c")
answer["ev"] = [None if ev != ev else ev for ev in evs.tolist()]
answer["results"] = solver.calc_results().split("\n")
equities, _, total = solver.calc_eq_node("OOP", "r:0")
answer["equity"] = total
answer["frequency"] = solver.calc_global_freq("r:0:c")
node = solver.show_node("r:0:c")
answer["node"] = [node.node_id, node.get_position(), list(node.board), list(node.pot), node.num_children]
answer["children"] = solver.show_children_actions("r:0")
answer["cards"] = len(solver.show_children("r:0:c:c"))
answer["stack"] = solver.show_effective_stack()
answer["info"] = solver.show_tree_info()
answer["lines"] = len(get_all_lines(solver))
answer["range"] = float(solver.show_range("OOP", "r:0").range_array.sum())

solver.dump_tree(tree_path, "full")
solver.load_tree(tree_path)
rows = solver.show_strategy("r:0")
# Checking is the last child.
solver.set_strategy("r:0", [0.0] * 1326 * (len(rows) - 1) + [1.0] * 1326)
answer["lock"] = solver.lock_node("r:0")
solver.go(quiet=True)
answer["locked_strategy"] = solver.show_strategy("r:0")
answer["locked_results"] = solver.calc_results().split("\n")
# What the class prints on the way is not part of the answer.
print("\n" + json.dumps(answer))

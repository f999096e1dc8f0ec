"""Plays random hands with pokerkit and prints each as a line of JSON: the PHH document that it writes, every action with what it
puts in, and what everybody has at the end.

    write.py SEED COUNT
"""

import io
import json
import random
import sys
import warnings

from pokerkit import Automation, HandHistory, HoleCardsShowingOrMucking, NoLimitTexasHoldem
from pokerkit import CheckingOrCalling, ChipsPushing, CompletionBettingOrRaisingTo, Folding

warnings.simplefilter("ignore")
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def act(state, chance):
    """One random action."""
    draw = chance.random()
    low, high = (
        state.min_completion_betting_or_raising_to_amount,
        state.max_completion_betting_or_raising_to_amount,
    )
    if draw < 0.3 and low is not None and state.can_complete_bet_or_raise_to(low):
        amount = high if chance.random() < 0.15 else min(high, low + chance.randrange(0, 4 * low + 1))
        state.complete_bet_or_raise_to(amount)
    elif draw < 0.5 and state.can_fold() and state.checking_or_calling_amount:
        state.fold()
    else:
        state.check_or_call()


def antes_of(chance, players, blind):
    """None, one of each player, or one that a single player posts for the table."""
    draw = chance.random()
    if draw < 0.4:
        return [0] * players
    if draw < 0.8:
        return [blind // 2] * players
    antes = [0] * players
    antes[chance.randrange(players)] = blind
    return antes


def winnings(state):
    """What everybody gets of the pot."""
    pushed = [operation.amounts for operation in state.operations if isinstance(operation, ChipsPushing)]
    return [sum(amounts) for amounts in zip(*pushed)]


def hand(chance):
    players = chance.randint(2, 9)
    blind = chance.choice([2, 10, 100])
    blinds = [blind // 2, blind]
    if players > 3 and chance.random() < 0.25:
        blinds.append(2 * blind)
    antes = antes_of(chance, players, blind)
    stacks = [chance.randint(5 * blind, 200 * blind) for _ in range(players)]
    if chance.random() < 0.4:
        # Somebody has hardly enough for an ante: not the big blind, without whom a hand is refused.
        others = [player for player in range(players) if player != (0 if players == 2 else 1)]
        stacks[chance.choice(others)] = chance.randint(1, blind)
    trimming = chance.random() < 0.5
    random.seed(chance.random())
    game = NoLimitTexasHoldem(AUTOMATIONS, trimming, antes, blinds, blind)
    state = game(stacks, players)
    while state.status:
        act(state, chance)
    history = HandHistory.from_game_state(game, state)
    # Which pokerkit does not take from the game.
    history.ante_trimming_status = trimming
    # Where all others fold, pokerkit gives the last bet back whole and pushes the rest, so that no pot is told.
    shown = any(isinstance(operation, HoleCardsShowingOrMucking) for operation in state.operations)
    if shown and chance.random() < 0.5:
        history.winnings = winnings(state)
    text = io.BytesIO()
    history.dump(text)
    actions = []
    for operation in state.operations:
        if isinstance(operation, Folding):
            actions.append([operation.player_index + 1, "fold", 0])
        elif isinstance(operation, CheckingOrCalling):
            actions.append([operation.player_index + 1, "call" if operation.amount else "check", operation.amount])
        elif isinstance(operation, CompletionBettingOrRaisingTo):
            actions.append([operation.player_index + 1, "raise", operation.amount])
    return {"phh": text.getvalue().decode(), "actions": actions, "stacks": state.stacks}


seed, count = map(int, sys.argv[1:])
chance = random.Random(seed)
for _ in range(count):
    print(json.dumps(hand(chance)))

"""The same list in two windows, and in `daybook watch`, after each of many random actions in either window."""

import itertools
import os
import random

import pytest

from applications import Watch
from browser import until
from daybook import run
from players import PLAYERS

ROUNDS = int(os.environ.get("DAYBOOK_APPLICATION_ROUNDS", "8"))
"""The actions in each application."""


@pytest.mark.parametrize("name", PLAYERS)
def test_two_windows_and_watch_show_the_same_list(window, other, program, name):
    seed = int(os.environ.get("DAYBOOK_SEED") or random.randrange(1 << 32))
    print(f"\n{name}: DAYBOOK_SEED={seed}, {ROUNDS} actions")
    chance, numbers = random.Random(seed), itertools.count(1)
    players = [PLAYERS[name](window, "Maria", chance, numbers), PLAYERS[name](other, "Jonas", chance, numbers)]
    watch = Watch(program.stored(name), *players[0].request(program))
    try:
        for player in players:
            player.begin()
        for number in range(ROUNDS):
            actor = chance.choice(players)
            act = f"{name}, action {number} of {actor.author}: {actor.act()}"
            wanted = actor.wanted(program)
            for player in players:
                until(lambda: player.shown() == player.titled(wanted), 20, lambda: f"{act}: {player.author} sees {player.shown()}, not {player.titled(wanted)}")
            watch.catch_up(wanted, act)
    finally:
        watch.close()
        for player in players:
            player.end()
    program.stop()
    run("verify", program.stored(name).path)

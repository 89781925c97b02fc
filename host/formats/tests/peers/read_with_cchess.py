"""Reads record files with the PyPI package cchess and prints what it found, a JSON object a file.

usage: read_with_cchess.py FILE...
"""

import json
import sys

import cchess


def lines_of(game):
    """Every line from the start to its end, as moves like h2e2."""
    return [[str(move) for move in line["moves"]] for line in game.dump_moves()]


for path in sys.argv[1:]:
    game = cchess.Game.read_from(path)
    print(json.dumps({"file": path, "lines": lines_of(game), "info": {k: str(v) for k, v in game.info.items()}}))

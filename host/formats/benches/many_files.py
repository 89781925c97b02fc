#!/usr/bin/env python3
"""Converts 30,000 files of three formats in one run of `luozi convert`.

usage: many_files.py LUOZI GAMES.jsonl.gz FOLDER

GAMES.jsonl.gz holds 5,000 games, one a line (Chinese-Chess-Practical-Dataset, CC BY 4.0). FOLDER, which must not be
there, gets each of them twice as XQF, PGN and CBR; then all of them become one PGN file, with the progress bar on a
terminal and the summary on stderr.
"""

import gzip
import subprocess
import sys
from pathlib import Path


def main():
    luozi, games, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    single = folder / "single"
    single.mkdir(parents=True)
    with gzip.open(games, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            (single / f"{number}.json").write_text(line, encoding="utf-8")
    for ending in ("xqf", "pgn", "cbr"):
        for half in ("a", "b"):
            target = folder / "files" / f"{ending}-{half}"
            subprocess.run([luozi, "convert", str(single), f"{target}/", "--to", ending], check=True, capture_output=True)
    print(sum(1 for path in (folder / "files").rglob("*") if path.is_file()), "files made")
    subprocess.run([luozi, "convert", str(folder / "files"), str(folder / "all.pgn")], check=True)


main()

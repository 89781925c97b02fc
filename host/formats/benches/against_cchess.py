#!/usr/bin/env python3
"""Games a second of `luozi convert --info` and of the PyPI package cchess, on the same files in one run.

usage: against_cchess.py LUOZI FOLDER

LUOZI is a release build of the command; FOLDER holds files that cchess can read (.xqf, .cbr, .pgn, .cbf). Both read
every file from disk and build its tree. luozi also finds out which plies are legal, which cchess does while it reads.
luozi is run with one thread and with all; cchess is a single-threaded library. Files that cchess gives up on are
counted and stay in its time.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import cchess


def luozi_seconds(luozi, folder, threads):
    command = [luozi, "convert", str(folder), "--info", "--json"]
    if threads == 1:
        command = ["taskset", "-c", "0"] + command
    started = time.perf_counter()
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    seconds = time.perf_counter() - started
    summary = json.loads(output.splitlines()[-1])["summary"]
    return seconds, summary


def cchess_seconds(files):
    failed = 0
    started = time.perf_counter()
    for file in files:
        try:
            cchess.Game.read_from(str(file))
        except Exception:  # the package raises whatever its parser stumbles over
            failed += 1
    return time.perf_counter() - started, failed


def main():
    luozi, folder = sys.argv[1], Path(sys.argv[2])
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in {".xqf", ".cbr", ".pgn", ".cbf"})
    for file in files:
        file.read_bytes()  # both find the files in the page cache
    theirs, failed = cchess_seconds(files)
    print(f"cchess: {len(files)} files in {theirs:.2f} s, {len(files) / theirs:.0f} games/s, {failed} failed")
    for threads in (1, os.cpu_count()):
        ours, summary = luozi_seconds(luozi, folder, threads)
        speed = summary["games"] / ours
        print(
            f"luozi, {threads} threads: {summary['games']} games in {ours:.2f} s, {speed:.0f} games/s, "
            f"{summary['failed']} failed, {speed / (len(files) / theirs):.1f} times cchess"
        )


main()

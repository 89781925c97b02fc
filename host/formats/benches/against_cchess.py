#!/usr/bin/env python3
"""Games a second of `luozi convert --info` and of the PyPI package cchess, on the same files in one run.

usage: against_cchess.py LUOZI FOLDER

LUOZI is a release build of the command; FOLDER holds files that cchess can read (.xqf, .cbr, .pgn, .cbf). Both read
every file from disk and build its tree. luozi also finds out which plies are legal, which cchess does while it reads.
What counts is processor time, so that other programs on the machine do not; the time that luozi takes to start is in
its time. Files that cchess gives up on are counted and stay in its time.
"""

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import cchess


def luozi_seconds(luozi, folder):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    command = [luozi, "convert", str(folder), "--info", "--json"]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return used() - before, json.loads(output.splitlines()[-1])["summary"]


def cchess_seconds(files):
    failed = 0
    started = time.process_time()
    for file in files:
        try:
            cchess.Game.read_from(str(file))
        except Exception:  # the package raises whatever its parser stumbles over
            failed += 1
    return time.process_time() - started, failed


def main():
    luozi, folder = sys.argv[1], Path(sys.argv[2])
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in {".xqf", ".cbr", ".pgn", ".cbf"})
    for file in files:
        file.read_bytes()  # both find the files in the page cache
    theirs, failed = cchess_seconds(files)
    ours, summary = luozi_seconds(luozi, folder)
    their_speed, our_speed = len(files) / theirs, summary["games"] / ours
    print(f"cchess: {len(files)} files, {theirs:.2f} s of processor, {their_speed:.0f} games/s, {failed} failed")
    print(f"luozi: {summary['games']} games, {ours:.2f} s, {our_speed:.0f} games/s, {summary['failed']} failed")
    print(f"luozi is {our_speed / their_speed:.0f} times as fast")


main()

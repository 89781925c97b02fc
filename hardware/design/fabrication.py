#!/usr/bin/env python3
"""Writes what a maker of printed boards asks for, and what a person looks at, with KiCad 9: gerbers, drill files, a PDF of each
schematic, a drawing and a picture of each board.

    python3 fabrication.py FOLDER
"""
import pathlib
import subprocess
import sys

KICAD = pathlib.Path(__file__).resolve().parent.parent / "kicad"
COPPER = "F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,Edge.Cuts"


def kicad(*arguments):
    done = subprocess.run(["kicad-cli", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"kicad-cli {' '.join(map(str, arguments))}: {done.stdout}{done.stderr}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name in ("base", "strip"):
        board, out = KICAD / name / f"{name}.kicad_pcb", pathlib.Path(sys.argv[1]) / name
        (out / "gerber").mkdir(parents=True, exist_ok=True)
        kicad("pcb", "export", "gerbers", "--layers", COPPER, "-o", f"{out}/gerber/", board)
        kicad("pcb", "export", "drill", "-o", f"{out}/gerber/", board)
        kicad("pcb", "export", "svg", "--mode-single", "--page-size-mode", "2", "--exclude-drawing-sheet",
              "--layers", "B.Cu,F.Cu,F.SilkS,Edge.Cuts", "-o", out / f"{name}.svg", board)
        kicad("pcb", "render", "--background", "opaque", "--zoom", "1.3", "-w", "1200", "-h", "800" if name == "base" else "200",
              "-o", out / f"{name}.png", board)
        kicad("sch", "export", "pdf", "-o", out / f"{name}.pdf", board.with_suffix(".kicad_sch"))
        print(f"{out}: {sum(path.is_file() for path in out.rglob('*'))} files")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the files of hardware/kicad and hardware/drawings from pinmap.toml and the scripts beside this one.

    python3 generate.py           writes them
    python3 generate.py --check   exit 1 when a committed file differs from what would be written
"""
import pathlib
import sys
import tomllib

import base
import case
import drawings
import kicad
import strip

HARDWARE = pathlib.Path(__file__).resolve().parent.parent


def files():
    """Every generated file by its path below hardware/."""
    pinmap = tomllib.loads((HARDWARE / "pinmap.toml").read_text())
    reeds, registers = strip.strip_parts(), base.base_parts(pinmap)
    out = {
        "kicad/strip/strip.kicad_pro": kicad.project("strip"),
        "kicad/strip/strip.kicad_sch": kicad.schematic("strip", "Reeds of one file", reeds),
        "kicad/strip/strip.kicad_pcb": strip.strip_board(reeds).write(),
        "kicad/base/base.kicad_pro": kicad.project("base"),
        "kicad/base/base.kicad_sch": kicad.schematic("base", "Base of the serial variant", registers),
        "kicad/base/base.kicad_pcb": base.base_board(registers).write(),
    }
    surface = drawings.surface(strip.PITCH)
    walls = case.case(surface.width, surface.height)
    out |= {"drawings/case.svg": walls.write_svg(), "drawings/case.dxf": walls.write_dxf()}
    return out | drawings.files(strip.PITCH)


def main():
    differ = []
    for name, content in files().items():
        path = HARDWARE / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text() != content:
                differ.append(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    for name in differ:
        print(f"hardware/{name} is not what hardware/design writes; run python3 hardware/design/generate.py")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())

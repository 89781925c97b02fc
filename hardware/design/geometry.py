#!/usr/bin/env python3
"""Which reed and magnet, and how the reed stands: the field of a piece's magnet along a reed, against operate and release.

Frame: the point of the board is the origin, x and y in the board, z up; lengths in millimetres, fields in millitesla. A
disc magnet lies flat in the bottom of a piece, its axis vertical. The reed is below, lying along x or upright.

A reed is worked by the field along itself, averaged over its length. Right below a disc that average is zero for a reed
that lies there, whatever the magnet: both ends are pulled equally, and a piece in the very middle of its point is not
seen. Upright there is no such blind place, and the field of pieces beside it falls off faster. So reeds stand upright.

    python3 geometry.py            the table that the parts were chosen from
    python3 geometry.py --check    exit 1 unless the chosen parts keep every margin
"""
import math
import sys
from dataclasses import dataclass

MU0 = 4e-7 * math.pi


@dataclass(frozen=True)
class Magnet:
    """A disc magnetised along its axis."""

    diameter: float
    height: float
    remanence: float  # tesla

    def field(self, x, y, z):
        """The field in mT at a place relative to the disc's centre, outside of it: two charged discs, summed up."""
        radius, rings, spokes = self.diameter / 2, 6, 16
        total = [0.0, 0.0, 0.0]
        for face, sign in ((self.height / 2, 1.0), (-self.height / 2, -1.0)):
            for ring in range(rings):
                inner, outer = radius * ring / rings, radius * (ring + 1) / rings
                r = math.sqrt((inner * inner + outer * outer) / 2)
                area = math.pi * (outer * outer - inner * inner) / spokes
                for spoke in range(spokes):
                    angle = 2 * math.pi * (spoke + 0.5) / spokes
                    dx, dy, dz = x - r * math.cos(angle), y - r * math.sin(angle), z - face
                    weight = sign * area / (dx * dx + dy * dy + dz * dz) ** 1.5
                    total[0] += weight * dx
                    total[1] += weight * dy
                    total[2] += weight * dz
        return [component * self.remanence * 1e3 / (4 * math.pi) for component in total]

    def on_axis(self, z):
        """The textbook field on the axis, z from the centre: what field() is checked against."""
        radius, half = self.diameter / 2, self.height / 2
        upper, lower = z + half, z - half
        return self.remanence * 1e3 / 2 * (upper / math.hypot(upper, radius) - lower / math.hypot(lower, radius))


@dataclass(frozen=True)
class Reed:
    """A reed by its glass and its ampere-turns, which the maker measures in a test coil."""

    name: str
    length: float  # of the part that collects the field: glass and the trimmed leads
    operate: tuple  # ampere-turns, least and most of the type's spread
    release_ratio: float  # a reed lets go at this part of its operate value, at the least

    # The usual test coil, in metres: its field is what an ampere-turn means.
    COIL_LENGTH, COIL_DIAMETER = 0.025, 0.010

    def millitesla(self, ampere_turns):
        return MU0 * ampere_turns / math.hypot(self.COIL_LENGTH, self.COIL_DIAMETER) * 1e3

    def closes_at(self):
        """Every reed of the type closes at this field."""
        return self.millitesla(self.operate[1])

    def opens_below(self):
        """Every reed of the type opens below this field."""
        return self.millitesla(self.operate[0] * self.release_ratio)

    def along(self, magnet, x, z, upright, samples=11):
        """The mean field along the reed whose middle is z below the magnet's middle, the magnet x beside the point."""
        steps = [((i + 0.5) / samples - 0.5) * self.length for i in range(samples)]
        if upright:
            return sum(magnet.field(-x, 0, -z + step)[2] for step in steps) / samples
        return sum(magnet.field(step - x, 0, -z)[0] for step in steps) / samples


@dataclass(frozen=True)
class Mounting:
    """How reed, board and pieces stand to each other."""

    magnet: Magnet
    reed: Reed
    upright: bool
    pitch: float  # from point to point
    cover: float  # from the magnet's middle down to the nearest part of the reed, a piece standing
    placed: float  # a piece whose centre is nearer to the point than this stands on it

    def level(self, x):
        """The strength along the reed for a piece whose centre is x from the point."""
        below = self.cover + (self.reed.length / 2 if self.upright else 0)
        return abs(self.reed.along(self.magnet, x, below, self.upright))

    def weakest_placed(self):
        """The least field of any piece that stands on the point."""
        return min(self.level(self.placed * i / 8) for i in range(9))

    def neighbours(self):
        """The most that pieces on all eight neighbouring points do together, each as near as it may stand: signs add."""
        near = self.pitch - self.placed
        return 4 * self.level(near) + 4 * self.level(near * math.sqrt(2))

    def reach(self, step=0.5):
        """How far from the point a piece closes every reed, from the middle outwards; 0 where the middle is blind."""
        closes, x = self.reed.closes_at(), 0.0
        while x < self.pitch and self.level(x) >= closes:
            x += step
        return x

    def margins(self):
        """What is asked of the mounting: name, found, wanted, whether it holds."""
        weakest = self.weakest_placed() / self.reed.closes_at()
        others = self.neighbours() / self.reed.opens_below()
        reach = self.reach()
        return [
            ("weakest piece that stands, over what closes every reed", weakest, "> 1.3", weakest > 1.3),
            ("all eight neighbours together, over what every reed lets go at", others, "< 0.7", others < 0.7),
            ("reach without a blind place, in mm", reach, f"> {self.placed}", reach > self.placed),
        ]


def reed(low, high):
    """A reed with 14 mm of glass and 3 mm of lead at each end, by its ampere-turns."""
    return Reed(f"KSK-1A66-{low}{high}", length=20, operate=(low, high), release_ratio=0.4)


# The smallest squares and pieces of article 1.4 would have a pitch of 32 mm; this board has 38 mm, and pieces of 30 mm.
CHOSEN = Mounting(
    magnet=Magnet(diameter=6, height=2, remanence=1.33),
    reed=reed(20, 25),
    upright=True,
    pitch=38,
    cover=9,
    placed=6,
)


def table():
    print("reed      magnet    cover   weakest/close   neighbours/let go   reach mm")
    for upright in (False, True):
        for low, high in ((10, 15), (15, 20), (20, 25)):
            for diameter, height in ((4, 2), (5, 2), (6, 2), (8, 2), (8, 3)):
                for cover in (6, 7, 9):
                    magnet = Magnet(diameter, height, 1.33)
                    m = Mounting(magnet, reed(low, high), upright, CHOSEN.pitch, cover, CHOSEN.placed)
                    (_, weakest, _, a), (_, others, _, b), (_, reach, _, c) = m.margins()
                    how = "upright" if upright else "lying  "
                    mark = "  all margins kept" if a and b and c else ""
                    print(
                        f"{how} {low}-{high}  {diameter} x {height}   {cover:4}   {weakest:13.2f}"
                        f"   {others:17.2f}   {reach:8.1f}{mark}"
                    )


def main():
    if "--check" in sys.argv:
        kept = True
        for name, found, wanted, holds in CHOSEN.margins():
            print(f"{name}: {found:.2f} (wanted {wanted}){'' if holds else '  NOT KEPT'}")
            kept &= holds
        # The summed field agrees with the textbook's on the axis.
        for z in (4, 8, 12, 20):
            summed, exact = CHOSEN.magnet.field(0, 0, z)[2], CHOSEN.magnet.on_axis(z)
            kept &= abs(summed - exact) < 0.02 * exact
        return 0 if kept else 1
    table()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The drawing of playing surface and case, 1:1 in millimetres: SVG to look at and print, DXF for a laser or a router."""

PLY = 9.0  # of the frame
STRIP = (390.0, 36.0)


class Drawing:
    """Lines, circles and words."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.svg, self.dxf = [], []

    def line(self, x0, y0, x1, y1, layer="mark"):
        self.svg.append(f'<line x1="{x0:.2f}" y1="{y0:.2f}" x2="{x1:.2f}" y2="{y1:.2f}" class="{layer}"/>')
        self.dxf.append(
            f"0\nLINE\n8\n{layer}\n10\n{x0:.3f}\n20\n{self.height - y0:.3f}\n11\n{x1:.3f}\n21\n{self.height - y1:.3f}\n"
        )

    def box(self, x, y, width, height, layer="mark"):
        corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
        for (x0, y0), (x1, y1) in zip(corners, corners[1:]):
            self.line(x0, y0, x1, y1, layer)

    def circle(self, x, y, radius, layer="mark"):
        self.svg.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" class="{layer}"/>')
        self.dxf.append(f"0\nCIRCLE\n8\n{layer}\n10\n{x:.3f}\n20\n{self.height - y:.3f}\n40\n{radius:.3f}\n")

    def words(self, x, y, text):
        self.svg.append(f'<text x="{x:.2f}" y="{y:.2f}">{text}</text>')

    def write_svg(self):
        style = ".mark{stroke:#222;stroke-width:.5;fill:none}.cut{stroke:#c00;stroke-width:.2;fill:none}" \
            ".below{stroke:#06c;stroke-width:.3;stroke-dasharray:2 1;fill:none}text{font:6px sans-serif}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:.0f}mm" height="{self.height:.0f}mm"'
            f' viewBox="0 0 {self.width:.0f} {self.height:.0f}">\n<style>{style}</style>\n'
            + "\n".join(self.svg) + "\n</svg>\n"
        )

    def write_dxf(self):
        return "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n" + "".join(self.dxf) + "0\nENDSEC\n0\nEOF\n"


def surface(pitch):
    """The playing surface from above, Red below: lines to print, outline to cut, strips that lie below."""
    margin = 34.0
    width, height = 8 * pitch + 2 * margin, 9 * pitch + 2 * margin
    d = Drawing(width, height)
    d.box(0, 0, width, height, "cut")
    x = [margin + file * pitch for file in range(9)]
    y = [height - margin - rank * pitch for rank in range(10)]
    for rank in y:
        d.line(x[0], rank, x[8], rank)
    for at, file in enumerate(x):
        if at in (0, 8):
            d.line(file, y[0], file, y[9])
        else:
            d.line(file, y[0], file, y[4])
            d.line(file, y[5], file, y[9])
    for low in (0, 7):
        d.line(x[3], y[low], x[5], y[low + 2])
        d.line(x[5], y[low], x[3], y[low + 2])
    for file in range(9):
        for rank in range(10):
            # The reed stands below the very point.
            d.circle(x[file], y[rank], 1.2, "below")
        # The strip's connector is at Red's end, 20 mm before its first reed.
        d.box(x[file] - STRIP[1] / 2, y[9] - 28, STRIP[1], STRIP[0], "below")
        d.words(x[file] - 2, height - 4, "abcdefghi"[file])
    for rank in range(10):
        d.words(4, y[rank] + 2, str(rank))
    return d


def section():
    """A cut through board and case: what lies above what."""
    d = Drawing(200, 90)
    d.box(10, 20, 180, 4)
    d.words(12, 18, "surface, 4 mm, no iron anywhere; piece 30 mm with disc magnet 6 x 2 mm, 2 mm above its foot")
    d.box(50, 8, 30, 12)
    d.box(62, 16, 6, 2, "below")
    d.box(63, 26, 4, 14, "below")
    d.words(72, 38, "reed, upright; its upper end is 9 mm below the magnet's middle, the bent lead beside it")
    d.box(30, 43, 150, 1.6)
    d.words(32, 51, "strip, 1.6 mm, on bosses; ribbon cable at Red's end")
    d.box(10, 70, 180, PLY)
    d.words(12, 68, "floor, plywood 9 mm; base board and Pi at Red's end")
    d.box(10, 24, PLY, 46)
    d.box(190 - PLY, 24, PLY, 46)
    return d


def files(pitch):
    board, cut = surface(pitch), section()
    return {
        "drawings/surface.svg": board.write_svg(),
        "drawings/surface.dxf": board.write_dxf(),
        "drawings/section.svg": cut.write_svg(),
    }

"""Finds the tracks of a board on two layers: every net asks for the cheapest way, and places that two nets want grow dearer
until each has one asker (negotiated congestion, as routers of field-programmable chips do it).

The grid is a quarter of 2.54 mm. With tracks of 0.25 mm, vias of 0.6 mm and 0.2 mm between them, neighbouring points of the grid may
carry two tracks or a track and a via, but not two vias; a pad keeps others away from the points that lie nearer than its
own radius and those widths allow.
"""
import heapq
import math

GRID = 0.635
TRACK, VIA, CLEARANCE = 0.25, 0.6, 0.2
LAYERS = ("F.Cu", "B.Cu")
VIA_COST, AGAINST_GRAIN = 6.0, 1.6
ROUNDS = 60


class Crowded(Exception):
    """No way was found; names the nets."""


class Router:
    """Width and height in mm; `pads` are (net, x, y, diameter), all through the board and on the grid, counted as squares;
    `walls` are (x, y, radius) where nothing may run."""

    def __init__(self, width, height, pads, walls=()):
        self.columns, self.rows = int(width / GRID), int(height / GRID)
        self.terminals, self.owner, self.no_via = {}, {}, {}
        for net, x, y, diameter in pads:
            at = (round(x / GRID), round(y / GRID))
            if math.dist((at[0] * GRID, at[1] * GRID), (x, y)) > 1e-6:
                raise ValueError(f"a pad of {net} at {x}, {y} is not on the grid of {GRID} mm")
            self.terminals.setdefault(net, []).append(at)
            for point, distance in self.around(at, diameter / 2):
                if distance < CLEARANCE + TRACK / 2:
                    self.claim(self.owner, point, net)
                if distance < CLEARANCE + VIA / 2:
                    self.claim(self.no_via, point, net)
        for x, y, radius in walls:
            for column in range(self.columns + 1):
                for row in range(self.rows + 1):
                    if math.dist((column * GRID, row * GRID), (x, y)) < radius:
                        self.owner[column, row] = self.no_via[column, row] = None
        self.history, self.users = {}, {}

    @staticmethod
    def claim(claims, point, net):
        claims[point] = net if claims.get(point, net) == net else None  # None: nobody may

    @staticmethod
    def around(at, half):
        """Points of the grid near a pad, and how far they are from its edge."""
        for dx in range(-4, 5):
            for dy in range(-4, 5):
                beside = (max(abs(step) * GRID - half, 0.0) for step in (dx, dy))
                yield (at[0] + dx, at[1] + dy), math.hypot(*beside)

    def inside(self, point):
        return 1 <= point[0] < self.columns and 1 <= point[1] < self.rows

    def resources(self, node, via):
        """What a net takes that passes here: the point itself; with a via the gaps to its four neighbours, too."""
        if not via:
            return [node]
        x, y, _ = node
        gaps = [("gap", x, y, 0), ("gap", x, y, 1), ("gap", x - 1, y, 0), ("gap", x, y - 1, 1)]
        return [(x, y, 0), (x, y, 1), *gaps]

    def price(self, net, resources, pressure):
        cost = 0.0
        for resource in resources:
            others = len(self.users.get(resource, ())) - (net in self.users.get(resource, ()))
            cost += (1 + self.history.get(resource, 0.0)) * (1 + pressure * others) - 1
        return cost

    def steps(self, net, node, pressure):
        x, y, layer = node
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            point = (x + dx, y + dy)
            if self.inside(point) and self.owner.get(point, net) == net:
                grain = 1.0 if (dx != 0) == (layer == 0) else AGAINST_GRAIN
                there = (*point, layer)
                yield there, grain + self.price(net, [there], pressure)
        if self.no_via.get((x, y), net) == net:
            yield (x, y, 1 - layer), VIA_COST + self.price(net, self.resources(node, True), pressure)

    def way(self, net, tree, goal, pressure):
        """The cheapest way from what is already joined to one more pad."""
        best = {node: 0.0 for node in tree}
        came, done = {}, set()
        queue = [(abs(x - goal[0]) + abs(y - goal[1]), (x, y, layer)) for x, y, layer in sorted(tree)]
        heapq.heapify(queue)
        while queue:
            _, node = heapq.heappop(queue)
            if node in done:
                continue
            done.add(node)
            if node[:2] == goal:
                path = [node]
                while path[-1] in came:
                    path.append(came[path[-1]])
                return path[::-1]
            for there, cost in self.steps(net, node, pressure):
                total = best[node] + cost
                if total < best.get(there, math.inf):
                    best[there], came[there] = total, node
                    guess = total + abs(there[0] - goal[0]) + abs(there[1] - goal[1])
                    heapq.heappush(queue, (guess, there))
        raise Crowded(f"no way for {net}")

    def route_net(self, net, pressure):
        """Joins the pads of a net one after the other, the nearest first."""
        first, *rest = self.terminals[net]
        tree, paths = {(*first, 0), (*first, 1)}, []
        while rest:
            goal = min(rest, key=lambda pad: (min(abs(pad[0] - x) + abs(pad[1] - y) for x, y, _ in tree), pad))
            rest.remove(goal)
            path = self.way(net, tree, goal, pressure)
            paths.append(path)
            tree |= set(path) | {(*goal, 0), (*goal, 1)}
        return paths

    def taken(self, net, paths):
        pads = set(self.terminals[net])
        out = set()
        for path in paths:
            for here, there in zip(path, path[1:]):
                via = here[2] != there[2] and here[:2] not in pads
                out |= set(self.resources(here, via)) | {there}
        return out

    def route(self):
        """Paths by net: each a list of (column, row, layer) on the grid."""
        nets = sorted((net for net, pads in self.terminals.items() if len(pads) > 1), key=lambda net: (len(self.terminals[net]), net))
        routes, waiting = {}, list(nets)
        for turn in range(ROUNDS):
            for net in waiting:
                for resource in self.taken(net, routes.get(net, [])):
                    self.users[resource].discard(net)
                routes[net] = self.route_net(net, 0.5 * 1.5**turn)
                for resource in self.taken(net, routes[net]):
                    self.users.setdefault(resource, set()).add(net)
            crowded = {resource for resource, users in self.users.items() if len(users) > 1}
            if not crowded:
                return routes
            for resource in crowded:
                self.history[resource] = self.history.get(resource, 0.0) + 1.0
            waiting = [net for net in nets if crowded & self.taken(net, routes[net])]
        raise Crowded(f"still in each other's way after {ROUNDS} rounds: {', '.join(waiting)}")

    def draw(self, board):
        """Routes, and puts tracks and vias onto the board."""
        for net, paths in sorted(self.route().items()):
            pads, vias = set(self.terminals[net]), set()
            for path in paths:
                corners = [path[0]]
                for before, here, after in zip(path, path[1:], path[2:]):
                    if (here[0] - before[0], here[1] - before[1], here[2] - before[2]) != (
                        after[0] - here[0], after[1] - here[1], after[2] - here[2]):
                        corners.append(here)
                corners.append(path[-1])
                for here, there in zip(corners, corners[1:]):
                    if here[2] == there[2]:
                        board.track(net, LAYERS[here[2]], place(here), place(there), width=TRACK)
                    elif here[:2] not in pads | vias:
                        vias.add(here[:2])
                        board.via(net, place(here), size=VIA, drill=0.3)


def place(node):
    return (round(node[0] * GRID, 4), round(node[1] * GRID, 4))

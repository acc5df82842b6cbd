"""The exact optimum of a board whose items are all of one length: a convex min-cost flow.

Each item flows from its ideal day along the line of its group, one unit of cost a day, into a day,
whose next place costs what it adds to the squares of the loads. Successive shortest paths with
potentials: they rise where a search has been, so that most paths are found close by.
Spec: planning.md, Rough build.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

from libs.planning.board import LEVEL, Board, reach

_NEVER = 1 << 50
_FAR = 1 << 40


def is_uniform(board: Board) -> bool:
    """Whether all items are of one length and, on each day, may start alike or not at all."""
    if len({group.length for group in board.groups}) > 1:
        return False
    return all(
        len({group.starts[day] for group in board.groups if group.starts[day]}) <= 1
        for day in range(board.days)
    )


def capacity(starts: int, length: int) -> int:
    """How many runs of a length a day holds at once, given the mask of their starts."""
    held = 0
    while starts:
        lowest = starts & -starts
        held += 1
        starts &= -(lowest << length)
    return held


def fill(board: Board, items: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Puts items, (group, ideal day) each, at the least J; gives the indices of what has no room.

    Of what cannot all fit the earlier in `items` get the room. The board must be uniform and
    empty. Among equal flows the choice is fixed by the order of the items.
    """
    flow = _Flow(board)
    left_over = tuple(
        index for index, (group, ideal) in enumerate(items) if not flow.push(group, ideal)
    )
    unplaced = set(left_over)
    for number in range(len(board.groups)):
        ideals = sorted(
            ideal
            for index, (group, ideal) in enumerate(items)
            if group == number and index not in unplaced
        )
        for ideal, day in zip(ideals, flow.days_of(number), strict=True):
            board.put(number, day, ideal)
    return left_over


class _Flow:
    """The residual network. Nodes: the days, then for each group its line of days.

    Arcs come in pairs 2e and 2e + 1, one the way back of the other; `_units[e]` is the net flow.
    The pairs up to `_lines` lie between neighbouring days of a line, the others between a line
    and a day. `_rest` are lower bounds of the cost from a node to the sink, and the potentials.
    """

    def __init__(self, board: Board) -> None:
        days = self._days = board.days
        length = max((group.length for group in board.groups), default=1)
        usable = [0] * days
        for group in board.groups:
            usable = [max(one, starts) for one, starts in zip(usable, group.starts, strict=True)]
        self._room = [capacity(starts, length) for starts in usable]
        self._next_cost = [
            LEVEL * ((load + length) ** 2 - load**2) if room else _NEVER
            for load, room in zip(board.load, self._room, strict=True)
        ]
        self._full: set[int] = set()
        self._rise = 2 * LEVEL * length**2
        self._arcs: list[list[tuple[int, int]]] = [
            [] for _ in range(days * (len(board.groups) + 1))
        ]
        self._cost: list[int] = []
        for number, group in enumerate(board.groups):
            line = (number + 1) * days
            first, last = reach(group)
            for node in range(line + first, line + last):
                self._add(node, node + 1, 1, 1)
        self._lines = len(self._cost) // 2
        for number, group in enumerate(board.groups):
            for day in range(days):
                if group.starts[day]:
                    self._add((number + 1) * days + day, day, 0, _NEVER)
        self._units = [0] * (len(self._cost) // 2)
        self._rest = self._first_bounds(board)

    def push(self, group: int, ideal: int) -> bool:
        """Sends one item the cheapest way; False where there is none."""
        if group in self._full:
            return False
        source = (group + 1) * self._days + ideal
        found = self._search(source)
        if found is None:
            # What flows later frees no way: the group need not be looked at again.
            self._full.add(group)
            return False
        day, came_by = found
        self._room[day] -= 1
        self._next_cost[day] += self._rise
        if not self._room[day]:
            self._next_cost[day] = _NEVER
        node = day
        while node != source:
            node, arc = came_by[node]
            self._use(arc)
        return True

    def days_of(self, group: int) -> list[int]:
        """The days that a group's items have reached, ascending."""
        found = []
        line = (group + 1) * self._days
        for day in range(self._days):
            for to, arc in self._arcs[line + day]:
                if to == day:
                    found += [day] * self._units[arc >> 1]
        return found

    def _add(self, node: int, to: int, cost: int, cost_back: int) -> None:
        self._arcs[node].append((to, len(self._cost)))
        self._arcs[to].append((node, len(self._cost) + 1))
        self._cost += [cost, cost_back]

    def _use(self, arc: int) -> None:
        """One unit more along an arc; sets what the pair costs from now on."""
        pair = arc >> 1
        units = self._units[pair] = self._units[pair] + (-1 if arc & 1 else 1)
        if pair < self._lines:
            self._cost[2 * pair] = 1 if units >= 0 else -1
            self._cost[2 * pair + 1] = 1 if units <= 0 else -1
        else:
            self._cost[2 * pair + 1] = 0 if units else _NEVER

    def _first_bounds(self, board: Board) -> list[int]:
        """The costs to the sink while nothing flows: into a day, or along the line to a better."""
        days = self._days
        bounds = list(self._next_cost)
        for group in board.groups:
            line = [
                cost if starts else _NEVER
                for cost, starts in zip(self._next_cost, group.starts, strict=True)
            ]
            for day in range(1, days):
                line[day] = min(line[day], line[day - 1] + 1)
            for day in range(days - 2, -1, -1):
                line[day] = min(line[day], line[day + 1] + 1)
            bounds += line
        return bounds

    def _search(self, source: int) -> tuple[int, dict[int, tuple[int, int]]] | None:
        """The day at the end of the cheapest way, and by which arc each node was reached."""
        days, rest, cost, arcs = self._days, self._rest, self._cost, self._arcs
        nodes = len(arcs)
        reached = {source: 0}
        came_by: dict[int, tuple[int, int]] = {}
        heap = [source]
        best, best_day = _FAR, -1
        while heap:
            # A distance and a node in one number sort as the pair would.
            so_far, node = divmod(heappop(heap), nodes)
            if so_far >= best:
                break
            if reached[node] < so_far:
                continue
            beyond = so_far - rest[node]
            if node < days and beyond + self._next_cost[node] < best:
                best, best_day = beyond + self._next_cost[node], node
            for to, arc in arcs[node]:
                distance = beyond + cost[arc] + rest[to]
                if distance < best and distance < reached.get(to, _FAR):
                    reached[to] = distance
                    came_by[to] = node, arc
                    heappush(heap, distance * nodes + to)
        if best_day < 0:
            return None
        for node, distance in reached.items():
            if distance < best:
                rest[node] += best - distance
        return best_day, came_by

"""Circles among edges of a relation over which nothing may lead back to itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise


def cycles(ties: Iterable[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """One circle of each knot of (source, target) pairs: its nodes in the order of the edges, from its smallest,
    the same whatever the order of ``ties``. Where there is none it takes time and room in proportion to the pairs
    (peeling, Kahn 1962)."""
    core = _core(sorted(set(ties)))
    if not core:
        return
    import networkx

    graph = networkx.DiGraph(core)
    for knot in sorted(map(sorted, networkx.strongly_connected_components(graph))):
        first = knot[0]
        if len(knot) == 1 and not graph.has_edge(first, first):
            continue
        here = graph.subgraph(knot)
        ways = (networkx.shortest_path(here, after, first) for after in sorted(here.successors(first)))
        yield (first, *min(ways, key=lambda way: (len(way), way))[:-1])


def steps(cycle: Iterable[str]) -> list[tuple[str, str]]:
    """The (source, target) pairs of a circle."""
    nodes = list(cycle)
    return [*pairwise(nodes), (nodes[-1], nodes[0])]


def _core(ties: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What is left when nodes that nothing leads to, or that lead nowhere, are taken away again and again."""
    for near, far in ((1, 0), (0, 1)):
        degree: dict[str, int] = {}
        onward: dict[str, list[str]] = {}
        for tie in ties:
            degree[tie[near]] = degree.get(tie[near], 0) + 1
            degree.setdefault(tie[far], 0)
            onward.setdefault(tie[far], []).append(tie[near])
        free = [node for node, n in degree.items() if n == 0]
        gone = set(free)
        while free:
            for other in onward.get(free.pop(), ()):
                degree[other] -= 1
                if degree[other] == 0:
                    gone.add(other)
                    free.append(other)
        ties = [tie for tie in ties if gone.isdisjoint(tie)]
    return ties


__all__ = ["cycles", "steps"]

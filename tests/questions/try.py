import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from asked import *

names = (
    sys.argv[1].split(",")
    if len(sys.argv) > 1 and sys.argv[1]
    else ["sales", "team", "orders", "home", "chat"]
)
only = sys.argv[2] if len(sys.argv) > 2 else None
verbose = len(sys.argv) > 2
bad = tot = 0
for n in names:
    d = read(f"{n}.yaml")
    m = world(d["world"], ":memory:")
    b = 0
    for q in d["questions"]:
        if only and only not in q["ask"]:
            continue
        c = ask(m, q)
        f = faults(q, c)
        tot += 1
        if f:
            bad += 1
            b += 1
        if f or verbose:
            print(n, "|", q["ask"], "|", *f, "| conf", c.confidence, "| n", len(c.text.splitlines()))
        if verbose:
            print(c.text, c.questions)
            print([(s.kind, s.reason) for s in c.trace.steps][:40])
    print("##", n, b, len(d["questions"]))
print(bad, tot)

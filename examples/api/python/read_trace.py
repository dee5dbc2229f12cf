"""Looks at a trace with SciPy, without MPI: read_trace.py first.kith"""
import sys

import kith

if len(sys.argv) != 2:
    sys.exit(__doc__)

trace = kith.read_trace(sys.argv[1])
print(trace.meta["program"], "on", trace.ranks, "ranks,", trace.bytes.sum(), "bytes")
for name, matrix in trace.classes.items():
    print(f"{name}: {matrix.sum()} bytes between {matrix.nnz} pairs")
for phase in trace.phases:
    print(f"phase {phase.name!r}: {phase.bytes.sum()} bytes")

pairs = trace.bytes.tocoo()
heaviest = pairs.data.argmax()
print("heaviest:", pairs.row[heaviest], "->", pairs.col[heaviest], pairs.data[heaviest], "bytes")

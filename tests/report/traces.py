"""Traces for the report's tests and screenshots, written as a job would."""
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt


def write_matrix(path, ranks, cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = "".join(f"{i + 1} {j + 1} {weight}\n" for (i, j), weight in sorted(cells.items()))
    path.write_text("%%MatrixMarket matrix coordinate integer general\n"
                    f"{ranks} {ranks} {len(cells)}\n{rows}")


def added(parts):
    total = {}
    for part in parts:
        for cell, weight in part.items():
            total[cell] = total.get(cell, 0) + weight
    return total


def grid_halo(rows, columns, weight):
    """Neighbours in a periodic grid, ranks row by row; rows talk four times as much."""
    cells = {}
    for r in range(rows):
        for c in range(columns):
            for dr, dc, part in ((0, 1, 4), (0, -1, 4), (1, 0, 1), (-1, 0, 1)):
                other = (r + dr) % rows * columns + (c + dc) % columns
                cells[r * columns + c, other] = weight * part + r
    return cells


def write_job(path, hosts, per_host, phases, seed=1, round_robin=True):
    """A trace of len(hosts) * per_host ranks; `phases`: (name, {(from, to): bytes}, CPU seconds).

    Returns its path.
    """
    path = pathlib.Path(path)
    ranks = len(hosts) * per_host
    rng = random.Random(seed)
    total = added(cells for _, cells, _ in phases)
    messages = {cell: 1 + weight // 4096 for cell, weight in total.items()}
    write_matrix(path / "bytes.mtx", ranks, total)
    write_matrix(path / "messages.mtx", ranks, messages)
    write_matrix(path / "classes/p2p.bytes.mtx", ranks, total)
    for name in ("coll", "rma"):
        write_matrix(path / f"classes/{name}.bytes.mtx", ranks, {})
    files = [f"phases/{k:04}.bytes.mtx" for k in range(1, len(phases) + 1)]
    for file, (_, cells, _) in zip(files, phases):
        write_matrix(path / file, ranks, cells)

    (path / "meta.json").write_text(json.dumps({
        "format": 1, "kith_version": "0.1.0", "program": "/opt/solver", "ranks": ranks,
        "mpi_library": "Open MPI v4.1.4", "hosts": hosts,
        "phases": [{"name": name, "file": file} for file, (name, _, _) in zip(files, phases)],
        "sources": {"collectives": "exact"}, "partial": False, "totals": {}}))
    (path / "machine.json").write_text(json.dumps({
        "format": 1, "hosts": [{"name": host, "hardware": 0} for host in hosts],
        "hardware": [{"digest": "", "file": None}],
        "ranks": [{"rank": r, "launcher_rank": r, "cpus": "",
                   "host": r % len(hosts) if round_robin else r // per_host}
                  for r in range(ranks)]}))
    load = ["phase,rank,cpu_outside_s,cpu_inside_s,instructions"]
    seconds = [sum(s for _, _, s in phases), *(s for _, _, s in phases)]
    for phase, share in enumerate(seconds):
        for rank in range(ranks):
            outside = share * (0.6 + 0.1 * rng.random() + (0.2 if rank % 7 == 0 else 0))
            load.append(f"{phase},{rank},{outside:.6f},{share - outside:.6f},")
    (path / "load.csv").write_text("\n".join(load) + "\n")
    sizes = ["class,rank,at_most_bytes,messages"]
    for rank in range(ranks):
        sizes += [f"p2p,{rank},{2 ** k - 1},{rng.randrange(40 * k)}" for k in range(5, 18, 2)]
        sizes += [f"coll,{rank},{2 ** k - 1},{rng.randrange(100)}" for k in range(3, 8)]
    (path / "sizes.csv").write_text("\n".join(sizes) + "\n")
    return path


def phased_job(path):
    """16 ranks, round robin on four hosts: rows of a 4 x 4 grid, then columns, then all to one."""
    return write_job(path, [f"tux{i}" for i in range(4)], 4, [
        ("read input", {(0, rank): 3000 + rank for rank in range(1, 16)}, 2),
        ("solve", grid_halo(4, 4, 100000), 20),
        ("transpose", {(i, 15 - i): 70000 for i in range(16)}, 9)])


def threaded_job(path):
    """Four ranks on two hosts of two packages with four cores each. Ranks 0 and 1 have eight threads
    of which each shares with the next; rank 2 has threads that share nothing; ranks 0 and 1 are
    bound to the same core."""
    path = write_job(path, ["tux0", "tux1"], 2, [("all", {(0, 1): 1000, (2, 3): 50}, 1)],
                     round_robin=False)
    kt.run([kt.setting("KITH"), "topo", "hwloc:package:2 core:4 pu:1", "--format", "hwloc",
            "-o", path / "host-0.xml"])
    machine = json.loads((path / "machine.json").read_text())
    machine["hardware"] = [{"digest": "0123456789abcdef", "file": "host-0.xml"}]
    for rank, cpus in zip(machine["ranks"], ("3", "3", "0-7", "0-7")):
        rank["cpus"] = cpus
    (path / "machine.json").write_text(json.dumps(machine))
    ring = {(i, (i + 1) % 8): 500 + i for i in range(8)}
    write_matrix(path / "threads/0.mtx", 8, ring)
    write_matrix(path / "threads/1.mtx", 8, {cell: 2 * touches for cell, touches in ring.items()})
    write_matrix(path / "threads/2.mtx", 2, {})
    return path


# U+FFFD is what a job writes for bytes that are no UTF-8.
HOSTILE = ["<img src=x onerror=hacked=1>", "h" * 300, "caf\ufffd\u202e\u0007", "</script><b>4"]


def hostile_job(path):
    """Names that a page must show as text: markup, very long, control characters."""
    return write_job(path, HOSTILE, 4, [
        ("<script>hacked=1</script>", grid_halo(4, 4, 1000), 1),
        ("</title>\u2028", {(0, 1): 5}, 1)])

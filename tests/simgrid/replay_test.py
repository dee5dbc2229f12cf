#!/usr/bin/env python3
"""SimGrid replays what `kith convert --to smpi` writes to its end, without a deadlock, and each link
carries what the matrix says (and SimGrid's own 16 bytes a message)."""
import collections
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from kithtest import check, check_equal, read_matrix, run, setting, skip, work_folder  # noqa: E402

MAKE = setting("KITH_BINARY") / "bin" / "made_trace"
COUNTER = setting("KITH_BINARY") / "lib" / "liblink_bytes.so"
ENVELOPE = 16
NODES, PER_NODE = 3, 2
RANKS = NODES * PER_NODE


def replay(index, count_links=True):
    """{link: bytes}"""
    pathlib.Path("hosts").write_text("".join(f"node{rank // PER_NODE}\n" for rank in range(RANKS)))
    wrapper = ["-wrapper", f"env LD_PRELOAD={COUNTER}"] if count_links else []
    done = run(["smpirun", *wrapper, "-np", RANKS, "-platform", "p.xml", "-hostfile", "hosts",
                "-replay", index, "--cfg=smpi/host-speed:1Gf", "--log=root.thres:warning"])
    # SimGrid's own exit status does not tell.
    check("eadlock" not in done.stdout + done.stderr, f"{index}: {done.stdout}{done.stderr}")
    return {link: int(size) for word, link, size in
            (line.split() for line in done.stdout.splitlines() if line.startswith("link "))}


def expected(trace):
    links = collections.Counter()
    messages = read_matrix(f"{trace}/messages.mtx")
    for (source, target), size in read_matrix(f"{trace}/bytes.mtx").items():
        here, there = source // PER_NODE, target // PER_NODE
        if here == there:
            continue
        size += ENVELOPE * messages[source, target]
        links[f"link{here}_UP"] += size
        links[f"link{there}_DOWN"] += size
    return dict(links)


def main():
    if not shutil.which("smpirun") or not COUNTER.exists():
        skip("no SimGrid (tools/install-packages --with-full-tests)")
    kith = setting("KITH")
    run([kith, "topo", f"tree:{NODES}x{PER_NODE}", "--format", "simgrid", "-o", "p.xml"])
    for seed in range(1, 7):
        trace = f"seed{seed}.kith"
        run([MAKE, trace, RANKS, seed])
        run([kith, "convert", trace, f"seed{seed}", "--to", "smpi"])
        carried = replay(f"seed{seed}/index")
        check(carried, f"seed {seed}: no link carried anything")
        check_equal(carried, expected(trace), f"seed {seed}: bytes of links")
        run([kith, "convert", trace, f"native{seed}", "--to", "smpi", "--collectives", "native"])
        replay(f"native{seed}/index")


with work_folder():
    main()
print("ok")

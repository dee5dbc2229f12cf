#!/usr/bin/env python3
"""LAMMPS on 4 hosts x 4 ranks as the launcher deals them, then again reordered by its trace: the
bytes that leave the hosts fall as the mapping predicts, and the physics stays.

usage (inside a bed): lammps_reorder_test.py cube|slab STEPS
The cube is started round-robin by host, the slab host by host: each as suits it worst. The cube is
reordered by a mapping that `kith map` made for the job, the slab by its trace, mapped at the start.

Bytes are those of the shapers' own counters. What the launcher, MPI_Init and Kith itself send is
measured with a program that only starts and ends, and taken off. The rest is payload and headers,
so the test compares the ratio of the two runs with the ratio that the mapping predicts.
"""
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import lammps_case
from shapers import bytes_out


CASES = lammps_case.CLUSTER_CASES
# How the launcher deals ranks to hosts, and the host of each rank then.
DEALT = {"cube": ("node", [0, 1, 2, 3] * 4),
         "slab": ("ppr:4:node", [rank // 4 for rank in range(16)])}
TOLERANCE = 0.10


def launch(map_by, kith_options, program):
    """`kith run` on host h0: (stdout, bytes that left the hosts, seconds)."""
    sent, started = bytes_out(), time.monotonic()
    output = kt.run(["onhost", "h0", kt.setting("KITH"), "run", *kith_options, "--", "mpirun", "-n",
                     16, "--map-by", map_by, *program], timeout=150).stdout
    return output, bytes_out() - sent, time.monotonic() - started


def network_bytes(trace, mapping=None):
    """What the engine says that a mapping sends between the hosts of the job."""
    command = [kt.setting("KITH"), "eval", trace, "--json"]
    row = json.loads(kt.run(command + (["--mapping", mapping] if mapping else [])).stdout)
    return row.get("metrics", row)["level_bytes"][0]


def check_hosts(trace, expected):
    """The trace has seen the cluster: 4 hosts, and the host of each launcher rank."""
    machine = json.loads((pathlib.Path(trace) / "machine.json").read_text())
    kt.check_equal([host["name"] for host in machine["hosts"]],
                   os.environ["BED_HOSTS"].split(), "hosts in machine.json")
    kt.check_equal([rank["host"] for rank in machine["ranks"]], expected,
                   "host of each launcher rank")


def main(case, steps):
    kt.need_programs("lmp", "mpirun")
    program = lammps_case.command(**CASES[case], n=steps)
    map_by, hosts = DEALT[case]
    idle = kt.setting("KITH_BINARY") / "tests/apps/whereami"

    _, base, _ = launch(map_by, ["--trace", "idle"], [idle])
    text, sent_before, wall_before = launch(map_by, ["--trace", "first"], program)
    check_hosts("first.kith", hosts)
    kt.check_trace("first.kith", 16)
    kt.run([kt.setting("KITH"), "map", "first.kith", "-o", "job.map"])
    order = "job.map" if case == "cube" else "first.kith"
    again, sent_after, wall_after = launch(
        map_by, ["--trace", "second", "--reorder", order], program)
    check_hosts("second.kith", hosts)
    if case == "slab":  # the job's own mapping: rank r runs where the launcher put its place
        placed = kt.placement("second.kith")
        kt.write_mapping("job.map", [placed.index(rank) for rank in range(16)])

    before, predicted = network_bytes("first.kith"), network_bytes("first.kith", "job.map")
    measured = (sent_after - base) / (sent_before - base)
    print(f"start and end alone: {base:,} bytes leave the hosts")
    print(f"{'':10}{'predicted':>14}{'left the hosts':>18}{'per predicted':>16}{'wall s':>9}")
    print(f"{'launcher':10}{before:14,}{sent_before:18,}"
          f"{(sent_before - base) / before:16.3f}{wall_before:9.1f}")
    print(f"{'reordered':10}{predicted:14,}{sent_after:18,}"
          f"{(sent_after - base) / predicted:16.3f}{wall_after:9.1f}")
    print(f"ratio: predicted {predicted / before:.3f}, measured {measured:.3f}")

    kt.check_equal(lammps_case.thermo(again), lammps_case.thermo(text), "thermodynamics")
    kt.check(predicted < 0.8 * before, "the mapping saves too little to test anything")
    kt.check(abs(measured / (predicted / before) - 1) <= TOLERANCE,
             f"the bytes fell to {measured:.3f} of the first run's, "
             f"but the mapping predicted {predicted / before:.3f}")
    for what, sent, payload in (("first", sent_before, before), ("second", sent_after, predicted)):
        kt.check(abs((sent - base) / payload - 1) <= TOLERANCE,
                 f"{what} run: {sent - base} bytes left the hosts, the trace tells of {payload}")


if __name__ == "__main__":
    with kt.work_folder():
        main(sys.argv[1], int(sys.argv[2]))

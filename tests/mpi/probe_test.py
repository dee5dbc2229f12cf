#!/usr/bin/env python3
"""kith probe with a real launcher on this machine: one host."""
import json
import os
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

KITH = kt.setting("KITH")


def probe(*launcher, environment=None):
    done = kt.run([KITH, "probe", "--json", "-o", "machine.net", "--", "mpirun", *launcher],
                  environment)
    ranks, processors = int(launcher[1]), len(os.sched_getaffinity(0))
    kt.check((f"{ranks} ranks shared {processors} processor" in done.stderr) == (ranks > processors),
             f"{ranks} ranks, {processors} processors: {done.stderr}")
    return json.loads(done.stdout)


def check_host(found, ranks, what):
    kt.check_equal((found["ranks"], found["pairs"], found["levels"]), (ranks, 0, []), what)
    kt.check_equal([host["name"] for host in found["hosts"]], [socket.gethostname()], what)
    slots = max(ranks, json.loads(kt.run([KITH, "topo", "--json"]).stdout)["slots"])
    kt.check_equal(found["hosts"][0]["slots"], slots, f"{what}: slots")
    kt.check(found["host_levels"], f"{what}: no level inside the host")
    for level in found["host_levels"]:
        kt.check(level["name"] == "host" or level["cost"] > 0, f"{what}: {level}")
    kt.check(any(level["latency_us"] > 0 and level["megabytes_per_s"] > 0
                 for level in found["host_levels"]), f"{what}: {found['host_levels']}")


with kt.work_folder() as work:
    kt.need_programs("mpirun")
    check_host(probe("-n", 2), 2, "2 ranks")
    text = pathlib.Path("machine.net").read_text()
    kt.check(text.startswith("level host cost="), text)
    kt.check(f"\n{socket.gethostname()} slots=" in text, text)

    # Unbound ranks meet at the host; those on cores of one package where the machine has it.
    bound = probe("-n", 2, "--mca", "hwloc_base_binding_policy", "core:overload-allowed")
    check_host(bound, 2, "bound ranks")
    check_host(probe("-n", 5), 5, "more ranks than cores")

    # Under a preload of Kith nothing is recorded.
    probe("-n", 2, environment={"LD_PRELOAD": str(kt.setting("KITH_LIB")), "KITH_TRACE": "trace"})
    kt.check_equal(sorted(os.listdir()), ["machine.net"], "files")

    alone = kt.run([KITH, "probe", "--", "mpirun", "-n", 1], status=2)
    kt.check("at least two ranks" in alone.stderr, alone.stderr)
    print("one host")

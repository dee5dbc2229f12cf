#!/usr/bin/env python3
"""kith probe finds by measuring how the hosts of a bed are connected.

usage (inside a bed): probe_test.py form        any hosts: the form of what is found, and endings
                      probe_test.py switches    8 hosts, 4 to a switch, 100 Mbit/s, uplinks of 30
                      probe_test.py flat        6 hosts on one switch, 100 Mbit/s

The first holds on a machine that is busy with other things. The others judge what was measured, and
need it for themselves (label full); what is inferred from given measurements is tested in
tests/unit/machine/probe_inference.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt


HOSTS = os.environ["BED_HOSTS"].split()
KITH = kt.setting("KITH")
SWITCHES = {"switch0": {"h0", "h1", "h2", "h3"}, "switch1": {"h4", "h5", "h6", "h7"}}
# What the shapers let through, MB/s; headers take one or two per cent.
LINK, UPLINK = 12.5, 3.75


def probe(*options, launcher):
    done = kt.run(["onhost", "h0", KITH, "probe", "--json", *options, "--", *launcher])
    return json.loads(done.stdout)


def measured(*steps):
    """Each step passes within three tries: what else runs on this machine disturbs measurements."""
    for step in steps:
        for tries_left in (2, 1, 0):
            try:
                step()
                break
            except SystemExit:
                if tries_left == 0:
                    raise
                print("measuring once more", flush=True)


def form():
    """Two ranks on each host: whatever is measured, all hosts and pairs are there, and the file is a machine."""
    found = probe("-o", "machine.net", launcher=["mpirun", "-n", 2 * len(HOSTS), "--map-by", "node"])
    kt.check_equal(found["ranks"], 2 * len(HOSTS), "ranks")
    kt.check_equal({host["name"] for host in found["hosts"]}, set(HOSTS), "hosts")
    most = len(HOSTS) * (len(HOSTS) - 1) // 2
    kt.check(0 < found["pairs"] <= most, f"{found['pairs']} of {most} pairs")
    kt.check(found["levels"] and found["levels"][0]["name"] == "network", f"{found['levels']}")
    for level in found["levels"] + found["host_levels"]:
        kt.check(min(level["cost"], level["latency_us"]) > 0, f"{level}")
        kt.check(0 < level["overhead_us"] <= 2 * level["latency_us"], f"a send's time: {level}")
    kt.check_equal([level["name"] for level in found["host_levels"]], ["host"], "levels inside")
    topo = json.loads(kt.run([KITH, "topo", "hosts:machine.net", "--json"]).stdout)
    kt.check_equal(topo["nodes"], len(HOSTS), "nodes")
    kt.check_equal([level["cost"] for level in topo["levels"]],
                   [level["cost"] for level in found["levels"] + found["host_levels"]],
                   "measured costs of hosts:machine.net")
    print(kt.run([KITH, "topo", "hosts:machine.net"]).stdout)


def on_switches(found):
    switches = {}
    for host in found["hosts"]:
        switches.setdefault(" ".join(host["switches"]), set()).add(host["name"])
    return switches


def check_level(level, name, rate, what, several_ranks=True):
    """Bandwidth and cost are those of the shaper, within a tenth and less headers."""
    kt.check_equal(level["name"], name, what)
    kt.check(0.85 * rate < level["megabytes_per_s"] < 1.05 * rate,
             f"{what}: bandwidth of {rate} MB/s, found {level}")
    kt.check(0.9 < level["cost"] / (1e6 / rate) < 1.3,
             f"{what}: {1e6 / rate:.0f} ps a byte, found {level}")
    kt.check(0 < level["latency_us"] < 5000, f"{what}: {level}")
    # The shapers' token bucket of 32 KiB, less headers.
    kt.check(25e3 < level["burst_bytes"] < 36e3, f"{what}: a burst of 32 KiB, found {level}")
    # Open MPI's limit over TCP: 64 KiB with a header.
    kt.check(65e3 < level["eager_bytes"] < 65537, f"{what}: the eager limit, found {level}")
    if several_ranks and os.cpu_count() > 1:  # two ranks of a host share its cable, or the uplink
        kt.check(0.9 * rate < level["shared_megabytes_per_s"] < 1.05 * rate,
                 f"{what}: two messages at once have {rate} MB/s together, found {level}")


def check_switches(found, what):
    kt.check_equal(on_switches(found), SWITCHES, f"{what}: hosts by switch")
    kt.check_equal(len(found["levels"]), 2, f"{what}: levels")
    check_level(found["levels"][0], "network", UPLINK, what)
    check_level(found["levels"][1], "switch", LINK, what)


def switches():
    """2 x 4 hosts, with two ranks on each: written, and read as a machine."""
    found = probe("-o", "machine.net", launcher=["mpirun", "-n", 16, "--map-by", "node"])
    print(json.dumps(found["levels"]), f"{found['pairs']} pairs in {found['seconds']:.1f} s")
    check_switches(found, "16 ranks")
    kt.check(found["complete"], "the time was not enough")
    kt.check_equal(found["pairs"], 28, "pairs")
    kt.check_equal([level["name"] for level in found["host_levels"]], ["host"], "levels inside")
    kt.check(found["host_levels"][0]["cost"] < found["levels"][1]["cost"] / 3,
             f"inside a host: {found['host_levels']}")

    topo = json.loads(kt.run([KITH, "topo", "hosts:machine.net", "--json"]).stdout)
    kt.check_equal(topo["nodes"], 8, "nodes")
    kt.check_equal([(level["name"], level["count"]) for level in topo["levels"]],
                   [("network", 1), ("switch", 2), ("host", 8)], "levels of hosts:machine.net")
    kt.check_equal([level["cost"] for level in topo["levels"]],
                   [level["cost"] for level in found["levels"] + found["host_levels"]],
                   "measured costs of hosts:machine.net")
    print(kt.run([KITH, "topo", "hosts:machine.net"]).stdout)


def little_time():
    """One rank on each host; not all pairs fit into the time."""
    found = probe("--time-limit", 8, launcher=["mpirun", "--map-by", "ppr:1:node"])
    print(f"--time-limit 8: {found['pairs']} pairs in {found['seconds']:.1f} s")
    kt.check(found["seconds"] < 11, f"{found['seconds']} s with --time-limit 8")
    kt.check(found["pairs"] < 28, "all pairs were measured: this tests nothing")
    kt.check_equal(on_switches(found), SWITCHES, "hosts by switch in little time")
    kt.check_equal(found["host_levels"], [], "levels inside hosts of one rank")


def probing():
    return subprocess.run(["pgrep", "kith-probe"], stdout=subprocess.DEVNULL,
                          check=False).returncode == 0


def within_a_minute(condition):
    deadline = time.monotonic() + 60
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)
    return condition()


def ended():
    """What SIGTERM leaves: nothing."""
    job = subprocess.Popen(["onhost", "h0", KITH, "probe", "-o", "ended.net", "--", "mpirun", "-n",
                            "8", "--map-by", "node"], stderr=subprocess.PIPE, text=True)
    kt.check(within_a_minute(probing), "no kith-probe was started")
    job.send_signal(signal.SIGTERM)
    _, errors = job.communicate(timeout=60)
    kt.check(job.returncode > 0 and "mpirun failed with status" in errors,
             f"ended with status {job.returncode}: {errors}")
    kt.check_equal([path.name for path in pathlib.Path().glob("ended.net*")], [], "files left")
    # Those of other hosts end after the launcher.
    kt.check(within_a_minute(lambda: not probing()), "processes left")


def flat():
    found = probe(launcher=["mpirun", "-n", len(HOSTS), "--map-by", "node"])
    print(json.dumps(found["levels"]), f"{found['pairs']} pairs in {found['seconds']:.1f} s")
    kt.check_equal(on_switches(found), {"": set(HOSTS)}, "hosts by switch")
    kt.check_equal(len(found["levels"]), 1, "levels")
    check_level(found["levels"][0], "network", LINK, "flat", several_ranks=False)


with kt.work_folder():
    if sys.argv[1:] == ["form"]:
        form()
        ended()
    elif sys.argv[1:] == ["switches"]:
        measured(switches, little_time)
    else:
        measured(flat)

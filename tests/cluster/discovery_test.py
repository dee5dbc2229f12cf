#!/usr/bin/env python3
"""8 hosts, 4 to a switch: what KITH_NETWORK or Slurm says of the network is in the trace and in the
machine that mappings are made for; what they do not say costs a line and nothing else.

usage (inside a bed): discovery_test.py
"""
import json
import os
import pathlib
import stat
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt


HOSTS = 8
program = kt.setting("KITH_BINARY") / "tests/mpi/phases"


def trace(name, wrapper=(), **environment):
    """One rank on each host; returns machine.json by host name, and stderr."""
    done = kt.run(["onhost", "h0", kt.setting("KITH"), "run", "--trace", name, "--", "mpirun", "-n",
                   HOSTS, "--map-by", "node", *wrapper, program], environment=environment)
    machine = json.loads(pathlib.Path(f"{name}.kith/machine.json").read_text())
    kt.check_equal([host["name"] for host in machine["hosts"]],
                   [f"h{number}" for number in range(HOSTS)], f"{name}: hosts")
    kt.check_equal(len(machine["hardware"]), 1, f"{name}: kinds of hardware")
    kt.check(machine["hardware"][0]["file"] is not None, f"{name}: the hardware is unknown")
    return machine, done.stderr.replace(f"kith: recorded: {name}.kith; next: kith info {name}.kith\n", "")


def meeting_levels(name):
    """The bytes by level of the job's machine, top down: `phases` sends to ranks i + 1 and i + 2."""
    found = json.loads(kt.run([kt.setting("KITH"), "eval", name, "--json"]).stdout)
    return found["metrics"]["level_bytes"]


def check_two_switches(name, machine, source):
    kt.check_equal([host.get("switches") for host in machine["hosts"]],
                   [[f"s{number // 4}"] for number in range(HOSTS)], f"{name}: switches")
    kt.check(source in machine["network"]["source"], f"{name}: source {machine['network']}")
    kt.check_equal([level["name"] for level in machine["network"]["levels"]],
                   ["network", "switch"], f"{name}: levels")
    levels = meeting_levels(name)
    # Each rank sends 111 bytes one further and 1000 two further: across the switches go, on the
    # ring of eight, 2 x 111 and 4 x 1000.
    kt.check_equal(levels[0], 2 * 111 + 4 * 1000, f"{name}: bytes between switches")
    kt.check_equal(sum(levels), HOSTS * 1111, f"{name}: all bytes")
    topo = json.loads(kt.run([kt.setting("KITH"), "topo", f"{name}.kith", "--json"]).stdout)
    kt.check_equal([(level["name"], level["count"]) for level in topo["levels"]],
                   [("network", 1), ("switch", 2)], f"{name}: levels of the machine")
    kt.check_equal(topo["nodes"], HOSTS, f"{name}: nodes")
    info = kt.run([kt.setting("KITH"), "info", name]).stdout
    kt.check("network, switch between hosts, from " in info, f"{name}: {info}")


def host_list():
    pathlib.Path("hosts.net").write_text("".join(f"h{n}.cluster s{n // 4}\n" for n in range(HOSTS)))
    machine, errors = trace("listed", KITH_NETWORK="hosts.net")
    kt.check("kith: " not in errors, errors)
    check_two_switches("listed", machine, "hosts.net")
    print("a host list: 2 switches x 4 hosts")


def measured_levels():
    pathlib.Path("measured.net").write_text(
        "level network cost=270000 latency=190 bandwidth=3.7\n"
        "level switch cost=85000 latency=120 bandwidth=11.9\n" +
        pathlib.Path("hosts.net").read_text())
    trace("measured", KITH_NETWORK="measured.net")
    found = json.loads(kt.run([kt.setting("KITH"), "eval", "measured", "--json"]).stdout)
    metrics = found["metrics"]
    across, within = metrics["level_bytes"][:2]
    kt.check_equal(metrics["sum_com"], across * 270000 + within * 85000, "sum_com")
    print("measured costs are the machine's")


def unknown_hosts():
    pathlib.Path("some.net").write_text("".join(f"h{n} s{n // 4}\n" for n in (0, 1, 2, 4, 7)))
    machine, errors = trace("some", KITH_NETWORK="some.net")
    lines = [line for line in errors.splitlines() if line.startswith("kith: ")]
    kt.check_equal(len(lines), 1, f"lines: {errors}")
    kt.check("does not name 3 of 8 hosts (h[3,5-6])" in lines[0], lines[0])
    kt.check_equal(machine["hosts"][1]["switches"], ["s0"], "a host that is named")
    kt.check_equal(machine["hosts"][5]["switches"], ["h5"], "a host that is not")
    print("hosts that are not named hang on the root")


def useless_files():
    pathlib.Path("bad.net").write_text("h0 s0\nh1 speed=3\n")
    pathlib.Path("other.net").write_text("x s0\ny s1\n")
    for name, says in (("bad", "bad.net:2: expected slots=N or switches"),
                       ("other", "names none of the job's hosts (h[0-7])"),
                       ("absent", "absent.net: expected a readable file")):
        machine, errors = trace(name, KITH_NETWORK=f"{name}.net")
        lines = [line for line in errors.splitlines() if line.startswith("kith: ")]
        kt.check(len(lines) == 1 and says in lines[0], f"{name}: {errors}")
        kt.check("network" not in machine, f"{name}: {machine.get('network')}")
    print("a file that is no use costs a line")


def wrapper(name, text):
    """A script under the launcher that sets what Slurm would, each host its own."""
    path = pathlib.Path(name).absolute()
    path.write_text(f"#!/bin/sh\nhost=$(hostname)\nnumber=${{host#h}}\n{text}\nexec \"$@\"\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return [path]


def slurm():
    addresses = wrapper("addresses", "export SLURM_JOB_ID=1 "
                        "SLURM_TOPOLOGY_ADDR=core.s$((number / 4)).$host "
                        "SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.node")
    machine, errors = trace("addresses", addresses)
    kt.check("kith: " not in errors, errors)
    check_two_switches("addresses", machine, "SLURM_TOPOLOGY_ADDR")

    os.mkdir("conf")
    pathlib.Path("conf/topology.conf").write_text(
        "SwitchName=s0 Nodes=h[0-3]\nSwitchName=s1 Nodes=h[4-7]\nSwitchName=core Switches=s[0-1]\n")
    files = wrapper("files", f"export SLURM_JOB_ID=1 SLURM_CONF={os.getcwd()}/conf/slurm.conf "
                    "SLURM_TOPOLOGY_ADDR=$host SLURM_TOPOLOGY_ADDR_PATTERN=node")
    machine, errors = trace("files", files)
    kt.check("kith: " not in errors, errors)
    check_two_switches("files", machine, "topology.conf")

    machine, _ = trace("told", addresses, KITH_NETWORK="some.net")
    kt.check("some.net" in machine["network"]["source"], "KITH_NETWORK comes before Slurm")
    print("Slurm's variables and topology.conf")


with kt.work_folder():
    host_list()
    measured_levels()
    unknown_hosts()
    useless_files()
    slurm()

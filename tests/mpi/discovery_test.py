#!/usr/bin/env python3
"""What a job on one host finds out about its places: bindings, hidden processors, containers.

usage: discovery_test.py (through ctest)
"""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS = 4
program = kt.setting("KITH_BINARY") / "tests/mpi/phases"


def machine_of(name, command, settings=None):
    trace = pathlib.Path(f"{name}.kith").absolute()
    done = kt.mpirun(RANKS, command, preload=True,
                     settings={"KITH_TRACE": trace, **(settings or {})})
    kt.check("kith: " not in done.stderr, done.stderr)
    return trace, json.loads((trace / "machine.json").read_text())


def script(name, text):
    path = pathlib.Path(name).absolute()
    path.write_text(f"#!/bin/sh\n{text}\nexec \"$@\"\n")
    path.chmod(0o755)
    return path


def bound_ranks():
    """A binding that the launcher knows nothing of: the odd ranks on the last processor."""
    cpus = sorted(os.sched_getaffinity(0))
    kt.need_programs("taskset")
    if len(cpus) < 2:
        return kt.not_tried("bindings: one processor only")
    odd = script("odd", f'[ $((OMPI_COMM_WORLD_RANK % 2)) = 0 ] || taskset -pc {cpus[-1]} $$ '
                 '> /dev/null')
    _, machine = machine_of("bound", [odd, program])
    for process in machine["ranks"][1::2]:
        kt.check_equal(process["cpus"], str(cpus[-1]), "a rank bound by taskset")
    for process in machine["ranks"][::2]:
        kt.check(process["cpus"] != str(cpus[-1]), "a rank that was not bound")
    kt.check_equal(len(machine["hosts"]), 1, "hosts")
    # Ranks on one processor share the place, but have a slot each.
    found = json.loads(kt.run([kt.setting("KITH"), "map", "bound", "--json"]).stdout)
    kt.check_equal(found["slots"], RANKS, "slots")
    print("ranks are where the kernel says")


def xml_of_host(cores, allowed):
    """hwloc's XML of a host of so many cores of one thread, of which this job may use some."""
    mask = f"0x{(1 << cores) - 1:08x}"
    usable = f"0x{sum(1 << cpu for cpu in allowed):08x}"
    children = "".join(
        f'<object type="Core" os_index="{cpu}" cpuset="0x{1 << cpu:08x}" '
        f'complete_cpuset="0x{1 << cpu:08x}" nodeset="0x1" complete_nodeset="0x1" gp_index="{9 + cpu}">'
        f'<object type="PU" os_index="{cpu}" cpuset="0x{1 << cpu:08x}" '
        f'complete_cpuset="0x{1 << cpu:08x}" nodeset="0x1" complete_nodeset="0x1" '
        f'gp_index="{99 + cpu}"/></object>\n'
        for cpu in range(cores))
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n'
            '<topology version="2.0">\n'
            f'<object type="Machine" os_index="0" cpuset="{mask}" complete_cpuset="{mask}" '
            f'allowed_cpuset="{usable}" nodeset="0x1" complete_nodeset="0x1" '
            'allowed_nodeset="0x1" gp_index="1">\n'
            f'<object type="NUMANode" os_index="0" cpuset="{mask}" complete_cpuset="{mask}" '
            'nodeset="0x1" complete_nodeset="0x1" gp_index="2" local_memory="1000000"/>\n'
            f'{children}</object>\n</topology>\n')


def cores_in(trace, machine):
    xml = (trace / machine["hardware"][0]["file"]).read_text()
    return {int(part.split('"')[1]) for part in xml.split('type="Core" os_index=')[1:]}


def judged_binding():
    """`kith info` names what is wrong: all ranks on one core of many, with too many threads."""
    cpu = sorted(os.sched_getaffinity(0))[-1]
    if cpu >= 30:
        return kt.not_tried("the judge of bindings: this machine has too many processors")
    pathlib.Path("large.xml").write_text(xml_of_host(32, range(32)))
    bind = f"export HWLOC_XMLFILE={os.getcwd()}/large.xml; taskset -pc {cpu} $$ > /dev/null"
    wrong = script("wrong", f"{bind}; export OMP_NUM_THREADS=4,2 LD_PRELOAD=$LD_PRELOAD:libgomp.so.1")
    trace, machine = machine_of("wrong", [wrong, program])
    kt.check_equal({process["threads"] for process in machine["ranks"]}, {4}, "threads of ranks")
    found = json.loads(kt.run([kt.setting("KITH"), "info", trace, "--json"]).stdout)["binding"]
    kt.check_equal([(fault["rule"], fault["ranks"]) for fault in found],
                   [("shared-core", [0, 1, 2, 3]), ("few-cores", [0, 1, 2, 3])], "mistakes")
    text = kt.run([kt.setting("KITH"), "info", trace]).stdout
    kt.check("ranks 0, 1, 2 and 3 share one core, while 31 cores of 32 have no rank" in text, text)
    kt.check("mend: mpirun --map-by slot:PE=4 --bind-to core" in text, text)
    # OMP_NUM_THREADS without an OpenMP library says nothing.
    quiet = script("quiet", f"export HWLOC_XMLFILE={os.getcwd()}/large.xml OMP_NUM_THREADS=64")
    trace, machine = machine_of("quiet", [quiet, program])
    kt.check("threads" not in machine["ranks"][0], "threads of a program without OpenMP")
    found = json.loads(kt.run([kt.setting("KITH"), "info", trace, "--json"]).stdout)["binding"]
    kt.check_equal([fault["rule"] for fault in found if fault["rule"] == "few-cores"], [], "threads")
    far_gpus(bind, cpu)
    undone_binding(bind, cpu)
    print("wrong bindings are named, with what mends them")


def usual_threads():
    """Without OMP_NUM_THREADS a program of OpenMP starts a thread for each processor that it may use."""
    unset = script("unset", "unset OMP_NUM_THREADS OMP_THREAD_LIMIT")
    limited = script("limited", "unset OMP_NUM_THREADS; export OMP_THREAD_LIMIT=1")
    teams = kt.setting("KITH_BINARY") / "tests/mpi/open_mp_places"
    every = {len(os.sched_getaffinity(0))}
    for name, words, expected in (("usual", [unset, teams, "mpi"], every), ("few", [limited, teams, "mpi"], {1}),
                                  ("none", [unset, program], {None})):
        _, machine = machine_of(f"{name}_threads", words)
        kt.check_equal({process.get("threads") for process in machine["ranks"]}, expected, name)
    print("threads of OpenMP are known where nothing says their number")


def far_gpus(bind, cpu):
    far = script("far", f"{bind}; export CUDA_VISIBLE_DEVICES=${{OMPI_COMM_WORLD_LOCAL_RANK:-$MPI_LOCALRANKID}}")
    trace, machine = machine_of("far", [far, program])
    kt.check_equal(sorted(process["gpus"] for process in machine["ranks"]), ["0", "1", "2", "3"], "GPUs of ranks")
    for process in machine["ranks"]:  # as on a machine that has them
        process["gpu_cpus"] = "31" if process["gpus"] == "2" else str(cpu)
    (trace / "machine.json").write_text(json.dumps(machine))
    found = json.loads(kt.run([kt.setting("KITH"), "info", trace, "--json"]).stdout)["binding"]
    expected = [process["rank"] for process in machine["ranks"] if process["gpus"] == "2"]
    kt.check_equal([fault["ranks"] for fault in found if fault["rule"] == "far-gpu"], [expected], "a far GPU")
    for broken in ("x-2", 7):
        machine["ranks"][0]["gpu_cpus"] = broken
        (trace / "machine.json").write_text(json.dumps(machine))
        kt.check("gpu_cpus" in kt.run([kt.setting("KITH"), "info", trace], status=2).stderr, f"{broken}")


def undone_binding(bind, cpu):
    """The program binds its ranks to another processor than the launcher."""
    other = sorted(os.sched_getaffinity(0))[0]
    trace, machine = machine_of("undone", [script("undone", bind), program], {"MOVE_TO": other})
    kt.check_equal({process.get("end_cpus", str(cpu)) for process in machine["ranks"]}, {str(other)}, "in the end")
    found = json.loads(kt.run([kt.setting("KITH"), "info", trace, "--json"]).stdout)["binding"]
    kt.check_equal([fault["ranks"] for fault in found if fault["rule"] == "undone"],
                   [[0, 1, 2, 3]] if other != cpu else [], "undone by the program")
    trace, machine = machine_of("kept", [script("kept", bind), program], {"MOVE_TO": cpu})
    kt.check("end_cpus" not in machine["ranks"][0], "a binding that stays")


def hidden_processors():
    """hwloc is told of a host of which a cgroup hides half; but where ranks run there, they are."""
    cpus = sorted(os.sched_getaffinity(0))
    if cpus[-1] >= 30:
        return kt.not_tried("hidden processors: this machine has too many")
    visible = [cpu for cpu in range(32) if cpu not in cpus][:2]
    pathlib.Path("host.xml").write_text(xml_of_host(32, visible))
    told = script("told", f"export HWLOC_XMLFILE={os.getcwd()}/host.xml")
    trace, machine = machine_of("hidden", [told, program])
    kt.check_equal(cores_in(trace, machine), {*visible, *cpus}, "cores of the host")
    print("what a cgroup hides stays hidden, but not where ranks run")


def measured_inside():
    """Costs inside the host, from a network file."""
    name = os.uname().nodename
    pathlib.Path("host.net").write_text(f"level host cost=700 latency=1\n{name}\n")
    trace, machine = machine_of("inside", [program],
                                {"KITH_NETWORK": pathlib.Path("host.net").absolute()})
    kt.check_equal(machine["network"]["host_levels"],
                   [{"name": "host", "cost_ps_per_byte": 700, "latency_us": 1}], "host levels")
    found = json.loads(kt.run([kt.setting("KITH"), "eval", trace, "--json"]).stdout)["metrics"]
    kt.check_equal(found["sum_com"], 700 * sum(found["level_bytes"]), "sum_com")
    print("costs inside a host")


with kt.work_folder():
    bound_ranks()
    judged_binding()
    usual_threads()
    hidden_processors()
    measured_inside()
kt.finish()

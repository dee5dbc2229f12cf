#!/usr/bin/env python3
"""kith map --format: what launchers read, read back by readers of our own: the mapping again."""
import json
import pathlib
import re
import subprocess

from kithcli import KithTest, main, read_mapping, write_mtx

# Two packages of two cores with two threads each: CPUs 0 and 4 are core 0, 1 and 5 core 1, ...
HOST = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
 <object type="Machine" os_index="0" cpuset="0xff" complete_cpuset="0xff" allowed_cpuset="0xff"
   nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1">
  <object type="NUMANode" os_index="0" cpuset="0xff" complete_cpuset="0xff" nodeset="0x1"
    complete_nodeset="0x1" local_memory="1024"/>
  {packages}
 </object>
</topology>
"""


def cpus_mask(*cpus):
    mask = sum(1 << cpu for cpu in cpus)
    return f'cpuset="{mask:#x}" complete_cpuset="{mask:#x}" nodeset="0x1" complete_nodeset="0x1"'


def host_xml():
    packages = ""
    for package in range(2):
        cores = ""
        for core in (2 * package, 2 * package + 1):
            threads = "".join(f'<object type="PU" os_index="{cpu}" {cpus_mask(cpu)}/>'
                              for cpu in (core, core + 4))
            cores += f'<object type="Core" {cpus_mask(core, core + 4)}>{threads}</object>'
        first = 2 * package
        packages += (f'<object type="Package" os_index="{package}" '
                     f'{cpus_mask(first, first + 1, first + 4, first + 5)}>{cores}</object>')
    return HOST.format(packages=packages)


HOSTS = ("beta", "alpha", "gamma")
PLACES = ("beta", "beta", "alpha", "alpha", "alpha", "gamma", "beta", "gamma")  # of launcher ranks
BINDING = ("0,4", "1,5", "3,7", "2,6", "0-1,4-5", "0", "2-3", "")
CORES = ("0", "1", "3", "2", "0-1", "0", "2-3", "0-3")
ENTRIES = {(r, (r + k) % 8): 100 * k + r for r in range(8) for k in (1, 3)}


def write_trace(name, hosts=HOSTS, places=PLACES, xml=True, binding=BINDING):
    """A trace of 8 ranks on three hosts, whose first run had its ranks reversed."""
    trace = pathlib.Path(name)
    trace.mkdir()
    write_mtx(trace / "bytes.mtx", 8, ENTRIES)
    meta = {"format": 1, "kith_version": "0.1.0", "program": "./app", "ranks": 8,
            "mpi_library": "Some MPI", "hosts": list(hosts), "phases": [],
            "sources": {"collectives": "model"}, "partial": False}
    (trace / "meta.json").write_text(json.dumps(meta))
    if xml:
        (trace / "host0.xml").write_text(host_xml())
    machine = {"format": 1, "hosts": [{"name": host, "hardware": 0} for host in hosts],
               "hardware": [{"digest": "d", "file": "host0.xml" if xml else None}],
               "ranks": [{"rank": 7 - j, "launcher_rank": j, "host": HOSTS.index(places[j]),
                          "cpus": binding[j]} for j in range(8)]}
    (trace / "machine.json").write_text(json.dumps(machine))


def read_rankfile(text):
    found = [re.fullmatch(r"rank (\d+)=(\S+) slot=(\S+)", line) for line in text.splitlines()]
    assert [int(line[1]) for line in found] == list(range(len(found)))
    return [(line[2], line[3]) for line in found]


def read_order(text):
    return [int(rank) for rank in text.replace("\n", "").split(",")]


def read_hydra(text):
    return [host for line in text.splitlines()
            for host, count in [line.split(":")] for _ in range(int(count))]


def read_taskmap(text):
    """Node numbers by task, as RFC 34 says."""
    nodes = []
    for first, count, tasks, repetitions in json.loads(text):
        for _ in range(repetitions):
            nodes += [node for node in range(first, first + count) for _ in range(tasks)]
    return nodes


class LaunchFiles(KithTest):
    def map(self, form, *words, trace="t.kith"):
        """(launch file, slots, messages) of the same mapping."""
        arguments = ["map", trace, *words]
        slots = read_mapping(self.call(*arguments).stdout)
        done = self.call(*arguments, "--format", form, "-o", "out")
        self.assertEqual(done.stdout, "")
        return pathlib.Path("out").read_text(), slots, done.stderr

    def each_algorithm(self):
        for algorithm in ("identity", "random", "auto"):
            yield ["--algorithm", algorithm]

    def test_rankfiles(self):
        write_trace("t.kith")
        shared = "--bind-to :overload-allowed"  # two of gamma's ranks were on its core 0
        for form, option in (("rankfile", "--rankfile out"),
                             ("prrte", f"--map-by rankfile:file=out {shared}")):
            for words in self.each_algorithm():
                text, slots, said = self.map(form, *words)
                self.assertEqual(read_rankfile(text), [(PLACES[s], CORES[s]) for s in slots])
                self.assertIn(f"mpirun -n 8 --host beta:3,alpha:3,gamma:2 {option} ./app", said)

    def test_prrte_shares_cores_only_where_asked(self):
        pathlib.Path("hosts").write_text("n1\nn2\n")
        write_mtx("t.mtx", 8, ENTRIES)
        _, _, said = self.map("prrte", "--topology", "hosts:hosts;tree=4", trace="t.mtx")
        self.assertIn("--map-by rankfile:file=out ./app", said)

    def test_the_command_has_the_program_of_the_trace(self):
        write_trace("t.kith")
        meta = pathlib.Path("t.kith/meta.json")
        told = json.loads(meta.read_text())
        for program, arguments, expected in ((" a b", ["-in", "my file"], "' a b' -in 'my file'"),
                                             ("./lmp", ["x" * 200], "./app"), ("", [], "./app")):
            meta.write_text(json.dumps(told | {"program": program, "arguments": arguments}))
            said = self.map("hydra")[2]
            self.assertIn(f"start with: mpiexec -n 8 -machinefile out {expected}\n", said)

    def test_hosts_by_rank(self):
        write_trace("t.kith")
        for words in self.each_algorithm():
            text, slots, said = self.map("slurm", *words)
            self.assertEqual(text.splitlines(), [PLACES[s] for s in slots])
            self.assertIn("SLURM_HOSTFILE=out srun -n 8 --distribution=arbitrary ./app", said)
            text, slots, said = self.map("hydra", *words)
            self.assertEqual(read_hydra(text), [PLACES[s] for s in slots])
            self.assertIn("mpiexec -n 8 -machinefile out ./app", said)

    def test_order_of_ranks(self):
        """Launcher ranks 0, 1, 6 are on the first host, 2, 3, 4 on the second, 5, 7 on the third."""
        write_trace("t.kith")
        for words in self.each_algorithm():
            text, slots, said = self.map("mpich", *words)
            self.assertEqual([slots[rank] for rank in read_order(text)], [0, 1, 6, 2, 3, 4, 5, 7])
            self.assertIn("MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE=out", said)

    def test_unequal_hosts_are_refused(self):
        """srun cannot be told of 3, 2 and 3 places; Flux not of 3, 3 and 2 ranks."""
        write_trace("t.kith")
        self.refused("map", "t.kith", "--format", "flux", "-o", "out",
                     says=["--format", "equally many ranks on each host", "3 on beta, 2 on gamma"])
        write_trace("u.kith", places=("beta", "beta", "beta", "alpha", "alpha", "gamma", "gamma",
                                      "gamma"))
        self.refused("map", "u.kith", "--format", "mpich", "-o", "out",
                     says=["--format", "as many places on each host", "3 on beta, 2 on alpha"])

    def test_tasks_of_nodes(self):
        places = ("gamma", "alpha") * 4
        write_trace("t.kith", places=places)
        for words in self.each_algorithm():
            text, slots, said = self.map("flux", *words)
            order = ("gamma", "alpha")  # of the first launcher ranks
            self.assertEqual([order[n] for n in read_taskmap(text)], [places[s] for s in slots])
            self.assertIn('flux run -n 8 -N 2 --taskmap=manual:"$(cat out)" ./app', said)
            self.assertIn("in this order: gamma,alpha\n", said)

    def test_nodes_without_ranks_are_not_counted(self):
        pathlib.Path("hosts").write_text("n1\nn2\nn3\nn4\n")
        write_mtx("t.mtx", 4, {(r, (r + 1) % 4): 10 for r in range(4)})
        fixed = ["--fix", "0=6", "--fix", "1=2", "--fix", "2=7", "--fix", "3=3"]  # n4 n2 n4 n2
        text, slots, said = self.map("flux", "--topology", "hosts:hosts;tree=2", *fixed,
                                     trace="t.mtx")
        self.assertEqual(slots, [6, 2, 7, 3])
        self.assertEqual(read_taskmap(text), [1, 0, 1, 0])
        self.assertIn("flux run -n 4 -N 2 ", said)
        self.assertIn("in this order: n[2,4]\n", said)

    def test_order_of_hosts(self):
        write_trace("t.kith", places=("beta", "alpha") * 4)
        cases = {"beta,alpha": None, "beta.org,alpha,gamma": None,
                 "alpha,beta": "host 0 of this allocation (SLURM_JOB_NODELIST) is alpha, that "
                               "of the file is beta",
                 "beta,gamma,alpha": "host 1 of this allocation (SLURM_JOB_NODELIST) is gamma, "
                                     "that of the file is alpha"}
        for form in ("mpich", "flux", "slurm", "hydra"):
            for hosts, warning in cases.items():
                said = self.call("map", "t.kith", "--format", form, "-o", "out",
                                 env={"SLURM_JOB_NODELIST": hosts}).stderr
                if warning is None or form in ("slurm", "hydra"):
                    self.assertNotIn("warning: ranks would", said, hosts)
                else:
                    self.assertIn(f"warning: ranks would start on the wrong hosts: {warning}", said)

    def test_what_a_format_cannot_say(self):
        write_trace("t.kith")
        for form in ("slurm", "hydra"):
            _, _, said = self.map(form, "--algorithm", "identity")
            self.assertNotIn("names hosts, not the places", said)
            _, slots, said = self.map(form, "--algorithm", "random")
            of_host = {host: [s for s in slots if PLACES[s] == host] for host in HOSTS}
            elsewhere = sum(a != b for part in of_host.values() for a, b in zip(part, sorted(part)))
            self.assertGreater(elsewhere, 0)
            self.assertIn(f"{elsewhere} of 8 sit on another place", said)
        _, _, said = self.map("hydra", "--algorithm", "identity")
        self.assertIn("shared memory", said)  # beta, alpha, gamma, beta, gamma

    def test_other_machines(self):
        pathlib.Path("hosts").write_text("n1\nn2\nn3\nn4\n")
        write_mtx("t.mtx", 8, ENTRIES)
        spec = ["--topology", "hosts:hosts;tree=2x2", "--algorithm", "random"]
        text, slots, _ = self.map("rankfile", *spec, trace="t.mtx")
        self.assertEqual(read_rankfile(text), [(f"n{s // 4 + 1}", str(s % 4)) for s in slots])
        text, slots, _ = self.map("slurm", *spec, trace="t.mtx")
        self.assertEqual(text.splitlines(), [f"n{s // 4 + 1}" for s in slots])
        self.refused("map", "t.mtx", *spec[:2], "--format", "mpich", "-o", "out2",
                     says=["--format", "as many ranks as places", "(;slots= behind the machine", "8 ranks on 16 places"])

    def test_several_ranks_on_a_host_of_one_place(self):
        pathlib.Path("hosts").write_text("n1\nn2\n")
        write_mtx("t.mtx", 8, ENTRIES)
        asked = ["map", "t.mtx", "--topology", "hosts:hosts", "--per-slot", "4"]
        self.assertNotIn("another place", self.call(*asked, "--format", "slurm", "-o", "out").stderr)
        self.refused(*asked, "--format", "mpich", "-o", "out2",
                     says=["(;tree=N behind the machine gives each host N places)", "8 ranks on 2 places"])

    def test_the_order_of_many_hosts(self):
        names = [f"n{i}" for i in range(40)]
        write_mtx("t.mtx", 40, {(i, (i + 1) % 40): 8 for i in range(40)})
        for order, says in ((names, "n[0-39]"), (names[::-1], "n39,n38,n37,")):
            pathlib.Path("hosts").write_text("\n".join(order) + "\n")
            said = self.call("map", "t.mtx", "--topology", "hosts:hosts", "--format", "mpich", "-o", "out").stderr
            self.assertIn("the launcher must take them in this order: " + says, said)
            self.assertNotIn("...", said)

    def test_blocks_of_a_taskmap(self):
        pathlib.Path("hosts").write_text("n1\nn2\nn3\nn4\n")
        write_mtx("t.mtx", 8, ENTRIES)
        text, _, _ = self.map("flux", "--topology", "hosts:hosts;tree=2", "--algorithm", "identity",
                              trace="t.mtx")
        self.assertEqual(text, "[[0,4,2,1]]\n")
        for seed in range(1, 13):
            text, slots, _ = self.map("flux", "--topology", "hosts:hosts;tree=2", "--algorithm",
                                      "random", "--seed", seed, trace="t.mtx")
            self.assertEqual(read_taskmap(text), [s // 2 for s in slots])

    def test_refused(self):
        write_mtx("t.mtx", 8, ENTRIES)
        for form in ("rankfile", "prrte", "mpich", "hydra", "slurm", "flux"):
            self.refused("map", "t.mtx", "--topology", "torus:2x4", "--format", form, "-o", "out",
                         says=["--format", "host names", "torus:2x4"])
        write_trace("bare.kith", xml=False)
        self.refused("map", "bare.kith", "--format", "rankfile",
                     says=["--format", "hardware is known", "nothing about"])
        self.call("map", "bare.kith", "--format", "slurm")
        write_trace("twins.kith", hosts=("beta", "beta", "gamma"))
        self.refused("map", "twins.kith", "--format", "slurm", says=["two called beta"])
        write_trace("evil.kith", hosts=("beta", "a b; rm", "gamma"))
        self.refused("map", "evil.kith", "--format", "slurm", says=["host names of letters"])

    def test_allocation(self):
        write_trace("t.kith")
        pathlib.Path("nodes").write_text("beta\nbeta\nalpha.cluster.org\ngamma\n")
        held = {"SLURM_JOB_NODELIST": "alpha,beta,gamma[1-2],gamma", "PBS_NODEFILE": "nodes",
                "LSB_HOSTS": "beta beta gamma alpha"}
        lacking = {"SLURM_JOB_NODELIST": "beta,gamma[1-2]", "LSB_HOSTS": "beta"}
        for name, value in held.items():
            done = self.call("map", "t.kith", "--format", "slurm", env={name: value})
            self.assertNotIn("warning: this allocation", done.stderr)
        for name, value in lacking.items():
            done = self.call("map", "t.kith", "--format", "slurm", env={name: value})
            self.assertIn(f"warning: this allocation ({name}) does not hold alpha and 1 more:",
                          done.stderr)

    def test_allocation_of_addresses(self):
        hosts = ("10.0.0.1", "10.0.0.2", "10.0.0.3")
        write_trace("t.kith", hosts=hosts)
        done = self.call("map", "t.kith", "--format", "slurm",
                         env={"LSB_HOSTS": "10.0.0.1 10.0.0.3"})
        self.assertIn("does not hold 10.0.0.2:", done.stderr)

    def test_allocation_that_cannot_be_read(self):
        write_trace("t.kith")
        for name, value in {"PBS_NODEFILE": "/nonexistent", "SLURM_JOB_NODELIST": "n[1-"}.items():
            done = self.call("map", "t.kith", "--format", "slurm", "-o", name, env={name: value})
            self.assertIn("not checked against this allocation", done.stderr)
            self.assertIn(name, done.stderr)
            self.assertEqual(len(pathlib.Path(name).read_text().splitlines()), 8)

    def test_ranks_that_share_cpus_do_not_spin(self):
        for name, cpus, shares in (("shared", "0-3", True), ("own", "0-7", False)):
            write_trace(f"{name}.kith", hosts=("beta",), places=("beta",) * 8, binding=(cpus,) * 8)
            for launcher in ("rankfile", "prrte"):
                done = self.call("map", f"{name}.kith", "--format", launcher)
                self.assertEqual("--mca mpi_yield_when_idle 1 ./app" in done.stderr, shares, done.stderr)
                self.assertEqual("ranks share processors: mpi_yield_when_idle lets " in done.stderr, shares)

    def test_names_that_prrte_would_split(self):
        write_trace("t.kith")
        for name in ("a:b.rf", "a,b.rf"):
            self.refused("map", "t.kith", "--format", "prrte", "-o", name,
                         says=["--format", "PRRTE would split", name])
            self.call("map", "t.kith", "--format", "rankfile", "-o", name)

    def test_names_that_a_shell_would_read(self):
        write_trace("t.kith")
        done = self.call("map", "t.kith", "--format", "slurm", "-o", "it's here")
        command = re.search("start with: SLURM_HOSTFILE=(.*) srun", done.stderr)[1]
        echoed = subprocess.run(["sh", "-c", f"printf %s {command}"], capture_output=True, text=True)
        self.assertEqual(echoed.stdout, "it's here")

    def test_standard_output(self):
        write_trace("t.kith")
        done = self.call("map", "t.kith", "--algorithm", "identity", "--format", "slurm")
        self.assertEqual(done.stdout.splitlines(), list(PLACES))
        self.assertIn("SLURM_HOSTFILE=FILE", done.stderr)


if __name__ == "__main__":
    main()

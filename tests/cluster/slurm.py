"""A real Slurm on the hosts of a bed: slurmctld on h0, a slurmd on each host, all in the bed's own
process namespace, so that nothing outlives it."""
import contextlib
import os
import pathlib
import subprocess
import tempfile
import time

import kithtest as kt

CPUS = 4  # that each host says it has

# No account, no munge, no control groups: one user, private networks, and it all ends with the bed.
CONFIGURATION = """ClusterName=bed
SlurmctldHost={controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
ReturnToService=2
TopologyPlugin=topology/tree
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n.spool
TmpFS={folder}/%n.tmp
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SlurmdParameters=config_overrides
NodeName={hosts} CPUS={cpus} RealMemory=100
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def prepare(folder, hosts, switches):
    (folder / "state").mkdir()
    for host in hosts:
        for kind in ("spool", "tmp"):
            (folder / f"{host}.{kind}").mkdir()
    text = CONFIGURATION.format(folder=folder, controller=hosts[0], hosts=",".join(hosts), cpus=CPUS)
    (folder / "slurm.conf").write_text(text)
    lines = [f"SwitchName={name} Nodes={','.join(below)}\n" for name, below in switches.items()]
    lines.append(f"SwitchName=top Switches={','.join(switches)}\n")
    (folder / "topology.conf").write_text("".join(lines))


def wait_until_idle(hosts, folder):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        done = subprocess.run(["onhost", hosts[0], "sinfo", "-h", "-N", "-o", "%N %t"], text=True,
                              capture_output=True)
        if sorted(done.stdout.split("\n")[:-1]) == sorted(f"{host} idle" for host in hosts):
            return
        time.sleep(0.2)
    logs = "".join(f"--- {log.name}\n{log.read_text()[-2000:]}" for log in folder.glob("*.log"))
    kt.fail(f"Slurm has not come up: {done.stdout}{done.stderr}\n{logs}")


@contextlib.contextmanager
def running(switches):
    """Slurm's programs find it by SLURM_CONF while in use. `switches`: hosts by switch, all of them."""
    hosts = os.environ["BED_HOSTS"].split()
    with tempfile.TemporaryDirectory(prefix="slurm-") as name:
        folder = pathlib.Path(name)
        prepare(folder, hosts, switches)
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
        commands = [["onhost", hosts[0], "slurmctld", "-D"]]
        commands += [["onhost", host, "slurmd", "-D", "-N", host] for host in hosts]
        with open(folder / "start.log", "w") as log:
            daemons = [subprocess.Popen(command, stdout=log, stderr=log) for command in commands]
        try:
            wait_until_idle(hosts, folder)
            yield
        finally:
            for daemon in daemons:
                daemon.terminate()
            for daemon in daemons:
                daemon.wait(timeout=30)

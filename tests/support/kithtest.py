"""What the Python tests share: running MPI programs with and without Kith, and reading results.

The build passes in where things are: KITH (the program), KITH_LIB (libkith.so), KITH_SOURCE,
KITH_BINARY. A check that does not hold ends the test with a message and exit status 1.
"""
import contextlib
import ctypes.util
import functools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SKIPPED = 77

# More ranks than cores, by root or not: what every launch here needs. PRTE is Open MPI 5's launcher.
LAUNCH_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
}
if "BED_HOSTS" not in os.environ:  # one host: Open MPI 5 complains of networks that lead nowhere
    LAUNCH_ENVIRONMENT["OMPI_MCA_btl_tcp_if_include"] = "lo"

# Tests change the folder: what was given relative to the first one is made absolute.
for _name in ("KITH", "KITH_LIB", "KITH_SOURCE", "KITH_BINARY"):
    if _name in os.environ:
        os.environ[_name] = os.path.abspath(os.environ[_name])

TRACE_FILES = ("meta.json", "machine.json", "bytes.mtx", "messages.mtx", "classes/p2p.bytes.mtx",
               "classes/coll.bytes.mtx", "classes/rma.bytes.mtx", "load.csv", "sizes.csv")


def fail(message):
    print(f"FAILED: {message}", file=sys.stderr)
    sys.exit(1)


def skip(message):
    print(f"skipped: {message}")
    sys.exit(SKIPPED)


_not_tried = []


def not_tried(message):
    """A part of the test cannot run here. The other parts go on; finish() reports the skip."""
    print(f"not tried: {message}")
    _not_tried.append(message)


def finish():
    """The last act of a script that calls not_tried(): skipped unless everything was tried."""
    if _not_tried:
        skip("; ".join(_not_tried))


def check(condition, message):
    if not condition:
        fail(message)


def check_equal(found, expected, what):
    check(found == expected, f"{what}: expected {expected!r}, found {found!r}")


def setting(name):
    """A path that the build passes in."""
    if name not in os.environ:
        fail(f"{name} is not set: run this through ctest (see tests/README.md)")
    return pathlib.Path(os.environ[name])


def engine():
    """The program that libkith.so asks in a job."""
    return setting("KITH_BINARY") / "libexec/kith/kith-engine"


def library_alone():
    """A copy of libkith.so in a tree of its own, and the path where it looks for its engine."""
    library, place = pathlib.Path("alone/lib/libkith.so"), pathlib.Path("alone/libexec/kith/kith-engine")
    for path in (library, place):
        path.parent.mkdir(parents=True)
    shutil.copy(setting("KITH_LIB"), library)
    return library.absolute(), place.absolute()


def write_engine(place, script):
    """A shell script in the place of the engine."""
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)


@functools.cache
def open_mpi_version():
    """(4, 1, 4) of the mpirun that is found; empty where that is none of Open MPI."""
    said = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"\(Open MPI\) ([\d.]+)", said)
    return tuple(map(int, found[1].rstrip(".").split("."))) if found else ()


def is_open_mpi_5():
    return open_mpi_version() >= (5,)


@functools.cache
def starts_several_programs():
    """Whether `mpirun A : B` works: in Debian 13 it crashes."""
    return run(["mpirun", "-n", 1, "true", ":", "-n", 1, "true"], status=None).returncode == 0


def find_libomp():
    """LLVM's OpenMP library, which has the functions that GCC calls, too; None where it is not installed."""
    found = ctypes.util.find_library("omp5") or ctypes.util.find_library("omp")
    folders = sorted(pathlib.Path("/usr/lib").glob("llvm-*/lib/libomp.so.5")) + \
        sorted(pathlib.Path("/usr/lib").glob("*/libomp.so.5"))
    return found or (str(folders[0]) if folders else None)


def need_programs(*names):
    for name in names:
        if shutil.which(name) is None:
            skip(f"no program '{name}' (tools/install-packages --with-tests)")


@contextlib.contextmanager
def work_folder():
    """A folder of this test's own; current while in use, gone afterwards."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="kithtest-") as name:
        os.chdir(name)
        try:
            yield pathlib.Path(name)
        finally:
            os.chdir(before)


def processes_below(root):
    """By number, a line about each process that `root` began, directly or not: state, seconds of
    processor time, what it waits for in the kernel, and its words."""
    children = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            words = (folder / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
            waits = (folder / "wchan").read_text()
            seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            children.setdefault(int(fields[1]), []).append(
                (int(folder.name), f"{folder.name} {fields[0]} {seconds:.1f} s {waits} {words[:150]}"))
    below = [(root, "")]
    for number, _ in below:
        below += children.get(number, [])
    return dict(below[1:])


def run(command, environment=None, timeout=200, status=0, stdin=""):
    """Runs a command to its end; returns the result with text stdout and stderr. `status`: what it
    has to end with; None: anything."""
    words = [str(word) for word in command]
    with subprocess.Popen(words, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE,
                          env={**os.environ, **LAUNCH_ENVIRONMENT, **(environment or {})}) as child:
        try:
            stdout, stderr = child.communicate(stdin, timeout)
        except subprocess.TimeoutExpired as late:
            left = processes_below(child.pid)
            for number in [child.pid, *left]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            said = b"".join(text for text in (late.stdout, late.stderr) if text)
            fail(f"no end after {timeout} s: {' '.join(words)}\n{said.decode(errors='replace')}"
                 "\nstill there:\n" + "\n".join(left.values()))
    done = subprocess.CompletedProcess(words, child.returncode, stdout, stderr)
    if status is not None and done.returncode != status:
        fail(f"exit status {done.returncode} instead of {status}: {' '.join(map(str, command))}\n"
             f"--- stdout\n{done.stdout}--- stderr\n{done.stderr}")
    return done


def mpirun(ranks, program, preload=False, settings=None, options=(), timeout=200, stdin=""):
    """`program` (a list of words) on `ranks` ranks; `preload` puts libkith.so under it, with
    `settings` (KITH_TRACE and so on) exported by the launcher; its rank 0 gets `stdin`."""
    command = ["mpirun", "-n", ranks, *options]
    if preload:
        command += ["-x", f"LD_PRELOAD={setting('KITH_LIB')}"]
    for name, value in (settings or {}).items():
        command += ["-x", f"{name}={value}"]
    return run([*command, *program], timeout=timeout, stdin=stdin)


def write_mapping(path, slot_of):
    """A mapping file without a header: one line `rank slot` per rank."""
    pathlib.Path(path).write_text("".join(f"{r} {s}\n" for r, s in enumerate(slot_of)))


def read_matrix(path):
    """A Matrix Market file as {(source, destination): weight}, counting from 0."""
    lines = pathlib.Path(path).read_text().splitlines()
    check_equal(lines[0], "%%MatrixMarket matrix coordinate integer general", f"{path}: banner")
    rows = [[int(word) for word in line.split()] for line in lines[1:]
            if line.strip() and not line.startswith("%")]
    check_equal(len(rows) - 1, rows[0][2], f"{path}: number of entries")
    return {(i - 1, j - 1): weight for i, j, weight in rows[1:]}


def read_monitoring(prefix, kind="E"):
    """Open MPI's own count of messages: ({(source, destination): bytes}, {...: messages})."""
    total, messages = {}, {}
    files = sorted(pathlib.Path().glob(f"{prefix}.*.prof"))
    check(files, f"Open MPI's monitoring wrote no {prefix}.*.prof")
    for path in files:
        for row in path.read_text().splitlines():
            found = re.match(rf"{kind}\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs sent", row)
            if found:
                source, destination, size, count = map(int, found.groups())
                total[source, destination] = size
                messages[source, destination] = count
    return total, messages


def check_trace(path, ranks):
    """The trace directory is complete and its parts agree; returns meta.json."""
    path = pathlib.Path(path)
    for name in TRACE_FILES:
        check((path / name).is_file(), f"{path}/{name} is missing")
    meta = json.loads((path / "meta.json").read_text())
    check_equal(meta["ranks"], ranks, f"{path}/meta.json: ranks")
    json.loads((path / "machine.json").read_text())
    summed = {}
    for part in ("p2p", "coll", "rma"):
        for cell, weight in read_matrix(path / "classes" / f"{part}.bytes.mtx").items():
            summed[cell] = summed.get(cell, 0) + weight
    check_equal(read_matrix(path / "bytes.mtx"), summed, f"{path}: bytes.mtx against its classes")
    check(read_matrix(path / "messages.mtx"), f"{path}: no message was counted")
    leftovers = [name.name for name in path.parent.iterdir()
                 if name.name.startswith(path.name) and name.name != path.name]
    check_equal(leftovers, [], f"left beside {path}")
    return meta


def placement(trace):
    """The rank that each launcher rank's process had, in launcher order."""
    processes = json.loads((pathlib.Path(trace) / "machine.json").read_text())["ranks"]
    return [process["rank"] for process in sorted(processes, key=lambda p: p["launcher_rank"])]


def three_ways(name, ranks, program, result_of, timeout=100, settings=None):
    """Runs `program` without Kith, traced, and traced with its ranks in reverse order: result_of
    (stdout) must be the same each time, and both traces complete. `settings` hold for both traces.
    Returns the first run's result and the traces' paths."""
    write_mapping("reverse.map", [ranks - 1 - rank for rank in range(ranks)])
    plain = result_of(mpirun(ranks, program, timeout=timeout).stdout)
    traces = []
    for way, extra in (("traced", {}), ("reversed", {"KITH_REORDER": "reverse.map"})):
        trace = pathlib.Path(f"{name}-{way}.kith").absolute()
        done = mpirun(ranks, program, preload=True, timeout=timeout,
                      settings={**(settings or {}), "KITH_TRACE": trace, **extra})
        check_equal(result_of(done.stdout), plain, f"{name}, {way}")
        check_trace(trace, ranks)
        moved = ranks - 1 if extra else 0
        check_equal(placement(trace), [abs(moved - j) for j in range(ranks)],
                    f"{name}, {way}: rank of each process")
        traces.append(trace)
    return plain, traces

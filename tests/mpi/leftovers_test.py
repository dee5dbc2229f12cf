#!/usr/bin/env python3
"""A run that is killed while it replaces a trace leaves a folder beside it: the next run of that name
removes it, and puts back the trace where it was already out of the way."""
import os
import pathlib
import socket
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

pairs = [kt.setting("KITH_BINARY") / "tests/mpi/rounds", 2, 0]
FATAL_RENAME = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int rename(const char* from, const char* to) {
  static int count = 0;
  if (strstr(from, ".kith") != NULL && ++count == atoi(getenv("FATAL_RENAME"))) {
    kill(getpid(), SIGKILL);
  }
  return ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename"))(from, to);
}
"""


def left():
    return sorted(path.name for path in pathlib.Path().glob("t.kith?*"))


def killed_at(rename):
    """A run whose root is killed in its so manieth renaming of a trace."""
    both = f"{pathlib.Path('libfatal.so').absolute()}:{kt.setting('KITH_LIB')}"
    kt.run(["mpirun", "-n", 2, "-x", f"LD_PRELOAD={both}", "-x", f"FATAL_RENAME={rename}", "-x",
            "KITH_TRACE=t", "-x", "KITH_FORCE=1", *pairs], status=137)


def run():
    kt.mpirun(2, pairs, preload=True, settings={"KITH_TRACE": "t", "KITH_FORCE": "1"})


def ended_process():
    with subprocess.Popen(["true"]) as process:
        process.wait()
    return process.pid


with kt.work_folder():
    pathlib.Path("fatal.c").write_text(FATAL_RENAME)
    kt.run(["mpicc", "-shared", "-fPIC", "fatal.c", "-o", "libfatal.so", "-ldl"])
    run()
    for rename in (1, 2):
        killed_at(rename)
        kt.check(any(".writing-" in name for name in left()), f"nothing is left: {left()}")
        print(f"killed at renaming {rename}: {left()}")
        run()
        kt.check_trace("t.kith", 2)  # and nothing beside it

    # Between the two names there is no t.kith: a run without --force finds the old trace again.
    killed_at(2)
    kt.check(not os.path.exists("t.kith"), "the old trace has stepped aside")
    done = kt.mpirun(2, pairs, preload=True, settings={"KITH_TRACE": "t"})
    kt.check("exists" in done.stderr and os.path.exists("t.kith/meta.json"), done.stderr)

    # Others' folders stay: of a process that runs, and of other hosts.
    run()
    space = os.stat("/proc/self/ns/pid").st_ino
    kept = [f"t.kith.writing-{socket.gethostname()}-{space}-{os.getpid()}",
            f"t.kith.writing-elsewhere-{space}-{ended_process()}", "t.kith.writing-thesis"]
    for name in kept:
        os.mkdir(name)
    run()
    kt.check_equal(left(), sorted(kept), "folders of others")
    print("put back, and others' folders kept")

#!/usr/bin/env python3
"""Libraries that come and go: no deadlock with a thread that opens some, no hole where Kith was."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import kithtest as kt

RANKS = 2
folder = kt.setting("KITH_BINARY") / "tests/mpi/loading"
pairs = kt.setting("KITH_BINARY") / "tests/mpi/pairs"
library = kt.setting("KITH_LIB")


def run(program, *preload, **settings):
    exports = [word for name, value in settings.items() for word in ("-x", f"{name}={value}")]
    if preload:
        exports += ["-x", "LD_PRELOAD=" + ":".join(map(str, preload))]
    return kt.run(["mpirun", "-n", RANKS, *exports, *program], timeout=60)


def nothing_opened_in_callbacks():
    """watch ends a process that opens or asks a library while it holds a lock that matters."""
    watch = folder / "libwatch.so"
    plain = run([pairs])
    done = run([folder / "host", folder / "libguest.so"], watch, library, KITH_TRACE="watched")
    kt.check_equal(done.stdout, "received\n", "a library that was loaded privately: output")
    kt.check_trace("watched.kith", RANKS)
    for source in ("table", "monitoring"):
        done = run([pairs], watch, library, KITH_TRACE=source, KITH_COLLECTIVES="exact",
                   KITH_EXACT_SOURCE=source)
        kt.check_equal(done.stdout, plain.stdout, f"exact by {source}: output")
        kt.check_trace(f"{source}.kith", RANKS)
    kt.write_mapping("reverse.map", range(RANKS - 1, -1, -1))
    done = run([pairs], watch, library, KITH_REORDER="reverse.map")
    kt.check_equal(done.stdout, plain.stdout, "reversed: output")
    print("callbacks: nothing opened inside, or under a lock")


def beside_a_thread_that_opens():
    for number in range(3):
        done = run([folder / "host", folder / "libguest.so", folder / "libbystander.so"], library,
                   KITH_TRACE=f"beside-{number}")
        kt.check_equal(done.stdout, "received\n", "beside a thread that opens libraries: output")
        kt.check_trace(f"beside-{number}.kith", RANKS)
    print("threads: no deadlock with one that opens libraries")


def closed_and_gone_on():
    """A program that opens libkith.so and closes it again: what leads into it must not be a hole."""
    dynamic = kt.run(["readelf", "--dynamic", "--wide", library]).stdout
    kt.check(any("FLAGS_1" in line and "NODELETE" in line for line in dynamic.splitlines()),
             f"libkith.so may be unloaded: {dynamic}")
    kt.write_mapping("reverse.map", range(RANKS - 1, -1, -1))
    for name, settings in {"loaded": {}, "traced": {"KITH_TRACE": "closed"},
                           "reversed": {"KITH_REORDER": "reverse.map"}}.items():
        done = run([folder / "leaver", library], **settings)
        kt.check_equal(done.stdout, f"{RANKS} ranks go on\n", f"libkith.so closed, {name}: output")
    print("closed: the program goes on")


PARTS = {"callbacks": nothing_opened_in_callbacks, "threads": beside_a_thread_that_opens,
         "closed": closed_and_gone_on}

if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        with kt.work_folder():
            PARTS[name]()

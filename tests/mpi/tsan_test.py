#!/usr/bin/env python3
"""ThreadSanitizer: libkith.so and the program built with it in a folder of their own; the MPI library
is not, and what happens inside it is left out. Nothing is reported where Kith's code takes part."""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

ROUNDS = 200
FLAGS = "-fsanitize=thread -g"
# Of what runs inside the MPI library and its plugins, which know their own locks.
SUPPRESSIONS = "".join(f"called_from_lib:{library}\nrace:{library}\n"
                       for library in ("libmpi.so", "libopen-pal.so", "libopen-rte.so"))
source = kt.setting("KITH_SOURCE")
programs = pathlib.Path(__file__).resolve().parent / "programs"


def build_library():
    folder = kt.setting("KITH_BINARY") / "tests/tsan"
    kt.run(["cmake", "-S", source, "-B", folder, "-DKITH_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_C_FLAGS={FLAGS}", f"-DCMAKE_CXX_FLAGS={FLAGS}"])
    jobs = str(len(os.sched_getaffinity(0)))
    kt.run(["cmake", "--build", folder, "--target", "kith", "--parallel", jobs], timeout=800)
    return folder / "lib/libkith.so"


def build_program(name, *options):
    kt.run(["mpicc", *FLAGS.split(), *options, programs / f"{name}.c", "-o", name, "-pthread"])
    return pathlib.Path(name).absolute()


def reports(name, program, library, **settings):
    """What ThreadSanitizer reports while the program runs, as texts."""
    pathlib.Path("suppressions").write_text(SUPPRESSIONS)
    options = " ".join((f"suppressions={pathlib.Path('suppressions').absolute()}",
                        f"log_path={pathlib.Path(name).absolute()}", "exitcode=0",
                        "ignore_noninstrumented_modules=1"))
    exports = {"TSAN_OPTIONS": options, "LD_PRELOAD": library, "KITH_TRACE": f"{name}.kith",
               "KITH_VERBOSE": "0", **settings}
    kt.run(["mpirun", "-n", 2,
            *(word for key, value in exports.items() for word in ("-x", f"{key}={value}")),
            *program], timeout=300)
    kt.check_trace(f"{name}.kith", 2)
    found = []
    for log in pathlib.Path().glob(f"{name}.[0-9]*"):
        found += re.findall(r"WARNING: ThreadSanitizer.*?^={18}$", log.read_text(), re.M | re.S)
    return found


kt.need_programs("mpicc", "mpirun", "cmake")
library = build_library()
with kt.work_folder():
    crowd = build_program("crowd")
    for name, program, settings in (
            ("exact", [crowd, ROUNDS], {"KITH_COLLECTIVES": "exact"}),
            ("model", [crowd, ROUNDS], {"KITH_COLLECTIVES": "model"}),
            ("many", [crowd, 20, 64], {}),
            ("senders", [build_program("threads")], {})):
        found = reports(name, program, library, **settings)
        kt.check(not found, f"{name}: {len(found)} reports, the first:\n{found[:1]}")
        print(f"{name}: no report", flush=True)
    # It would be seen: a program whose threads share a number without a lock is reported.
    found = reports("racy", [build_program("crowd", "-DRACY"), ROUNDS], library)
    kt.check(found, "ThreadSanitizer reports nothing in a program with a race")
    print(f"with a race in the program: {len(found)} reports")

"""The ways of running an MPI program that the benchmarks compare."""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
EZTRACE = "libeztrace-openmpi.so"


def build_folder(usage, *programs):
    """The first argument; ends with the usage, or with what to build, where it or a program is missing."""
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(usage.strip(), file=sys.stderr)
        sys.exit(0 if len(sys.argv) > 1 else 2)
    build = pathlib.Path(sys.argv[1]).resolve()
    missing = [name for name in programs if not (build / name).exists()]
    if missing:
        print(f"{build}: {', '.join(missing)} not found; build Kith there with the tests and benchmarks: "
              "tools/build BUILD_FOLDER -DKITH_TESTS=ON -DKITH_BENCHMARKS=ON", file=sys.stderr)
        sys.exit(2)
    return build


def ways(build, folder):
    """{name: options for mpirun}; the first and the last are the same, and show the noise."""
    plain = ["--mca", "pml", "ob1"]
    kith = [*plain, "-x", f"LD_PRELOAD={build}/lib/libkith.so", "-x", f"KITH_TRACE={folder}/t",
            "-x", "KITH_FORCE=1", "-x", "KITH_VERBOSE=0"]
    found = {
        "nothing": plain,
        "kith, no timeline": [*kith, "-x", "KITH_COLLECTIVES=model", "-x", "KITH_TIMELINE=0"],
        "kith, model": [*kith, "-x", "KITH_COLLECTIVES=model"],
        "kith, exact": [*kith, "-x", "KITH_COLLECTIVES=exact"],
        "monitoring": ["--mca", "pml", "ob1,monitoring", "--mca", "pml_monitoring_enable", "2",
                       "--mca", "pml_monitoring_enable_output", "3",
                       "--mca", "pml_monitoring_filename", f"{folder}/prof"],
    }
    if shutil.which("eztrace"):
        found["eztrace"] = [*plain, "-x", f"LD_PRELOAD={EZTRACE}", "-x",
                            f"EZTRACE_TRACE_DIR={folder}/ez"]
    found["nothing again"] = plain
    return found


def output_of(command):
    return subprocess.run([str(word) for word in command], env=ENVIRONMENT, text=True, check=True,
                          capture_output=True).stdout


def print_table(title, found):
    """One row per way of {name: [measured, ...]}; added to and relative to nothing at all."""
    plain = statistics.median(found["nothing"] + found["nothing again"])
    print(title)
    print(f"  {'':18}{'median':>12}{'min':>12}{'max':>12}{'added':>12}{'ratio':>8}")
    for name, values in found.items():
        middle = statistics.median(values)
        print(f"  {name:18}{middle:12.1f}{min(values):12.1f}{max(values):12.1f}"
              f"{middle - plain:12.1f}{middle / plain:8.3f}")

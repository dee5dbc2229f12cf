#!/usr/bin/env python3
"""A trace says which run it was: arguments, date, job of the batch system, folder. Its name may leave job and
count open."""
import datetime
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

ROUNDS = kt.setting("KITH_BINARY") / "tests/mpi/rounds"
# Launchers themselves go by the variables of some batch systems.
BATCH = {"OAR_JOB_ID": "17"}


def meta_of(trace):
    return json.loads((pathlib.Path(trace) / "meta.json").read_text())


def record(name, *arguments, **settings):
    """By kith run, which must accept the name; what was said."""
    return kt.run([kt.setting("KITH"), "run", "--trace", name, "--", "mpirun", "-n", 2, "--oversubscribe", ROUNDS,
                   *arguments], environment={**os.environ, **kt.LAUNCH_ENVIRONMENT, **settings}).stderr


def traces():
    return sorted(path.name for path in pathlib.Path().glob("*.kith*"))


if any(name.endswith(("JOB_ID", "JOBID")) for name in os.environ):
    kt.skip("in a job of a batch system")
with kt.work_folder():
    before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    record("one", "2", "0")
    meta = meta_of("one.kith")
    kt.check_equal(meta["arguments"], ["2", "0"], "arguments")
    kt.check_equal(meta["directory"], str(pathlib.Path().absolute()), "folder")
    kt.check("job_id" not in meta, f"no batch system, but {meta.get('job_id')}")
    date = datetime.datetime.strptime(meta["date"], "%Y-%m-%dT%H:%M:%S%z")
    kt.check(before - datetime.timedelta(seconds=1) <= date <= datetime.datetime.now(datetime.timezone.utc),
             f"the date is {date}")
    said = kt.run([kt.setting("KITH"), "info", "one"]).stdout
    kt.check(f"{ROUNDS.name} 2 0" in said and meta["date"] in said and meta["directory"] in said, said)

    for expected in ("run-17-1.kith", "run-17-2.kith"):
        said = record("run-%j-%p", "2", "0", **BATCH)
        kt.check("nothing was recorded" not in said, said)
        kt.check_equal(meta_of(expected)["job_id"], "oar 17", expected)
    record("a-%j", "2", "0")
    kt.check_equal(traces(), ["a-local.kith", "one.kith", "run-17-1.kith", "run-17-2.kith"], "traces")
    # All traces of a script are named.
    script = pathlib.Path("three.sh")
    script.write_text(f"#!/bin/sh\nfor i in 1 2 3; do mpirun -n 2 --oversubscribe {ROUNDS} 2 0; done\n")
    script.chmod(0o755)
    said = kt.run([kt.setting("KITH"), "run", "--trace", "s-%p", "--", "./three.sh"],
                  environment={**os.environ, **kt.LAUNCH_ENVIRONMENT}).stderr
    kt.check("recorded: s-1.kith, s-2.kith, s-3.kith; next: kith info s-1.kith\n" in said, said)
    # Under one name the last is kept, and the others are told of; without --force the first.
    said = kt.run([kt.setting("KITH"), "run", "--trace", "one-name", "--force", "--", "./three.sh"],
                  environment={**os.environ, **kt.LAUNCH_ENVIRONMENT}).stderr
    kt.check_equal(said.count("is of an earlier program of this script: %p in the name keeps both; this one replaces it"),
                   2, said)
    said = kt.run([kt.setting("KITH"), "run", "--trace", "first", "--", "./three.sh"],
                  environment={**os.environ, **kt.LAUNCH_ENVIRONMENT}).stderr
    kt.check_equal(said.count("no trace will be written: ") * said.count("is of an earlier program of this script"), 4, said)
    # A kith run in the script of another one is part of that.
    nested = pathlib.Path("nested.sh")
    nested.write_text(f"#!/bin/sh\n{kt.setting('KITH')} run --trace n -- mpirun -n 2 --oversubscribe {ROUNDS} 2 0\n")
    nested.chmod(0o755)
    said = kt.run([kt.setting("KITH"), "run", "--trace", "n", "--", "./nested.sh"],
                  environment={**os.environ, **kt.LAUNCH_ENVIRONMENT}).stderr
    kt.check_equal(said.count("recorded: n.kith"), 2, said)
    # Two jobs at once under one name: the one that wrote none does not say that it did.
    both = [subprocess.Popen([kt.setting("KITH"), "run", "--trace", "same", "--", "mpirun", "-n", "2", "--oversubscribe",
                              ROUNDS, rounds, "50"], env={**os.environ, **kt.LAUNCH_ENVIRONMENT}, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True) for rounds in ("20", "40")]
    heard = sorted(["recorded: same.kith" in job.communicate()[1] for job in both])
    kt.check_equal(heard, [False, True], "who says that it recorded")
    # The watch knows an open name, too.
    said = kt.run([kt.setting("KITH"), "run", "--trace", "b-%j-%p", "--", "mpirun", "-n", 2, "--oversubscribe", "true"],
                  environment={**os.environ, **kt.LAUNCH_ENVIRONMENT}).stderr
    kt.check("nothing was recorded: there is no " in said and "b-%j-%p" in said, said)
    said = kt.run([kt.setting("KITH"), "run", "--trace", "x-%p/a", "--", "true"], status=2).stderr
    kt.check("in the last part of the path" in said, said)
kt.finish()

#!/usr/bin/env python3
"""A job that is to be reordered by an earlier run says the seconds of both orders, and stays as it is
where they say that it would not become faster, whatever the bytes promise.

usage (inside a bed of 2 hosts with 100 Mbit/s): job_seconds_test.py
"""
import json
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS = 4  # 0 and 1 on the first host
PAIRS = kt.setting("KITH_BINARY") / "tests/mpi/pairs"
SECONDS = re.compile(r"([\d.]+) (m?s) predicted \([^)]*\), ([\d.]+) (m?s) in the present order; "
                     r"the recorded run took ([\d.]+) (m?s), simulated ([\d.]+) (m?s)")


def launch(step, *options):
    done = kt.run(["onhost", "h0", "env", "KITH_NETWORK=job.net", "KITH_HOME=home", kt.setting("KITH"), "run", *options,
                   "--", "mpirun", "-n", RANKS, "--map-by", "ppr:2:node", PAIRS, step])
    kt.check("every rank heard its peer" in done.stdout, done.stdout)
    return done.stderr


def told(said):
    """Seconds predicted, now, recorded, simulated."""
    found = SECONDS.search(said)
    kt.check(found is not None, f"no seconds in {said!r}")
    return [float(found[i]) * (1e-3 if found[i + 1] == "ms" else 1) for i in (1, 3, 5, 7)]


def main():
    pathlib.Path("job.net").write_text("level network cost=80000 latency=20 bandwidth=12\n"
                                       "level host cost=300 latency=3 bandwidth=3000\n"
                                       "h0 slots=2\nh1 slots=2\n")
    # A recorded run that the simulation misses by far, on a busy machine, shows no seconds.
    for _ in range(5):
        for step, trace in (("2", "between"), ("1", "inside")):
            launch(step, "--trace", trace, "--force")
        said = launch("2", "--trace", "again", "--force", "--reorder", "between.kith")
        if "seconds are not compared: the recorded run took " not in said:
            break
    kt.check("ranks reordered" in said, said)
    predicted, now, recorded, simulated = told(said)
    kt.check(predicted < now / 2, f"seconds of an order without traffic between hosts: {said}")
    kt.check(now == simulated, f"the present order is the recorded one: {said}")
    wall = json.loads(pathlib.Path("between.kith/meta.json").read_text())["wall_seconds"]
    kt.check(abs(recorded / wall - 1) < 0.02, f"recorded {recorded}, meta.json says {wall}")
    print(f"1 MB to a partner on the other host: {now} s simulated, {recorded} s measured; beside it "
          f"{predicted} s")
    # The matrix promises a gain; the timeline, of another run, says what it would cost.
    shutil.copytree("between.kith", "mixed.kith")
    shutil.rmtree("mixed.kith/timeline")
    shutil.copytree("inside.kith/timeline", "mixed.kith/timeline")
    said = launch("1", "--reorder", "mixed.kith")
    kt.check("order unchanged" in said and "would save no time" in said, said)
    told(said)
    shutil.copytree("between.kith", "damaged.kith")
    host = next(pathlib.Path("damaged.kith/timeline").glob("host-*.timeline"))
    host.write_bytes(host.read_bytes()[:-20])
    said = launch("2", "--reorder", "damaged.kith")
    kt.check("ranks reordered" in said and "its seconds are not known: " in said and host.name in said, said)
    # So does a job that goes by its profile.
    auto = [launch("2", "--reorder", "auto") for _ in range(2)][-1]
    kt.check("ranks reordered" in auto, f"not reordered by its profile: {auto}")
    predicted, now, *_ = told(auto)
    kt.check(predicted < now / 2, f"seconds by the profile's timeline: {auto}")
    # Without a timeline all is as it was.
    shutil.rmtree("mixed.kith/timeline")
    said = launch("2", "--reorder", "mixed.kith")
    kt.check("ranks reordered" in said and " predicted (" not in said, said)
    print("an order that takes longer by the timeline is not taken; without one nobody speaks of seconds")


kt.need_programs("mpirun")
with kt.work_folder():
    main()

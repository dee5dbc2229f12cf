#!/usr/bin/env python3
"""Jobs that never reach MPI_Finalize leave their rows behind, and `kith info` reads them."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS = 3
KITH = kt.setting("KITH")
programs = kt.setting("KITH_BINARY") / "tests/mpi"


def launch(trace, program, *settings, ranks=RANKS):
    exports = [word for setting in (f"KITH_TRACE={trace}", *settings) for word in ("-x", setting)]
    return ["mpirun", "-n", str(ranks), "-x", f"LD_PRELOAD={kt.setting('KITH_LIB')}", *exports,
            *map(str, program)]


def start(command, **options):
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            stdin=subprocess.DEVNULL, env={**os.environ, **kt.LAUNCH_ENVIRONMENT},
                            **options)


def kith_lines(text):
    return [line for line in text.splitlines() if line.startswith("kith:")]


def kith(*words, status=0):
    return kt.run([KITH, *words], status=status)


def ring(ranks=RANKS):
    return {(rank, (rank + 1) % ranks): 3 * (100 + rank) for rank in range(ranks)}


def check_partial(name, ranks=RANKS):
    """NAME.kith.partial tells all that was sent; there is no NAME.kith."""
    kt.check(not os.path.exists(f"{name}.kith"), f"{name}.kith of a run that did not end")
    info = json.loads(kith("info", f"{name}.kith.partial", "--json").stdout)
    kt.check_equal((info["partial"], info["ranks"], info["bytes"], info["classes"]["p2p"]),
                   (True, ranks, sum(ring(ranks).values()), sum(ring(ranks).values())), name)
    kt.check_equal(info["rows"], {"ranks": ranks, "incomplete": 0}, f"{name}: rows")
    said = kith("map", name, "--topology", f"tree:{ranks}x2").stderr
    kt.check(f"{name}.kith.partial is of a run that did not end: what it sent until then" in said, said)
    kt.check(f"partial: the rows of {ranks} of {ranks} ranks" in kith("info", name).stdout,
             f"kith info {name} says partial")
    kith("convert", name, f"{name}.mtx")
    kt.check_equal(kt.read_matrix(f"{name}.mtx"), ring(ranks), f"{name}: bytes")
    kith("map", name, "--algorithm", "identity")


def endings():
    for way in ("abort", "exit", "_exit", "term", "kill"):
        job = start(launch(way, [programs / "endings", way]))
        _, errors = job.communicate(timeout=60)
        kt.check(job.returncode != 0, f"{way}: the job fails as it does without Kith")
        kt.check_equal(kith_lines(errors), [], f"{way}: silent")
        check_partial(way)
    print("abort, exit, _exit, SIGTERM, SIGKILL: the rows survive")


def killed_from_outside():
    """As a batch system ends a job: the launcher is told, or the ranks are killed one by one."""
    for name, number in (("time-limit", signal.SIGTERM), ("interrupt", signal.SIGINT)):
        job = start(launch(name, [programs / "endings", "hang"]))
        kt.check_equal(job.stdout.readline().strip(), "all have sent", name)
        check_partial(name)  # a job that still runs may be looked at
        job.send_signal(number)
        job.communicate(timeout=60)
        check_partial(name)
    print("SIGTERM and SIGINT to the launcher: the rows survive")


def whole_runs_leave_nothing():
    kt.run(launch("whole", [programs / "world"]))
    kt.check_trace("whole.kith", RANKS)
    print("a run that ends leaves no partial trace")


def not_wanted():
    job = start(launch("none", [programs / "endings", "kill"], "KITH_PARTIAL=0"))
    _, errors = job.communicate(timeout=60)
    kt.check_equal((list(pathlib.Path().glob("none*")), kith_lines(errors)), ([], []), "KITH_PARTIAL=0")
    kt.run(launch("none", [programs / "world"], "KITH_PARTIAL=0"))
    kt.check_trace("none.kith", RANKS)


def what_is_in_the_way():
    """The rows of an earlier run are not lost without --force."""
    before = sorted(os.listdir("kill.kith.partial"))
    done = kt.run(launch("kill", [programs / "world"]))
    said = kith_lines(done.stderr)
    kt.check(len(said) == 1 and "kill.kith.partial exists" in said[0] and "--force" in said[0],
             f"{said}")
    refused = kith("run", "--trace", "kill", "--", "mpirun", "-n", 1, programs / "world", status=2)
    kt.check("kill.kith.partial" in refused.stderr and "--force" in refused.stderr, refused.stderr)
    kt.check_equal(sorted(os.listdir("kill.kith.partial")), before, "the old rows")
    check_partial("kill")

    done = kt.run(launch("kill", [programs / "world"], "KITH_FORCE=1"))
    kt.check_equal(kith_lines(done.stderr), [], "with force")
    kt.check_trace("kill.kith", RANKS)

    os.mkdir("precious.kith.partial")
    pathlib.Path("precious.kith.partial/thesis.txt").write_text("years of work")
    done = kt.run(launch("precious", [programs / "world"], "KITH_FORCE=1"))
    kt.check("is not a trace" in done.stderr, done.stderr)
    kt.check_equal(os.listdir("precious.kith.partial"), ["thesis.txt"], "other people's folders")
    print("an earlier partial trace is in the way, and goes with --force")


def no_place_for_rows():
    """A file system with place for the trace, but not for every rank's rows."""
    os.mkdir("small")
    job = start(["unshare", "--map-root-user", "--mount", "sh", "-c",
                 'mount -t tmpfs -o size=200k tmpfs small && "$@" && cp -r small/t.kith .', "sh",
                 *launch("small/t", [programs / "world"])])
    output, errors = job.communicate(timeout=60)
    if "unshare" in errors or "mount" in errors:
        kt.not_tried(f"no place for rows: {errors.strip()}")
        return
    kt.check_equal(job.returncode, 0, f"a job without place for rows: {errors}")
    kt.check("holds together" in output, output)
    said = kith_lines(errors)
    kt.check(len(said) == 1 and "ranks are lost" in said[0] and "No space" in said[0], f"{said}")
    kt.check_trace("t.kith", RANKS)
    print(f"no place: {said[0]}")


def full_disk():
    """A file system without place for the trace: the job is as without Kith, and rank 0 says which
    file found no place, and what is left."""
    os.mkdir("full")
    for size, rows_fit in (("16k", False), ("240k", True)):
        job = start(["unshare", "--map-root-user", "--mount", "sh", "-c",
                     f'mount -t tmpfs -o size={size} tmpfs full && "$@"; status=$?; '
                     f'cp -r full left-{size}; exit $status', "sh",
                     *launch("full/t", [programs / "world"])])
        output, errors = job.communicate(timeout=60)
        if "unshare" in errors or "mount" in errors:
            kt.not_tried(f"a full disk: {errors.strip()}")
            return
        kt.check_equal(job.returncode, 0, f"a job on a full disk: {errors}")
        kt.check("holds together" in output, output)
        said = [line for line in kith_lines(errors) if "no trace was written" in line]
        kt.check(len(said) == 1 and "full/t.kith.writing-" in said[0]
                 and "No space left on device" in said[0], errors)
        kt.check_equal(len(kith_lines(errors)), 1 if rows_fit else 2, errors)
        kt.check_equal("what was counted stays in" in said[0], rows_fit, errors)
        kt.check_equal(os.listdir(f"left-{size}"), ["t.kith.partial"] if rows_fit else [],
                       f"{size}: what is left")
        if rows_fit:
            info = json.loads(kith("info", f"left-{size}/t", "--json").stdout)
            kt.check_equal(info["rows"]["ranks"], RANKS, "rows that are left")
        print(f"full disk: {said[0]}")


def damaged_rows():
    shutil.copytree("abort.kith.partial", "hurt.kith.partial")
    rows = pathlib.Path("hurt.kith.partial/rank-000001.rows")
    content = rows.read_bytes()
    for text, expected in ((content[:20], "at least 32 bytes"), (content[:300], "at the end"),
                           (b"x" * len(content), "kithrows")):
        rows.write_bytes(text)
        for words in (("info", "hurt"), ("map", "hurt"), ("convert", "hurt", "out.mtx")):
            done = kith(*words, status=2)
            kt.check("rank-000001.rows" in done.stderr and expected in done.stderr, done.stderr)
    for missing in ("never begun", "absent"):
        rows.write_bytes(b"") if missing == "never begun" else rows.unlink()
        info = json.loads(kith("info", "hurt", "--json").stdout)
        kt.check_equal(info["bytes"], 300 + 306, f"rows of rank 1 {missing}")
        kt.check("the rows of 2 of 3 ranks" in kith("info", "hurt").stdout, f"{missing}: who is missing")
    print("damaged rows are an error, missing ones are not")


with kt.work_folder():
    endings()
    killed_from_outside()
    whole_runs_leave_nothing()
    not_wanted()
    damaged_rows()
    what_is_in_the_way()
    no_place_for_rows()
    full_disk()
kt.finish()

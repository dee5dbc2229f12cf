#!/usr/bin/env python3
"""KITH_REORDER=auto: the first run records, later ones are reordered where that pays, and whatever
is wrong with the profile leaves the launcher's order."""
import datetime
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

build = kt.setting("KITH_BINARY")
halo = build / "examples/patterns/halo2d"
fft = build / "examples/patterns/fft_alltoall"
kith = kt.setting("KITH")
RANKS = 8  # halo2d makes it 4 x 2
# Hosts of two, whose ranks exchange the short sides of their rectangles and the long ones with
# other hosts.
PAYS = {"KITH_TOPOLOGY": "tree:4x2"}
ENOUGH = [64, 2048, 12]


class Auto:
    """Runs under auto with a home of their own."""

    def __init__(self, home, **settings):
        """Without timelines: what they say of seconds depends on what else the machine does."""
        self.home = pathlib.Path(home).absolute()
        self.settings = {"KITH_REORDER": "auto", "KITH_HOME": self.home, "KITH_TIMELINE": "0", **PAYS,
                         **settings}

    def run(self, program, *words, ranks=RANKS, trace=None, **settings):
        """(stdout, the line about auto) of a run; self.started is what else Kith said."""
        extra = {"KITH_TRACE": trace} if trace else {}
        done = kt.mpirun(ranks, [program, *words], preload=True,
                         settings={**self.settings, **extra, **settings})
        said = [line for line in done.stderr.splitlines() if line.startswith("kith: ")]
        lines = [line for line in said if line.startswith("kith: auto: ")]
        kt.check_equal(len(lines), 1, f"lines about auto in\n{done.stderr}")
        self.started = [line for line in said if line not in lines]
        return done.stdout, lines[0].removeprefix("kith: auto: ")

    def files(self):
        return sorted(path.name for path in (self.home / "profiles").iterdir())

    def profiles(self):
        return json.loads(kt.run([kith, "profiles", "list", "--json"],
                                 environment={"KITH_HOME": str(self.home)}).stdout)

    def only(self):
        found = self.profiles()
        kt.check_equal(len(found), 1, "profiles")
        return found[0]


def first_and_second():
    auto = Auto("one")
    plain = kt.mpirun(RANKS, [halo, *ENOUGH]).stdout
    output, line = auto.run(halo, *ENOUGH)
    kt.check_equal(output, plain, "first run")
    name = re.fullmatch(r"order unchanged: first run; recorded as profile (halo2d-8-[0-9a-f]{8})",
                        line)
    kt.check(name, line)
    kt.check_equal(auto.started, [], "said at the start of a first run")
    first = auto.only()
    kt.check_equal((first["name"], first["runs"], first["reordered"], first["ranks"]),
                   (name[1], 1, 0, RANKS), "the profile")

    output, line = auto.run(halo, *ENOUGH, trace="second")
    kt.check_equal(output, plain, "second run")
    gain = re.match(r"ranks reordered: the busiest host sends or receives (\S+) KiB instead of (\S+) (.)iB, headers included, in this run; "
                    r"seconds are not compared: the order is for another machine than this one; "
                    r"profile \S+, run 2$", line)
    kt.check(gain, line)
    kt.check(len(auto.started) == 1 and "ranks reordered" in auto.started[0], f"{auto.started}")

    # What the line says is what `kith eval` says of the trace that the same run left.
    kt.check_trace("second.kith", RANKS)
    placed = kt.placement("second.kith")
    kt.check_equal(placed[0], 0, "rank 0 keeps its process")
    kt.check(placed != list(range(RANKS)), "nobody moved")
    kt.write_mapping("used.map", [placed.index(rank) for rank in range(RANKS)])
    evaluate = [kith, "eval", "second.kith", "--topology", PAYS["KITH_TOPOLOGY"], "--json"]
    costs = [json.loads(kt.run([*evaluate, *more]).stdout)
             for more in ([], ["--mapping", "used.map"])]
    before, after = (row.get("metrics", row)["busiest_host"] for row in costs)
    kt.check(abs(after / 1024 - float(gain[1])) < 0.5 + 0.005 * float(gain[1]),
             f"{after} of {before}: {line}")
    seconds = json.loads(pathlib.Path("second.kith/meta.json").read_text())["wall_seconds"]
    profile = auto.only()
    kt.check(profile["seconds"] > 0, f"{profile}")
    kept = profile["seconds_reordered"]
    kt.check(abs(seconds - kept) < 0.01 + 0.1 * seconds, f"{seconds} s: {profile}")

    # The profile is in ranks of the program: the same matrix as the trace, whatever the order.
    profile = auto.only()
    kt.check_equal([profile[key] for key in ("runs", "reordered", "renewed")], [2, 1, 0], "history")
    sent = kt.read_matrix("second.kith/messages.mtx")
    whole = {cell: weight + weight // 40 + 100 * sent[cell] for cell, weight
             in kt.read_matrix("second.kith/bytes.mtx").items()}
    kept = read_profile(profile["file"])
    kt.check(set(kept) == set(whole) and all(abs(kept[c] - whole[c]) <= 1 + whole[c] // 100
                                             for c in whole), "the profile is not the traffic")
    told = json.loads(kt.run([kith, "info", profile["file"], "--json"]).stdout)
    kt.check_equal(told["ranks"], RANKS, "kith info of a profile")
    kt.run([kith, "map", profile["file"], *("--topology", "tree:4x2"), "-o", "p.map"])
    print(f"halo: {line}")
    return auto


def read_profile(file):
    lines = [line for line in pathlib.Path(file).read_text().splitlines()
             if not line.startswith("%")]
    return {(int(i) - 1, int(j) - 1): int(w) for i, j, w in map(str.split, lines[1:])}


def timelines():
    """The run that records a profile keeps a timeline beside it; runs that only use it do not."""
    auto = Auto("timelines", KITH_TIMELINE="1")
    auto.run(halo, *ENOUGH)
    first = auto.only()
    profile = first["file"]
    folder = pathlib.Path(profile).with_suffix(".timeline")
    hosts = sorted(file.name for file in (folder / "timeline").iterdir())
    kt.check_equal(hosts, ["host-000000.timeline"], "files of the timeline")
    kt.check(0 < first["timeline_bytes"] < first["bytes"], f"{first}")
    kt.check_equal(auto.files(), sorted([folder.name, pathlib.Path(profile).name]), "the store")
    info = json.loads(kt.run([kith, "info", profile, "--json"]).stdout)
    kt.check_equal((info["timeline"]["ranks"], info["timeline"]["omitted_operations"]), (RANKS, 0),
                   "kith info of a profile")
    kt.check("exact" not in info["timeline"], "compared with a matrix of several runs")
    text = kt.run([kith, "info", profile]).stdout
    kt.check("of the run that recorded the profile" in text, text)
    # On the machine that it ran on, as nothing else is said.
    predicted = json.loads(kt.run([kith, "predict", profile, "--json"]).stdout)
    kt.check(abs(predicted["recorded_seconds"] - first["seconds"]) < 0.1 * first["seconds"] + 0.01,
             f"{predicted['recorded_seconds']} s recorded, {first['seconds']} s measured")
    kt.run([kith, "convert", profile, "halo.json", "--to", "perfetto"])
    kt.check(len(json.loads(pathlib.Path("halo.json").read_text())["traceEvents"]) > RANKS,
             "a conversion of a profile's timeline")
    kt.run([kith, "report", profile, "-o", "profile.html"])

    kept = (folder / "timeline" / hosts[0]).read_bytes()
    inode = folder.stat().st_ino
    auto.run(halo, *ENOUGH)
    kt.check_equal(folder.stat().st_ino, inode, "the folder after a run that uses the profile")
    kt.check_equal((folder / "timeline" / hosts[0]).read_bytes(), kept, "the timeline of before")
    shutil.rmtree(folder)  # as a profile of an older Kith
    auto.run(halo, *ENOUGH)
    info = json.loads(kt.run([kith, "info", profile, "--json"]).stdout)
    kt.check_equal(info["timeline"]["ranks"], RANKS, "a timeline of a reordered run")
    kt.run([kith, "profiles", "rm", "--all"], environment={"KITH_HOME": str(auto.home)})
    kt.check_equal(auto.files(), [], "after kith profiles rm")

    auto.run(halo, *ENOUGH, KITH_TIMELINE="0")
    kt.check_equal((len(auto.files()), auto.only()["timeline_bytes"]), (1, 0), "KITH_TIMELINE=0")
    refused = subprocess.run([kith, "predict", profile], text=True, capture_output=True)
    kt.check(refused.returncode == 2 and "a trace with a timeline" in refused.stderr,
             refused.stderr)
    # Beside a trace both have one.
    auto.run(halo, *ENOUGH, trace="both")
    events = [json.loads(kt.run([kith, "info", name, "--json"]).stdout)["timeline"]["operations"]
              for name in ("both.kith", profile)]
    kt.check(events[0] == events[1] > 0, f"{events}")


def other_runs(auto):
    """Other arguments, other ranks: profiles of their own; not where one argument makes no difference."""
    _, line = auto.run(halo, 64, 2048, 13)
    kt.check("first run with these arguments" in line and "argument 3 made no difference" in line, line)
    _, line = auto.run(halo, *ENOUGH, ranks=4)
    kt.check("first run" in line and "halo2d-4-" in line, line)
    kt.check_equal(len(auto.profiles()), 2, "profiles")
    _, line = auto.run(halo, 64, 2048, 13, KITH_PROFILE_ARGS="2")
    kt.check("first run" in line, line)
    _, line = auto.run(halo, 64, 2048, 14, KITH_PROFILE_ARGS="2")
    kt.check("ranks reordered" in line and "the order is for another machine than this one" in line, line)
    for _ in range(2):  # more work than any run in the launcher's order had
        _, line = auto.run(halo, 64, 2048, 40, KITH_PROFILE_ARGS="2")
        kt.check("ranks reordered" in line and "measured: " not in line, line)
        kt.check("seconds are not compared: no run of this build in the launcher's order is known that sent as "
                 "much on these hosts; " in line, line)


def arguments_that_make_no_difference():
    """A name for the output, another one each time; until it does make a difference."""
    auto = Auto("arguments")
    pairs = build / "tests/mpi/pairs"
    _, line = auto.run(pairs, 3, "out.1")
    kt.check("first run; recorded" in line, line)
    _, line = auto.run(pairs, 3, "out.2")
    kt.check("argument 2 made no difference to the pattern of the traffic" in line and "run 2" in line, line)
    _, line = auto.run(pairs, 3, "out.3")
    kt.check("ranks reordered" in line and "run 3" in line, line)
    kt.check_equal(auto.only()["free_arguments"], [2], "kith profiles")
    shown = kt.run([kith, "profiles", "show", "pairs", "out.3"], environment={"KITH_HOME": auto.home}).stdout
    kt.check("of them 1 reordered" in shown, shown)  # by the words of any of its runs
    _, line = auto.run(pairs, 1, "out.4")  # that one counts: another pattern
    kt.check("first run with these arguments" in line and "recorded as profile" in line, line)
    _, line = auto.run(pairs, 3, "turned")
    kt.check("ranks reordered" in line and "recorded as profile" in line, line)
    _, line = auto.run(pairs, 3, "turned")
    kt.check("run 2" in line, line)
    kt.check_equal(len(auto.profiles()), 3, "profiles")
    _, line = auto.run(pairs, 3, "out.5")
    kt.check("ranks reordered" in line and "run 4" in line, line)
    print("arguments that make no difference count no more")


def other_build(program):
    """Another build-id, as the linker would give one to changed sources."""
    content = bytearray(pathlib.Path(program).read_bytes())
    note = content.find(struct.pack("<3I4s", 4, 20, 3, b"GNU"))
    kt.check(note >= 0, f"{program} has no build-id")
    content[note + 16] ^= 1
    pathlib.Path(program).write_bytes(content)


def changed_program():
    """Another pattern under one name costs one run, not more."""
    auto = Auto("changed", KITH_PROFILE="job", KITH_PROFILE_ARGS="none")
    shutil.copy(halo, "app")
    app = pathlib.Path("app").absolute()
    auto.run(app, *ENOUGH)
    kt.check("ranks reordered" in auto.run(app, *ENOUGH)[1], "the halo is reordered")

    pairs = build / "tests/mpi/pairs"
    plain = kt.mpirun(RANKS, [pairs, 3]).stdout
    shutil.copy(pairs, "app")  # rebuilt: not trusted
    output, line = auto.run(app, 3)
    kt.check_equal(output, plain, "a rebuilt program")
    kt.check("order unchanged: the program was rebuilt" in line and "recorded anew" in line, line)
    kt.check_equal(auto.started, [], "said at the start of a rebuilt program")
    output, line = auto.run(app, 3)  # the pattern of before: reordered
    kt.check_equal(output, plain, "after the rebuilt program was recorded")
    kt.check("ranks reordered" in line and "profile job-8-" in line, line)

    output, line = auto.run(app, 1)  # the same build, which does something else now
    kt.check("ranks reordered" in line and "recorded anew" in line, line)
    kt.check_equal(auto.only()["timeline_bytes"], 0, "the timeline of another pattern")
    output, line = auto.run(app, 1)
    kt.check("recorded anew" not in line and "profile job-8-" in line, line)
    profile = auto.only()
    kt.check_equal((profile["runs"], profile["renewed"]), (6, 2), "history")

    # A rebuilt program that does what it did.
    other_build("app")
    _, line = auto.run(app, 1)
    kt.check("the program was rebuilt" in line and "its traffic is as before" in line, line)
    _, line = auto.run(app, 1)
    kt.check("rebuilt" not in line and "run 8" in line, line)
    # And one whose arguments do not matter: its profile is known by any of them.
    auto = Auto("rebuilt")
    shutil.copy(pairs, "app")
    auto.run(app, 3, "out.1")
    kt.check("argument 2 made no difference" in auto.run(app, 3, "out.2")[1], "a free argument")
    other_build("app")
    _, line = auto.run(app, 3, "out.3")
    kt.check("the program was rebuilt" in line and "its traffic is as before" in line, line)
    _, line = auto.run(app, 3, "out.4")
    kt.check("ranks reordered" in line, line)
    kt.check_equal(auto.only()["free_arguments"], [2], "profiles of a rebuilt program")
    print("a changed program is noticed, and its profile renewed")


def nothing_to_gain():
    auto = Auto("fft")
    plain = kt.mpirun(RANKS, [fft, 64, 2]).stdout
    auto.run(fft, 64, 2)
    for times, machine in ((2, "tree:8"), (3, "tree:4x2")):
        output, line = auto.run(fft, 64, 2, KITH_TOPOLOGY=machine)
        kt.check("order unchanged: no better order found" in line and f"run {times}" in line, line)
        kt.check_equal(output, plain, "left alone")
    other = Auto("one", KITH_MIN_GAIN="90%")
    _, line = other.run(halo, *ENOUGH)
    kt.check("order unchanged: " in line and "less than KITH_MIN_GAIN=90%" in line, line)
    print(f"fft: {line}")


def tried_and_slower():
    """An order that was tried and took longer waits, each time for more runs, unless the launcher's
    takes as long."""
    auto = Auto("slower")
    pairs = build / "tests/mpi/pairs"

    def line(rest):
        return auto.run(pairs, 4, PAIRS_REST=rest)[1]

    line(0)
    kt.check("ranks reordered" in (said := line(6000)), said)
    told = re.match(r"order unchanged: the last reordered run took (\S+) s, the last one in the "
                    r"launcher's order (\S+) s; it is tried again in 2 runs", said := line(0))
    kt.check(told and float(told[1]) >= 6 > float(told[2]), said)
    kt.check("it is tried again in the next run" in (said := line(0)), said)
    kt.check("ranks reordered" in (said := line(6000)), f"tried again: {said}")
    kt.check("it is tried again in 8 runs" in (said := line(7000)), said)
    kt.check("ranks reordered" in (said := line(0)), f"the launcher's order took 7 s: {said}")
    print(f"tried: {told[0]}")


def what_is_not_recorded():
    auto = Auto("small")
    _, line = auto.run(halo, 4, 4, 2)
    kt.check("too few, less than 1.0 MiB (--reorder with a trace" in line and "first run" not in line, line)
    _, line = auto.run(halo, *ENOUGH, ranks=1)
    kt.check("too few" in line, line)
    kt.check_equal(auto.files(), [], "the store after small jobs")
    # A run that ends before MPI_Finalize leaves none either.
    words = ["mpirun", "-n", 4, "-x", f"LD_PRELOAD={kt.setting('KITH_LIB')}"]
    for name, value in {**auto.settings, "KITH_TOPOLOGY": "tree:2x2"}.items():
        words += ["-x", f"{name}={value}"]

    def killed():
        done = subprocess.run([str(word) for word in (*words, build / "tests/mpi/endings", "abort")],
                              capture_output=True, timeout=100, text=True,
                              env={**os.environ, **kt.LAUNCH_ENVIRONMENT})
        return [line for line in done.stderr.splitlines() if line.startswith("kith: auto: ")]

    kt.check_equal(killed(), [], "said of a first run")
    kt.check_equal(auto.files(), [], "the store after a job without MPI_Finalize")
    told = killed()  # by the next one
    today = datetime.date.today().isoformat()
    kt.check(len(told) == 1 and "has not reached MPI_Finalize" in told[0] and today in told[0],
             f"of a run that was killed: {told}")
    notes = list((auto.home / "unfinished").iterdir())
    kt.check_equal(len(notes), 1, f"notes: {notes}")
    print(f"after a run that was killed: {told[0]}")


def damaged():
    auto = Auto("damaged")
    auto.run(halo, *ENOUGH)
    file = pathlib.Path(auto.only()["file"])
    content = file.read_bytes()
    for damage in (content[:len(content) // 2], b"", b"\0" * 100, content.replace(b"8 8 ", b"9 9 "),
                   re.sub(rb"ranks 8", b"ranks 4000000000", content)):
        file.write_bytes(damage)
        _, line = auto.run(halo, *ENOUGH)
        kt.check("order unchanged: the profile was damaged" in line, line)
        kt.check("recorded anew" in line, line)
        kt.check_equal(auto.started, [], "said at the start with a damaged profile")
        kt.check_equal(auto.only()["runs"], 1, "a profile recorded anew")
    file.unlink()
    file.mkdir()
    _, line = auto.run(halo, *ENOUGH)
    kt.check("not recorded: cannot write" in line, line)
    print(f"damaged: {line}")


def nowhere_to_keep_it():
    """One line, and the job as without Kith."""
    plain = kt.mpirun(4, [halo, *ENOUGH]).stdout
    pathlib.Path("file").write_text("")
    for home in (pathlib.Path("file").absolute() / "below", "/proc/kith"):
        done = kt.mpirun(4, [halo, *ENOUGH], preload=True,
                         settings={"KITH_REORDER": "auto", "KITH_HOME": home})
        kt.check_equal(done.stdout, plain, f"KITH_HOME={home}")
        said = [line for line in done.stderr.splitlines() if line.startswith("kith: ")]
        kt.check(len(said) == 1 and "order unchanged: cannot write into" in said[0], done.stderr)
    job = ["mpirun", "-n", "4", "-x", f"LD_PRELOAD={kt.setting('KITH_LIB')}", "-x",
           "KITH_REORDER=auto", "env", "-u", "HOME", "-u", "XDG_STATE_HOME", halo, *ENOUGH]
    if not kt.is_open_mpi_5():  # it does not start without HOME
        done = kt.run(job)
        kt.check_equal(done.stderr.count("kith: "), 1, done.stderr)
        kt.check("neither KITH_HOME nor HOME is set" in done.stderr, done.stderr)

    # A file system that cannot be written, and one without room.
    for name, says in (("ro", "Read-only file system"), ("full", "No space")):
        os.mkdir(name)
        script = (f"mount -t tmpfs -o size=100k tmpfs {name} && mkdir -p {name}/profiles && "
                  + (f"head -c 99k /dev/zero > {name}/fill; " if name == "full" else "")
                  + (f"mount -o remount,ro {name} && " if name == "ro" else "") + '"$@"')
        words = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", "mpirun", "-n",
                 "4", "-x", f"LD_PRELOAD={kt.setting('KITH_LIB')}", "-x", "KITH_REORDER=auto", "-x",
                 f"KITH_HOME={os.path.abspath(name)}", halo, *ENOUGH]
        done = subprocess.run([str(word) for word in words], text=True, capture_output=True,
                              timeout=100, env={**os.environ, **kt.LAUNCH_ENVIRONMENT})
        if "unshare" in done.stderr or "mount" in done.stderr:
            kt.not_tried(f"{name}: {done.stderr.strip()}")
            continue
        kt.check_equal((done.returncode, done.stdout), (0, plain), f"{name}: {done.stderr}")
        said = [line for line in done.stderr.splitlines() if line.startswith("kith: ")]
        kt.check(len(said) == 1 and says in said[0], f"{name}: {done.stderr}")
        print(f"{name}: {said[0]}")


def at_once():
    """Jobs of one program at the same time: all end well, and a whole profile stays."""
    auto = Auto("crowd", KITH_TIMELINE="1")
    words = ["mpirun", "-n", "4", "-x", f"LD_PRELOAD={kt.setting('KITH_LIB')}"]
    for name, value in {**auto.settings, "KITH_TOPOLOGY": "tree:2x2"}.items():
        words += ["-x", f"{name}={value}"]
    jobs = [subprocess.Popen([str(word) for word in (*words, halo, *ENOUGH)], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env={**os.environ, **kt.LAUNCH_ENVIRONMENT}) for _ in range(3)]
    ended = [(*job.communicate(timeout=100), job.returncode) for job in jobs]
    for output, errors, status in ended:
        kt.check(status == 0 and "checksum" in output and "profile halo2d-4-" in errors, errors)
    kt.check_equal(len(auto.files()), 2, f"files {auto.files()}")
    kt.check("damage" not in auto.only(), f"{auto.only()}")


def eviction():
    auto = Auto("few", KITH_PROFILE_COUNT="2", KITH_TOPOLOGY="tree:2")
    for steps in (12, 13, 14):
        auto.run(halo, 64, 4096, steps, ranks=2, KITH_PROFILE=f"steps{steps}")
    kt.check_equal([profile["name"].partition("-")[0] for profile in auto.profiles()], ["steps13", "steps14"],
                   "what is left")


def several_programs():
    """A job of several programs has one profile, for all of them; --check leaves it alone."""
    if not kt.starts_several_programs():
        kt.not_tried("mpirun A : B does not work here")
        return
    home = {"KITH_HOME": os.path.abspath("several")}
    options = ["run", "--reorder", "auto", "--topology", "tree:4x2"]
    pairs = build / "tests/mpi/pairs"
    for says in ("first run; recorded", "the busiest host sends or receives "):
        done = kt.run([kith, *options, "--", "mpirun", "-n", 4, pairs, 3, ":", "-n", 4, pairs, 3,
                       "other"], environment=home)
        kt.check(f"auto: {'order unchanged: ' * ('first' in says)}" in done.stderr
                 and says in done.stderr, done.stderr)
        checked = kt.run([kith, *options, "--check", "--", "mpirun", "-n", 8, pairs, 3],
                         environment=home)
        kt.check("the order would stay: first run" in checked.stdout, checked.stdout)
    kt.check_equal(len(os.listdir("several/profiles")), 2, "a profile and its timeline")


def by_kith_run():
    """`kith run --reorder auto`, from a folder that is not the job's, and hostile names."""
    hostile = pathlib.Path("a b;$(touch pwned)").absolute()
    shutil.copy(halo, hostile)
    words = [kith, "run", "--reorder", "auto", "--topology", "tree:2x2", "--", "mpirun", "-n", 4,
             hostile, *ENOUGH]
    for times in (1, 2):
        done = kt.run(words, environment={"KITH_HOME": "relative"})
        kt.check(f"run {times}" in done.stderr or times == 1, done.stderr)
    files = [name for name in os.listdir("relative/profiles") if not name.endswith(".timeline")]
    kt.check(len(files) == 1 and re.fullmatch(r"[\w.+-]+\.mtx", files[0]), f"{files}")
    kt.check(not os.path.exists("pwned"), "a name was run")
    shown = kt.run([kith, "profiles", "show", files[0].removesuffix(".mtx")],
                   environment={"KITH_HOME": "relative"}).stdout
    kt.check("runs         2" in shown, shown)


with kt.work_folder():
    timelines()
    other_runs(first_and_second())
    arguments_that_make_no_difference()
    changed_program()
    nothing_to_gain()
    tried_and_slower()
    what_is_not_recorded()
    damaged()
    nowhere_to_keep_it()
    at_once()
    eviction()
    several_programs()
    by_kith_run()
print("first runs record, later ones are reordered where that pays")
kt.finish()

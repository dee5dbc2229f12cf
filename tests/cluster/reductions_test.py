#!/usr/bin/env python3
"""Last bits of sums on two hosts, ranks in another order: the same under Open MPI's own choice of
algorithms, which look at ranks alone. Under coll/han, which looks at hosts, ranks keep their order:
its MPI_Gather gives wrong results in any other. That of Open MPI 5.0, which is used unless told
otherwise, does not, and adds host by host: there the order changes, and the last bits with it.

usage (inside a bed): reductions_test.py
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt


PROGRAM = kt.setting("KITH_BINARY") / "tests/apps/reductions"
RANKS = 8
stderr = []


def sums(launcher_options, environment, places="ppr:4:node"):
    done = kt.run(["onhost", "h0", kt.setting("KITH"), "run", "--", "mpirun", "-n", RANKS, "--map-by",
                   places, *launcher_options, PROGRAM], environment=environment, timeout=100)
    stderr.append(done.stderr)
    return done.stdout.splitlines()


with kt.work_folder() as folder:
    # Each host gets ranks of both halves, in an order that no host had.
    order = [0, 4, 1, 5, 6, 2, 7, 3]
    kt.write_mapping("order.map", order)
    reordered = {"KITH_REORDER": str(folder / "order.map")}
    by_rank = ["--mca", "coll_han_priority", "0"] if kt.is_open_mpi_5() else []
    plain = sums(by_rank, {})
    kt.check(len(plain) > 50, f"too little to compare: {plain}")
    kt.check_equal(sums(by_rank, reordered), plain, "sums of the reordered run")
    print(f"{len(plain)} sums, the same in both orders")

    if kt.is_open_mpi_5():
        pathlib.Path("hosts").write_text("".join(f"h{rank // 4}\n" for rank in order))
        launched = sums([], {}, "seq:file=hosts:oversubscribe")
        kt.check(sorted(launched) != sorted(plain), "the hosts make no difference: nothing tested")
        kt.check_equal(sorted(sums([], reordered)), sorted(launched), "sums as if launched so")
        kt.check("kith: ranks reordered" in stderr[-1], f"the order stays: {stderr[-1]}")
        print("under coll/han of Open MPI 5.0: those of a job launched in the new order")
    else:
        han = ["--mca", "coll_han_priority", "100"]
        kt.check_equal(sums(han, reordered), sums(han, {}), "sums under coll/han")
        kt.check("coll/han is in use" in stderr[-2], f"not a word on coll/han: {stderr[-2]}")
        kt.check_equal(stderr[-1], "", "said without an order")
        print("under coll/han the order is left alone")

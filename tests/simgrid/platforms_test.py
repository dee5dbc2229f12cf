#!/usr/bin/env python3
"""SimGrid loads what `kith topo --format simgrid` writes, and its routes have as many links as Kith
counts hops; and so for clusters that SimGrid wires by its own rules.
"""
import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from kithtest import check, check_equal, run, setting, skip, work_folder  # noqa: E402

ROUTES = setting("KITH_BINARY") / "bin" / "simgrid_routes"


def links_of_routes(platform, names):
    """(number of hosts, {(a, b): links of the route}) of hosts by their places in `names`."""
    lines = run([ROUTES, platform, *names, "--log=root.thres:error"]).stdout.splitlines()
    place = {name: i for i, name in enumerate(names)}
    links = {}
    for a, b, count, latency in (line.split() for line in lines[1:]):
        links[place[a], place[b]] = int(count)
        check(float(latency) > 0, f"{platform}: no latency from {a} to {b}")
    check_equal(len(links), len(names) * (len(names) - 1), f"{platform}: routes")
    return int(lines[0]), links


def tree_hops(arities, a, b):
    hops = 0
    while a != b:
        a, b, hops, arities = a // arities[-1], b // arities[-1], hops + 2, arities[:-1]
    return hops


def grid_hops(extents, ring, a, b):
    hops = 0
    for extent in reversed(extents):
        apart = abs(a % extent - b % extent)
        hops += min(apart, extent - apart) if ring else apart
        a, b = a // extent, b // extent
    return hops


def check_hops(spec, hosts, hops, name="node"):
    """`hops`: of two hosts by their numbers."""
    run([setting("KITH"), "topo", spec, "--format", "simgrid", "-o", "p.xml"])
    found, links = links_of_routes("p.xml", [f"{name}{i}" for i in range(hosts)])
    check_equal(found, hosts, f"{spec}: hosts")
    for a, b in itertools.permutations(range(hosts), 2):
        check_equal(links[a, b], hops(a, b), f"{spec}: links from {a} to {b}")


def check_average(spec, platform, names):
    """Kith's average and largest number of hops are those of SimGrid's routes."""
    text = run([setting("KITH"), "topo", spec]).stdout
    average, most = re.search(r"are ([\d.]+) hops apart on average, (?:\d+ to )?(\d+)",
                              text).groups()
    found, links = links_of_routes(platform, names)
    check_equal(found, len(names), f"{spec}: hosts")
    check_equal(f"{sum(links.values()) / len(links):.2f}", average, f"{spec}: average")
    check_equal(max(links.values()), int(most), f"{spec}: most")


def write_cluster(hosts, topology, parameters):
    pathlib.Path("c.xml").write_text(
        "<?xml version='1.0'?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n"
        f"  <cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-{hosts - 1}\" speed=\"1Gf\" "
        f"bw=\"1GBps\" lat=\"1us\" topology=\"{topology}\" topo_parameters=\"{parameters}\"/>\n"
        "</platform>\n")
    return [f"n{i}" for i in range(hosts)]


if not ROUTES.exists():
    skip("no SimGrid when this was built (tools/install-packages --with-full-tests)")
with work_folder():
    check_hops("torus:3x4", 12, lambda a, b: grid_hops((3, 4), True, a, b))
    check_hops("torus:2x3x3/2x2", 18, lambda a, b: grid_hops((2, 3, 3), True, a, b))
    check_hops("mesh:3x4", 12, lambda a, b: grid_hops((3, 4), False, a, b))
    check_hops("hypercube:3/4", 8, lambda a, b: grid_hops((2, 2, 2), False, a, b))
    check_hops("fattree:3,2", 9, lambda a, b: tree_hops((3, 3), a, b))
    check_hops("fattree:2,3,2", 8, lambda a, b: tree_hops((2, 2, 2), a, b))
    check_hops("tree:6x2x4@100,10,1", 6, lambda a, b: 2)
    check_hops("hwloc:package:2 l3:2 core:2 pu:1", 8, lambda a, b: tree_hops((2, 2, 2), a, b),
               name="slot")
    for spec in ("dragonfly:5,2,2", "dragonfly:4,3,1,absolute"):
        run([setting("KITH"), "topo", spec, "--format", "simgrid", "-o", "d.xml"])
        hosts = 20 if spec.startswith("dragonfly:5") else 12
        check_average(spec, "d.xml", [f"node{i}" for i in range(hosts)])
    check_average("simgrid:c.xml", "c.xml", write_cluster(24, "TORUS", "4,3,2"))
    check_average("simgrid:c.xml", "c.xml", write_cluster(36, "DRAGONFLY", "3,1;2,1;3,1;2"))
    fat = links_of_routes("c.xml", write_cluster(8, "FAT_TREE", "2;4,2;1,2;1,2"))[1]
    check_equal({pair: tree_hops((2, 4), *pair) for pair in fat}, fat, "FAT_TREE")
print("ok")

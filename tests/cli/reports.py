"""What the tests of kith report share: a trace with all that one can have, and reading pages."""
import base64
import html.parser
import json
import pathlib
import struct

from kithcli import KithTest, write_mtx

P2P = {(0, 1): 1000, (1, 0): 500, (2, 3): 700, (1, 2): 30, (3, 3): 9}
COLL = {(0, 2): 40, (2, 0): 40}
PHASES = [("setup", {(0, 1): 1000, (3, 3): 9}), ("solve", {(1, 0): 500, (2, 3): 700, (1, 2): 30})]


def write_trace(name, program="./app", hosts=("a", "b"), phases=PHASES, order=(0, 1, 2, 3),
                p2p=P2P):
    """A trace of 4 ranks, two on each host, that has all that a trace can have. `order`: the rank
    of each launcher rank."""
    trace = pathlib.Path(name)
    (trace / "classes").mkdir(parents=True)
    (trace / "phases").mkdir()
    total = {**p2p, **COLL}
    write_mtx(trace / "bytes.mtx", 4, total)
    write_mtx(trace / "messages.mtx", 4, {cell: 2 for cell in total})
    write_mtx(trace / "classes/p2p.bytes.mtx", 4, p2p)
    write_mtx(trace / "classes/coll.bytes.mtx", 4, COLL)
    write_mtx(trace / "classes/rma.bytes.mtx", 4, {})
    listed = []
    for number, (phase, cells) in enumerate(phases, 1):
        write_mtx(trace / f"phases/{number:04}.bytes.mtx", 4, cells)
        listed.append({"name": phase, "file": f"phases/{number:04}.bytes.mtx"})
    (trace / "meta.json").write_text(json.dumps(
        {"format": 1, "kith_version": "0.1.0", "program": program, "ranks": 4,
         "mpi_library": "Some MPI 1.0", "hosts": list(hosts), "phases": listed,
         "sources": {"collectives": "model"}, "partial": False}))
    (trace / "machine.json").write_text(json.dumps(
        {"format": 1, "hosts": [{"name": name, "hardware": 0} for name in hosts],
         "hardware": [{"digest": "", "file": None}],
         "ranks": [{"rank": rank, "launcher_rank": j, "host": j // 2, "cpus": ""}
                   for j, rank in enumerate(order)]}))
    load = ["phase,rank,cpu_outside_s,cpu_inside_s,instructions"]
    load += [f"{phase},{rank},{rank + phase}.0,0.5," for phase in (0, 1, 2) for rank in range(4)]
    (trace / "load.csv").write_text("\n".join(load) + "\n")
    (trace / "sizes.csv").write_text("class,rank,at_most_bytes,messages\np2p,0,1023,4\n"
                                     "p2p,1,0,1\ncoll,2,63,2\np2p,3,63,5\n")


def numbers(text):
    """A list of numbers as the page has it."""
    data = base64.b64decode(text)
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def cells(matrix, level=-1):
    """{(row, column): (bytes, messages, level)} of one resolution."""
    flat = matrix["levels"][level]["cells"]
    return {(flat[i], flat[i + 1]): tuple(flat[i + 2:i + 5]) for i in range(0, len(flat), 5)}


class Page(html.parser.HTMLParser):
    """What a browser makes of a page: its elements, and the text of each script."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.inside = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append((dict(attributes), ""))

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)

    def data(self):
        found = [text for attributes, text in self.scripts if attributes.get("id") == "kith-data"]
        assert len(found) == 1, found
        return json.loads(found[0])


class ReportTest(KithTest):
    def page(self, *words):
        self.call("report", *words, "-o", "page.html")
        return Page(pathlib.Path("page.html").read_text(encoding="utf-8"))

    def missing(self, data):
        return [one["view"] for one in data["missing"]]

    def mapping(self, slots, name):
        pathlib.Path(name).write_text("".join(f"{r} {s}\n" for r, s in enumerate(slots)))

#!/usr/bin/python3
"""What the page of `kith report` holds: numbers, names as text, paper, phone, assistive use."""
import math

import browser
import kithtest as kt
import traces
from selenium.webdriver.common.keys import Keys

DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
SECTIONS = ("numbers", "matrix", "machine", "levels", "hosts", "costs", "talkers", "sizes", "load")


def check_loaded(page, path):
    kt.check_equal(page.console(), [], f"{path}: warnings and errors of the browser")
    kt.check_equal(page.requests(), [path.absolute().as_uri()], f"{path}: what the page asks for")


def check_metrics(page, data, order, metrics):
    """The cells of an order in the table of costs are the numbers of `kith eval --json`."""
    shown = page.script(
        "return Object.fromEntries([...document.querySelectorAll('#costs tr[data-metric]')].map("
        "(row) => [row.dataset.metric,"
        " row.querySelector(`td[data-order='${arguments[0]}'] data`).value]))", order)
    kt.check({"hop_bytes", "hops_per_byte", "sum_com", "max_com", "max_link_load",
              "mapping_quality"} <= set(shown), f"{order}: metrics {sorted(shown)}")
    for name, text in shown.items():
        expected = metrics[name]
        same = text == str(expected) if isinstance(expected, int) else math.isclose(
            float(text), expected, rel_tol=1e-12)
        kt.check(same, f"{order}, {name}: the page has {text}, kith eval {expected}")
    index = [one["id"] for one in data["orders"]].index(order)
    bars = page.script(
        "return [...document.querySelectorAll('#levels tbody')].map((group) =>"
        "Number(group.querySelectorAll('tr[data-value]')[arguments[0]].dataset.value))", index)
    if metrics["level_bytes"]:
        kt.check_equal(bars, metrics["level_bytes"], f"{order}: bytes per level")


def check_numbers(page, trace, mapping, data):
    check_metrics(page, data, "present", browser.kith_json("eval", trace)["metrics"])
    check_metrics(page, data, "mapping:0",
                  browser.kith_json("eval", trace, "--mapping", mapping)["metrics"])
    info = browser.kith_json("info", trace)
    facts = dict(zip(page.texts("#numbers dt"), page.texts("#numbers dd data")))
    kt.check_equal(facts["Ranks"], str(info["ranks"]), "ranks in the key numbers")
    total = sum(kt.read_matrix(trace / "bytes.mtx").values())
    kt.check(f"{total} bytes" in page.text("#numbers"), f"{total} bytes not in the key numbers")
    heaviest = page.texts("#talkers tbody tr:first-child td")
    pairs = {}
    for (i, j), weight in kt.read_matrix(trace / "bytes.mtx").items():
        pair = (min(i, j), max(i, j))
        pairs[pair] = pairs.get(pair, 0) + weight
    kt.check_equal(pairs[int(heaviest[0]), int(heaviest[2])], max(pairs.values()),
                   f"the biggest talkers, {heaviest}")


def check_words(page, data):
    kt.check(data["summary"]["headline"], "no headline")
    kt.check_equal(page.text(".headline"), browser.plain(data["summary"]["headline"]), "headline")
    for sentence in data["summary"]["sentences"]:
        kt.check(browser.plain(sentence) in page.text("#summary"), f"not at the top: {sentence}")
    for section in SECTIONS:
        kt.check(len(page.text(f"#{section} .body")) > 20, f"section {section} is empty")


def check_reachable(page, path):
    """What can have the focus has a name; landmarks and a table beside each picture are there."""
    nodes = page.cdp("Accessibility.getFullAXTree")["nodes"]

    def is_on(node, name):
        return any(prop["name"] == name and prop["value"].get("value")
                   for prop in node.get("properties", []))

    nameless = [node["role"]["value"] for node in nodes
                if not node.get("ignored") and is_on(node, "focusable")
                and node["role"]["value"] not in ("RootWebArea", "main")
                and not node.get("name", {}).get("value")]
    kt.check_equal(nameless, [], f"{path}: roles that have the focus, but no name")
    roles = {node["role"]["value"] for node in nodes if not node.get("ignored")}
    kt.check({"main", "navigation", "banner", "contentinfo", "heading", "table"} <= roles,
             f"{path}: roles {sorted(roles)}")
    levels = page.script("return [...document.querySelectorAll('h1, h2, h3')].filter((h) =>"
                         "h.checkVisibility()).map((h) => Number(h.tagName[1]))")
    kt.check(levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])),
             f"{path}: levels of the headings {levels}")
    for section in ("matrix", "machine", "load", "hosts"):
        page.find(f"#{section} .body > details:last-of-type > summary").click()
        page.wait(lambda: page.all(f"#{section} details[open] tbody tr"), f"a table in {section}")


def check_phone(page, path):
    page.open(path, width=360, height=740)
    widths = page.script("return [document.documentElement.scrollWidth, innerWidth]")
    kt.check(widths[0] <= widths[1] == 360, f"{path}: {widths[0]} wide in a window of 360")
    wide = page.script(
        "return [...document.querySelectorAll('main *')].filter((e) => e.checkVisibility() &&"
        "e.getBoundingClientRect().right > 361 && !e.closest('.scroll, .machine-frame, .visually-hidden'))"
        ".map((e) => e.outerHTML.slice(0, 100))")
    kt.check_equal(wide, [], f"{path}: reach out of a narrow window")


def check_paper(page, path, data):
    """On paper: light, without controls, with the words."""
    page.open(path)
    page.choose("theme", "dark")
    page.script("addEventListener('beforeprint', () => { document.body.dataset.printed ="
                "document.documentElement.dataset.theme; })")
    pdf = page.cdp("Page.printToPDF", printBackground=False)
    kt.check(len(pdf["data"]) > 20000, f"{path}: {len(pdf['data'])} characters of PDF")
    kt.check_equal(page.script("return document.body.dataset.printed"), "light", "theme on paper")
    page.emulate("print")
    kt.check_equal(page.script("return getComputedStyle(document.body).backgroundColor"),
                   "rgb(255, 255, 255)", "ground on paper")
    visible = ("return [...document.querySelectorAll(arguments[0])]"
               ".filter((e) => e.checkVisibility()).length")
    kt.check_equal(page.script(visible, ".controls, #contents, .hint"), 0, "controls on paper")
    kt.check(data["summary"]["headline"][:30] in page.text("main"), "no headline on paper")
    for section in SECTIONS:
        kt.check(page.script(visible, f"#{section} h2"), f"{section} is not on paper")
    page.emulate("")


def check_motion(page):
    behaviour = "return getComputedStyle(document.documentElement).scrollBehavior"
    page.emulate("", prefers_reduced_motion="no-preference")
    kt.check_equal(page.script(behaviour), "smooth", "scrolling where motion is welcome")
    page.emulate("", prefers_reduced_motion="reduce")
    kt.check_equal(page.script(behaviour), "auto", "scrolling where motion is not")
    page.emulate("")


def check_missing(page, path, data):
    """A matrix by itself: no phases, sizes, load; the page says why, there and at its end."""
    page.open(path)
    check_loaded(page, path)
    kt.check({"phases", "sizes", "load"} <= {one["view"] for one in data["missing"]},
             f"missing of a matrix: {data['missing']}")
    for one in data["missing"]:
        kt.check(browser.plain(one["reason"]) in page.text("#missing"), f"not said: {one}")
        if one["view"] in ("sizes", "load", "phases"):
            kt.check(browser.plain(one["reason"]) in page.text(f"#{one['view']}"),
                     f"not said in its place: {one}")
    kt.check_equal(page.all("#load .columns"), [], "a chart of the load without data")


def check_hostile(page):
    """Names of hosts, phases and files that are markup, or no text at all."""
    trace = traces.hostile_job("<img src=y onerror=hacked=2>\u202e\udce9.kith")
    kt.write_mapping("<i>\udce9.map", range(16))
    path, _ = browser.report(trace, "hostile.html", "--mapping", "<i>\udce9.map")
    page.open(path)
    check_loaded(page, path)
    kt.check_equal(page.script("return typeof hacked"), "undefined", "code in a name was run")
    kt.check_equal(page.all("main img, main b, main i"), [], "markup in a name became elements")
    text = page.text("main")
    for name in (traces.HOSTILE[0], traces.HOSTILE[3], "<script>hacked=1</script>", "caf\ufffd",
                 "h" * 20 + "\u2026"):
        kt.check(name in text, f"not shown as text: {name}")
    kt.check_equal(page.text("h1"), "<img src=y onerror=hacked=2>\ufffd\ufffd.kith", "title")
    kt.check("caf\ufffd\ufffd" in text, "a control of the direction is not shown as U+FFFD")
    everything = text + page.script(
        "return document.title + [...document.querySelectorAll('*')].flatMap("
        "(e) => [...e.attributes].map((a) => a.value)).join()")
    kt.check_equal([c for c in everything if c in DIRECTIONS], [], "controls of the direction")
    kt.check("<i>\ufffd.map" in page.text("#costs thead"), f"orders: {page.text('#costs thead')}")
    page.point_at("present", 0, 1, shown=16)
    kt.check(traces.HOSTILE[0] in page.reading("present")[0], f"reads {page.reading('present')}")
    return path


def check_odd(page):
    """Traces at the edges of what there is: each opens, fits, and shows no number that is none."""
    phases = [(f"window {k}", {(i, (i + k) % 16): 1000 * (k + 1) for i in range(16)}, 1 + k % 3)
              for k in range(300)]
    traces.write_job("windows.kith", ["a", "b"], 8, phases)
    traces.phased_job("no_machine.kith")
    (folder / "no_machine.kith/machine.json").unlink()
    traces.write_matrix(folder / "one.mtx", 1, {(0, 0): 5})
    traces.write_matrix(folder / "silent.mtx", 8, {})
    traces.write_matrix(folder / "odd.mtx", 131, {(i, i * 7 % 131): i + 1 for i in range(131)})
    for trace, topology in (("windows.kith", None), ("no_machine.kith", None), ("one.mtx", None),
                            ("silent.mtx", "tree:4x4"), ("odd.mtx", "tree:(3*(8,8),16*(4,4))"),
                            ("odd.mtx", "hypercube:10"), ("odd.mtx", "tree:1000x2x64")):
        what = f"{trace} on {topology}"
        options = ["--topology", topology] if topology else []
        path, data = browser.report(trace, "odd.html", *options)
        check_phone(page, path)
        page.open(path)
        check_loaded(page, path)
        found = [word for word in ("NaN", "undefined", "null", "Infinity", "[object")
                 if word in page.text("main")]
        kt.check_equal(found, [], f"{what}: words that are no numbers")
        if "machine" not in data:
            reason = next(one["reason"] for one in data["missing"] if one["view"] == "machine")
            kt.check(reason in page.text("#machine"), f"{what}: not said in its place: {reason}")
            kt.check("places" not in page.text("#matrix"), f"{what}: speaks of places")


def check_large(page):
    """131 072 ranks: a page that is no larger than 5 MB, opens, and zooms."""
    kt.run([kt.setting("KITH"), "gen", "stencil3d", "--extents", "64x64x32", "--permute", "1",
            "-o", "large.mtx"])
    path, data = browser.report("large.mtx", "large.html", "--topology", "tree:64x32x2x32")
    kt.check(path.stat().st_size < 5_000_000, f"{path.stat().st_size} bytes of page")
    page.open(path)
    check_loaded(page, path)
    side = data["orders"][0]["matrices"]["all"]["levels"][0]["side"]
    who, what = page.point_at("kith", 0, 0, shown=side)
    kt.check("more (node0)" in who and "iB" in what, f"the first block reads {who}: {what}")
    block = blocks(page)["kith"]
    kt.check_equal(page.texts(".pane .cells"), ["", ""], "cells of one size need no words")
    while page.find("button[aria-label='Zoom in']").is_enabled():
        page.find("button[aria-label='Zoom in']").click()
        page.settle()
    finest = blocks(page)["kith"]
    kt.check(finest < block, f"zoomed in from blocks of {block} to blocks of {finest}")
    check_unequal_cells(page)


def blocks(page):
    """{order: ranks along the side of the cells that its pane shows}."""
    return {figure.get_attribute("data-order"): int(figure.get_attribute("data-block"))
            for figure in page.all("figure.pane")}


def check_unequal_cells(page):
    """Where panes show cells of different size they say so, and colours are bytes per area."""
    shown = blocks(page)
    kt.check(shown["present"] != shown["kith"], f"cells of one size, too few for this test: {shown}")
    for order, block in shown.items():
        kt.check(f"{block} \u00d7 {block} ranks" in page.text(f"{page.pane(order)} .cells"),
                 f"{order} does not say that its cells are of {block}")
    finest = min(shown.values())
    kt.check(f"in a cell of {finest} \u00d7 {finest} ranks" in page.text(".legend"),
             f"legend: {page.text('.legend')}")
    # A large cell's bytes, spread over its area, lie in the scale's first half: so does its colour.
    who, what = page.point_at("present", 0, 0, shown=4)
    average = int(what.split(" B")[0]) / (shown["present"] / finest) ** 2
    low, high = (float(page.texts(".ticks span")[i].split()[0]) for i in (0, -1))
    middle = (low * high) ** 0.5
    kt.check(low < average < middle < 1, f"{who}, {what}: {average} of {low} to {high}")
    red = page.script(
        "const canvas = document.querySelector(arguments[0]);"
        "return canvas.getContext('2d').getImageData(canvas.width * 0.3, canvas.height * 0.3, 1, 1)"
        ".data[0]", f"{page.pane('present')} canvas")
    # Of the six colours that the light ramp is made of, the first two and the others.
    kt.check(red > 0x4f, f"{average} of {low} to {high} has a colour with a red of {red}")


def check_seven_digits(page):
    """The rows of a million ranks have numbers that are not cut at the edge of the picture."""
    traces.write_matrix(folder / "wide.mtx", 2 ** 20, {(0, 1): 9, (4, 900000): 5})
    path, _ = browser.report("wide.mtx", "wide.html", "--topology", "tree:1024x1024")
    page.open(path)
    ink = page.script("""
        const canvas = document.querySelector("figure canvas");
        const pixels = canvas.getContext("2d").getImageData(0, 0, arguments[0], canvas.height).data;
        const inked = new Set();
        for (let i = 3; i < pixels.length; i += 4)
          if (pixels[i] > 0) inked.add(((i - 3) / 4) % arguments[0]);
        return [...inked].sort((a, b) => a - b);""", browser.NUMBERS_WIDTH - 2)
    kt.check(ink and ink[0] > 0 and ink[-1] - ink[0] > 30, f"columns of the labels: {ink}")


def check_many_orders(page, trace):
    """From the sixth order on colours come again: numbers tell orders apart, wherever they are."""
    options = []
    for k in range(8):
        kt.write_mapping(f"m{k}.map", [(rank + k) % 16 for rank in range(16)])
        options += ["--mapping", f"m{k}.map"]
    path, data = browser.report(trace, "many.html", *options)
    page.open(path)
    check_loaded(page, path)
    for place in ("figcaption", "#costs thead", "#levels tbody:nth-of-type(1)", "#hosts thead"):
        marks = page.script(
            "return [...document.querySelectorAll(`${arguments[0]} .mark`)].map((mark) =>"
            "mark.style.cssText + mark.innerText)", place)
        kt.check_equal(len(marks), len(data["orders"]), f"marks in {place}")
        kt.check_equal(len(set(marks)), len(marks), f"different marks in {place}: {marks}")


def check_empty_host(page):
    """A host without ranks is called what it is beside those that have names."""
    traces.write_matrix(folder / "few.mtx", 12, {(i, i + 1): 10 for i in range(11)})
    path, _ = browser.report("few.mtx", "few.html", "--topology", "tree:4x4")
    page.open(path)
    kt.check_equal(page.texts("#machine .box-name"), ["node0", "node1", "node2", "empty"],
                   "names of the hosts")


def check_threads(page):
    """What threads share, rank by rank, and what is wrong with the binding."""
    path, data = browser.report(traces.threaded_job("threads.kith"), "threads.html")
    page.open(path)
    check_loaded(page, path)
    about = page.text("#threads .body")
    kt.check("The trace tells of 3 ranks" in about and "in 2 of them" in about, about)
    kt.check_equal(page.texts("#threads tbody tr:first-child td"), ["0", "7", "507"], "the largest pair")
    canvas = page.find("canvas.thread-matrix")
    kt.check_equal(page.script("return [arguments[0].width, arguments[0].height]", canvas), [8, 8], "cells")
    colours = page.script("""
        const data = arguments[0].getContext('2d').getImageData(0, 0, 8, 8).data;
        return Array.from({length: 64}, (_, i) => [...data.slice(4 * i, 4 * i + 3)].join())""", canvas)
    ground = colours[0]
    inked = {(i // 8, i % 8) for i, colour in enumerate(colours) if colour != ground}
    kt.check_equal(inked, {(i, (i + 1) % 8) for i in range(8)}, "cells with colour")
    page.script("arguments[0].focus()", canvas)
    for _ in range(2):
        page.press(Keys.ARROW_RIGHT)
    kt.check_equal(page.text("#threads .reading"), "Thread 1 after thread 0: 500 times", "a cell, read")
    page.script("const select = document.getElementById('thread-rank'); select.value = 2;"
                "select.dispatchEvent(new Event('change'))")
    kt.check("share nothing" in page.text("#threads .body"), page.text("#threads .body"))
    fault = page.text("#binding .body")
    kt.check("On tux0" in fault and "ranks 0 and 1 share one core" in fault and "--bind-to core" in fault, fault)
    kt.check(any("ranks 0 and 1 share one core" in text for text in data["summary"]["sentences"]), "not in the words")
    kt.check_equal(data["binding"], browser.kith_json("info", "threads.kith")["binding"], "as kith info has it")
    return path


with kt.work_folder() as folder, browser.chromium() as page:
    trace = traces.phased_job("job.kith")
    kt.write_mapping("other.map", [(5 * rank) % 16 for rank in range(16)])
    job, job_data = browser.report(trace, "job.html", "--mapping", "other.map")
    page.open(job)
    check_loaded(page, job)
    check_numbers(page, trace, "other.map", job_data)
    check_words(page, job_data)
    check_reachable(page, job)
    check_motion(page)

    kt.run([kt.setting("KITH"), "gen", "stencil3d", "--extents", "8x8x8", "-o", "s.mtx"])
    matrix, matrix_data = browser.report("s.mtx", "matrix.html", "--topology", "torus:4x4x4/8")
    check_missing(page, matrix, matrix_data)
    hostile = check_hostile(page)
    threads = check_threads(page)
    for path in (job, matrix, hostile, threads):
        check_phone(page, path)
    check_paper(page, job, job_data)
    check_odd(page)
    check_large(page)
    check_seven_digits(page)
    check_many_orders(page, trace)
    check_empty_host(page)
print("ok")

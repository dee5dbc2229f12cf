#!/usr/bin/python3
"""The page of 131 072 ranks: what its captions, lines, names and squares say is what is drawn."""
import base64
import pathlib
import re
import struct

from selenium.webdriver.common.action_chains import ActionChains

import browser
import kithtest as kt
import traces

RANKS = 131072
FEWEST_PIXELS = 7  # between two lines, on average

# Notes what is drawn on each canvas: vertical lines by their width, and texts.
RECORDER = """
    window.drawn = new Map();
    const note = (context) => {
      if (!drawn.has(context.canvas)) drawn.set(context.canvas, { lines: [], texts: [] });
      return drawn.get(context.canvas);
    };
    const all = CanvasRenderingContext2D.prototype;
    const { clearRect, moveTo, lineTo, fillText } = all;
    all.clearRect = function (...box) { drawn.delete(this.canvas); clearRect.apply(this, box); };
    all.moveTo = function (x, y) { this.from = [x, y]; moveTo.call(this, x, y); };
    all.lineTo = function (x, y) {
      if (x === this.from[0]) note(this).lines.push([this.lineWidth, x]);
      lineTo.call(this, x, y);
    };
    all.fillText = function (text, ...at) { note(this).texts.push(text); fillText.call(this, text, ...at); };
"""


def numbers(text):
    raw = base64.b64decode(text)
    return struct.unpack(f"<{len(raw) // 4}I", raw)


def draw_again(page):
    """Everything once more, so that the recorder sees it."""
    page.choose("theme", "dark")
    page.choose("theme", "light")


def drawn_in(page, order):
    """({line width: positions of pixels}, texts, pixels of the side) of an order's picture."""
    lines, texts, side = page.script(
        "const canvas = document.querySelector(arguments[0]);"
        "const { lines, texts } = drawn.get(canvas);"
        "return [lines, texts, canvas.clientWidth - canvas.dataset.left - arguments[1]]",
        f"{page.pane(order)} canvas", browser.MARGIN_RIGHT)
    by_width = {}
    for width, x in lines:
        by_width.setdefault(width, []).append(x)
    return by_width, texts, side


def view_of(caption):
    """[first, behind the last] of the columns that a caption says are in view."""
    found = re.search(r"sending to (\d+)\u2013(\d+)", caption)
    return (int(found[1]), int(found[2]) + 1) if found else (0, RANKS)


def borders_of(caption):
    """{line width: (how many objects, their name)} as a caption has it; empty without lines."""
    names = dict(zip((1, 2), re.findall(r"(?:lines part|thick ones) ([^,.]+)", caption)))
    if "thick lines part" in caption:
        names = {2: names[1]}
    borders = {}
    for width, name in names.items():
        group = re.fullmatch(r"groups of (\d+) (.+)", name)
        borders[width] = (int(group[1]), group[2]) if group else (1, name)
    return borders


def check_borders(page, sizes, orders):
    """Lines stand where the caption's objects begin, far enough apart; names are of objects in view.

    `sizes`: positions of an object by its name. Returns the names of what was drawn.
    """
    caption = page.text(".span")
    first, end = view_of(caption)
    borders = borders_of(caption)
    kt.check(borders, f"no lines: {caption}")
    for order in orders:
        lines, texts, side = drawn_in(page, order)
        for width, (group, name) in borders.items():
            every = group * sizes[name]
            place = side / (end - first)
            expected = [(at - first) * place for at in range(every, RANKS, every)]
            found = sorted(lines.get(width, []))
            check_lines(found, expected, side, place, f"{order}, {group} {name}: {caption}")
            kt.check(side / (len(found) + 1) >= FEWEST_PIXELS,
                     f"{order}, {caption}: {len(found)} lines on {side} pixels")
        labels = [text for text in texts if not re.fullmatch(r"\d+", browser.plain(text))]
        kt.check(labels, f"{order}: no names along the axes: {caption}")
        for label in labels:
            check_label(browser.plain(label), sizes, first, end, f"{order}, {caption}")
    return {name for _, name in borders.values()}


def check_lines(found, expected, side, place, what):
    """Each line is one of those expected, and those well in view are there. The caption has whole
    places of `place` pixels, while the view may begin within one."""
    near = 1.5 + 2 * place
    inside = [at for at in expected if near < at < side - near]
    for some, others in ((found, expected), (inside, found)):
        stray = [at for at in some if not any(abs(at - other) <= near for other in others)]
        kt.check_equal(stray, [], f"{what}: lines at {found}")
    kt.check(abs(len(found) - len(inside)) <= 2, f"{what}: {len(found)} lines, {len(inside)} expected")


def check_label(label, sizes, first, end, what):
    """A name such as "row 17" or "node5" is one of an object that is in view."""
    kind, number = re.fullmatch(r"(.*?) ?(\d+)", label).groups()
    size = sizes["hosts" if kind == "node" else next(
        name for name in sizes if name in (f"{kind}s", f"objects of {kind}"))]
    begin = int(number) * size
    kt.check(begin < end and begin + size > first, f"{what}: {label} is not in view")


def check_all_zooms(page, sizes, orders, zoom):
    """From all ranks to a few; `zoom()` goes further in. Returns the names of all that was drawn."""
    draw_again(page)
    seen = check_borders(page, sizes, orders)
    while page.find("button[aria-label='Zoom in']").is_enabled():
        zoom()
        page.settle()
        first, end = view_of(page.text(".span"))
        if end - first < 64:  # single ranks, inside of the smallest object
            break
        seen |= check_borders(page, sizes, orders)
    page.find("button[aria-label='Show the whole matrix']").click()
    page.settle()
    return seen


def opened(page, topology, name):
    path, data = browser.report("large.mtx", f"{name}.html", "--topology", topology)
    kt.check(path.stat().st_size < 5_000_000, f"{topology}: {path.stat().st_size} bytes of page")
    page.open(path)
    page.script(RECORDER)
    return data


def press_plus(page):
    return lambda: page.find("button[aria-label='Zoom in']").click()


def check_grid(page):
    """A torus: planes, rows, hosts and what is in them, each where it has room."""
    data = opened(page, "torus:16x16x16/2x16", "torus")
    sizes = {"planes": 8192, "rows": 512, "hosts": 32, "objects of level1": 16}
    seen = check_all_zooms(page, sizes, ["present", "kith"], press_plus(page))
    kt.check_equal(seen, set(sizes), "what the lines part at some zoom")
    kt.check("All 131072 places; numbers on the axes are places" in page.text(".span"),
             page.text(".span"))
    return data


def check_many_hosts(page):
    """More hosts than the page has names for: lines and names reach the last one."""
    opened(page, "tree:16384x8", "flat")
    canvas, x, y = page.cell_centre("present", 0.49, 0.49, shown=1)

    def to_the_end():
        corner = ActionChains(page.driver).move_to_element_with_offset(
            canvas, *(round(2 * at) - 3 for at in page_half(page, canvas)))
        corner.double_click().perform()

    seen = check_all_zooms(page, {"hosts": 8}, ["present"], to_the_end)
    kt.check_equal(seen, {"hosts"}, "what the lines part")
    who, _ = page.point_at("present", 127, 127, shown=128)
    kt.check(who.endswith("host 16383)"), f"the last cell reads {who}")
    kt.check("busiest of the first 4096 hosts" in page.text("#hosts"), page.text("#hosts h3"))


def page_half(page, canvas):
    return page.script("const b = arguments[0].getBoundingClientRect();"
                       "return [b.width / 4, b.height / 4]", canvas)


def check_partly_filled(page):
    """More slots than ranks: positions along the axes are no places, and are not called so."""
    opened(page, "tree:200x32x32", "partly")
    sizes = {"hosts": 1024, "objects of level2": 32}
    seen = check_all_zooms(page, sizes, ["present", "kith"], press_plus(page))
    kt.check_equal(seen, set(sizes), "what the lines part at some zoom")
    caption = page.text(".span")
    kt.check("numbers on the axes are positions" in caption, caption)
    kt.check("What holds no ranks is not drawn" in page.text("#machine"), "nothing of empty slots")


def look_at_square(page, index):
    page.script("document.querySelectorAll('#machine [data-square]')[arguments[0]]"
                ".dispatchEvent(new MouseEvent('click', {bubbles: true}))", index)
    return page.text("#machine .reading")


def colours(page, colouring):
    page.script("const list = document.querySelector('#machine-colour'); list.value = arguments[0];"
                "list.dispatchEvent(new Event('change'))", colouring)
    return page.script("return [...document.querySelectorAll('#machine [data-square]')]"
                       ".map((square) => square.style.background)")


def check_squares(page, data):
    """Who sits where: any order, squares that say how many ranks they are, and a scale."""
    squares = len(page.all("#machine [data-square]"))
    size = RANKS // squares
    kt.check(squares > 1000 and f"Each square is {size} ranks" in page.text("#machine"),
             f"{squares} squares: {page.text('#machine .body')[:300]}")
    ranks_at = {"present": range(RANKS),
                "kith": numbers(next(one["rank_at"] for one in data["orders"] if one["id"] == "kith"))}
    pictures = {}
    for order, ranks in ranks_at.items():
        page.choose("machine-order", order)
        pictures[order] = colours(page, "rank")
        key = page.text("#machine .group-key")
        kt.check("rank 0" in key and f"rank {RANKS - 1}" in key and "mean" in key, f"scale: {key}")
        for index in (0, 1234, squares - 1):
            here = ranks[index * size:(index + 1) * size]
            reading = look_at_square(page, index)
            kt.check(f"Places {index * size}\u2013{(index + 1) * size - 1}: " in reading, reading)
            kt.check(f"mean of the numbers {int(sum(here) / size + 0.5)}" in reading, reading)
            colours(page, "host:present")
            reading = page.text("#machine .reading")
            count, host = re.search(r"; (\d+) of them on node(\d+) in the present", reading).groups()
            on_host = [rank // 32 for rank in here]
            kt.check_equal(int(count), on_host.count(int(host)), f"ranks of that host: {reading}")
            kt.check_equal(int(count), max(map(on_host.count, on_host)), f"the most: {reading}")
            colours(page, "rank")
    kt.check(pictures["present"][0] != pictures["present"][-1], "one colour for all ranks")
    kt.check(pictures["present"] != pictures["kith"], "both orders have one picture")
    kt.check_equal(len(set(colours(page, "count"))), 1, "colours of squares of equally many ranks")
    kt.check(f"{size} ranks" in page.text("#machine .group-key"), page.text("#machine .group-key"))


def check_unlisted_hosts(page):
    """Hosts that the page does not list are drawn too, where they hold ranks."""
    traces.write_matrix(pathlib.Path("few.mtx"), 8192, {(i, i + 1): 9 for i in range(8191)})
    path, data = browser.report("few.mtx", "few.html", "--topology", "torus:64x64x16")
    kt.check(len(data["machine"]["hosts"]) < 8192, "too few hosts for this test")
    page.open(path)
    squares = len(page.all("#machine [data-square]"))
    size = re.search(r"Each square is (\d+) rank", page.text("#machine"))
    kt.check(size and squares * int(size[1]) == 8192,
             f"{squares} squares: {page.texts('#machine .note')}")


with kt.work_folder(), browser.chromium() as page:
    kt.run([kt.setting("KITH"), "gen", "stencil3d", "--extents", "64x64x32", "--permute", "1",
            "-o", "large.mtx"])
    check_squares(page, check_grid(page))
    check_many_hosts(page)
    check_partly_filled(page)
    check_unlisted_hosts(page)
    kt.check_equal(page.console(), [], "warnings and errors of the browser")
print("ok")

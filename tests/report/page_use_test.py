#!/usr/bin/python3
"""Using the page of `kith report`: pointing, keys, wheel, fingers, and all its switches."""
import base64
import re
import struct

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import browser
import kithtest as kt
import traces

HINT = "Point at a cell to read it."
SQUARES = "[...document.querySelectorAll('#machine [data-slot]')]"


def numbers(text):
    raw = base64.b64decode(text)
    return struct.unpack(f"<{len(raw) // 4}I", raw)


def ranks_along(order, ranks):
    """The rank at each position of an order's axes."""
    return numbers(order["rank_at"]) if order["axis"] == "listed" else tuple(range(ranks))


def check_pointing(page, trace, data):
    """A cell says who sends to whom, how much, over which level; others show the same pair."""
    sent = kt.read_matrix(trace / "bytes.mtx")
    axis = {order["id"]: ranks_along(order, 16) for order in data["orders"]}
    for sender, receiver in ((0, 1), (5, 9), (1, 6), (3, 7)):
        row, column = (axis["present"].index(rank) for rank in (sender, receiver))
        who, what = page.point_at("present", row, column, shown=16)
        hosts = [f"tux{rank % 4}" for rank in (sender, receiver)]
        kt.check_equal(who, f"rank {sender} ({hosts[0]}) \u2192 rank {receiver} ({hosts[1]})",
                       "who")
        weight = sent.get((sender, receiver), 0)
        if weight:
            level = "host" if hosts[0] == hosts[1] else "network"
            kib = f"{weight / 1024:.1f} KiB" if weight >= 1024 else f"{weight} B"
            kt.check_equal(what, f"{kib} in {1 + weight // 4096} messages, over {level}", "what")
        else:
            kt.check_equal(what, "nothing sent", "an empty cell")
        other, _ = page.reading("mapping:0")
        kt.check(f"rank {sender} (" in other and f"rank {receiver} (" in other,
                 f"the other order reads {other}")
    ActionChains(page.driver).move_to_element(page.find("h1")).perform()
    page.wait(lambda: page.reading("present") == (HINT, ""), "nothing is read any more")


def check_keys(page):
    canvas = page.find(f"{page.pane('present')} canvas")
    page.script("arguments[0].focus()", canvas)
    page.press(Keys.ARROW_RIGHT)
    first = page.reading("present")[0]
    kt.check(first.startswith("rank 0 (tux0) \u2192 rank 0 "), f"the first cell reads {first}")
    page.press(Keys.ARROW_RIGHT)
    page.press(Keys.ARROW_DOWN)
    page.press(Keys.ARROW_RIGHT)
    # Positions are by host: ranks 0, 4, 8, 12 sit on tux0.
    who, what = page.reading("present")
    kt.check_equal(who, "rank 4 (tux0) \u2192 rank 8 (tux0)", "after right, down, right")
    kt.check_equal(page.text("#matrix [role=status].visually-hidden"), f"{who}: {what}", "spoken")
    page.press("+")
    page.wait(lambda: "of 16;" in page.text(".span"), "zoomed by key")
    kt.check_equal(page.reading("present")[0], who, "the cell after zooming")
    page.press("0")
    page.wait(lambda: page.text(".span").startswith("All 16 places"), "all shown again")
    page.script("document.activeElement.blur()")


def check_switches(page):
    """Scale, quantity: another picture and another legend; both ways back."""
    before, legend = page.picture("present"), page.text(".legend")
    for name, value, back, word in (("scale", "linear", "log", "linear"),
                                    ("quantity", "messages", "bytes", "messages from")):
        page.choose(name, value)
        kt.check(page.picture("present") != before, f"{name} {value} draws the same")
        kt.check(word in page.text(".legend"), f"{name} {value}: legend {page.text('.legend')}")
        page.choose(name, back)
        kt.check(page.picture("present") == before, f"{name} {back} is not as before")
        kt.check_equal(page.text(".legend"), legend, f"legend of {name} {back}")


def colour_of(page, order, row, column):
    """The colour in the middle of a cell of 16 x 16."""
    canvas, x, y = page.cell_centre(order, row, column, shown=16)
    return page.script("""
        const [canvas, x, y] = arguments;
        const at = [canvas.clientWidth / 2 + x, canvas.clientHeight / 2 + y].map(Math.round);
        return [...canvas.getContext('2d').getImageData(...at, 1, 1).data].join();""", canvas, x, y)


def check_cell_table(page, trace):
    """The table beside the pictures begins with the largest cell, and lists what is in view."""
    sent = kt.read_matrix(trace / "bytes.mtx")
    rows = "#matrix .body > details tbody tr"
    page.find("#matrix .body > details > summary").click()
    page.wait(lambda: page.all(rows), "the table of cells")
    largest = max(sent, key=sent.get)
    cells = page.texts(f"{rows}:first-child td")
    kt.check_equal(cells[2], f"{sent[largest] / 1024:.1f} KiB", "the largest cell")
    before = page.texts(rows)
    page.choose("quantity", "messages")
    page.choose("quantity", "bytes")
    kt.check_equal(page.texts(rows), before, "the table after looking at messages")
    page.find("button[aria-label='Zoom in']").click()
    page.settle()
    listed = page.texts(f"{rows} td:nth-child(2)")
    kt.check(0 < len(listed) and page.texts(rows) != before, "zoomed in, the table is the same")
    page.find("button[aria-label='Show the whole matrix']").click()
    page.settle()
    kt.check_equal(page.texts(rows), before, "the table with all in view again")


def check_one_scale(page, trace, data):
    """Equal bytes have one colour in all orders, other bytes another; both scales."""
    sent = kt.read_matrix(trace / "bytes.mtx")
    pairs = [(0, 1), (0, 4), (3, 12), (7, 2)]
    for scale in ("linear", "log"):
        page.choose("scale", scale)
        colours = []
        for order in data["orders"]:
            axis = ranks_along(order, 16)
            colours.append([colour_of(page, order["id"], axis.index(i), axis.index(j))
                            for i, j in pairs])
        for other in colours[1:]:
            kt.check_equal(other, colours[0], f"colours of {pairs}, {scale}")
        kt.check_equal(len(set(colours[0])), len({sent.get(pair, 0) for pair in pairs}),
                       f"different colours of {[sent.get(pair, 0) for pair in pairs]}, {scale}")


def check_phases(page, trace):
    whole = page.picture("present")
    solve = kt.read_matrix(trace / "phases/0002.bytes.mtx")
    bar = page.find("#phases .phase:nth-child(2)")
    bar.click()
    page.wait(lambda: bar.get_attribute("aria-pressed") == "true", "the phase is chosen")
    page.settle()
    kt.check(page.picture("present") != whole, "a phase draws the same as the whole run")
    who, what = page.point_at("present", 0, 4, shown=16)
    kt.check_equal(who, "rank 0 (tux0) \u2192 rank 1 (tux1)", "who")
    kt.check(what.startswith(f"{solve[0, 1] / 1024:.1f} KiB"), f"in the phase: {what}")
    kt.check("solve" in page.text("#phases"), "the phase is not named")
    kt.check_equal(page.script("return document.querySelector('#phase').value"), "phase:1",
                   "the list")
    page.script("const list = document.querySelector('#phase'); list.value = 'all';"
                "list.dispatchEvent(new Event('change'))")
    page.settle()
    page.wait(lambda: page.picture("present") == whole, "the whole run again")


def check_short_phases(page):
    """Phases of less than a second in all fill their row, each by its share of the time."""
    seconds = {"one": 0.002, "two": 0.001, "three": 0.005}
    short = traces.write_job("short.kith", ["a", "b"], 4, [
        (name, {(0, 1): 1000}, time) for name, time in seconds.items()])
    path, _ = browser.report(short, "short.html")
    page.open(path)
    row, *bars = page.script(
        "return [document.querySelector('.timeline'), ...document.querySelectorAll('.phase')]"
        ".map((e) => e.getBoundingClientRect().width)")
    kt.check(sum(bars) > 0.99 * row, f"bars of {bars} pixels in a row of {row}")
    for bar, time in zip(bars, seconds.values()):
        share = time / sum(seconds.values())
        kt.check(abs(bar / row - share) < 0.01, f"a bar of {bar} of {row} pixels for {share}")


def check_machine(page, data):
    """Squares carry the ranks of the order chosen."""
    for index, order in enumerate(data["orders"]):
        page.choose("machine-order", order["id"])
        places = numbers(order["places"])
        shown = page.script(f"return {SQUARES}.map((e) =>"
                            "[Number(e.dataset.slot), Number(e.textContent)])")
        kt.check_equal(sorted(shown), sorted([place, rank] for rank, place in enumerate(places)),
                       f"ranks on slots in {order['id']}")
    page.choose("machine-order", "present")
    frame = page.find(".machine-frame")
    page.script("arguments[0].focus()", frame)
    page.press(Keys.ARROW_RIGHT)
    page.press(Keys.ARROW_RIGHT)
    kt.check(page.text("#machine .reading").startswith("Slot 4 of tux0: rank 4"),
             f"the second place reads {page.text('#machine .reading')}")
    colours = f"return {SQUARES}.map((e) => e.style.background).join()"
    before = page.script(colours)
    page.script("const list = document.querySelector('#machine-colour'); list.value = 'rank';"
                "list.dispatchEvent(new Event('change'))")
    kt.check(page.script(colours) != before, "colours by rank are those by host")


def check_theme(page):
    ground = "return getComputedStyle(document.body).backgroundColor"
    light, picture = page.script(ground), page.picture("present")
    kt.check_equal(light, "rgb(255, 255, 255)", "the page of a light system")
    page.choose("theme", "dark")
    dark = page.script(ground)
    kt.check(dark != light and page.picture("present") != picture, "dark is as light")
    page.choose("theme", "light")
    kt.check_equal(page.script(ground), light, "light again")
    page.choose("theme", "auto")
    page.emulate("", prefers_color_scheme="dark")
    page.wait(lambda: page.script(ground) == dark, "dark with the system")
    page.emulate("", prefers_color_scheme="light")
    page.wait(lambda: page.script(ground) == light, "light with the system")


def luminance(rgb):
    """Relative luminance (WCAG 2) of "rgb(r, g, b)"."""
    parts = [int(word) / 255 for word in re.findall(r"\d+", rgb)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def check_colours(page):
    """Text stands out from its ground (4.5 : 1), and the scale's lightness only falls or rises."""
    for theme in ("light", "dark"):
        page.choose("theme", theme)
        ground = page.script("return getComputedStyle(document.body).backgroundColor")
        for selector in ("main p", ".lead", ".note", "a", "summary", ".facts dt", "td", "th"):
            ink = page.script("return getComputedStyle(document.querySelector(arguments[0])).color",
                              selector)
            kt.check(contrast(ink, ground) >= 4.5, f"{theme}: {selector} in {ink} on {ground}")
        ramp = page.script(
            "return getComputedStyle(document.querySelector('.ramp')).backgroundImage")
        steps = [luminance(colour) for colour in re.findall(r"rgb\([^)]*\)", ramp)]
        kt.check(len(steps) >= 5, f"{theme}: {ramp}")
        kt.check_equal(steps, sorted(steps, reverse=theme == "light"), f"{theme}: lightness")
    page.choose("theme", "auto")


def check_sorting(page):
    def column():
        return page.script("return [...document.querySelectorAll('#talkers tbody td:nth-child(1)')]"
                           ".map((cell) => Number(cell.dataset.value))")
    bytes_first = column()
    for direction in ("descending", "ascending"):
        heading = page.find("#talkers th:nth-child(1)")
        page.find("#talkers th:nth-child(1) button").click()
        kt.check_equal(heading.get_attribute("aria-sort"), direction, "sorted")
        kt.check_equal(column(), sorted(bytes_first, reverse=direction == "descending"), direction)
    kt.check(bytes_first != column(), "the table was sorted by rank before")


def check_zoom(page, path, data):
    """From blocks to single ranks, by the buttons and by the wheel, and back."""
    page.open(path)
    level = data["orders"][0]["matrices"]["all"]["levels"][0]
    figure = page.pane("present")
    kt.check_equal(page.find(figure).get_attribute("data-block"), str(level["block"]), "at first")
    kt.check(level["block"] > 1, "too small a matrix for this test")
    # A block in words.
    who, what = page.point_at("present", 0, 0, shown=level["side"])
    kt.check(who.startswith(f"ranks 0\u2013{level['block'] - 1}"), f"a block reads {who}")
    kt.check("B" in what, f"a block reads {what}")
    # The wheel scrolls the page until the picture has the focus.
    canvas = page.find(f"{figure} canvas")
    span = page.text(".span")
    wheel(page, canvas, -240)
    kt.check_equal(page.text(".span"), span, "the wheel without focus")
    page.script("arguments[0].focus({preventScroll: true})", canvas)
    wheel(page, canvas, -600)
    page.wait(lambda: page.text(".span") != span, "the wheel zooms")
    page.find("button[aria-label='Show the whole matrix']").click()
    page.wait(lambda: page.text(".span") == span, "all of it again")
    zoom_in = page.find("button[aria-label='Zoom in']")
    while zoom_in.is_enabled():
        zoom_in.click()
        page.settle()
    kt.check_equal(page.find(figure).get_attribute("data-block"), "1", "ranks a cell, zoomed in")
    # In the middle: four positions, ranks 2046 to 2049 in the present order.
    who, what = page.point_at("present", 2047, 2046, first=(2046, 2046), shown=4)
    kt.check(who.startswith("rank 2047 ") and "rank 2046 " in who, f"zoomed in it reads {who}")
    kt.check_equal(what.split(",")[0], "1 B", "one byte from neighbour to neighbour")
    check_drag(page, canvas)


def wheel(page, canvas, delta):
    page.script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", canvas)
    box = page.script("const b = arguments[0].getBoundingClientRect();"
                      "return [b.x + b.width / 2, b.y + b.height / 2]", canvas)
    page.cdp("Input.dispatchMouseEvent", type="mouseWheel", x=box[0], y=box[1],
             deltaX=0, deltaY=delta)
    page.settle()


def check_drag(page, canvas):
    before = shown_places(page)
    ActionChains(page.driver).drag_and_drop_by_offset(canvas, 150, 100).perform()
    page.wait(lambda: all(now != then for now, then in zip(shown_places(page), before)),
              "dragging moves the view along both axes")


def shown_places(page):
    """["2046-2049", "2046-2049"]: senders and receivers in view, zoomed in."""
    words = page.text(".span").split()
    return [words[1], words[4]]


def check_fingers(page, path):
    """On a phone: a tap reads, two fingers zoom."""
    page.open(path, width=360, height=740)
    page.cdp("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    canvas, x, y = page.cell_centre("present", 0, 4, shown=16)
    left, top, width, height = page.script(
        "const b = arguments[0].getBoundingClientRect(); return [b.x, b.y, b.width, b.height]",
        canvas)
    at = {"x": left + width / 2 + x, "y": top + height / 2 + y}
    touch(page, "touchStart", at)
    touch(page, "touchEnd")
    page.wait(lambda: page.reading("present")[0] == "rank 0 (tux0) \u2192 rank 1 (tux1)",
              "a tap reads")
    middle = {"x": left + width / 2, "y": top + height / 2}
    touch(page, "touchStart", middle, {**middle, "x": middle["x"] + 30})
    for apart in (45, 60, 80, 100):
        touch(page, "touchMove", middle, {**middle, "x": middle["x"] + apart})
    touch(page, "touchEnd")
    page.wait(lambda: "of 16;" in page.text(".span"), "two fingers zoom")
    page.cdp("Emulation.setTouchEmulationEnabled", enabled=False)


def touch(page, kind, *points):
    page.cdp("Input.dispatchTouchEvent", type=kind,
             touchPoints=[{**point, "id": i} for i, point in enumerate(points)])
    page.settle()


with kt.work_folder() as folder, browser.chromium() as page:
    trace = traces.phased_job("job.kith")
    kt.write_mapping("other.map", [(5 * rank) % 16 for rank in range(16)])
    job, job_data = browser.report(trace, "job.html", "--mapping", "other.map")
    page.open(job)
    check_pointing(page, trace, job_data)
    check_keys(page)
    check_switches(page)
    check_cell_table(page, trace)
    check_one_scale(page, trace, job_data)
    check_phases(page, trace)
    check_machine(page, job_data)
    check_theme(page)
    check_colours(page)
    check_sorting(page)
    check_fingers(page, job)
    check_short_phases(page)

    kt.run([kt.setting("KITH"), "gen", "stencil3d", "--extents", "16x16x16", "-o", "s.mtx"])
    large, large_data = browser.report("s.mtx", "large.html", "--topology", "tree:64x2x32")
    check_zoom(page, large, large_data)
    kt.check_equal(page.console(), [], "warnings and errors of the browser")
print("ok")

#!/usr/bin/python3
"""Using the timeline on the page of `kith report`: pointing, keys, wheel, light and dark, phone."""
import shutil

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import browser
import kithtest as kt
import traces

HINT = "Point at a picture to read it."
# Where a picture draws its rows, see lib/report/page/time_picture.js.
LEFT, TOP, RIGHT, BANDS, ROW = 54, 22, 2, 18, 22
RANKS = 4
RUN, PERIOD = "#time figure:nth-of-type(1)", "#time figure:nth-of-type(2)"


def trace_with_timeline(path):
    """Phases and a timeline of 4 ranks, see tests/cli/info_time_test.py."""
    trace = traces.write_job(path, ["tux"], RANKS, [
        (name, {(0, 1): 1000}, 1) for name in ("start", "level 1", "level 2")])
    (trace / "timeline").mkdir()
    shutil.copy(kt.setting("KITH_SOURCE") / "tests/corpus/recorded/uneven-4.timeline",
                trace / "timeline/host-000000.timeline")
    return trace


def point_at(page, figure, share, row, bands=0):
    """Moves the pointer to `share` of the time of a row; returns what the picture then says."""
    canvas = page.find(f"{figure} canvas")
    page.script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", canvas)
    width, height = page.script("const b = arguments[0].getBoundingClientRect();"
                                "return [b.width, b.height]", canvas)
    x = LEFT + share * (width - LEFT - RIGHT)
    y = TOP + bands + (row + 0.5) * ROW
    ActionChains(page.driver).move_to_element_with_offset(
        canvas, round(x - width / 2), round(y - height / 2)).perform()
    page.settle()
    return page.text(f"{figure} .who"), page.text(f"{figure} .what")


def pixels(page, figure):
    return page.script("return document.querySelector(arguments[0]).toDataURL()", f"{figure} canvas")


def check_pointing(page, data):
    who, what = point_at(page, RUN, 0.3, 2, BANDS)
    kt.check(who.startswith("rank 2, ") and who.endswith("in level 1"), f"the run reads {who}")
    kt.check("computing" in what and "%" in what, f"the run reads {what}")
    seen = set()
    period = data["time"]["period"]
    names = [event[0] for event in period["events"]]
    for share in range(1, 200, 3):
        who, what = point_at(page, PERIOD, share / 200, 1)
        kt.check(who.startswith("rank 1: "), f"the period reads {who}")
        seen.add(who.removeprefix("rank 1: "))
        if "messages from" in what:
            kt.check("from ranks 0, 2" in what or "from ranks 2, 0" in what, what)
    kt.check("computing" in seen and seen & set(names), f"operations in the period: {seen}")
    ActionChains(page.driver).move_to_element(page.find("h1")).perform()
    page.wait(lambda: page.text(f"{PERIOD} .who") == HINT, "nothing is read any more")


def check_keys(page):
    canvas = page.find(f"{PERIOD} canvas")
    page.script("arguments[0].focus()", canvas)
    page.press(Keys.ARROW_RIGHT)
    first = page.text(f"{PERIOD} .who")
    kt.check(first.startswith("rank 0: "), f"the first reads {first}")
    page.press(Keys.ARROW_DOWN)
    who = page.text(f"{PERIOD} .who")
    kt.check(who.startswith("rank 1: "), f"one down reads {who}")
    page.press(Keys.ARROW_RIGHT)
    kt.check(page.text(f"{PERIOD} .who") != who, "one to the right reads the same")
    said = f"{page.text(f'{PERIOD} .who')}: {page.text(f'{PERIOD} .what')}"
    kt.check_equal(page.text("#time [role=status]"), said, "spoken")
    whole = pixels(page, PERIOD)
    page.press("+")
    page.wait(lambda: "zoomed" in page.find(PERIOD).get_attribute("class"), "zoomed by key")
    page.press("0")
    page.wait(lambda: "zoomed" not in page.find(PERIOD).get_attribute("class"), "all again")
    kt.check(whole, "no picture")
    page.script("document.activeElement.blur()")


def check_zoom(page):
    for figure in (RUN, PERIOD):
        before = pixels(page, figure)
        page.find(f"{figure} button[aria-label^='Zoom in']").click()
        page.settle()
        kt.check(pixels(page, figure) != before, "zoomed in, the picture is the same")
        page.find(f"{figure} button[aria-label^='Show all']").click()
        page.settle()
        kt.check(pixels(page, figure) == before, "all of it is not as before")


def check_looks(page, path):
    light = pixels(page, RUN)
    page.choose("theme", "dark")
    kt.check(pixels(page, RUN) != light, "dark is as light")
    page.choose("theme", "auto")
    page.open(path, width=360, height=740)
    wide = page.script("return document.documentElement.scrollWidth > innerWidth")
    kt.check(not wide, "a phone scrolls sideways")


with kt.work_folder(), browser.chromium() as page:
    path, data = browser.report(trace_with_timeline("t.kith"), "t.html")
    page.open(path)
    check_pointing(page, data)
    check_keys(page)
    check_zoom(page)
    for summary in page.all("#time details > summary"):
        summary.click()
    page.wait(lambda: len(page.all("#time details table")) == 2, "both tables")
    check_looks(page, path)
    kt.check_equal(page.console(), [], "warnings and errors of the browser")

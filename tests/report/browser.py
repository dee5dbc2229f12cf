"""A page in a headless Chromium of Debian's: opening, waiting, pointing, checking."""
import base64
import contextlib
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

try:
    from selenium import webdriver
    from selenium.common.exceptions import TimeoutException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    kt.fail("no python3-selenium (tools/install-packages --with-tests)")

PATIENCE = 60  # seconds; the machine may be busy
# Of a canvas, see lib/report/page/heatmap.js: beside its cells, and for the numbers of its rows.
MARGIN_RIGHT, NUMBERS_WIDTH = 2, 54


@contextlib.contextmanager
def chromium(width=1280, height=900):
    """A browser without a network, closed afterwards."""
    for name in ("chromium", "chromedriver"):
        kt.check(shutil.which(name), f"no {name} (tools/install-packages --with-tests)")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--disable-background-networking", "--no-first-run",
                 f"--window-size={width},{height}"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    try:
        driver.set_page_load_timeout(PATIENCE)
        driver.set_script_timeout(PATIENCE)
        yield Browser(driver)
    finally:
        driver.quit()


class Browser:
    def __init__(self, driver):
        self.driver = driver

    def open(self, path, width=1280, height=900):
        self.resize(width, height)
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.driver.get(pathlib.Path(path).absolute().as_uri())
        self.wait(lambda: self.script("return document.readyState") == "complete",
                  f"{path} loads")
        self.emulate()

    def resize(self, width, height=900):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=width < 500)

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def emulate(self, media="", **features):
        """Media type ("print"; "" for the screen) and features (prefers_color_scheme="dark").

        Scrolling is not animated unless asked for: pointers would miss what still moves.
        """
        features = {"prefers_reduced_motion": "reduce", **features}
        self.cdp("Emulation.setEmulatedMedia", media=media, features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])
        self.settle()

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def settle(self):
        """Everything that waits for the next frame is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0];"
            "requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def wait(self, holds, what):
        try:
            WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05).until(lambda _: holds())
        except TimeoutException:
            kt.fail(f"not seen within {PATIENCE} s: {what}")

    def console(self):
        """Warnings and errors since the page was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("WARNING", "SEVERE")]

    def requests(self):
        """What the page asked for since it was opened, itself included."""
        events = [json.loads(entry["message"])["message"]
                  for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """The text as shown, digits without the spaces between their groups."""
        return plain(self.script("return document.querySelector(arguments[0]).innerText", selector))

    def texts(self, selector):
        return [plain(text) for text in self.script(
            "return [...document.querySelectorAll(arguments[0])].map((e) => e.innerText)",
            selector)]

    def choose(self, name, value):
        """Presses a radio button."""
        self.find(f"input[name={name}][value={value!r}]").click()
        self.settle()

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        self.settle()

    def pane(self, order):
        return f'figure[data-order="{order}"]'

    def picture(self, order):
        """The pixels of an order's matrix, to tell whether they changed."""
        return self.script("return document.querySelector(arguments[0]).toDataURL()",
                           f"{self.pane(order)} canvas")

    def cell_centre(self, order, row, column, first=(0, 0), shown=None):
        """The canvas and the offset from its middle of the cell at (row, column) of positions."""
        canvas = self.find(f"{self.pane(order)} canvas")
        self.script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", canvas)
        box = self.script("const b = arguments[0].getBoundingClientRect();"
                          "return [b.width, b.height]", canvas)
        left, top = (int(canvas.get_attribute(f"data-{edge}")) for edge in ("left", "top"))
        side = box[0] - left - MARGIN_RIGHT
        x = left + (column + 0.5 - first[1]) / shown * side
        y = top + (row + 0.5 - first[0]) / shown * side
        return canvas, x - box[0] / 2, y - box[1] / 2

    def point_at(self, order, row, column, first=(0, 0), shown=None):
        """Moves the pointer onto a cell; returns what the pane then says."""
        canvas, x, y = self.cell_centre(order, row, column, first, shown)
        ActionChains(self.driver).move_to_element_with_offset(canvas, round(x), round(y)).perform()
        self.settle()
        return self.reading(order)

    def reading(self, order):
        return (self.text(f"{self.pane(order)} .who"), self.text(f"{self.pane(order)} .what"))

    def screenshot(self, path, top=0, height=None):
        """A picture of the page from `top` on, to its end if no height is given."""
        size = self.cdp("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": top, "width": size["width"],
                "height": min(height or size["height"], size["height"] - top), "scale": 1}
        png = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                       clip=clip)
        pathlib.Path(path).write_bytes(base64.b64decode(png["data"]))


def plain(text):
    return text.replace("\u202f", "").replace("\u2009", "")


def report(trace, page, *options):
    """Runs `kith report`; returns the page's path and the JSON in it."""
    kt.run([kt.setting("KITH"), "report", trace, *options, "-o", page])
    text = pathlib.Path(page).read_text(encoding="utf-8")
    start = text.index('id="kith-data">') + len('id="kith-data">')
    return pathlib.Path(page), json.loads(text[start:text.index("</script>", start)])


def kith_json(*words):
    return json.loads(kt.run([kt.setting("KITH"), *words, "--json"]).stdout)

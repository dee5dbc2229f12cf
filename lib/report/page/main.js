// Puts the page together; a view without data says so in its place.

const dataText = document.getElementById("kith-data").textContent;
const report = new Report(JSON.parse(withoutDirections(dataText)));
for (const order of report.orders) order.objectiveName = objectiveName(report);

/** Shows a section, or the reason why there is nothing to show, or hides it. */
function section(id, has, show) {
  if (has) {
    show(body(id));
    return;
  }
  const reason = report.reasonFor(id);
  const whole = document.getElementById(id);
  if (reason === null) {
    whole.hidden = true;
  } else {
    whole.querySelector(".lead")?.remove();
    body(id).append(el("p", { class: "absent" }, reason));
  }
}

/** Words that only hold where the machine is known. */
function adaptWords() {
  if (report.machine) return;
  const [matrix, talkers] = ["matrix", "talkers"].map((id) =>
    document.querySelector(`#${id} .lead`),
  );
  matrix.textContent = "Rows send, columns receive.";
  talkers.textContent = "The pairs of ranks that exchange most, both ways together.";
}

const views = [];

adaptWords();
showSummary(report);
showNumbers(report);
const matrices = report.orders.some((order) => order.matrices?.all);
const matrixView = matrices ? new MatrixView(report) : null;
section("matrix", matrices, (place) => {
  const phases = new PhaseView(report, (key) => matrixView.choose(key));
  const absent = report.phases.length === 0 ? report.reasonFor("phases") : null;
  matrixView.show(
    place,
    phases.make() ?? (absent && el("p", { id: "phases", class: "note" }, absent)),
  );
  views.push(() => matrixView.drawNow());
});
section("time", Boolean(report.time), (place) => {
  const timeView = new TimeView(report);
  timeView.show(place);
  views.push(() => timeView.drawNow());
});
section("seconds", Boolean(report.seconds), (place) => showSeconds(report, place));
section("machine", report.machine?.slots > 0 && report.orders.length > 0, (place) => {
  const machineView = new MachineView(report);
  machineView.show(place);
  views.push(() => machineView.paint());
});
section(
  "levels",
  report.orders.some((order) => order.level_bytes?.length),
  (place) => showLevels(report, place),
);
section(
  "hosts",
  report.hosts.length > 1 && report.orders.some((order) => order.hosts?.out?.length),
  (place) => showHosts(report, place),
);
section(
  "costs",
  report.orders.some((order) => order.metrics),
  (place) => showCosts(report, place),
);
section("talkers", report.talkers?.length > 0, (place) => showTalkers(report, place));
section("sizes", report.sizes?.length > 0, (place) => showSizes(report, place));
section("load", report.load?.outside?.length > 0, (place) => showLoad(report, place));
section("threads", report.threads?.list?.length > 0, (place) => {
  const threadView = new ThreadView(report.threads);
  threadView.show(place);
  views.push(() => threadView.paint());
});
section("binding", report.binding?.length > 0, (place) => showBinding(report, place));
section("missing", report.missing.length > 0, (place) => showMissing(report, place));
showContents();
showFooter(report);

// Light and dark: as the system says until the reader chooses. Paper is always light.

const systemDark = matchMedia("(prefers-color-scheme: dark)");
let theme = "auto";

function applyTheme(printing = false) {
  const dark = !printing && (theme === "dark" || (theme === "auto" && systemDark.matches));
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  for (const redraw of views) redraw();
}

document.getElementById("theme").append(
  ...choiceButtons(
    "theme",
    [
      ["auto", "auto"],
      ["light", "light"],
      ["dark", "dark"],
    ],
    theme,
    (chosen) => {
      theme = chosen;
      applyTheme();
    },
  ),
);
systemDark.addEventListener("change", () => applyTheme());
window.addEventListener("beforeprint", () => applyTheme(true));
window.addEventListener("afterprint", () => applyTheme());
applyTheme();

// Key numbers, the metrics of all orders, and what is missing.

// METRICS, the names and texts of the metrics, is put before these scripts: lib/report/page.cpp.

/** The metric that is minimised, as the table calls it: "link-load" is the metric max_link_load. */
function objectiveName(report) {
  const key = (report.objective ?? "").replaceAll("-", "_");
  const metric = METRICS.find(([name]) => name === key || name === `max_${key}`);
  return metric ? metric[1].toLowerCase() : (report.objective ?? "objective");
}

/** The words of the summary are in the page as text; what is left to add. */
function showSummary({ run = {} }) {
  if (!run.partial) return;
  document
    .getElementById("summary")
    .append(
      el(
        "p",
        { class: "notice" },
        "The job did not reach MPI_Finalize: this is what was recorded until its end.",
      ),
    );
}

function showContents() {
  const links = [...document.querySelectorAll("main > section:not([hidden])")].map((section) =>
    el("a", { href: `#${section.id}` }, section.querySelector("h2").textContent),
  );
  document.querySelector("#contents").append(...links);
}

function showNumbers(report) {
  const { run = {}, totals = {} } = report;
  const facts = [
    ["Ranks", grouped(report.ranks), run.hosts ? `on ${counted(run.hosts, "host")}` : ""],
    [
      "Bytes sent",
      bytesText(totals.bytes),
      totals.bytes === undefined ? "" : `${grouped(totals.exact?.bytes ?? totals.bytes)} bytes`,
      totals.exact?.bytes ?? totals.bytes,
    ],
    ...(totals.messages === undefined
      ? []
      : [
          [
            "Messages",
            grouped(totals.exact?.messages ?? totals.messages),
            totals.messages > 0
              ? `${bytesText(totals.bytes / totals.messages)} each on average`
              : "",
            totals.exact?.messages ?? totals.messages,
          ],
        ]),
    [
      "Pairs that talk",
      grouped(totals.pairs ?? "unknown"),
      totals.pairs && report.ranks
        ? `${numberText(Number(((2 * totals.pairs) / report.ranks).toFixed(1)))} partners a rank`
        : "",
      totals.pairs,
    ],
  ];
  const proposed = report.proposed;
  if (proposed && proposed !== report.present && Number.isFinite(proposed.ratio)) {
    facts.push([
      `Predicted: ${proposed.name}`,
      signedChange(proposed.ratio),
      objectiveName(report),
    ]);
  }
  facts.push(...secondsFacts(report));
  if (report.bound?.is_telling) {
    facts.push([
      "Above the optimum, at most",
      percentText(report.bound.gap),
      report.bound.reason ?? "",
    ]);
  }
  body("numbers").append(
    el(
      "dl",
      { class: "facts" },
      facts.map(([term, value, note, exact]) =>
        el(
          "div",
          {},
          el("dt", {}, term),
          el(
            "dd",
            {},
            el("data", { value: exact ?? value }, value),
            note ? el("span", { class: "note" }, note) : null,
          ),
        ),
      ),
    ),
    ...[classesLine(totals), runLine(report)].filter((line) => line !== null),
  );
}

function classesLine({ classes, bytes }) {
  const parts = Object.entries(classes ?? {})
    .filter(([, value]) => value > 0)
    .map(
      ([name, value]) =>
        `${CLASS_NAMES[name] ?? name} ${bytesText(value)} (${percentText(value / bytes)})`,
    );
  return parts.length ? el("p", {}, `Bytes by kind of call: ${parts.join(", ")}.`) : null;
}

function runLine({ run = {} }) {
  const collectives = {
    exact: "counted as the MPI library sent them",
    model: "by Kith's model of the algorithms",
    mixed: "partly counted, partly by model",
    off: "not counted",
  };
  const parts = [
    ["Program", run.program],
    ["MPI", run.mpi],
    ["Collectives", collectives[run.collectives] ?? run.collectives],
    ["Directions", run.undirected ? "not in the data: both ways are shown alike" : null],
  ].filter(([, value]) => value);
  return parts.length
    ? el(
        "dl",
        { class: "run" },
        parts.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value))),
      )
    : null;
}

/** Rows are metrics, columns orders; exact integers stand under the rounded values. */
function showCosts(report, place) {
  const orders = report.orders.filter((order) => order.metrics);
  const rows = METRICS.filter(([name]) =>
    orders.some((order) => Number.isFinite(order.metrics[name])),
  );
  const moved = orders.some((order) => Number.isFinite(order.moved))
    ? [
        el(
          "tr",
          {},
          el("th", { scope: "row" }, "Ranks that move"),
          orders.map((order) =>
            el(
              "td",
              { class: "number" },
              el(
                "data",
                { value: order.moved ?? "" },
                Number.isFinite(order.moved) ? grouped(order.moved) : "",
              ),
            ),
          ),
        ),
      ]
    : [];
  place.append(
    el(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Metrics of each order" },
      el(
        "table",
        { class: "metrics" },
        el("caption", { class: "visually-hidden" }, "Metrics of each order"),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, "Metric"),
            orders.map((order) =>
              el(
                "th",
                { scope: "col", class: "number", title: order.file ?? null },
                orderMark(order),
                order.name,
              ),
            ),
          ),
        ),
        el(
          "tbody",
          {},
          rows.map((metric) => metricRow(metric, orders)),
          secondsRow(orders),
          moved,
        ),
      ),
    ),
  );
}

function metricRow([name, title, meaning, unit], orders) {
  const present = orders[0].metrics[name];
  return el(
    "tr",
    { "data-metric": name },
    el("th", { scope: "row" }, title, el("span", { class: "note" }, meaning)),
    orders.map((order, i) => {
      const value = order.metrics[name];
      if (!Number.isFinite(value)) return el("td", { class: "number" }, "");
      const exact = order.exact?.[name] ?? String(value);
      const change =
        i > 0 && present > 0
          ? el("span", { class: "change" }, signedChange(value / present))
          : null;
      const digits =
        /^\d+$/.test(exact) && unit === "bytes" && value >= 1024
          ? el("span", {}, grouped(exact))
          : null;
      return el(
        "td",
        { class: "number", "data-order": order.id },
        el("data", { value: exact }, unit === "bytes" ? bytesText(value) : numberText(value)),
        change || digits ? el("span", { class: "note" }, change, digits) : null,
      );
    }),
  );
}

function showTalkers(report, place) {
  const way = (talker) => report.levelName(talker.level) ?? "";
  const hosts = report.talkers.some((talker) => talker.host_a !== undefined);
  const columns = ["a", "b"].flatMap((end) => [
    {
      heading: "Rank",
      numeric: true,
      value: (talker) => talker[end],
      text: (talker) => grouped(talker[end]),
    },
    ...(hosts
      ? [
          {
            heading: "on host",
            value: (talker) => talker[`host_${end}`] ?? "",
            text: (talker) => shortName(talker[`host_${end}`] ?? ""),
          },
        ]
      : []),
  ]);
  const byBytes = columns.length;
  columns.push({
    heading: "Bytes",
    numeric: true,
    value: (talker) => talker.bytes,
    text: (talker) => bytesText(talker.bytes),
  });
  if (report.talkers.some((talker) => talker.messages !== undefined)) {
    columns.push({
      heading: "Messages",
      numeric: true,
      value: (talker) => talker.messages ?? 0,
      text: (talker) => grouped(talker.messages ?? ""),
    });
  }
  if (report.talkers.some(way)) columns.push({ heading: "Over", value: way, text: way });
  place.append(sortableTable("Biggest talkers", columns, report.talkers, byBytes));
}

function showMissing(report, place) {
  place.append(
    el(
      "dl",
      { class: "run" },
      report.missing.map(({ view, reason }) =>
        el("div", {}, el("dt", {}, view), el("dd", {}, reason)),
      ),
    ),
  );
}

function showFooter(report) {
  document
    .querySelector("#footer")
    .append(
      `Written by kith ${report.kith ?? ""}. Bytes are in binary units (1 KiB = 1024 bytes). ` +
        "This page holds all its data and loads nothing.",
    );
}

// Tables: plain ones, ones that sort by a column, and ones whose rows are bars.

/** A table of texts; the columns in `numeric` are aligned to the right. */
function simpleTable(headings, rows, numeric) {
  const side = (i) => (numeric.includes(i) ? "number" : null);
  return el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        headings.map((text, i) => el("th", { scope: "col", class: side(i) }, text)),
      ),
    ),
    el(
      "tbody",
      {},
      rows.map((row) =>
        el(
          "tr",
          {},
          row.map((text, i) => el("td", { class: side(i) }, text)),
        ),
      ),
    ),
  );
}

/**
 * A table that sorts by the column whose heading is pressed. `columns`: {heading, numeric,
 * value(row), text(row)}; at first the rows are sorted by column `sorted`, largest first if `down`.
 */
function sortableTable(caption, columns, rows, sorted, down = true) {
  const state = { column: sorted, down };
  const tbody = el("tbody");
  const headings = columns.map((column, i) =>
    el(
      "th",
      { scope: "col", class: column.numeric ? "number" : null },
      el(
        "button",
        { type: "button", on: { click: () => sortBy(i) } },
        column.heading,
        el("span", { class: "arrow", "aria-hidden": "true" }),
      ),
    ),
  );
  const cells = new Map(
    rows.map((row) => [
      row,
      el(
        "tr",
        {},
        columns.map((column) =>
          el(
            "td",
            { class: column.numeric ? "number" : null, "data-value": column.value(row) },
            column.text(row),
          ),
        ),
      ),
    ]),
  );

  function sortBy(i) {
    // Numbers begin with the largest, texts with the first.
    state.down = state.column === i ? !state.down : Boolean(columns[i].numeric);
    state.column = i;
    fill();
  }

  function fill() {
    const { value, numeric } = columns[state.column];
    const compare = numeric
      ? (a, b) => value(a) - value(b)
      : (a, b) => String(value(a)).localeCompare(String(value(b)));
    const ordered = [...rows].sort((a, b) => (state.down ? -compare(a, b) : compare(a, b)));
    tbody.replaceChildren(...ordered.map((row) => cells.get(row)));
    headings.forEach((heading, i) => {
      heading.setAttribute(
        "aria-sort",
        i !== state.column ? "none" : state.down ? "descending" : "ascending",
      );
    });
  }

  fill();
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    el(
      "table",
      { class: "sortable" },
      el("caption", { class: "visually-hidden" }, caption),
      el("thead", {}, el("tr", {}, headings)),
      tbody,
    ),
  );
}

/**
 * Horizontal bars in a table: `groups` of {name, note, bars: [{label, mark, value, text, share}]},
 * all drawn against the largest value of any.
 */
function barTable(caption, groups) {
  const largest =
    Math.max(0, ...groups.flatMap((group) => group.bars.map((bar) => bar.value))) || 1;
  return el(
    "table",
    { class: "bars" },
    el("caption", { class: "visually-hidden" }, caption),
    groups.map((group) =>
      el(
        "tbody",
        {},
        group.name === undefined
          ? null
          : el(
              "tr",
              { class: "group" },
              el(
                "th",
                { scope: "rowgroup", colspan: 4 },
                group.name,
                group.note ? el("span", { class: "note" }, ` ${group.note}`) : null,
              ),
            ),
        group.bars.map((bar) => barRow(bar, largest)),
      ),
    ),
  );
}

function barRow({ label, mark, colour, value, text, share }, largest) {
  const width = `${(100 * value) / largest}%`;
  return el(
    "tr",
    { "data-value": value },
    el("th", { scope: "row" }, mark ?? null, label),
    el(
      "td",
      { class: "bar" },
      el("span", { style: `width: ${width}; --mark: var(--${colour ?? "order-1"})` }),
    ),
    el("td", { class: "number" }, text),
    el("td", { class: "number share" }, share ?? ""),
  );
}

/**
 * A table with one row for each thing and, in it, a thin bar and a number for each series:
 * `series` of {heading, colour, value(row), text(row)}.
 */
function seriesTable(caption, heading, rows, name, series) {
  const largest = Math.max(0, ...rows.flatMap((row) => series.map((one) => one.value(row)))) || 1;
  const bar = (row, one) =>
    el("span", {
      style: `width: ${(100 * one.value(row)) / largest}%; --mark: var(--${one.colour})`,
    });
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    el(
      "table",
      { class: "bars series" },
      el("caption", { class: "visually-hidden" }, caption),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, heading),
          el("td", { class: "bar" }),
          series.map((one) => el("th", { scope: "col", class: "number" }, one.heading)),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, name(row)),
            el(
              "td",
              { class: "bar" },
              series.map((one) => bar(row, one)),
            ),
            series.map((one) =>
              el("td", { class: "number", "data-value": one.value(row) }, one.text(row)),
            ),
          ),
        ),
      ),
    ),
  );
}

// What the ranks do when: the whole run, and a short part of it operation by operation.

const TIME_HINT = "Point at a picture to read it.";
const TIME_KEYS =
  "Click a picture, then: arrow keys go from one to the next, + and \u2212 or the wheel zoom, " +
  "dragging moves, 0 shows all. On a touch screen pinch.";

class TimeView {
  constructor(report) {
    this.report = report;
    const { time } = report;
    this.run = new RunRows(time, report.phases);
    this.period = new PeriodRows(time.period);
    this.panes = [this.makePane(this.run, "The whole run", this.runNote())];
    if (this.period.rows.some(({ events }) => events.length > 0)) {
      this.panes.push(this.makePane(this.period, this.periodTitle(), this.periodNote()));
      this.panes[0].picture.mark = [time.period.begin, time.period.end];
    }
  }

  makePane(rows, title, note) {
    const picture = new TimePicture(rows, title);
    const pane = {
      picture,
      pending: false,
      who: el("p", { class: "who" }, TIME_HINT),
      what: el("p", { class: "what" }),
    };
    const button = (label, name, act) =>
      el("button", { type: "button", "aria-label": name, title: name, on: { click: act } }, label);
    pane.zoomOut = button("\u2212", `Zoom out: ${title}`, () => this.zoom(pane, 1 / 2));
    pane.zoomIn = button("+", `Zoom in: ${title}`, () => this.zoom(pane, 2));
    pane.whole = button("All", `Show all: ${title}`, () => this.reset(pane));
    pane.figure = el(
      "figure",
      { class: "pane wide" },
      el(
        "figcaption",
        { class: "with-controls" },
        el("span", {}, el("strong", {}, title), " ", el("span", { class: "note" }, note)),
        el("span", { class: "choice zoom-buttons" }, pane.zoomOut, pane.zoomIn, pane.whole),
      ),
      picture.canvas,
      el("div", { class: "reading" }, pane.who, pane.what),
    );
    listenToPicture(picture, {
      look: (row, cell, spoken) => this.look(pane, row, cell, spoken),
      leave: () => this.leave(pane),
      zoom: (factor, x) => this.zoom(pane, factor, x),
      pan: (dx) => {
        picture.viewport.pan(dx, 0);
        this.viewChanged(pane);
      },
      reset: () => this.reset(pane),
      move: (down, right, far) => this.move(pane, down, right, far),
      zoomAtCursor: (factor) => this.zoomAtCursor(pane, factor),
    });
    return pane;
  }

  show(place) {
    this.spoken = el("p", { class: "visually-hidden", role: "status" });
    const [run, period] = this.panes;
    place.append(
      this.legend(),
      run.figure,
      ...(period ? [period.figure] : []),
      el("p", { id: "time-keys", class: "hint" }, TIME_KEYS),
      this.spoken,
      ...this.waits(),
      folded("Seconds of each rank as a table", () => this.rankTable()),
      ...(period ? [folded("Operations of the short part as a table", () => this.operationTable())] : []),
    );
    new ResizeObserver(() => this.drawNow()).observe(place);
  }

  legend() {
    const key = (colour, text) =>
      el(
        "span",
        { class: "key" },
        el("span", { class: "swatch", style: `background: var(${colour})` }),
        text,
      );
    return el(
      "p",
      { class: "group-key time-key" },
      key(SHADES[0].colour, "computing"),
      key(SHADES[1].colour, "sending, receiving and waiting for messages"),
      key(SHADES[2].colour, "collectives"),
      key(SHADES[3].colour, "other MPI calls"),
      key("--plot", "nothing known, or no processor"),
    );
  }

  runNote() {
    const { block, ns, covered } = this.report.time;
    const parts = [nsText(ns), block > 1 ? `${block} ranks a row` : "a rank a row"];
    if (covered < 1) parts.push(`of ${percentText(Math.floor(1000 * covered) / 1000)} of the operations`);
    return parts.join(", ");
  }

  periodTitle() {
    const { shown, repeats } = this.report.time.period;
    if (repeats === 0) return "A short part of it";
    return shown === 1 ? "One pass of a loop" : `${["", "", "Two"][shown] ?? shown} passes of a loop`;
  }

  periodNote() {
    const { repeats, begin, end, cut, ranks } = this.report.time.period;
    const parts = [nsText(end - begin)];
    if (repeats > 0) parts.push(`of ${counted(repeats, "pass", "passes")}`);
    parts.push(`from ${nsText(begin)} on, dashed above`);
    if (ranks.length < this.report.time.ranks)
      parts.push(`ranks ${rangeText(ranks[0].rank, ranks.at(-1).rank)}`);
    if (cut) parts.push("cut where a rank does too much");
    return parts.join(", ");
  }

  waits() {
    const { waits } = this.report.time;
    if (waits.length === 0) return [];
    return [
      el("h3", {}, "Who waits longest for whom"),
      barTable(
        "Who waits longest for whom",
        [
          {
            bars: waits.slice(0, 8).map((pair) => ({
              label: pair.sending
                ? `rank ${grouped(pair.rank)} until rank ${grouped(pair.for)} takes its messages`
                : `rank ${grouped(pair.rank)} for messages of rank ${grouped(pair.for)}`,
              value: pair.seconds,
              text: secondsText(pair.seconds),
            })),
          },
        ],
      ),
    ];
  }

  rankTable() {
    const rows = this.report.time.seconds.map((seconds, row) => ({ row, seconds }));
    const columns = [
      {
        heading: this.run.block > 1 ? "Ranks" : "Rank",
        numeric: true,
        value: ({ row }) => row,
        text: ({ row }) => this.run.name(row).replace(/^ranks? /, ""),
      },
      ...SHADES.map(({ name }, shade) => ({
        heading: name,
        numeric: true,
        value: ({ seconds }) => seconds[shade],
        text: ({ seconds }) => secondsText(seconds[shade]),
      })),
    ];
    return sortableTable("Seconds of each rank", columns, rows, 0, false);
  }

  operationTable() {
    return simpleTable(
      ["Operation", "Calls", "Time of all ranks", "Bytes"],
      this.period
        .operations()
        .map(({ name, calls, ns, bytes }) => [name, grouped(calls), nsText(ns), bytesText(bytes)]),
      [1, 2, 3],
    );
  }

  zoom(pane, factor, x) {
    pane.picture.viewport.zoom(factor, x);
    this.viewChanged(pane);
  }

  reset(pane) {
    pane.picture.viewport.reset();
    this.viewChanged(pane);
  }

  viewChanged(pane) {
    this.leave(pane);
    this.redraw(pane);
  }

  look(pane, row, cell, spoken) {
    const { picture } = pane;
    const { who, what } = picture.data.describe(row, cell);
    picture.cursor = { row, cell };
    pane.who.textContent = who;
    pane.what.textContent = what;
    if (spoken) {
      const [begin, end] = picture.data.span(row, cell);
      picture.viewport.reveal(0, begin, Math.min(end - begin, picture.viewport.size));
      this.spoken.textContent = `${who}: ${what}`;
    }
    this.redraw(pane);
  }

  leave(pane) {
    if (!pane.picture.cursor) return;
    pane.picture.cursor = null;
    pane.who.textContent = TIME_HINT;
    pane.what.textContent = "";
    this.redraw(pane);
  }

  /** The cell that the keys are at: the one looked at, or the first one in view. */
  current({ picture }) {
    return picture.cursor ?? { row: 0, cell: picture.data.cellAt(0, picture.viewport.x) };
  }

  move(pane, down, right, far) {
    const { data, cursor } = pane.picture;
    const { row, cell } = this.current(pane);
    const step = cursor ? (far ? 8 : 1) : 0;
    const next = Math.max(0, Math.min(data.count - 1, row + down * step));
    // In another row the cell at the same time.
    const [begin, end] = data.span(row, cell);
    const there = next === row ? cell + right * step : data.cellAt(next, (begin + end) / 2);
    this.look(pane, next, Math.max(0, Math.min(data.lastCell(next), there)), true);
  }

  zoomAtCursor(pane, factor) {
    const { row, cell } = this.current(pane);
    const [begin, end] = pane.picture.data.span(row, cell);
    this.zoom(pane, factor, (begin + end) / 2);
    this.look(pane, row, cell, true);
  }

  redraw(pane) {
    if (pane.pending) return;
    pane.pending = true;
    requestAnimationFrame(() => this.drawPane(pane));
  }

  drawNow() {
    for (const pane of this.panes) this.drawPane(pane);
  }

  drawPane(pane) {
    pane.pending = false;
    const { viewport } = pane.picture;
    pane.picture.draw();
    pane.figure.classList.toggle("zoomed", !viewport.whole);
    pane.zoomIn.disabled = viewport.size <= viewport.smallest;
    pane.zoomOut.disabled = pane.whole.disabled = viewport.whole;
  }
}

// The matrices of all orders side by side: one part of the machine, one colour scale for all.

const LARGEST_CELLS = 40;
const LARGEST_SHARED_CELL = 20; // CSS pixels
const KEYS_HINT =
  "Click a picture, then: arrow keys go from cell to cell, + and \u2212 or the wheel zoom, " +
  "dragging moves, 0 shows all. On a touch screen pinch.";
const POINT_HINT = "Point at a cell to read it.";

class MatrixView {
  constructor(report) {
    this.report = report;
    this.key = "all";
    this.quantity = "bytes"; // what the reader wants to see; `shown`: what can be shown
    this.shown = "bytes";
    this.scaleKind = "log";
    const shown = report.orders.filter((order) => order.matrices);
    const levels = shown.flatMap((order) =>
      Object.values(order.matrices).flatMap((one) => one.levels),
    );
    this.viewport = new Viewport(report.ranks, Math.min(...levels.map((level) => level.block)));
    this.pending = false;
    this.cellTable = null;
    this.panes = shown.map((order) => this.makePane(order));
  }

  makePane(order) {
    const heatmap = new Heatmap(this.report, order, this.viewport);
    const pane = {
      order,
      heatmap,
      who: el("p", { class: "who" }, POINT_HINT),
      what: el("p", { class: "what" }),
      cells: el("p", { class: "note cells" }),
    };
    heatmap.canvas.setAttribute("aria-label", `${order.name}: matrix of who sends to whom`);
    pane.figure = el(
      "figure",
      {
        class: "pane",
        "data-order": order.id,
        style: `--plot-left: ${heatmap.left}px`,
      },
      el(
        "figcaption",
        {},
        orderMark(order),
        el("strong", {}, order.name),
        " ",
        el("span", { class: "note" }, paneNote(order)),
      ),
      heatmap.canvas,
      pane.cells,
      el("div", { class: "reading" }, pane.who, pane.what),
    );
    listenToHeatmap(heatmap, {
      look: (row, column, spoken) => this.look(pane, row, column, spoken),
      lookAtPosition: (x, y, spoken) => {
        this.drawNow();
        const { block } = heatmap.drawn;
        this.look(pane, Math.floor(y / block), Math.floor(x / block), spoken);
      },
      leave: () => this.leave(),
      zoom: (factor, x, y) => this.zoom(factor, x, y),
      pan: (dx, dy) => {
        this.viewport.pan(dx, dy);
        this.viewChanged();
      },
      reset: () => this.reset(),
    });
    return pane;
  }

  /** Puts the view into its section. `phases`: the element that chooses a phase, or null. */
  show(place, phases) {
    this.spoken = el("p", { class: "visually-hidden", role: "status" });
    this.legend = el("div", { class: "legend" });
    this.span = el("p", { class: "span" });
    this.cells = folded("Largest cells of this view as a table", () => this.makeCellTable());
    place.append(
      this.controls(),
      ...(phases ? [phases] : []),
      el(
        "div",
        { class: "panes" },
        this.panes.map((pane) => pane.figure),
      ),
      el("div", { class: "under" }, this.legend, this.span),
      el("p", { id: "matrix-keys", class: "hint" }, KEYS_HINT),
      this.spoken,
      this.cells,
    );
    new ResizeObserver(() => this.redraw()).observe(place);
  }

  controls() {
    const button = (label, title, act) =>
      el("button", { type: "button", title, "aria-label": title, on: { click: act } }, label);
    this.zoomOut = button("\u2212", "Zoom out", () => this.zoom(1 / 2));
    this.zoomIn = button("+", "Zoom in", () => this.zoom(2));
    this.whole = button("All", "Show the whole matrix", () => this.reset());
    return el(
      "div",
      { class: "controls" },
      choice(
        "Colour shows",
        "quantity",
        [
          ["bytes", "bytes"],
          ["messages", "messages"],
        ],
        this.quantity,
        (value) => {
          this.quantity = value;
          this.redraw();
        },
      ),
      choice(
        "Scale",
        "scale",
        [
          ["log", "logarithmic"],
          ["linear", "linear"],
        ],
        this.scaleKind,
        (value) => {
          this.scaleKind = value;
          this.redraw();
        },
      ),
      el(
        "fieldset",
        { class: "choice" },
        el("legend", {}, "Zoom"),
        this.zoomOut,
        this.zoomIn,
        this.whole,
      ),
    );
  }

  choose(key) {
    this.key = key;
    this.leave();
    this.redraw();
  }

  zoom(factor, x, y) {
    this.viewport.zoom(factor, x, y);
    this.viewChanged();
  }

  reset() {
    this.viewport.reset();
    this.viewChanged();
  }

  /** Cells may have another size now, so the one looked at is forgotten. */
  viewChanged() {
    this.leave();
    this.redraw();
  }

  look(pane, row, column, spoken) {
    const level = pane.heatmap.drawn;
    if (spoken && level) {
      const before = [this.viewport.x, this.viewport.y].join();
      this.viewport.reveal(row * level.block, column * level.block, level.block);
      if (before !== [this.viewport.x, this.viewport.y].join()) this.redraw();
    }
    for (const other of this.panes) {
      if (!other.heatmap.drawn || !level) continue;
      const cell =
        other === pane
          ? { row, column }
          : sameCell(pane.order, other.order, level, other.heatmap.drawn, row, column);
      const { who, what } = describeCell(
        this.report,
        other.order,
        other.heatmap.drawn,
        cell.row,
        cell.column,
      );
      other.heatmap.cursor = cell;
      other.who.textContent = who;
      other.what.textContent = what;
    }
    if (spoken) this.spoken.textContent = `${pane.who.textContent}: ${pane.what.textContent}`;
    this.redraw();
  }

  leave() {
    for (const pane of this.panes) {
      if (!pane.heatmap.cursor) continue;
      pane.heatmap.cursor = null;
      pane.who.textContent = POINT_HINT;
      pane.what.textContent = "";
      this.redraw();
    }
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.drawNow());
  }

  /** Blocks that all panes can show, so that cells and colours compare. */
  sharedLevels(pane) {
    const blocks = this.panes.map(
      (other) => new Set(other.order.matrix(this.key).map((level) => level.block)),
    );
    return pane.order
      .matrix(this.key)
      .filter((level) => blocks.every((set) => set.has(level.block)));
  }

  /** What each pane draws: cells of one size, until these are so large that finer ones help. */
  resolutions() {
    const shared = this.panes.map((pane) =>
      resolutionFor(this.sharedLevels(pane), this.viewport, pane.heatmap.side),
    );
    return this.panes.map((pane, i) => {
      const pixels = shared[i]
        ? (pane.heatmap.side * shared[i].block) / this.viewport.size
        : Infinity;
      return pixels <= LARGEST_SHARED_CELL
        ? shared[i]
        : resolutionFor(pane.order.matrix(this.key), this.viewport, pane.heatmap.side);
    });
  }

  drawNow() {
    this.pending = false;
    const levels = this.resolutions();
    this.shown = this.quantity === "messages" && this.messagesKnown(levels) ? "messages" : "bytes";
    const blocks = [...new Set(levels.filter(Boolean).map((level) => level.block))];
    const finest = Math.min(...blocks);
    // A larger cell has the colour of what it holds on average of cells like the smallest.
    const parts = levels.map((level) => (level ? (level.block / finest) ** 2 : 1));
    const scale = this.commonScale(levels, parts);
    const orders = this.panes.map((pane) => pane.order);
    const side = Math.min(...this.panes.map((pane) => pane.heatmap.side));
    this.borders = chooseBorders(this.report, orders, this.viewport, side);
    this.panes.forEach((pane, i) => {
      pane.heatmap.draw(levels[i], this.shown, scale, parts[i], this.borders);
      pane.cells.textContent = blocks.length > 1 && levels[i] ? cellsText(levels[i].block, finest) : "";
      pane.figure.classList.toggle("zoomed", !this.viewport.whole);
      pane.figure.dataset.block = levels[i]?.block ?? "";
    });
    this.zoomIn.disabled = this.viewport.size <= this.viewport.smallest;
    this.zoomOut.disabled = this.whole.disabled = this.viewport.whole;
    this.showLegend(scale, blocks);
    this.showSpan();
    this.refreshCellTable();
  }

  /** A phase, and a matrix by itself, may come without numbers of messages. */
  messagesKnown(levels) {
    return levels.some((level) => level && level.extent("messages")[1] > 0);
  }

  /** `parts`: by what the values of each level are divided. */
  commonScale(levels, parts) {
    const extents = levels.flatMap((level, i) =>
      level ? [level.extent(this.shown).map((value) => value / parts[i])] : [],
    );
    return new ColourScale(
      Math.min(...extents.map((extent) => extent[0])),
      Math.max(0, ...extents.map((extent) => extent[1])),
      this.scaleKind,
    );
  }

  showLegend(scale, blocks) {
    if (blocks.length === 0) {
      this.legend.replaceChildren("Nothing was sent.");
      return;
    }
    const several = blocks.length > 1;
    const text = (value) => {
      const shown = several && value < 10 ? Number(value.toPrecision(2)) : Math.round(value);
      return this.shown === "bytes" ? bytesText(shown) : numberText(shown);
    };
    const finest = Math.min(...blocks);
    const cell =
      finest === 1 ? "from one rank to another" : `in a cell of ${finest} \u00d7 ${finest} ranks`;
    const kind = scale.kind === "log" ? "logarithmic" : "linear";
    this.legend.replaceChildren(
      el("div", { class: "ramp", style: `background: ${rampGradient()}` }),
      el(
        "div",
        { class: "ticks" },
        [0, 1 / 3, 2 / 3, 1].map((at) => el("span", {}, text(scale.valueAt(at)))),
      ),
      el(
        "p",
        { class: "note" },
        `${this.shown} ${cell}, ${kind}; the same scale for all pictures` +
          (several ? "; larger cells have the colour of their average" : "") +
          (blocks.some((block) => this.report.ranks % block) ? "; the last ones hold fewer" : "") +
          (this.shown === this.quantity ? "" : "; numbers of messages are not known here"),
      ),
    );
  }

  /** Which part of the machine is in view. */
  showSpan() {
    const { x, y, size, n, whole } = this.viewport;
    const range = (start) => rangeText(Math.floor(start), Math.min(n, Math.ceil(start + size)) - 1);
    const areRanks = ({ heatmap, order }) => heatmap.ticksAreRanks || order.isByRank;
    // Where some slots are empty, or hold several ranks, a position along an axis is no place.
    const arePlaces = this.panes.every(({ order }) => order.full);
    const unit = !this.report.machine ? "rank" : arePlaces ? "place" : "position";
    const what = unit === "position" ? "ranks, in the order of their places" : `${unit}s`;
    const inView = whole
      ? `All ${n === 1 ? counted(n, "rank") : `${grouped(n)} ${what}`}`
      : `${unit}s ${range(y)} sending to ${range(x)} of ${grouped(n)}`;
    const numbers = this.panes.every(areRanks)
      ? "ranks"
      : unit === "position"
        ? "positions in this order"
        : "places";
    const lines = this.linesText();
    const text = `${inView}; numbers on the axes are ${numbers}${lines && `, ${lines}`}.`;
    this.span.textContent = text[0].toUpperCase() + text.slice(1);
  }

  /** What the lines of the pictures part. */
  linesText() {
    if (!this.borders) return "";
    const drawn = (which) => this.panes.some(({ heatmap }) => heatmap.bordersDrawn[which]);
    return bordersText(this.report, this.borders, { fine: drawn("fine"), coarse: drawn("coarse") });
  }

  makeCellTable() {
    this.cellTable = el("div", {
      class: "scroll",
      tabindex: 0,
      role: "region",
      "aria-label": "Largest cells",
    });
    this.refreshCellTable();
    return this.cellTable;
  }

  /** Fills the table anew where what it lists has changed. */
  refreshCellTable() {
    const { x, y, size } = this.viewport;
    const listed = [this.key, this.shown, x, y, size].join();
    if (!this.cellTable || this.cellTable.dataset.listed === listed) return;
    this.cellTable.dataset.listed = listed;
    const rows = this.panes.flatMap((pane) => this.largestCells(pane));
    this.cellTable.replaceChildren(
      simpleTable(["Order", "From \u2192 to", "Bytes", "Messages", "Over"], rows, [2, 3]),
    );
  }

  largestCells({ order, heatmap: { drawn } }) {
    if (!drawn) return [];
    const { x, y, size } = this.viewport;
    const { block } = drawn;
    const found = [];
    drawn.visit(
      Math.floor(y / block),
      Math.ceil((y + size) / block),
      Math.floor(x / block),
      Math.ceil((x + size) / block),
      (i) => found.push(i),
    );
    found.sort((a, b) => drawn[this.shown][b] - drawn[this.shown][a]);
    return found
      .slice(0, LARGEST_CELLS)
      .map((i) => [
        order.name,
        describeCell(this.report, order, drawn, drawn.rows[i], drawn.columns[i]).who,
        bytesText(drawn.bytes[i]),
        drawn.messages[i] > 0 ? grouped(drawn.messages[i]) : "",
        this.report.levelName(drawn.levels[i]) ?? "",
      ]);
  }
}

/** What one cell of a picture stands for, where pictures differ in it. */
function cellsText(block, finest) {
  const area = (side) => (side === 1 ? "one rank to another" : `${side} \u00d7 ${side} ranks`);
  const average = block > finest ? `; its colour is the average of ${area(finest)}` : "";
  return `A cell is ${area(block)}${average}.`;
}

/** What an order is worth, beside its name. */
function paneNote(order) {
  return order.id === "present" || !Number.isFinite(order.ratio)
    ? ""
    : `${order.objectiveName} ${signedChange(order.ratio)}`;
}

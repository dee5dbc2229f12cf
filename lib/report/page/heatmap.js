// One matrix on a canvas: cells, the borders of hosts, ticks, and the cell that is looked at.

const MARGIN = { left: 54, top: 22, right: 2, bottom: 2 }; // without the strips of the axes
const SMALLEST_CELL = 2.5; // CSS pixels; finer resolutions are drawn when zoomed in
const TICK_DISTANCE = 44;

/** The finest of the resolutions (coarse to fine) whose cells can be seen on `pixels` of width. */
function resolutionFor(levels, viewport, pixels) {
  let chosen = levels[0];
  for (const level of levels) {
    if ((pixels * level.block) / viewport.size >= SMALLEST_CELL) chosen = level;
  }
  return chosen;
}

class Heatmap {
  constructor(report, order, viewport) {
    this.report = report;
    this.order = order;
    this.viewport = viewport;
    this.canvas = el("canvas", {
      class: "heatmap",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "heatmap",
      "aria-describedby": "matrix-keys",
    });
    const strips = STRIP * stripCount(report);
    this.left = MARGIN.left + strips;
    this.top = MARGIN.top + strips;
    this.canvas.dataset.left = this.left;
    this.canvas.dataset.top = this.top;
    this.drawn = null; // the MatrixLevel on the canvas
    this.cursor = null; // {row, column} in cells of `drawn`, or null
  }

  get side() {
    return Math.max(60, this.canvas.clientWidth - this.left - MARGIN.right);
  }

  /** Sets the canvas to its size on the page, in the pixels of the screen. */
  fit() {
    const density = Math.max(window.devicePixelRatio || 1, 1);
    const width = Math.round((this.side + this.left + MARGIN.right) * density);
    const height = Math.round((this.side + this.top + MARGIN.bottom) * density);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.canvas.style.aspectRatio = `${width} / ${height}`;
    }
    const context = this.canvas.getContext("2d");
    context.setTransform(density, 0, 0, density, 0, 0);
    return context;
  }

  /** Pixels of a position along an axis, from the edge of the plot. */
  pixel(position, start) {
    return ((position - start) / this.viewport.size) * this.side;
  }

  /** Colours are of the cells' values divided by `parts`; `borders` as chooseBorders() says. */
  draw(level, quantity, scale, parts, borders) {
    this.drawn = level;
    const context = this.fit();
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.save();
    context.translate(this.left, this.top);
    context.fillStyle = colour("--plot");
    context.fillRect(0, 0, this.side, this.side);
    context.save();
    context.beginPath();
    context.rect(0, 0, this.side, this.side);
    context.clip();
    if (level) this.drawCells(context, level, quantity, scale, parts);
    this.bordersDrawn = { fine: false, coarse: false };
    if (borders) this.drawBorders(context, borders, colour);
    if (level && this.cursor) this.drawCursor(context, level, colour("--text"), colour("--page"));
    context.restore();
    context.strokeStyle = colour("--line-strong");
    context.lineWidth = 1;
    context.strokeRect(-0.5, -0.5, this.side + 1, this.side + 1);
    if (borders) {
      const inks = ["--strip", "--strip-other", "--text"].map(colour);
      drawStrips(context, this, this.report.axis(this.order), borders, inks);
    }
    context.fillStyle = colour("--muted");
    this.drawTicks(context, level, STRIP * (!borders ? 0 : borders.coarse < 0 ? 1 : 2));
    context.restore();
  }

  drawCells(context, level, quantity, scale, parts) {
    const { x, y, size } = this.viewport;
    const { block } = level;
    const values = level[quantity];
    const edge = (position, start) => Math.round(this.pixel(position, start));
    // Cells large enough to be told apart leave a line of ground between them.
    const gap = (this.side * block) / size >= 9 ? 1 : 0;
    level.visit(
      Math.floor(y / block),
      Math.ceil((y + size) / block),
      Math.floor(x / block),
      Math.ceil((x + size) / block),
      (i) => {
        if (values[i] === 0) return;
        const left = edge(level.columns[i] * block, x);
        const top = edge(level.rows[i] * block, y);
        const width = Math.max(1, edge((level.columns[i] + 1) * block, x) - left - gap);
        const height = Math.max(1, edge((level.rows[i] + 1) * block, y) - top - gap);
        context.fillStyle = scale.colour(values[i] / parts);
        context.fillRect(left, top, width, height);
      },
    );
  }

  /** Thin lines between the objects of the fine level, thick ones between those of the coarse. */
  drawBorders(context, { fine, group, coarse }, colour) {
    const levels = this.report.axis(this.order);
    const lines = (level, every, ink, width) => {
      const { x, y, size } = this.viewport;
      context.strokeStyle = ink;
      context.lineWidth = width;
      context.beginPath();
      const across = this.bordersIn(level, every, x, size);
      const down = this.bordersIn(level, every, y, size);
      for (const at of across) {
        context.moveTo(at, 0);
        context.lineTo(at, this.side);
      }
      for (const at of down) {
        context.moveTo(0, at);
        context.lineTo(this.side, at);
      }
      context.stroke();
      return across.length + down.length > 0;
    };
    this.bordersDrawn.fine = lines(levels[fine], group, colour("--border-line"), 1);
    if (coarse < 0) return;
    this.bordersDrawn.coarse = lines(levels[coarse], 1, colour("--border-thick"), 2);
  }

  /** Pixels of the borders of a level in a part of an axis, of each `every`th object. */
  bordersIn(level, every, start, size) {
    const [first, end] = level.range(start, size);
    const found = [];
    for (let i = Math.max(every, Math.ceil(first / every) * every); i < end; i += every) {
      if (level.first[i] > start) found.push(Math.round(this.pixel(level.first[i], start)) - 0.5);
    }
    return found;
  }

  drawCursor(context, level, ink, halo) {
    const { x, y } = this.viewport;
    const { row, column } = this.cursor;
    const left = this.pixel(column * level.block, x);
    const top = this.pixel(row * level.block, y);
    const width = Math.max(3, (level.block / this.viewport.size) * this.side);
    for (const [style, line, out] of [
      [halo, 4, 1.5],
      [ink, 2, 1.5],
    ]) {
      context.strokeStyle = style;
      context.lineWidth = line;
      context.strokeRect(left - out, top - out, width + 2 * out, width + 2 * out);
    }
  }

  /** Rank numbers where each has room, else the numbers of places at round steps; beside so many pixels of strips. */
  drawTicks(context, level, strips) {
    context.font = "11px system-ui, sans-serif";
    const { x, y, size } = this.viewport;
    const cell = this.side / size;
    const widest = context.measureText(String(this.order.ranks - 1)).width;
    this.ticksAreRanks =
      level?.block === 1 && cell >= Math.max(widest + 4, 13) && this.order.rankAt(0) !== null;
    let step = 1;
    while (!this.ticksAreRanks && step * cell < TICK_DISTANCE) step *= 2;
    for (const [start, horizontal] of [
      [x, true],
      [y, false],
    ]) {
      const last = Math.min(start + size, this.order.ranks) - 1e-9;
      for (let at = Math.ceil(start / step) * step; at <= last; at += step) {
        const text = String(this.ticksAreRanks ? this.order.rankAt(at) : at);
        const offset = this.pixel(at, start) + (this.ticksAreRanks ? cell / 2 : 0);
        context.textAlign = horizontal ? (this.ticksAreRanks ? "center" : "left") : "right";
        context.textBaseline = horizontal ? "bottom" : this.ticksAreRanks ? "middle" : "top";
        const room = this.ticksAreRanks ? 0 : horizontal ? context.measureText(text).width : 11;
        if (offset + room > this.side) continue;
        const out = -5 - strips;
        context.fillText(text, horizontal ? offset : out, horizontal ? out : offset);
      }
    }
  }

  /** The position under a pointer: {x, y} in positions, {row, column} of the cell; null outside. */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const across = (event.clientX - box.left - this.left) / this.side;
    const down = (event.clientY - box.top - this.top) / this.side;
    if (across < 0 || down < 0 || across >= 1 || down >= 1 || !this.drawn) return null;
    const x = this.viewport.x + across * this.viewport.size;
    const y = this.viewport.y + down * this.viewport.size;
    return {
      x,
      y,
      row: Math.floor(y / this.drawn.block),
      column: Math.floor(x / this.drawn.block),
    };
  }
}

// The square part of a matrix of n x n positions that is shown.

const SMALLEST_VIEW = 4; // cells

class Viewport {
  /** `finest`: positions along the side of the smallest cells that there are. */
  constructor(n, finest) {
    this.n = Math.max(1, n);
    this.smallest = Math.min(SMALLEST_VIEW * finest, this.n);
    this.reset();
  }

  reset() {
    this.x = 0;
    this.y = 0;
    this.size = this.n;
  }

  get whole() {
    return this.size >= this.n;
  }

  /** Shows 1/factor of the side, keeping the position (x, y) where it is. */
  zoom(factor, x = this.x + this.size / 2, y = this.y + this.size / 2) {
    const size = Math.max(this.smallest, Math.min(this.n, this.size / factor));
    const kept = size / this.size;
    this.x = x - (x - this.x) * kept;
    this.y = y - (y - this.y) * kept;
    this.size = size;
    this.keepInside();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.keepInside();
  }

  /** Moves as little as shows the cells from (row, column) with `block` positions a side. */
  reveal(row, column, block) {
    this.x = Math.min(Math.max(this.x, column + block - this.size), column);
    this.y = Math.min(Math.max(this.y, row + block - this.size), row);
    this.keepInside();
  }

  keepInside() {
    this.x = Math.max(0, Math.min(this.n - this.size, this.x));
    this.y = Math.max(0, Math.min(this.n - this.size, this.y));
  }
}

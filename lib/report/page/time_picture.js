// Rows of time on a canvas: what each rank does, a time axis, the phases, and the cell looked at.

const TIME_MARGIN = { left: 54, top: 22, right: 2, bottom: 2 };
const BAND_HEIGHT = 18;
const LARGEST_ROW = 22; // CSS pixels
const LARGEST_PICTURE = 460;
const STACKED_ROW = 7; // rows at least as high show shares above one another

class TimePicture {
  constructor(rows, label) {
    this.data = rows;
    this.viewport = new Viewport(rows.length, rows.finest * 2);
    this.cursor = null; // {row, cell}
    this.canvas = el("canvas", {
      class: "heatmap time-picture",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "timeline",
      "aria-describedby": "time-keys",
      "aria-label": label,
    });
  }

  get side() {
    return Math.max(60, this.canvas.clientWidth - TIME_MARGIN.left - TIME_MARGIN.right);
  }

  get top() {
    return TIME_MARGIN.top + (this.data.bandList.length > 0 ? BAND_HEIGHT : 0);
  }

  get rowHeight() {
    return Math.min(LARGEST_ROW, LARGEST_PICTURE / this.data.count);
  }

  pixel(ns) {
    return ((ns - this.viewport.x) / this.viewport.size) * this.side;
  }

  fit() {
    const density = Math.max(window.devicePixelRatio || 1, 1);
    this.density = density;
    const plot = Math.ceil(this.rowHeight * this.data.count);
    const width = Math.round((this.side + TIME_MARGIN.left + TIME_MARGIN.right) * density);
    const height = Math.round((plot + this.top + TIME_MARGIN.bottom) * density);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.canvas.style.aspectRatio = `${width} / ${height}`;
    }
    const context = this.canvas.getContext("2d");
    context.setTransform(density, 0, 0, density, 0, 0);
    this.plot = plot;
    return context;
  }

  draw() {
    const context = this.fit();
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.font = "11px system-ui, sans-serif";
    context.save();
    context.translate(TIME_MARGIN.left, this.top);
    context.fillStyle = colour("--plot");
    context.fillRect(0, 0, this.side, this.plot);
    context.save();
    context.beginPath();
    context.rect(0, -BAND_HEIGHT, this.side, this.plot + BAND_HEIGHT);
    context.clip();
    const shades = SHADES.map((shade) => colour(shade.colour));
    if (this.data.paint) this.drawImage(context, shades, colour("--plot"));
    else this.drawSlices(context, shades);
    this.drawBands(context, colour);
    if (this.mark) this.drawMark(context, colour("--text"));
    if (this.cursor) this.drawCursor(context, colour("--text"), colour("--page"));
    context.restore();
    context.strokeStyle = colour("--line-strong");
    context.lineWidth = 1;
    context.strokeRect(-0.5, -0.5, this.side + 1, this.plot + 1);
    context.fillStyle = colour("--muted");
    this.drawLabels(context);
    context.restore();
    context.fillStyle = colour("--muted");
    this.drawTicks(context);
  }

  /** First and last pixel row of a row of ranks, of so many in all; a line is left between rows. */
  extent(row, pixels, gap) {
    const top = Math.round((row * pixels) / this.data.count);
    const bottom = Math.round(((row + 1) * pixels) / this.data.count);
    return [top, bottom - (bottom - top > 5 ? gap : 0)];
  }

  drawImage(context, shades, ground) {
    const width = Math.round(this.side * this.density);
    const height = Math.round(this.plot * this.density);
    const image = context.createImageData(width, height);
    const gap = Math.round(this.density);
    this.data.paint(image, this.viewport, shades.map(channels), channels(ground), (row) =>
      this.extent(row, height, gap),
    );
    context.putImageData(
      image,
      Math.round(TIME_MARGIN.left * this.density),
      Math.round(this.top * this.density),
    );
  }

  drawSlices(context, shades) {
    const { x, size } = this.viewport;
    for (let row = 0; row < this.data.count; ++row) {
      const [top, bottom] = this.extent(row, this.plot, 1);
      this.data.visit(row, x, x + size, (shade, begin, end) => {
        const left = Math.round(this.pixel(begin));
        const right = Math.round(this.pixel(end));
        if (right <= left) return;
        context.fillStyle = shades[shade];
        context.fillRect(left, top, right - left, bottom - top);
      });
    }
  }

  drawBands(context, colour) {
    this.data.bandList.forEach(({ begin, end, name }, i) => {
      const left = Math.max(0, this.pixel(begin));
      const right = Math.min(this.side, this.pixel(end));
      if (right <= left) return;
      context.fillStyle = colour(i % 2 ? "--line" : "--card");
      context.fillRect(left, -BAND_HEIGHT, right - left, BAND_HEIGHT - 2);
      context.fillStyle = colour("--line-strong");
      context.fillRect(left, -BAND_HEIGHT, 1, BAND_HEIGHT);
      const text = fittingText(context, name, right - left - 8);
      context.fillStyle = colour("--text");
      context.textAlign = "left";
      context.textBaseline = "middle";
      if (text) context.fillText(text, left + 4, -BAND_HEIGHT / 2 - 1);
    });
  }

  /** A bracket around the part that is shown in detail elsewhere. */
  drawMark(context, ink) {
    const [begin, end] = this.mark;
    const left = this.pixel(begin);
    const width = Math.max(3, this.pixel(end) - left);
    context.strokeStyle = ink;
    context.lineWidth = 1;
    context.setLineDash([3, 3]);
    context.strokeRect(left - 0.5, 0.5, width, this.plot - 1);
    context.setLineDash([]);
  }

  drawCursor(context, ink, halo) {
    const { row, cell } = this.cursor;
    const [begin, end] = this.data.span(row, cell);
    const outline = (of, left, width, line) => {
      const [top, bottom] = this.extent(of, this.plot, 1);
      for (const [style, thick] of [
        [halo, line + 2],
        [ink, line],
      ]) {
        context.strokeStyle = style;
        context.lineWidth = thick;
        context.strokeRect(left, top, width, bottom - top);
      }
    };
    for (const peer of this.data.peers(row, cell)) outline(peer, -2, this.side + 4, 1);
    const left = this.pixel(begin);
    outline(row, left - 1, Math.max(3, this.pixel(end) - left + 2), 2);
  }

  drawLabels(context) {
    context.textAlign = "right";
    context.textBaseline = "middle";
    let step = 1;
    while (step * this.rowHeight < 13) step *= 2;
    for (let row = 0; row < this.data.count; row += step) {
      const [top, bottom] = this.extent(row, this.plot, 1);
      const y = step > 1 ? Math.max(top, 5) : (top + bottom) / 2;
      context.fillText(this.data.label(row), -5, y);
    }
  }

  drawTicks(context) {
    const step = roundStep((this.viewport.size * 75) / this.side);
    const largest = this.viewport.x + this.viewport.size;
    context.textBaseline = "bottom";
    context.textAlign = "center";
    context.fillText("rank", TIME_MARGIN.left / 2 - 6, TIME_MARGIN.top - 5);
    context.textAlign = "left";
    for (let at = Math.ceil(this.viewport.x / step) * step; at <= largest; at += step) {
      const text = tickText(at, step, largest);
      const left = TIME_MARGIN.left + this.pixel(at);
      context.fillRect(left, TIME_MARGIN.top - 5, 1, 5);
      if (left + context.measureText(text).width + 3 > TIME_MARGIN.left + this.side) continue;
      context.fillText(text, left + 3, TIME_MARGIN.top - 5);
    }
  }

  /** What lies under a pointer: {x, row, column}; null outside. */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const across = (event.clientX - box.left - TIME_MARGIN.left) / this.side;
    const row = Math.floor(((event.clientY - box.top - this.top) / this.plot) * this.data.count);
    if (across < 0 || across >= 1 || row < 0 || row >= this.data.count) return null;
    const x = this.viewport.x + across * this.viewport.size;
    return { x, y: 0, row, column: this.data.cellAt(row, x) };
  }
}

/** 1, 2 or 5 times a power of ten, at least `least`. */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-3)));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

/** A time on the axis, in the unit of the largest one with as many digits as steps need. */
function tickText(ns, step, largest) {
  const [unit, name] = [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "\u00b5s"],
  ].find(([size]) => largest >= size) ?? [1, "ns"];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
  return `${(ns / unit).toFixed(digits)} ${name}`;
}

/** As much of a name as has room; empty where that is too little to read. */
function fittingText(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  for (let length = text.length - 1; length >= 3; --length) {
    const shorter = `${text.slice(0, length)}\u2026`;
    if (context.measureText(shorter).width <= room) return shorter;
  }
  return "";
}

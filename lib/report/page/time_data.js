// What ranks did when: rows of bins for the whole run, rows of operations for a short part of it.

const SHADES = [
  { name: "computing", colour: "--do-computing" },
  { name: "messages", colour: "--do-messages" },
  { name: "collectives", colour: "--do-collectives" },
  { name: "other MPI", colour: "--do-other" },
];

/** Nanoseconds in the unit that suits them. */
function nsText(ns) {
  return secondsText(ns * 1e-9);
}

/** Index of the last of ascending numbers that is not above `value`; -1 where all are. */
function lastNotAbove(numbers, value) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The whole run: each row a rank or a few, each cell a bin of time. */
class RunRows {
  constructor(time, phases) {
    Object.assign(this, time);
    this.shares = decodeNumbers(time.shares);
    this.count = time.rows;
    this.length = time.ns;
    this.finest = time.ns / time.bins;
    this.origin = 0;
    this.bandList = [];
    for (let i = 0; i < time.bands.length; i += 3) {
      const [begin, end, index] = time.bands.slice(i, i + 3);
      this.bandList.push({ begin, end, name: phases[index]?.name ?? "" });
    }
  }

  label(row) {
    return String(row * this.block);
  }

  /** "rank 3", "ranks 4–7". */
  name(row) {
    const first = row * this.block;
    const last = Math.min(first + this.block, this.ranks) - 1;
    return `${first === last ? "rank" : "ranks"} ${rangeText(first, last)}`;
  }

  cellAt(row, ns) {
    return Math.max(0, Math.min(this.bins - 1, Math.floor(ns / this.finest)));
  }

  lastCell() {
    return this.bins - 1;
  }

  span(row, cell) {
    return [cell * this.finest, (cell + 1) * this.finest];
  }

  peers() {
    return [];
  }

  share(row, cell, shade) {
    return ((this.shares[row * this.bins + cell] >> (8 * shade)) & 255) / 255;
  }

  describe(row, cell) {
    const [begin, end] = this.span(row, cell);
    const band = this.bandList.find((one) => one.begin <= begin && begin < one.end);
    const where = band?.name ? `, in ${band.name}` : "";
    const parts = SHADES.map(({ name }, shade) => [name, this.share(row, cell, shade)])
      .filter(([, share]) => share >= 0.005)
      .map(([name, share]) => `${name} ${Math.round(100 * share)}%`);
    return {
      who: `${this.name(row)}, ${nsText(begin)} to ${nsText(end)}${where}`,
      what: parts.join(", ") || "nothing known, or no processor",
    };
  }

  /** Fills an image of the rows: each cell's shares above one another, or mixed where rows are low. */
  paint(image, viewport, colours, ground, heights) {
    const pixels = new Uint32Array(image.data.buffer);
    const stacked = image.height / this.count >= STACKED_ROW;
    for (let x = 0; x < image.width; ++x) {
      const scale = viewport.size / image.width / this.finest;
      const from = Math.floor(viewport.x / this.finest + x * scale);
      const to = Math.max(from + 1, Math.floor(viewport.x / this.finest + (x + 1) * scale));
      for (let row = 0; row < this.count; ++row) {
        const [top, bottom] = heights(row);
        const parts = this.average(row, from, Math.min(to, this.bins));
        const column = stacked
          ? stack(parts, colours, ground, bottom - top)
          : new Array(bottom - top).fill(packed(mix(parts, colours, ground)));
        column.forEach((colour, y) => {
          pixels[(top + y) * image.width + x] = colour;
        });
      }
    }
  }

  average(row, from, to) {
    return SHADES.map((_, shade) => {
      let sum = 0;
      for (let bin = from; bin < to; ++bin) sum += this.share(row, bin, shade);
      return to > from ? sum / (to - from) : 0;
    });
  }
}

/** Colours of a column of pixels, computing at the bottom. */
function stack(parts, colours, ground, height) {
  const column = new Array(height).fill(packed(ground));
  let sum = 0;
  let bottom = height;
  parts.forEach((part, shade) => {
    sum += part;
    const top = Math.round(height * (1 - Math.min(1, sum)));
    column.fill(packed(colours[shade]), top, bottom);
    bottom = top;
  });
  return column;
}

function mix(parts, colours, ground) {
  const rest = Math.max(0, 1 - parts.reduce((sum, part) => sum + part, 0));
  return [0, 1, 2].map((c) =>
    Math.round(
      parts.reduce((sum, part, shade) => sum + part * colours[shade][c], rest * ground[c]),
    ),
  );
}

/** A colour as a pixel of an image. */
function packed([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** A short part of the run: cell 2 i is what comes before operation i of a rank, 2 i + 1 that. */
class PeriodRows {
  constructor(period) {
    this.events = period.events.map(([name, shade, bytes, tag, peers, requests, way]) => ({
      name,
      shade,
      bytes,
      tag,
      peers,
      requests,
      way,
    }));
    this.length = period.end - period.begin;
    this.finest = Math.max(1, this.length / 4000);
    this.origin = period.begin;
    this.bandList = [];
    this.rows = period.ranks.map(({ rank, begin, busy, slices }) => {
      const edges = [begin];
      const events = [];
      for (let i = 0; i < slices.length; i += 3) {
        edges.push(edges.at(-1) + slices[i]);
        edges.push(edges.at(-1) + slices[i + 1]);
        events.push(slices[i + 2]);
      }
      return { rank, busy, edges, events };
    });
    this.count = this.rows.length;
    this.rowOf = new Map(this.rows.map(({ rank }, row) => [rank, row]));
  }

  label(row) {
    return String(this.rows[row].rank);
  }

  name(row) {
    return `rank ${grouped(this.rows[row].rank)}`;
  }

  cellAt(row, ns) {
    const { edges } = this.rows[row];
    return Math.max(0, Math.min(lastNotAbove(edges, ns), edges.length - 2));
  }

  lastCell(row) {
    return Math.max(0, this.rows[row].edges.length - 2);
  }

  span(row, cell) {
    const { edges } = this.rows[row];
    return [edges[cell], edges[cell + 1] ?? edges[cell]];
  }

  event(row, cell) {
    return cell % 2 === 1 ? this.events[this.rows[row].events[cell >> 1]] : null;
  }

  /** The rows of the other ends of an operation's messages. */
  peers(row, cell) {
    const { rank } = this.rows[row];
    return (this.event(row, cell)?.peers ?? [])
      .map((peer) => this.rowOf.get(rank + peer))
      .filter((found) => found !== undefined);
  }

  describe(row, cell) {
    const { rank, busy } = this.rows[row];
    const [begin, end] = this.span(row, cell);
    const event = this.event(row, cell);
    const at = `${nsText(end - begin)}, from ${nsText(Math.max(0, begin))} on`;
    if (!event) {
      const without = busy < 0.95 ? `, with a processor ${Math.round(100 * busy)}% of it` : "";
      return { who: `${this.name(row)}: computing`, what: at + without };
    }
    const peers = event.peers.map((peer) => grouped(rank + peer));
    const ranks = `${peers.length === 1 ? "rank" : "ranks"} ${peers.join(", ")}`;
    const more = [];
    if (event.requests > 0) {
      more.push(`completes ${counted(event.requests, "request")}`);
      if (peers.length > 0) more.push(`with messages from ${ranks}`);
    } else if (peers.length > 0) {
      more.push(`${bytesText(event.bytes)} ${event.way} ${ranks}, tag ${event.tag}`);
    } else if (event.bytes > 0) {
      more.push(bytesText(event.bytes));
    }
    return { who: `${this.name(row)}: ${event.name}`, what: [at, ...more].join("; ") };
  }

  /** Calls visit(shade, begin, end) for the cells of a row in [from, to). */
  visit(row, from, to, visit) {
    const { edges, events } = this.rows[row];
    for (let cell = this.cellAt(row, from); cell + 1 < edges.length; ++cell) {
      if (edges[cell] >= to) return;
      visit(cell % 2 === 1 ? this.events[events[cell >> 1]].shade : 0, edges[cell], edges[cell + 1]);
    }
  }

  /** [{name, calls, ns, bytes}] of the operations that are shown, longest first. */
  operations() {
    const sums = new Map();
    for (const { edges, events } of this.rows) {
      events.forEach((number, i) => {
        const { name, bytes } = this.events[number];
        const sum = sums.get(name) ?? { name, calls: 0, ns: 0, bytes: 0 };
        sum.calls += 1;
        sum.ns += edges[2 * i + 2] - edges[2 * i + 1];
        sum.bytes += bytes;
        sums.set(name, sum);
      });
    }
    return [...sums.values()].sort((a, b) => b.ns - a.ns);
  }
}

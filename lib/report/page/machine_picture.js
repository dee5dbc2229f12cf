// The machine as nested boxes (trees) or slices of nodes (grids), a square for each slot. Slots are
// drawn by place: as they lie side by side in the machine.

const MOST_SLOTS_DRAWN = 20000;
const MOST_SLOTS_SHOWN = 256; // whether ranks sit on them or not
const MOST_SLICES = 64;
// Slots at most, side of a square in CSS pixels; numbers fit into the first two.
const SLOT_SIZES = [
  [512, 30],
  [2048, 22],
  [6000, 12],
  [Infinity, 8],
];
const NUMBERED_FROM = 22;
const LETTER_WIDTH = 7;
const LETTERS_AT_LEAST = 7;

class MachinePicture {
  constructor(report) {
    this.report = report;
    this.machine = report.machine;
    this.squares = new Map(); // place -> its element
    const { slots } = this.machine;
    // Of a large machine only the hosts that hold ranks.
    this.all = slots <= Math.max(MOST_SLOTS_SHOWN, 4 * report.ranks) && slots <= MOST_SLOTS_DRAWN;
    const allListed = report.listsAllHosts && hostSlots(report) <= MOST_SLOTS_DRAWN;
    this.possible = this.all || allListed;
  }

  get numbered() {
    return this.squareSize >= NUMBERED_FROM;
  }

  make() {
    const { slots, dims = [], levels = [] } = this.machine;
    const shown = this.all ? slots : hostSlots(this.report);
    this.squareSize = SLOT_SIZES.find(([most]) => shown <= most)[1];
    const picture = el("div", { class: "machine", style: `--slot: ${this.squareSize}px` });
    picture.classList.toggle("numbered", this.squareSize >= NUMBERED_FROM);
    const nodes = dims.reduce((product, dim) => product * dim, 1);
    if (this.all && this.machine.kind === "grid" && dims.length > 0 && slots % nodes === 0) {
      this.drawSlices(picture, dims, slots / nodes);
    } else if (levels.length > 0 && nested(levels, this.report.hosts, slots)) {
      picture.append(...this.drawGroups(0, 0, slots));
    } else {
      picture.append(...this.drawHosts());
    }
    return picture;
  }

  /** The objects of one level that hold the places [first, first + count), nested downward. */
  drawGroups(depth, first, count) {
    const { levels, slots } = this.machine;
    if (depth === levels.length) return this.drawSlots(first, count);
    const size = slots / levels[depth].count;
    const boxes = [];
    for (let at = first; at < first + count; at += size) {
      const host = this.report.hosts[this.report.hostIndex(at)];
      if (!this.all && !host && !this.report.hasHostIn(at, size)) continue;
      const inner = this.drawGroups(depth + 1, at, size);
      const isHost = host && host.first_slot === at && host.slots === size;
      if (levels[depth].count === 1 && !isHost) {
        boxes.push(...inner);
        continue;
      }
      const lowest = depth === levels.length - 1;
      const isEmptyHost = !host && size === this.report.hosts[0]?.slots;
      const name = isEmptyHost ? "empty" : `${levels[depth].name} ${at / size}`;
      boxes.push(
        el(
          "div",
          { class: `box${lowest ? " lowest" : ""}${isHost ? " host" : ""}` },
          isHost ? this.hostLabel(host) : this.boxLabel(name, size),
          ...inner,
        ),
      );
    }
    return boxes;
  }

  /** Pixels across a box of `size` squares. */
  widthOf(size) {
    return Math.min(size, 8) * (this.squareSize + 1);
  }

  /** The name of a socket, switch, ... where it has room. */
  boxLabel(text, size) {
    const fits = this.widthOf(size) >= LETTER_WIDTH * text.length;
    return fits ? el("span", { class: "box-name" }, text) : null;
  }

  /** The name of a host, cut where it must be; none where too little of it would be left. */
  hostLabel({ name, whole, slots }) {
    const letters = Math.min(name.length, LETTERS_AT_LEAST);
    const fits = name !== "" && this.widthOf(slots) >= LETTER_WIDTH * letters;
    return fits ? el("span", { class: "box-name", title: whole }, name) : null;
  }

  drawHosts() {
    const hosts = this.report.hosts.length
      ? this.report.hosts
      : [{ name: "", first_slot: 0, slots: this.machine.slots }];
    return hosts.map((host) =>
      el(
        "div",
        { class: "box lowest host" },
        this.hostLabel(host),
        ...this.drawSlots(host.first_slot, host.slots),
      ),
    );
  }

  drawSlots(first, count) {
    return Array.from({ length: count }, (_, i) => this.drawSlot(first + i));
  }

  drawSlot(place) {
    const square = el("span", { class: "slot", "data-slot": place });
    this.squares.set(place, square);
    return square;
  }

  /** A grid: its last two dimensions as a picture, one for each place in the others. */
  drawSlices(picture, dims, perNode) {
    const [height, width] = dims.length > 1 ? dims.slice(-2) : [1, dims[0]];
    const outer = dims.slice(0, -2);
    const slices = outer.reduce((product, dim) => product * dim, 1);
    const side = rowLength(perNode);
    for (let slice = 0; slice < Math.min(slices, MOST_SLICES); ++slice) {
      const nodes = Array.from({ length: width * height }, (_, node) => {
        const first = (slice * width * height + node) * perNode;
        return el(
          "div",
          { class: "node", style: `grid-template-columns: repeat(${side}, var(--slot))` },
          ...this.drawSlots(first, perNode),
        );
      });
      const where = [...coordinates(slice, outer), "*", "*"].join(", ");
      picture.append(
        el(
          "div",
          { class: "slice" },
          outer.length ? el("span", { class: "box-name" }, `nodes (${where})`) : null,
          el(
            "div",
            { class: "grid", style: `grid-template-columns: repeat(${width}, max-content)` },
            nodes,
          ),
        ),
      );
    }
    if (slices > MOST_SLICES) {
      const more = `${grouped(slices - MOST_SLICES)} more slices are not drawn.`;
      picture.append(el("p", { class: "note" }, more));
    }
  }
}

/** Slots of all hosts that hold ranks. */
function hostSlots({ hosts }) {
  return hosts.reduce((sum, host) => sum + host.slots, 0);
}

/**
 * Do the levels divide the slots evenly, and are hosts the objects of one of them? Hosts of one slot
 * are drawn with all that share their box, so there must not be too many of these.
 */
function nested(levels, hosts, slots) {
  const sizes = levels.map((level) => slots / level.count);
  if (slots <= MOST_SLOTS_DRAWN) sizes.push(1);
  return (
    sizes.every((size) => Number.isInteger(size)) &&
    (hosts.length === 0 || sizes.some((size) => hosts.every((host) => host.slots === size)))
  );
}

/** How many of `count` squares go into a row: all rows alike where a divisor allows it. */
function rowLength(count) {
  const square = Math.ceil(Math.sqrt(count));
  for (let row = square; row <= 2 * square; ++row) {
    if (count % row === 0) return row;
  }
  return square;
}

function coordinates(index, dims) {
  const found = [];
  for (const dim of [...dims].reverse()) {
    found.unshift(index % dim);
    index = Math.floor(index / dim);
  }
  return found;
}

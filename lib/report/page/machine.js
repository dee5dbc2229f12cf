// The machine as nested boxes (trees) or slices of nodes (grids), a square for each slot.

const MOST_SLOTS_DRAWN = 20000;
const MOST_SLOTS_SHOWN = 256;  // whether ranks sit on them or not
const MOST_SLICES = 64;
const MOST_HOSTS_DRAWN = 4096;
// Slots at most, side of a square in CSS pixels; numbers fit into the first two.
const SLOT_SIZES = [[512, 30], [2048, 22], [6000, 12], [Infinity, 8]];
const NUMBERED_FROM = 22;
const LETTER_WIDTH = 7;

class MachineView {
  constructor(report) {
    this.report = report;
    this.machine = report.machine;
    this.order = report.present;
    this.ranksOn = new Map();  // order id -> Map of slot to ranks
    this.squares = [];         // slot -> its element, where drawn
    this.colouring = this.colourings()[0][0];
  }

  show(place) {
    const withPlaces = this.report.orders.filter((order) => order.places);
    // Of a large machine only the hosts that hold ranks.
    this.all = this.machine.slots <= Math.max(MOST_SLOTS_SHOWN, 4 * this.report.ranks) && this.machine.slots <= MOST_SLOTS_DRAWN;
    if (withPlaces.length === 0 || (!this.all && hostSlots(this.report) > MOST_SLOTS_DRAWN)) {
      const reason = this.report.reasonFor("places") ??
        "Single ranks are too many to be drawn here; the matrix above can be zoomed.";
      place.append(this.hostsOnly(), el("p", { class: "note" }, reason));
      return;
    }
    this.order = withPlaces[0];
    this.reading = el("p", { class: "reading", role: "status" }, "Point at a slot to read who sits there.");
    this.picture = this.drawMachine();
    this.frame = el("div", {
      class: "machine-frame", tabindex: 0, role: "application", "aria-roledescription": "picture of the machine",
      "aria-label": `${machineText(this.machine)}. Arrow keys go from slot to slot.`,
    }, this.picture);
    this.key = el("div", { class: "group-key" });
    place.append(el("div", { class: "controls" },
      choice("Order", "machine-order", withPlaces.map((order) => [order.id, order.name]), this.order.id,
        (id) => { this.order = this.report.order(id); this.paint(); }),
      dropDown("Colour by", "machine-colour", this.colourings(), (value) => { this.colouring = value; this.paint(); })),
    el("p", { class: "note" }, machineText(this.machine) + (this.all ? "" : ". Only hosts with ranks are drawn.")), this.frame, this.reading, this.key,
    folded("Who sits where as a table", () => this.makeTable()));
    this.listen();
    this.paint();
  }

  colourings() {
    const several = this.report.hosts.length > 1;
    const hosts = several ? this.report.orders.filter((order) => order.places)
      .map((order) => [`host:${order.id}`, order.id === "present" ? "host in the present order" : `host in: ${order.name}`]) : [];
    const load = this.report.load?.block === 1 && this.report.load.outside?.length
      ? [["load", "CPU time outside MPI"]] : [];
    return [...hosts, ["rank", "number of the rank"], ...load];
  }

  // The picture. Slots are drawn by place: as they lie side by side in the machine.

  drawMachine() {
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
      if (!this.all && !host && !this.report.hosts.some((other) => other.first_slot >= at && other.first_slot < at + size)) continue;
      const inner = this.drawGroups(depth + 1, at, size);
      const isHost = host && host.first_slot === at && host.slots === size;
      if (levels[depth].count === 1 && !isHost) {
        boxes.push(...inner);
        continue;
      }
      const lowest = depth === levels.length - 1;
      boxes.push(el("div", { class: `box${lowest ? " lowest" : ""}${isHost ? " host" : ""}` },
        isHost ? hostLabel(host) : this.boxLabel(`${levels[depth].name} ${at / size}`, size), ...inner));
    }
    return boxes;
  }

  /** The name of a socket, switch, ... where it has room above `size` squares. */
  boxLabel(text, size) {
    const width = Math.min(size, 8) * (this.squareSize + 1);
    return width < LETTER_WIDTH * text.length ? null : el("span", { class: "box-name" }, text);
  }

  drawHosts() {
    const hosts = this.report.hosts.length ? this.report.hosts : [{ name: "", first_slot: 0, slots: this.machine.slots }];
    return hosts.map((host) => el("div", { class: "box lowest host" },
      host.name ? hostLabel(host) : null, ...this.drawSlots(host.first_slot, host.slots)));
  }

  drawSlots(first, count) {
    return Array.from({ length: count }, (_, i) => this.drawSlot(first + i));
  }

  drawSlot(slot) {
    const square = el("span", { class: "slot", "data-slot": slot });
    this.squares[slot] = square;
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
        return el("div", { class: "node", style: `grid-template-columns: repeat(${side}, var(--slot))` },
          ...this.drawSlots(first, perNode));
      });
      const where = [...coordinates(slice, outer), ...(dims.length > 1 ? ["*", "*"] : ["*"])].join(", ");
      picture.append(el("div", { class: "slice" },
        outer.length ? el("span", { class: "box-name" }, `nodes (${where})`) : null,
        el("div", { class: "grid", style: `grid-template-columns: repeat(${width}, max-content)` }, nodes)));
    }
    if (slices > MOST_SLICES) picture.append(el("p", { class: "note" }, `${grouped(slices - MOST_SLICES)} more slices are not drawn.`));
  }

  /** Without places of single ranks: a box for each host, coloured by what leaves it. */
  hostsOnly() {
    const out = this.report.present?.hosts?.out ?? [];
    const scale = new ColourScale(0, Math.max(0, ...out), "linear");
    const hosts = this.report.hosts.slice(0, MOST_HOSTS_DRAWN);
    const paint = () => boxes.forEach((box, i) => {
      if (out[i] !== undefined) box.style.background = scale.colour(out[i]);
    });
    const boxes = hosts.map((host, i) => el("span", {
      class: "slot", title: `${host.name}: ${counted(host.slots, "slot")}${out[i] === undefined ? "" : `, ${bytesText(out[i])} leave it`}`,
    }));
    this.paint = paint;
    paint();
    return el("div", {}, el("p", { class: "note" }, `${machineText(this.machine)}. Each square is a host; the darker (on dark ground: the brighter), the more bytes leave it in the present order.`),
      el("div", { class: "machine-frame" }, el("div", { class: "machine hosts-only", style: "--slot: 10px" }, boxes)));
  }

  // Who is on it.

  /** Slot -> ranks in an order. */
  occupants(order) {
    if (!this.ranksOn.has(order.id)) {
      const ranks = new Map();
      order.places.forEach((slot, rank) => {
        if (ranks.has(slot)) ranks.get(slot).push(rank); else ranks.set(slot, [rank]);
      });
      this.ranksOn.set(order.id, ranks);
    }
    return this.ranksOn.get(order.id);
  }

  paint() {
    const occupants = this.occupants(this.order);
    const colour = this.colourOf();
    this.squares.forEach((square, slot) => {
      const ranks = occupants.get(slot);
      const filling = ranks ? colour(ranks[0]) : "";
      square.style.background = filling;
      square.style.color = filling ? inkOn(filling) : "";
      square.classList.toggle("empty", !ranks);
      if (this.squareSize >= NUMBERED_FROM) square.textContent = ranks ? slotText(ranks) : "";
    });
    this.showKey();
    if (this.cursor !== undefined) this.read(this.cursor);
    if (this.table) this.fillTable();
  }

  /** rank -> colour, as chosen. */
  colourOf() {
    const [kind, id] = this.colouring.split(/:(.*)/s);
    if (kind === "host") {
      const { places } = this.report.order(id);
      const groups = this.report.hosts.length;
      return (rank) => {
        const host = this.report.hostIndex(places[rank]);
        return host === null ? "#999999" : groupColour(host, groups);
      };
    }
    if (kind === "load") {
      const { outside } = this.report.load;
      const largest = Math.max(...outside) || 1;
      return (rank) => rampColour((outside[rank] ?? 0) / largest);
    }
    return (rank) => rampColour(rank / Math.max(1, this.report.ranks - 1));
  }

  showKey() {
    const [kind, id] = this.colouring.split(/:(.*)/s);
    const { hosts } = this.report;
    if (kind === "host" && hosts.length <= GROUP_COLOURS.length) {
      const order = this.report.order(id);
      this.key.replaceChildren(el("span", { class: "note" }, `Colour: host of the rank in ${order.id === "present" ? "the present order" : `the order of ${order.name}`}`),
        ...hosts.map((host, i) => el("span", { class: "key" },
          el("span", { class: "swatch", style: `background: ${groupColour(i, hosts.length)}` }), host.name)));
      return;
    }
    const ends = kind === "load" ? ["0 s", secondsText(Math.max(...this.report.load.outside))]
      : kind === "rank" ? ["rank 0", `rank ${grouped(this.report.ranks - 1)}`]
        : [hosts[0].name, hosts[hosts.length - 1].name];
    this.key.replaceChildren(el("span", { class: "end" }, ends[0]),
      el("span", { class: "ramp", style: `background: ${rampGradient()}` }), el("span", { class: "end" }, ends[1]));
  }

  read(slot) {
    this.squares[this.cursor]?.classList.remove("looked-at");
    this.cursor = slot;
    this.squares[slot]?.classList.add("looked-at");
    const host = this.report.hosts[this.report.hostIndex(slot)];
    const ranks = this.occupants(this.order).get(slot);
    const who = ranks ? `${ranks.length > 1 ? "ranks" : "rank"} ${ranks.map(grouped).join(", ")}` : "no rank";
    const elsewhere = ranks ? this.report.orders.filter((order) => order.places && order !== this.order)
      .map((order) => `in ${order.id === "present" ? "the present order" : order.name} on slot ${grouped(this.report.slotAt(order.places[ranks[0]]))}`) : [];
    this.reading.textContent = [`Slot ${grouped(this.report.slotAt(slot))}${host ? ` of ${host.name}` : ""}: ${who}`, ...elsewhere].join("; ");
  }

  listen() {
    const look = (event) => {
      const square = event.target.closest("[data-slot]");
      if (square) this.read(Number(square.dataset.slot));
    };
    this.frame.addEventListener("pointerover", look);
    this.frame.addEventListener("click", look);
    this.frame.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 };
      if (!(event.key in steps)) return;
      event.preventDefault();
      const last = this.squares.length - 1;
      const next = this.cursor === undefined ? 0 : this.cursor + steps[event.key];
      this.read(Math.max(0, Math.min(last, next)));
      this.squares[this.cursor]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
  }

  makeTable() {
    this.table = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranks of each host" });
    this.fillTable();
    return this.table;
  }

  /** One row per host: in the order chosen, its ranks. */
  fillTable() {
    const hosts = this.report.hosts.length ? this.report.hosts : [{ name: "the machine", first_slot: 0, slots: this.machine.slots }];
    const occupants = this.occupants(this.order);
    const rows = hosts.map((host) => {
      const ranks = Array.from({ length: host.slots }, (_, i) => occupants.get(host.first_slot + i) ?? []).flat();
      return [host.name, rangeText(host.first_slot, host.first_slot + host.slots - 1), listText(ranks)];
    });
    this.table.replaceChildren(simpleTable(["Host", "Slots", `Ranks (${this.order.name})`], rows, []));
  }
}

function hostLabel({ name, whole }) {
  return el("span", { class: "box-name", title: whole }, name);
}

function slotText(ranks) {
  return ranks.length > 1 ? `${ranks[0]}+` : String(ranks[0]);
}

/** Slots of all hosts that hold ranks. */
function hostSlots({ hosts }) {
  return hosts.reduce((sum, host) => sum + host.slots, 0);
}

/** Do the levels divide the slots evenly, and are hosts the objects of one of them? */
function nested(levels, hosts, slots) {
  return levels.every((level) => level.count > 0 && slots % level.count === 0) &&
    (hosts.length === 0 || levels.some((level) => hosts.every((host) => host.slots === slots / level.count)));
}

/** How many of `count` squares go into a row: rows of one length where the count has such a divisor. */
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

function machineText({ spec, slots, nodes, levels = [], dims = [] }) {
  const parts = [counted(slots, "slot")];
  if (nodes > 1 && nodes !== slots) parts.push(`on ${counted(nodes, "node")}`);
  if (dims.length) parts.push(`in a grid of ${dims.join(" \u00d7 ")}`);
  if (levels.length > 1) parts.push(`levels: ${levels.map((level) => `${level.name} (${grouped(level.count)})`).join(", ")}`);
  return `${spec}: ${parts.join(", ")}`;
}

/** Ascending runs written short: "0–3, 8, 12–15". */
function listText(numbers) {
  const parts = [];
  for (let i = 0; i < numbers.length;) {
    let end = i;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) ++end;
    parts.push(rangeText(numbers[i], numbers[end]));
    i = end + 1;
  }
  return parts.join(", ") || "none";
}

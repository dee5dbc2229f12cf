// Where each rank runs: the ranks of an order on the picture of the machine.

class MachineView {
  constructor(report) {
    this.report = report;
    this.machine = report.machine;
    this.order = report.present;
    this.ranksOn = new Map(); // order id -> Map of place to ranks
    this.picture = new MachinePicture(report);
    this.colouring = this.colourings()[0][0];
  }

  show(place) {
    const withPlaces = this.report.orders.filter((order) => order.places);
    place.append(el("p", { class: "note" }, this.description()));
    if (withPlaces.length === 0 || !this.picture.possible) {
      const many = new ManyRanksView(this.report);
      this.paint = () => many.paint();
      many.show(place);
      return;
    }
    this.order = withPlaces[0];
    this.reading = el(
      "p",
      { class: "reading", role: "status" },
      "Point at a slot to read which ranks run there.",
    );
    this.frame = el(
      "div",
      {
        class: "machine-frame",
        tabindex: 0,
        role: "application",
        "aria-roledescription": "picture of the machine",
        "aria-label": `${machineText(this.machine)}. Arrow keys go from slot to slot.`,
      },
      this.picture.make(),
    );
    this.key = el("div", { class: "group-key" });
    place.append(
      el(
        "div",
        { class: "controls" },
        choice(
          "Order",
          "machine-order",
          withPlaces.map((order) => [order.id, order.name]),
          this.order.id,
          (id) => {
            this.order = this.report.order(id);
            this.paint();
          },
        ),
        dropDown("Colour by", "machine-colour", this.colourings(), (value) => {
          this.colouring = value;
          this.paint();
        }),
      ),
      this.frame,
      this.reading,
      this.key,
      folded("Ranks and slots as a table", () => this.makeTable()),
    );
    this.listen();
    this.paint();
  }

  description() {
    const { all, possible } = this.picture;
    const partly = possible && !all && hostSlots(this.report) < this.machine.slots;
    return machineText(this.machine) + (partly ? ". Only hosts with ranks are drawn." : "");
  }

  colourings() {
    const several = this.report.hosts.length > 1;
    const hosts = several
      ? this.report.orders
          .filter((order) => order.places)
          .map((order) => [`host:${order.id}`, `host in ${nameInText(order)}`])
      : [];
    const load =
      this.report.load?.block === 1 && this.report.load.outside?.length
        ? [["load", "CPU time outside MPI"]]
        : [];
    return [...hosts, ["rank", "number of the rank"], ...load];
  }

  /** Place -> ranks in an order. */
  occupants(order) {
    if (!this.ranksOn.has(order.id)) {
      const ranks = new Map();
      order.places.forEach((place, rank) => {
        if (ranks.has(place)) ranks.get(place).push(rank);
        else ranks.set(place, [rank]);
      });
      this.ranksOn.set(order.id, ranks);
    }
    return this.ranksOn.get(order.id);
  }

  paint() {
    const occupants = this.occupants(this.order);
    const colour = this.colourOf();
    this.picture.squares.forEach((square, place) => {
      const ranks = occupants.get(place);
      const filling = ranks ? colour(ranks[0]) : "";
      square.style.background = filling;
      square.style.color = filling ? inkOn(filling) : "";
      square.classList.toggle("empty", !ranks);
      if (this.picture.numbered) square.textContent = ranks ? slotText(ranks) : "";
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
      const largest = largestOf(outside) || 1;
      return (rank) => rampColour((outside[rank] ?? 0) / largest);
    }
    return (rank) => rampColour(rank / Math.max(1, this.report.ranks - 1));
  }

  showKey() {
    const [kind, id] = this.colouring.split(/:(.*)/s);
    const { hosts } = this.report;
    if (kind === "host" && hosts.length <= GROUP_COLOURS.length) {
      const order = this.report.order(id);
      this.key.replaceChildren(
        el("span", { class: "note" }, `Colour: host of the rank in ${nameInText(order)}`),
        ...hosts.map((host, i) =>
          el(
            "span",
            { class: "key" },
            el("span", { class: "swatch", style: `background: ${groupColour(i, hosts.length)}` }),
            host.name,
          ),
        ),
      );
      return;
    }
    const ends =
      kind === "load"
        ? ["0 s", secondsText(largestOf(this.report.load.outside))]
        : kind === "rank"
          ? ["rank 0", `rank ${grouped(this.report.ranks - 1)}`]
          : [hosts[0].name, hosts[hosts.length - 1].name];
    this.key.replaceChildren(
      el("span", { class: "end" }, ends[0]),
      el("span", { class: "ramp", style: `background: ${rampGradient()}` }),
      el("span", { class: "end" }, ends[1]),
    );
  }

  read(place) {
    this.picture.squares.get(this.cursor)?.classList.remove("looked-at");
    this.cursor = place;
    this.picture.squares.get(place)?.classList.add("looked-at");
    const host = this.report.hosts[this.report.hostIndex(place)];
    const ranks = this.occupants(this.order).get(place);
    const who = ranks
      ? `${ranks.length > 1 ? "ranks" : "rank"} ${ranks.map(grouped).join(", ")}`
      : "no rank";
    const slot = (at) => grouped(this.report.slotAt(at));
    const elsewhere = this.report.orders
      .filter((order) => ranks && order.places && order !== this.order)
      .map((order) => `in ${nameInText(order)} on slot ${slot(order.places[ranks[0]])}`);
    const where = `Slot ${slot(place)}${host ? ` of ${host.name}` : ""}`;
    this.reading.textContent = [`${where}: ${who}`, ...elsewhere].join("; ");
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
      const places = [...this.picture.squares.keys()];
      const next = this.cursor === undefined ? 0 : places.indexOf(this.cursor) + steps[event.key];
      const place = places[Math.max(0, Math.min(places.length - 1, next))];
      this.read(place);
      this.picture.squares.get(place).scrollIntoView({ block: "nearest", inline: "nearest" });
    });
  }

  makeTable() {
    this.table = el("div", {
      class: "scroll",
      tabindex: 0,
      role: "region",
      "aria-label": "Ranks of each host",
    });
    this.fillTable();
    return this.table;
  }

  /** One row per host: in the order chosen, its ranks. */
  fillTable() {
    const hosts = this.report.hosts.length
      ? this.report.hosts
      : [{ name: "the machine", first_slot: 0, slots: this.machine.slots }];
    const occupants = this.occupants(this.order);
    const rows = hosts.map((host) => {
      const ranks = Array.from(
        { length: host.slots },
        (_, i) => occupants.get(host.first_slot + i) ?? [],
      ).flat();
      const slots = Array.from({ length: host.slots }, (_, i) =>
        this.report.slotAt(host.first_slot + i),
      );
      return [host.name, listText(slots), listText(ranks)];
    });
    this.table.replaceChildren(
      simpleTable(["Host", "Slots", `Ranks (${this.order.name})`], rows, []),
    );
  }
}

function slotText(ranks) {
  return ranks.length > 1 ? `${ranks[0]}+` : String(ranks[0]);
}

function machineText({ spec, slots, nodes, levels = [], dims = [] }) {
  const parts = [counted(slots, "slot")];
  if (nodes > 1 && nodes !== slots) parts.push(`on ${counted(nodes, "node")}`);
  if (dims.length) parts.push(`in a grid of ${dims.join(" \u00d7 ")}`);
  if (levels.length > 1) {
    const names = levels.map((level) => `${level.name} (${grouped(level.count)})`);
    parts.push(`levels: ${names.join(", ")}`);
  }
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

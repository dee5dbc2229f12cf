// Where many ranks run: an order of the reader's choice as squares, and a scale of their colours.

class ManyRanksView {
  constructor(report) {
    this.report = report;
    this.squares = new RankSquares(report);
    this.order = report.present;
    this.colourings = this.makeColourings();
    this.colouring = this.colourings.keys().next().value;
    this.elements = [];
  }

  /** Name -> colouring, see machine_squares.js; those that some order can be shown in. */
  makeColourings() {
    const { report } = this;
    const found = new Map();
    const several = report.orders.some((order) => report.hostLevel(order)?.count > 1);
    for (const order of report.orders) {
      if (several && order.knowsRanks && report.hostLevel(order)) {
        found.set(`host:${order.id}`, hostColouring(report, order));
      }
    }
    if (report.orders.some((order) => order.knowsRanks)) found.set("rank", rankColouring(report));
    // Blocks of several hosts have no bytes of their own.
    const host = (report.machine.axis ?? []).findIndex((level) => level.host);
    const inHosts = host >= 0 && this.squares.level >= host && this.squares.group === 1;
    if (several && inHosts) found.set("bytes", bytesColouring(report));
    found.set("count", countColouring(report, this.squares));
    return found;
  }

  show(place) {
    this.note = el("p", { class: "note" });
    this.reading = el("p", { class: "reading", role: "status" }, "Point at a square to read it.");
    this.frame = el("div", {
      class: "machine-frame",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "picture of the machine",
      "aria-label": `${machineText(this.report.machine)}. Arrow keys go from square to square.`,
    });
    this.key = el("div", { class: "group-key" });
    const orders = this.report.orders.map((order) => [order.id, order.name]);
    const colourings = [...this.colourings].map(([name, { text }]) => [name, text]);
    place.append(
      this.note,
      el(
        "div",
        { class: "controls" },
        choice("Order", "machine-order", orders, this.order.id, (id) => {
          this.order = this.report.order(id);
          this.draw();
        }),
        dropDown("Colour by", "machine-colour", colourings, (value) => {
          this.colouring = value;
          this.paint();
        }),
      ),
      this.frame,
      this.reading,
      this.key,
      folded("Squares as a table", () => this.makeTable()),
    );
    this.listen();
    this.draw();
  }

  draw() {
    this.list = this.squares.of(this.order);
    this.elements = [];
    this.cursor = undefined;
    this.reading.textContent = "Point at a square to read it.";
    this.frame.replaceChildren(this.squares.make(this.order, this.list, this.elements));
    const partly = this.order.full ? "" : " What holds no ranks is not drawn.";
    this.note.textContent = this.squares.description(this.list) + partly;
    this.paint();
  }

  get chosen() {
    return this.colourings.get(this.colouring);
  }

  paint() {
    const { chosen, order } = this;
    const values = chosen.known(order)
      ? chosen.values(order, this.list)
      : this.list.map(() => null);
    this.elements.forEach((element, i) => {
      element.style.background = values[i] === null ? "" : chosen.colour(values[i]);
      element.classList.toggle("empty", values[i] === null);
    });
    this.showKey(values);
    if (this.cursor !== undefined) this.read(this.cursor);
    if (this.table) this.fillTable();
  }

  showKey(values) {
    const { chosen, order } = this;
    const note = (text) => el("span", { class: "note" }, text);
    if (!chosen.known(order)) {
      const text = `Which ranks sit where in ${nameInText(order)} is too much for this page.`;
      this.key.replaceChildren(note(text));
      return;
    }
    const [low, high] = chosen.ends();
    const scale = chosen.keys
      ? chosen.keys.map(([colour, name]) =>
          el(
            "span",
            { class: "key" },
            el("span", { class: "swatch", style: `background: ${colour}` }),
            name,
          ),
        )
      : [
          el("span", { class: "end" }, low),
          el("span", { class: "ramp", style: `background: ${rampGradient()}` }),
          el("span", { class: "end" }, high),
        ];
    const unknown = values.includes(null) ? "; squares without colour: not known" : "";
    this.key.replaceChildren(note(chosen.caption(order) + unknown), ...scale);
  }

  /** Where a square is: "Places 64–95". */
  whereText({ first, end }) {
    const unit = this.order.full ? "Place" : "Position";
    return `${unit}${end - first > 1 ? "s" : ""} ${rangeText(first, end - 1)}`;
  }

  /** Who sits there. */
  ranksText({ first, end }) {
    const { order, report } = this;
    if (order.knowsRanks) return whoText(report, order, first, end - first);
    const host = report.hostNameAt(order, first);
    return counted(end - first, "rank") + (host === null ? "" : ` (${host})`);
  }

  read(index) {
    this.elements[this.cursor]?.classList.remove("looked-at");
    this.cursor = index;
    this.elements[index].classList.add("looked-at");
    const { chosen, order } = this;
    const square = this.list[index];
    const more = chosen.known(order) ? chosen.read(order, square) : "";
    const who = `${this.whereText(square)}: ${this.ranksText(square)}`;
    this.reading.textContent = more ? `${who}; ${more}` : who;
  }

  listen() {
    const look = (event) => {
      const square = event.target.closest("[data-square]");
      if (square) this.read(Number(square.dataset.square));
    };
    this.frame.addEventListener("pointerover", look);
    this.frame.addEventListener("click", look);
    this.frame.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -16, ArrowDown: 16 };
      if (!(event.key in steps)) return;
      event.preventDefault();
      const next = this.cursor === undefined ? 0 : this.cursor + steps[event.key];
      this.read(Math.max(0, Math.min(this.list.length - 1, next)));
      this.elements[this.cursor].scrollIntoView({ block: "nearest", inline: "nearest" });
    });
  }

  makeTable() {
    this.table = el("div", {
      class: "scroll",
      tabindex: 0,
      role: "region",
      "aria-label": "Squares and their ranks",
    });
    this.fillTable();
    return this.table;
  }

  fillTable() {
    const { order } = this;
    const rows = this.list.map((square) => [this.whereText(square), this.ranksText(square)]);
    this.table.replaceChildren(simpleTable(["Where", `Ranks (${order.name})`], rows, []));
  }
}

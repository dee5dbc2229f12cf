// The embedded JSON as objects: orders, their matrices, where ranks sit.

/** uint32 little-endian in base64 as an array; null where there is none. */
function decodeNumbers(text) {
  if (typeof text !== "string") return null;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getUint32(4 * i, true));
}

/** The largest of many numbers, at least 0. */
function largestOf(values) {
  return values.reduce((largest, value) => Math.max(largest, value), 0);
}

/** One resolution of a matrix: sparse cells sorted by row and column, `block` ranks a side each. */
class MatrixLevel {
  constructor({ block, side, cells }) {
    this.block = block;
    this.side = side;
    const count = Math.floor(cells.length / 5);
    const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
      (a, b) => cells[5 * a] - cells[5 * b] || cells[5 * a + 1] - cells[5 * b + 1],
    );
    this.rows = Uint32Array.from(order, (i) => cells[5 * i]);
    this.columns = Uint32Array.from(order, (i) => cells[5 * i + 1]);
    this.bytes = Float64Array.from(order, (i) => cells[5 * i + 2]);
    this.messages = Float64Array.from(order, (i) => cells[5 * i + 3]);
    this.levels = Int32Array.from(order, (i) => cells[5 * i + 4]);
    this.firstOfRow = new Uint32Array(side + 1);
    for (const row of this.rows) ++this.firstOfRow[row + 1];
    for (let row = 0; row < side; ++row) this.firstOfRow[row + 1] += this.firstOfRow[row];
  }

  get count() {
    return this.rows.length;
  }

  /** Index of the first cell of `row` at or behind `column`. */
  seek(row, column) {
    let low = this.firstOfRow[row];
    let high = this.firstOfRow[row + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.columns[middle] < column) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Index of a cell, or -1 where nothing was sent. */
  find(row, column) {
    if (row < 0 || row >= this.side) return -1;
    const index = this.seek(row, column);
    return index < this.firstOfRow[row + 1] && this.columns[index] === column ? index : -1;
  }

  /** Calls visit(index) for the cells in a rectangle, ends excluded. */
  visit(row0, row1, column0, column1, visit) {
    for (let row = Math.max(0, row0); row < Math.min(this.side, row1); ++row) {
      for (
        let i = this.seek(row, column0);
        i < this.firstOfRow[row + 1] && this.columns[i] < column1;
        ++i
      ) {
        visit(i);
      }
    }
  }

  /** [smallest, largest] of a quantity ("bytes" or "messages") among cells that have any. */
  extent(quantity) {
    this.extents ??= {};
    this.extents[quantity] ??= extentOf(this[quantity]);
    return this.extents[quantity];
  }
}

function extentOf(values) {
  let [low, high] = [Infinity, 0];
  for (const value of values) {
    if (value > high) high = value;
    if (value > 0 && value < low) low = value;
  }
  return [low, high];
}

/** An order of the ranks: what it costs, and the place of each rank. */
class Order {
  constructor(json, index, ranks) {
    Object.assign(this, json);
    // Five colours for all but the present order; from the sixth on a number tells them apart.
    this.colour = index === 0 ? 0 : 1 + ((index - 1) % 5);
    this.number = index > 5 ? index : null;
    this.ranks = ranks;
    this.places = decodeNumbers(json.places);
    this.rankTable = decodeNumbers(json.rank_at);
    this.isByRank = json.axis === "ranks";
    this.decoded = new Map();
  }

  /** The rank at a position of the matrix's axes; null where the page does not say. */
  rankAt(position) {
    if (this.rankTable) return position < this.rankTable.length ? this.rankTable[position] : null;
    return this.isByRank ? position : null;
  }

  /** Does the page say which rank is where? */
  get knowsRanks() {
    return this.rankTable !== null || this.isByRank;
  }

  positionOf(rank) {
    if (!this.rankTable) return this.isByRank ? rank : null;
    if (!this.positions) {
      this.positions = new Uint32Array(this.ranks);
      this.rankTable.forEach((found, position) => {
        this.positions[found] = position;
      });
    }
    return this.positions[rank];
  }

  /** Where a rank sits, counted along the machine (see Report.slotAt); null where not known. */
  placeOf(rank) {
    return this.places && rank !== null && rank < this.places.length ? this.places[rank] : null;
  }

  /** The resolutions of a matrix, coarse to fine; empty where the page has none. */
  matrix(key) {
    if (!this.decoded.has(key)) {
      this.decoded.set(
        key,
        (this.matrices?.[key]?.levels ?? []).map((level) => new MatrixLevel(level)),
      );
    }
    return this.decoded.get(key);
  }
}

/** An order within a sentence. */
function nameInText({ id, name }) {
  return id === "present" ? `the ${name}` : name;
}

/** The whole page's data. */
class Report {
  constructor(json) {
    Object.assign(this, json);
    this.ranks = json.run?.ranks ?? 0;
    this.orders = (json.orders ?? []).map((order, index) => new Order(order, index, this.ranks));
    this.phases = json.phases ?? [];
    this.missing = json.missing ?? [];
    this.hosts = (json.machine?.hosts ?? []).map((host) => ({
      ...host,
      name: shortName(host.name),
      whole: host.name,
    }));
  }

  get present() {
    return this.orders[0];
  }

  order(id) {
    return this.orders.find((order) => order.id === id);
  }

  /** What the reader would compare the present with: Kith's order, else the first mapping. */
  get proposed() {
    const mapping = this.orders.find((order) => order.id.startsWith("mapping:"));
    return this.order("kith") ?? mapping ?? this.present;
  }

  reasonFor(view) {
    return this.missing.find((entry) => entry.view === view)?.reason ?? null;
  }

  levelName(index) {
    if (index === undefined || index < 0) return null;
    return this.machine?.levels?.[index]?.name ?? `level ${index}`;
  }

  /** The machine's own number of a place: places count the slots as they lie side by side. */
  slotAt(place) {
    if (this.slotTable === undefined) this.slotTable = decodeNumbers(this.machine?.slot_at);
    return this.slotTable ? this.slotTable[place] : place;
  }

  /** Index of the host of a place, or null; hosts come in the order of their first places. */
  hostIndex(place) {
    if (place === null || place === undefined) return null;
    let [low, high] = [0, this.hosts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.hosts[middle].first_slot <= place) low = middle + 1;
      else high = middle;
    }
    const host = this.hosts[low - 1];
    return host && place < host.first_slot + host.slots ? low - 1 : null;
  }

  /** Does a host begin at one of the places [first, first + count)? */
  hasHostIn(first, count) {
    let [low, high] = [0, this.hosts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.hosts[middle].first_slot < first) low = middle + 1;
      else high = middle;
    }
    return low < this.hosts.length && this.hosts[low].first_slot < first + count;
  }

  /** The place at a position of an order's axes: looked up, or itself where every slot has one rank. */
  placeAt(order, position) {
    const place = order.placeOf(order.rankAt(position));
    if (place !== null) return place;
    return order.full ? position : null;
  }

  /** What lies along the axes of an order, see axis.js. */
  axis(order) {
    this.axes ??= new Map();
    if (!this.axes.has(order)) this.axes.set(order, axisLevels(this, order));
    return this.axes.get(order);
  }

  /** The level of the hosts along the axes of an order; null where it is not known. */
  hostLevel(order) {
    return this.axis(order).find((level) => level?.isHost) ?? null;
  }

  /** Are all hosts that hold ranks in `hosts`? The page lists the first so many by number. */
  get listsAllHosts() {
    const last = this.hosts[this.hosts.length - 1]?.node ?? -1;
    return this.orders.every((order) => {
      const level = this.hostLevel(order);
      return level === null || level.objects[level.count - 1] <= last;
    });
  }

  hostNameAt(order, position) {
    const hosts = this.hostLevel(order);
    if (hosts) return hosts.label(hosts.indexAt(position));
    const index = this.hostIndex(this.placeAt(order, position));
    return index === null ? null : this.hosts[index].name;
  }
}

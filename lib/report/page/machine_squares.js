// Where single ranks are too many for a square each: squares of several ranks that sit side by side,
// in boxes of hosts and switches. The squares of all orders hold equally many ranks.

const MOST_SQUARES = 4096;
const FEWEST_IN_A_BOX = 8; // squares on average; smaller boxes are not drawn
const SQUARE_SIZES = [
  [1024, 14],
  [Infinity, 9],
]; // squares at most, CSS pixels

class RankSquares {
  constructor(report) {
    this.report = report;
    this.orders = report.orders;
    const known = (report.machine.axis ?? [])
      .map((_, i) => i)
      .filter((i) => this.orders.every((order) => report.axis(order)[i]));
    const most = (i) => Math.max(...this.orders.map((order) => report.axis(order)[i].count));
    // Squares are whole objects of this level, parts of one, or several side by side.
    this.level = known.filter((i) => most(i) <= MOST_SQUARES).pop() ?? known[0] ?? -1;
    this.group = 1;
    this.unit = 1;
    if (this.level >= 0) while (most(this.level) / this.group > MOST_SQUARES) this.group *= 2;
    while (this.fullest() > MOST_SQUARES) this.unit *= 2;
    const squares = this.fullest();
    this.size = SQUARE_SIZES.find(([upTo]) => squares <= upTo)[1];
    this.boxLevels = known.filter(
      (i) => i <= this.level && squares / most(i) >= FEWEST_IN_A_BOX && most(i) > 1,
    );
  }

  fullest() {
    return Math.max(...this.orders.map((order) => this.of(order, true)));
  }

  /** The squares of an order: {first, end} in positions; or how many these are. */
  of(order, onlyCount = false) {
    const level = this.level < 0 ? null : this.report.axis(order)[this.level];
    const first = level?.first ?? [0, this.report.ranks];
    const squares = [];
    let count = 0;
    for (let i = 0; i + 1 < first.length; i += this.group) {
      const end = first[Math.min(i + this.group, first.length - 1)];
      const unit = this.group > 1 ? end - first[i] : this.unit;
      count += Math.ceil((end - first[i]) / unit);
      if (onlyCount) continue;
      for (let at = first[i]; at < end; at += unit) {
        squares.push({ first: at, end: Math.min(at + unit, end) });
      }
    }
    return onlyCount ? count : squares;
  }

  /** The squares of an order as elements in boxes; `elements` gets one for each square. */
  make(order, squares, elements) {
    squares.forEach((_, i) => {
      elements[i] = el("span", { class: "slot", "data-square": i });
    });
    const boxed = this.boxLevels.length > 0;
    const picture = el("div", { class: `machine${boxed ? "" : " unboxed"}`, style: `--slot: ${this.size}px` });
    picture.append(...this.boxes(order, squares, elements, 0, squares.length, 0));
    return picture;
  }

  /** The squares [from, to) in boxes of the levels from `depth` on. */
  boxes(order, squares, elements, from, to, depth) {
    if (depth === this.boxLevels.length) return elements.slice(from, to);
    const level = this.report.axis(order)[this.boxLevels[depth]];
    const found = [];
    for (let begin = from; begin < to; ) {
      const object = level.indexAt(squares[begin].first);
      let end = begin + 1;
      while (end < to && squares[end].first < level.first[object + 1]) ++end;
      const name = level.label(object);
      const lowest = depth === this.boxLevels.length - 1;
      const fits = Math.min(end - begin, 16) * (this.size + 1) >= LETTER_WIDTH * name.length;
      found.push(
        el(
          "div",
          { class: `box${lowest ? " lowest" : ""}${level.isHost ? " host" : ""}`, title: name },
          fits ? el("span", { class: "box-name" }, name) : null,
          ...this.boxes(order, squares, elements, begin, end, depth + 1),
        ),
      );
      begin = end;
    }
    return found;
  }

  /** What squares and boxes are, in words. */
  description(squares) {
    const counts = squares.map(({ first, end }) => end - first);
    const [low, high] = counts.reduce(
      ([least, most], count) => [Math.min(least, count), Math.max(most, count)],
      [Infinity, 0],
    );
    const many = low === high ? counted(low, "rank") : `${grouped(low)} to ${grouped(high)} ranks`;
    const names = this.boxLevels.map((i) => pluralOf(this.report.machine.axis[i]));
    const together =
      this.group > 1
        ? `, those of ${grouped(this.group)} ${pluralOf(this.report.machine.axis[this.level])}`
        : "";
    const boxes = names.length ? `; boxes are ${names.join(" and, inside, ")}` : "";
    return `Each square is ${many} side by side in the machine${together}${boxes}.`;
  }
}

// What the colour of a square may mean. Each: {text: for the list, caption(order), known(order),
// values(order, squares): a number or null for each, colour(value), ends: words at both ends of the
// scale, or keys: [colour, name], read(value, square)}.

/** The host that has the most of a square's ranks in `other`. */
function hostColouring(report, other) {
  const hosts = report.hostLevel(other);
  const colour = (host) => groupColour(host, hosts.count);
  const few = hosts.count <= GROUP_COLOURS.length;
  const most = (order, { first, end }) => {
    const counts = new Map();
    for (let at = first; at < end; ++at) {
      const host = hosts.indexAt(other.positionOf(order.rankAt(at)));
      counts.set(host, (counts.get(host) ?? 0) + 1);
    }
    return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
  };
  return {
    text: `host in ${nameInText(other)}`,
    caption: () => `Colour: the host that has the most of a square's ranks in ${nameInText(other)}`,
    known: (order) => order.knowsRanks,
    values: (order, squares) => squares.map((square) => most(order, square)[0]),
    colour,
    ends: () => [hosts.label(0), hosts.label(hosts.count - 1)],
    keys: few ? [...hosts.objects.keys()].map((i) => [colour(i), hosts.label(i)]) : null,
    read: (order, square) => {
      const [host, ranks] = most(order, square);
      const share = `${grouped(ranks)} of them on ${hosts.label(host)}`;
      return `${share} in ${nameInText(other)}`;
    },
  };
}

function rankColouring(report) {
  const mean = (order, { first, end }) => {
    let sum = 0;
    for (let at = first; at < end; ++at) sum += order.rankAt(at);
    return sum / (end - first);
  };
  return {
    text: "number of the rank",
    caption: () => "Colour: mean of the numbers of a square's ranks",
    known: (order) => order.knowsRanks,
    values: (order, squares) => squares.map((square) => mean(order, square)),
    colour: (value) => rampColour(value / Math.max(1, report.ranks - 1)),
    ends: () => ["rank 0", `rank ${grouped(report.ranks - 1)}`],
    read: (order, square) => `mean of the numbers ${numberText(Math.round(mean(order, square)))}`,
  };
}

function countColouring(report, squares) {
  const counts = report.orders.flatMap((order) =>
    squares.of(order).map(({ first, end }) => end - first),
  );
  const most = largestOf(counts);
  return {
    text: "how many ranks",
    caption: () => "Colour: ranks in a square",
    known: () => true,
    values: (order, list) => list.map(({ first, end }) => end - first),
    colour: (value) => rampColour(value / most),
    ends: () => ["0 ranks", counted(most, "rank")],
    read: () => "",
  };
}

/** Bytes that leave the host of a square, on one scale for all orders. */
function bytesColouring(report) {
  const largest = largestOf(report.orders.flatMap((order) => order.hosts?.out ?? [])) || 1;
  const listed = new Map(report.hosts.map((host, i) => [host.node, i]));
  const sent = (order, { first }) => {
    const hosts = report.hostLevel(order);
    return order.hosts?.out?.[listed.get(hosts.objects[hosts.indexAt(first)])] ?? null;
  };
  return {
    text: "bytes that leave the host",
    caption: (order) => `Colour: bytes that leave the host of a square in ${nameInText(order)}`,
    known: (order) => Boolean(report.hostLevel(order)),
    values: (order, squares) => squares.map((square) => sent(order, square)),
    colour: (value) => rampColour(value / largest),
    ends: () => ["0 B", bytesText(largest)],
    read: (order, square) => {
      const bytes = sent(order, square);
      return bytes === null ? "" : `${bytesText(bytes)} leave the host`;
    },
  };
}

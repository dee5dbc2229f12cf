// What lies along the axes of an order: the switches, hosts, ... whose ranks follow one another.

const BORDER_DISTANCE = 14; // CSS pixels on average; closer lines would hide the cells between them
const MOST_HOSTS_ENTERED = 2; // with more of them in view what is inside of a host is not drawn

/** The objects of one level that hold ranks of an order, as they follow one another. */
class AxisLevel {
  /** `runs`: objects skipped, objects, ranks of each, and so on; `nameOf(object)`. */
  constructor({ name, host }, runs, nameOf) {
    this.name = name;
    this.isHost = Boolean(host);
    this.nameOf = nameOf;
    const [objects, first] = [[], []];
    let [object, position] = [0, 0];
    for (let i = 0; i + 2 < runs.length; i += 3) {
      object += runs[i];
      for (let k = 0; k < runs[i + 1]; ++k, position += runs[i + 2]) {
        objects.push(object++);
        first.push(position);
      }
    }
    first.push(position);
    this.objects = Uint32Array.from(objects);
    this.first = Uint32Array.from(first); // of each object, and behind the last one
  }

  get count() {
    return this.objects.length;
  }

  /** Index of the object at a position of the axis. */
  indexAt(position) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.first[middle] <= position) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** [first, behind the last] of the objects that have a part of [start, start + size). */
  range(start, size) {
    return [this.indexAt(Math.floor(start)), this.indexAt(Math.ceil(start + size) - 1) + 1];
  }

  label(index) {
    return this.nameOf(this.objects[index]);
  }
}

/** The levels along the axes of an order, coarse to fine; null for those that the page lacks. */
function axisLevels(report, order) {
  const hostNames = new Map(report.hosts.map((host) => [host.node, host.name]));
  return (report.machine?.axis ?? []).map((level, i) => {
    const runs = order.along?.[i] ?? [];
    const numbered = (object) => `${level.name} ${grouped(object)}`;
    const nameOf = level.host ? (object) => hostNames.get(object) || numbered(object) : numbered;
    return runs.length > 0 ? new AxisLevel(level, runs, nameOf) : null;
  });
}

/**
 * What to draw along the axes of some orders, the same for all: {fine, group, coarse}. `fine` is the
 * finest level with room between its lines, of which each `group`th is drawn; `coarse` the one above
 * it, or -1. Null where nothing is known.
 */
function chooseBorders(report, orders, viewport, side) {
  const all = orders.map((order) => report.axis(order));
  const known = (report.machine?.axis ?? [])
    .map((_, i) => i)
    .filter((i) => all.every((levels) => levels[i]));
  const most = (i) =>
    Math.max(
      ...all.flatMap((levels) =>
        [viewport.x, viewport.y].map((start) => {
          const [first, end] = levels[i].range(start, viewport.size);
          return end - first;
        }),
      ),
    );
  const host = known.find((i) => report.machine.axis[i].host);
  const enters = host === undefined || most(host) <= MOST_HOSTS_ENTERED;
  const allowed = known.filter((i) => enters || i <= host);
  if (allowed.length === 0) return null;
  const fine = allowed.filter((i) => side / most(i) >= BORDER_DISTANCE).pop() ?? allowed[0];
  let group = 1;
  while (side / (most(fine) / group) < BORDER_DISTANCE) group *= 2;
  return { fine, group, coarse: known.filter((i) => i < fine).pop() ?? -1 };
}

/** Objects of a level in words: "hosts", "switches", "objects of level2". */
function pluralOf({ name }) {
  if (/\d$/.test(name)) return `objects of ${name}`;
  return /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

/** What the lines of a picture part, in words; empty where none was drawn. */
function bordersText(report, { fine, group, coarse }, drawn) {
  const names = (i) => pluralOf(report.machine.axis[i]);
  const fines = group > 1 ? `groups of ${grouped(group)} ${names(fine)}` : names(fine);
  if (!drawn.fine && !drawn.coarse) return "";
  if (!drawn.coarse) return `lines part ${fines}`;
  if (!drawn.fine) return `thick lines part ${names(coarse)}`;
  return `thin lines part ${fines}, thick ones ${names(coarse)}`;
}

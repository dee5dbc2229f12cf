// Numbers as text: binary units as everywhere in Kith, digits in groups of three. Cells as text.

const BYTE_UNITS = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const THIN_SPACE = "\u202f";
const MINUS = "\u2212";

/** "36.5 MiB"; below 1024 "512 B". */
function bytesText(bytes) {
  if (!Number.isFinite(bytes)) return "unknown";
  if (bytes < 0.1) return `${numberText(bytes)} B`;
  if (bytes < 1024) return `${Number.isInteger(bytes) ? bytes : bytes.toFixed(1)} B`;
  let scaled = bytes / 1024;
  let unit = 0;
  while (scaled >= 1024 && unit + 1 < BYTE_UNITS.length) {
    scaled /= 1024;
    ++unit;
  }
  return `${scaled.toFixed(1)} ${BYTE_UNITS[unit]}`;
}

/** The digits of a decimal integer, given as text or number, in groups: "38 250 864". */
function grouped(integer) {
  return String(integer).replace(/^(-?\d+)/, (digits) =>
    digits.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE),
  );
}

/** A number as people read it: integers in groups, others with at most three decimals. */
function numberText(value) {
  if (!Number.isFinite(value)) return "unknown";
  if (Number.isInteger(value)) return grouped(value);
  const digits = Math.abs(value) < 1 ? value.toPrecision(3) : value.toFixed(3);
  return grouped(digits.includes("e") ? digits : digits.replace(/\.?0+$/, ""));
}

/** "1 message", "8 592 messages". */
function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** A fraction as "35.2%"; what is not nothing never reads 0.0%. */
function percentText(fraction) {
  if (!Number.isFinite(fraction)) return "unknown";
  if (fraction > 0 && fraction < 0.0005) return "< 0.1%";
  return `${(100 * fraction).toFixed(1)}%`;
}

/** How much less (or more) a ratio to the present is: "35.2% less", "1.0% more", "the same". */
function changeText(ratio) {
  if (!Number.isFinite(ratio)) return "unknown";
  const change = Math.abs(1 - ratio);
  if (change < 0.0005) return "the same";
  return `${percentText(change)} ${ratio < 1 ? "less" : "more"}`;
}

/** The same for narrow columns: "−35.2%", "+1.0%", "0". */
function signedChange(ratio) {
  const change = Math.abs(1 - ratio);
  if (change < 0.0005) return "0.0%";
  return `${ratio < 1 ? MINUS : "+"}${percentText(change)}`;
}

/** Seconds in the unit that suits them: "11.5 ms", "3.2 s", "4 min 5 s". */
function secondsText(seconds) {
  if (!Number.isFinite(seconds)) return "unknown";
  if (seconds === 0) return "0 s";
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(1)} \u00b5s`;
  if (seconds < 1) return `${(seconds * 1e3).toFixed(1)} ms`;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 7200) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Controls that change the direction of the text around them, as U+FFFD. */
function withoutDirections(text) {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** A name short enough for a table cell; both ends tell names apart. */
function shortName(name) {
  const letters = [...name];
  return letters.length <= 32
    ? name
    : `${letters.slice(0, 20).join("")}\u2026${letters.slice(-10).join("")}`;
}

/** First and last of a run of numbers: "7", "4–7". */
function rangeText(first, last) {
  return first === last ? grouped(first) : `${grouped(first)}\u2013${grouped(last)}`;
}

// A cell of a matrix in words: who, to whom, how much, over which level.

/** Who is at the positions from `first` on, `count` of them. */
function whoText(report, order, first, count) {
  const last = Math.min(first + count, report.ranks) - 1;
  const [from, to] = [report.hostNameAt(order, first), report.hostNameAt(order, last)];
  const where = from === null ? "" : ` (${from === to || to === null ? from : `${from} to ${to}`})`;
  // Not all slots hold one rank: then a position is no place.
  const unit = order.full ? "place" : "position";
  if (first === last) {
    const rank = order.rankAt(first);
    return (
      (rank === null ? `the rank at ${unit} ${grouped(first)}` : `rank ${grouped(rank)}`) + where
    );
  }
  const ranks = Array.from({ length: Math.min(last - first + 1, 4) }, (_, i) =>
    order.rankAt(first + i),
  );
  if (ranks.includes(null)) return `${unit}s ${rangeText(first, last)}${where}`;
  const ascending =
    ranks.every((rank, i) => i === 0 || rank === ranks[i - 1] + 1) &&
    order.rankAt(last) === ranks[0] + last - first;
  if (ascending) return `ranks ${rangeText(ranks[0], ranks[0] + last - first)}${where}`;
  const more = last - first + 1 - ranks.length;
  const others = more > 0 ? ` and ${grouped(more)} more` : "";
  return `ranks ${ranks.map(grouped).join(", ")}${others}${where}`;
}

/** Over which level the bytes of a cell go. */
function wayText(report, levelIndex, single, sameRank) {
  const name = report.levelName(levelIndex);
  if (name === null) return sameRank ? "to itself" : "";
  return single ? `over ${name}` : `most of it over ${name}`;
}

/** {who, what}: the two lines that describe a cell. */
function describeCell(report, order, level, row, column) {
  const { block } = level;
  const who =
    `${whoText(report, order, row * block, block)} \u2192 ` +
    whoText(report, order, column * block, block);
  const index = level.find(row, column);
  if (index < 0) return { who, what: "nothing sent" };
  const way = wayText(report, level.levels[index], block === 1, block === 1 && row === column);
  const messages = level.messages[index];
  // Where bytes went without messages, these were not recorded.
  const what =
    bytesText(level.bytes[index]) + (messages > 0 ? ` in ${counted(messages, "message")}` : "");
  return { who, what: way ? `${what}, ${way}` : what };
}

/** Where another order has the rank at a position; the same for blocks and ranks not known. */
function samePosition(from, to, block, position) {
  const rank = block === 1 ? from.rankAt(position) : null;
  return (rank === null ? null : to.positionOf(rank)) ?? position;
}

/** The cell of another order's level that shows the same pair of ranks, or the same places. */
function sameCell(from, to, level, toLevel, row, column) {
  const cell = (at) =>
    Math.floor(samePosition(from, to, level.block, at * level.block) / toLevel.block);
  return { row: cell(row), column: cell(column) };
}

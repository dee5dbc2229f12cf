// Numbers as text: binary units as everywhere in Kith, digits in groups of three.

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

// Colours that keep their order in grey and for all kinds of colour vision: lightness only falls
// (on light ground) or rises (on dark ground) with the value.

const RAMP_LIGHT = ["#d9ebdd", "#9bd0c0", "#4fa9b3", "#2878a6", "#1f4687", "#1c1a4f"];
const RAMP_DARK = ["#24345c", "#235f8e", "#2690a0", "#5cbd98", "#bfe08b", "#fdf9c9"];
const RAMP_STEPS = 256;

function channels(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

function makeRamp(anchors) {
  const stops = anchors.map(channels);
  return Array.from({ length: RAMP_STEPS }, (_, i) => {
    const at = (i / (RAMP_STEPS - 1)) * (stops.length - 1);
    const lower = Math.min(Math.floor(at), stops.length - 2);
    const mixed = stops[lower].map((value, c) =>
      Math.round(value + (stops[lower + 1][c] - value) * (at - lower)),
    );
    return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
  });
}

const RAMPS = { light: makeRamp(RAMP_LIGHT), dark: makeRamp(RAMP_DARK) };

function ramp() {
  return RAMPS[isDark() ? "dark" : "light"];
}

/** The colour of a fraction from 0 to 1. */
function rampColour(fraction) {
  const step = Math.round(Math.max(0, Math.min(1, fraction)) * (RAMP_STEPS - 1));
  return ramp()[step];
}

function rampGradient() {
  return `linear-gradient(to right, ${(isDark() ? RAMP_DARK : RAMP_LIGHT).join(", ")})`;
}

/** Black or white, whichever reads better on a colour. */
function inkOn(hex) {
  const [r, g, b] = channels(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000000" : "#ffffff";
}

// Few groups get colours that differ for all (after Okabe and Ito); many follow the ramp.
const GROUP_COLOURS = [
  "#56b4e9",
  "#e69f00",
  "#009e73",
  "#cc79a7",
  "#0072b2",
  "#d55e00",
  "#f0e442",
  "#999999",
];

function groupColour(index, groups) {
  if (groups <= GROUP_COLOURS.length) return GROUP_COLOURS[index];
  return rampColour(index / Math.max(1, groups - 1));
}

/** Values from `low` (above 0) to `high` to fractions from 0 to 1 and back. */
class ColourScale {
  constructor(low, high, kind) {
    this.kind = kind;
    this.high = high > 0 ? high : 1;
    this.low =
      kind === "linear"
        ? 0
        : Math.min(low > 0 && Number.isFinite(low) ? low : this.high, this.high);
    this.span = Math.log(this.high / this.low) || 1;
  }

  fraction(value) {
    if (this.kind === "linear") return value / this.high;
    // All equal: the top of the scale.
    return this.low === this.high ? 1 : Math.log(value / this.low) / this.span;
  }

  valueAt(fraction) {
    return this.kind === "linear"
      ? fraction * this.high
      : this.low * Math.exp(fraction * this.span);
  }

  colour(value) {
    return rampColour(this.fraction(value));
  }
}

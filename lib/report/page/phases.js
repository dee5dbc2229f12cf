// The phases of the run one after another; choosing one shows its matrix.

const MOST_PHASES_DRAWN = 400;
const MOST_PHASES_NAMED = 40;

class PhaseView {
  /** `choose(key)` is called with the key of the matrix to show. */
  constructor(report, choose) {
    this.report = report;
    this.choose = choose;
    this.bars = new Map();
    // Only phases whose matrix is in the page can be chosen.
    this.phases = report.phases
      .map((phase) => ({ ...phase, key: `phase:${phase.index}` }))
      .filter((phase) => report.present?.matrices?.[phase.key]);
  }

  /** The element, or null where the run has no phases. */
  make() {
    const { phases, phases_truncated: left } = this.report;
    if (phases.length === 0) return null;
    const options = [
      ["all", "the whole run"],
      ...this.phases.map((phase) => [phase.key, phase.name]),
    ];
    const pick = dropDown("Traffic of", "phase", options, (key) => this.take(key));
    this.select = pick.querySelector("select");
    this.told = el("p", { class: "note", role: "status" });
    const box = el(
      "div",
      { id: "phases", role: "group", "aria-label": "Phases" },
      pick,
      this.timeline(),
      this.told,
      left
        ? el("p", { class: "note" }, `${counted(left, "more phase")} beyond those shown.`)
        : null,
      folded("Phases as a table", () => this.table()),
    );
    this.mark("all");
    return box;
  }

  take(key) {
    this.mark(key);
    this.choose(key);
  }

  mark(key) {
    this.select.value = key;
    for (const [of, bar] of this.bars) bar.setAttribute("aria-pressed", String(of === key));
    const phase = this.phases.find((candidate) => candidate.key === key);
    const without = this.report.phases.length - this.phases.length;
    this.told.textContent = phase
      ? `${describePhase(phase, this.clock())}. The pictures below show this phase alone.`
      : `The pictures below show the whole run, ${counted(this.report.phases.length, "phase")}.` +
        (without ? ` The matrices of ${counted(without, "phase")} had no room in this page.` : "");
  }

  /** A bar for each phase, as wide as its share of the time, as strong as its bytes. */
  timeline() {
    const phases = this.report.phases.slice(0, MOST_PHASES_DRAWN);
    const timed = phases.every((phase) => phase.seconds > 0);
    const largest = Math.max(...phases.map((phase) => phase.bytes)) || 1;
    // flex-grow of less than 1 in all would leave the row unfilled.
    const seconds = phases.reduce((sum, phase) => sum + phase.seconds, 0);
    // Too many to be named are too many to be stepped through by keys: the list is for these.
    const dense = phases.length > MOST_PHASES_NAMED;
    const bars = phases.map((phase) => {
      const width = timed ? (phases.length * phase.seconds) / seconds : 1;
      return this.bar(phase, width, phase.bytes / largest, dense);
    });
    const legend = timed
      ? `first to last; width: ${this.clock()}, height: bytes`
      : "first to last; height: bytes";
    return el(
      "div",
      { class: "timeline-frame" },
      el("div", { class: dense ? "timeline dense" : "timeline" }, bars),
      el("p", { class: "note" }, legend),
    );
  }

  /** What the phases' seconds are. */
  clock() {
    return this.report.phase_clock === "wall" ? "wall time" : "CPU time of a rank";
  }

  bar(phase, width, share, dense) {
    const key = `phase:${phase.index}`;
    const known = this.phases.some((candidate) => candidate.key === key);
    const bar = el(
      "button",
      {
        type: "button",
        class: "phase",
        disabled: !known,
        tabindex: dense ? -1 : null,
        "aria-pressed": "false",
        title: describePhase(phase, this.clock()),
        style: `flex-grow: ${width}; --share: ${(100 * share).toFixed(1)}%`,
        on: { click: () => this.take(bar.getAttribute("aria-pressed") === "true" ? "all" : key) },
      },
      el("span", { class: "phase-name" }, phase.name),
      el("span", { class: "phase-bytes" }, bytesText(phase.bytes)),
    );
    this.bars.set(key, bar);
    return bar;
  }

  table() {
    const columns = [
      {
        heading: "No.",
        numeric: true,
        value: (phase) => phase.index,
        text: (phase) => grouped(phase.index + 1),
      },
      { heading: "Phase", value: (phase) => phase.name, text: (phase) => phase.name },
      {
        heading: "Bytes",
        numeric: true,
        value: (phase) => phase.bytes,
        text: (phase) => bytesText(phase.bytes),
      },
    ];
    const optional = [
      [this.clock() === "wall time" ? "Wall time" : this.clock(), "seconds", secondsText],
      ["Like the one before", "similarity", (value) => value.toFixed(2)],
    ];
    for (const [heading, key, text] of optional) {
      if (!this.report.phases.some((phase) => Number.isFinite(phase[key]))) continue;
      columns.push({
        heading,
        numeric: true,
        value: (phase) => phase[key] ?? -1,
        text: (phase) => (Number.isFinite(phase[key]) ? text(phase[key]) : ""),
      });
    }
    return sortableTable("Phases", columns, this.report.phases, 0, false);
  }
}

function describePhase({ name, bytes, seconds, similarity }, clock) {
  const parts = [`${name}: ${bytesText(bytes)}`];
  if (Number.isFinite(seconds)) parts.push(`${secondsText(seconds)} of ${clock}`);
  if (Number.isFinite(similarity))
    parts.push(similarity >= 0.9 ? "much like the phase before" : "unlike the phase before");
  return parts.join(", ");
}

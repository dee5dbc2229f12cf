// What the threads of a rank share: a small matrix of one rank at a time, and its largest pairs;
// and what is wrong with the binding of the ranks.

const THREADS_HINT = "Point at a cell to read it. Arrow keys go from cell to cell.";
const THREAD_CELL = 24; // CSS pixels at most
const THREAD_PICTURE = 420;

class ThreadView {
  constructor({ ranks, sharing, list }) {
    this.ranks = ranks;
    this.sharing = sharing;
    this.matrices = list.map((one) => ({ ...one, level: new MatrixLevel(one) }));
    this.matrix = this.matrices[0];
    this.cursor = null;
  }

  show(place) {
    const options = this.matrices.map(({ rank }, i) => [i, `rank ${grouped(rank)}`]);
    this.canvas = el("canvas", {
      class: "thread-matrix",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "heatmap",
      on: {
        pointermove: (event) => this.point(event),
        keydown: (event) => this.press(event),
      },
    });
    this.reading = el("p", { class: "reading", role: "status" });
    this.about = el("p");
    this.pairs = el("div");
    place.append(
      el("p", {}, this.overview()),
      ...(options.length > 1
        ? [dropDown("Rank", "thread-rank", options, (index) => this.choose(Number(index)))]
        : []),
      this.about,
      this.canvas,
      this.reading,
      this.pairs,
    );
    this.choose(0);
  }

  overview() {
    const known = `The trace tells of ${counted(this.ranks, "rank")} what the threads share`;
    const share = this.sharing === this.ranks ? "in all of them" : `in ${grouped(this.sharing)} of them`;
    const shown =
      this.matrices.length < this.ranks
        ? ` Shown are the ${counted(this.matrices.length, "rank")} whose threads share most.`
        : "";
    return `${known}; it is more than a few touches ${share}.${shown}`;
  }

  choose(index) {
    this.matrix = this.matrices[index];
    this.cursor = null;
    const { rank, threads, samples, pairs } = this.matrix;
    const source = samples > 0 ? `from ${grouped(samples)} samples` : "every access was seen";
    this.about.textContent = `Rank ${grouped(rank)}: ${counted(threads, "thread")}, ${source}.`;
    this.canvas.setAttribute("aria-label", `What the ${threads} threads of rank ${rank} share`);
    this.reading.textContent = THREADS_HINT;
    this.pairs.replaceChildren(
      pairs.length > 0
        ? simpleTable(
            ["Thread", "Thread", "Touches after each other"],
            pairs.map(([a, b, touches]) => [grouped(a), grouped(b), grouped(touches)]),
            [0, 1, 2],
          )
        : "These threads share nothing.",
    );
    this.paint();
  }

  /** One pixel for each cell; the style sheet enlarges it without blurring. */
  paint() {
    const { level } = this.matrix;
    const { canvas } = this;
    canvas.width = canvas.height = level.side;
    canvas.style.width = `${Math.min(THREAD_PICTURE, THREAD_CELL * level.side)}px`;
    const context = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    context.fillStyle = style.getPropertyValue("--plot").trim();
    context.fillRect(0, 0, level.side, level.side);
    const scale = new ColourScale(0, largestOf(level.bytes), "linear");
    level.bytes.forEach((touches, i) => {
      context.fillStyle = scale.colour(touches);
      context.fillRect(level.columns[i], level.rows[i], 1, 1);
    });
  }

  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const { side } = this.matrix.level;
    const cell = (at, start, size) => Math.floor(((at - start) / size) * side);
    this.read(cell(event.clientY, box.top, box.height), cell(event.clientX, box.left, box.width));
  }

  press(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[
      event.key
    ];
    if (step === undefined) return;
    event.preventDefault();
    const [row, column] = this.cursor ?? [0, 0];
    if (this.cursor) this.read(row + step[0], column + step[1]);
    else this.read(0, 0);
  }

  read(row, column) {
    const { level, threads } = this.matrix;
    const inside = (index) => Math.max(0, Math.min(level.side - 1, index));
    this.cursor = [inside(row), inside(column)];
    const name = (index) => {
      const first = index * level.block;
      const last = Math.min(threads, first + level.block) - 1;
      return first === last ? `thread ${first}` : `threads ${rangeText(first, last)}`;
    };
    const found = level.find(...this.cursor);
    const touches = found < 0 ? 0 : level.bytes[found];
    const [before, after] = this.cursor.map(name);
    const times = counted(touches, "time");
    this.reading.textContent = `${after} after ${before}: ${times}`.replace(/^t/, "T");
  }
}

function showBinding(report, place) {
  place.append(
    el(
      "dl",
      { class: "run" },
      report.binding.map(({ what, mend, hosts, more_hosts: more = 0 }) => {
        const other = hosts.length - 1 + more;
        const others = other > 0 ? ` and ${counted(other, "more host")}` : "";
        return el(
          "div",
          {},
          el("dt", {}, `On ${shortName(hosts[0] ?? "")}${others}`),
          el("dd", {}, `${what}. Mend it with `, el("code", {}, mend)),
        );
      }),
    ),
  );
}


// Levels, hosts, sizes and load: bars in tables, and columns where there are many.

const MOST_HOST_BARS = 12;
const MOST_COLUMNS = 240;
const MOST_TABLE_ROWS = 512;

function showLevels(report, place) {
  const orders = report.orders.filter((order) => order.level_bytes);
  const count = Math.max(...orders.map((order) => order.level_bytes.length));
  const groups = Array.from({ length: count }, (_, level) => {
    const { cost, count: objects } = report.machine?.levels?.[level] ?? {};
    const where =
      objects === undefined
        ? null
        : objects === 1
          ? "across the whole machine"
          : `inside one of ${grouped(objects)}`;
    const notes = [where, cost === undefined ? null : `cost ${numberText(cost)}`];
    return {
      name: report.levelName(level),
      note: notes.filter(Boolean).join(", "),
      bars: orders.map((order) => levelBar(order, level)),
    };
  });
  place.append(barTable("Bytes per level, by order", groups));
}

function levelBar(order, level) {
  const bytes = order.level_bytes[level] ?? 0;
  const all = order.level_bytes.reduce((sum, part) => sum + part, 0);
  return {
    label: order.name,
    mark: orderMark(order),
    colour: `order-${order.colour}`,
    value: bytes,
    text: bytesText(bytes),
    share: percentText(all ? bytes / all : 0),
  };
}

function showHosts(report, place) {
  const orders = report.orders.filter((order) => order.hosts?.out?.length);
  const present = orders[0].hosts.out;
  const total = (order) =>
    order.hosts.between ?? order.hosts.out.reduce((sum, part) => sum + part, 0);
  place.append(
    barTable("Bytes between hosts, by order", [
      {
        name: "All hosts together",
        bars: orders.map((order) => ({
          label: order.name,
          mark: orderMark(order),
          colour: `order-${order.colour}`,
          value: total(order),
          text: bytesText(total(order)),
          share: order === orders[0] ? "" : signedChange(total(order) / total(orders[0])),
        })),
      },
    ]),
  );
  const busiest = present.map((_, host) => host).sort((a, b) => present[b] - present[a] || a - b);
  const shown = busiest.slice(0, MOST_HOST_BARS);
  place.append(
    el(
      "h3",
      {},
      busiest.length > shown.length
        ? `The ${shown.length} busiest of ${busiestOf(report, busiest.length)} hosts`
        : "Each host",
    ),
    seriesTable(
      "Bytes that leave each host, by order",
      "Host",
      shown,
      (host) => report.hosts[host].name,
      orders.map((order) => ({
        heading: [orderMark(order), order.name],
        colour: `order-${order.colour}`,
        value: (host) => order.hosts.out[host] ?? 0,
        text: (host) => bytesText(order.hosts.out[host] ?? 0),
      })),
    ),
    folded("All hosts, sent and received, as a table", () => hostTable(report, orders, busiest)),
  );
  if (report.machine.truncated) {
    place.append(
      el(
        "p",
        { class: "note" },
        `The machine has ${counted(report.machine.truncated, "more node")}.`,
      ),
    );
  }
}

/** Of how many hosts a chart shows the busiest; the page lists only so many of them. */
function busiestOf(report, listed) {
  return report.listsAllHosts ? grouped(listed) : `the first ${grouped(listed)}`;
}

function hostTable(report, orders, hosts) {
  const columns = [
    {
      heading: "Host",
      value: (host) => report.hosts[host].name,
      text: (host) => report.hosts[host].name,
    },
    ...orders.flatMap((order) =>
      [
        ["sent", "out"],
        ["received", "in"],
      ].map(([word, way]) => ({
        heading: `${order.name}: ${word}`,
        numeric: true,
        value: (host) => order.hosts[way]?.[host] ?? 0,
        text: (host) => bytesText(order.hosts[way]?.[host] ?? 0),
      })),
    ),
  ];
  return sortableTable("Traffic of all hosts", columns, hosts, 1);
}

const CLASS_NAMES = {
  p2p: "point to point",
  coll: "collective",
  rma: "one-sided",
  neighbour: "neighbourhood",
};

function showSizes(report, place) {
  const classes = Object.keys(CLASS_NAMES).filter((name) =>
    report.sizes.some((size) => size.classes?.[name] > 0),
  );
  const messages = report.sizes.reduce((sum, size) => sum + size.count, 0);
  const table = (title, colour, count) =>
    barTable(title, [
      {
        name: title,
        bars: report.sizes.map((size) => ({
          label: sizeLabel(size),
          colour,
          value: count(size),
          text: grouped(count(size)),
          share: percentText(messages ? count(size) / messages : 0),
        })),
      },
    ]);
  const tables =
    classes.length > 1
      ? classes.map((name, i) =>
          table(
            `Messages, ${CLASS_NAMES[name]}`,
            `order-${i + 1}`,
            (size) => size.classes[name] ?? 0,
          ),
        )
      : [table("Messages", "order-1", (size) => size.count)];
  place.append(el("div", { class: "side-by-side" }, tables));
}

function sizeLabel({ up_to: upTo }) {
  return upTo === 0 ? "empty" : `up to ${bytesText(upTo)}`;
}

// Load.

/** Neighbouring values joined until at most `most` are left: the mean of each. */
function joined(values, most) {
  const width = Math.ceil(values.length / most);
  return Array.from({ length: Math.ceil(values.length / width) }, (_, i) => {
    const part = values.slice(i * width, (i + 1) * width);
    return {
      first: i * width,
      count: part.length,
      mean: part.reduce((sum, value) => sum + value, 0) / part.length,
    };
  });
}

function showLoad(report, place) {
  const { inside, outside, block = 1 } = report.load;
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  const [meanOutside, meanInside, most] = [mean(outside), mean(inside), largestOf(outside)];
  const shareInside = meanInside / (meanInside + meanOutside || 1);
  place.append(
    el(
      "p",
      {},
      `Outside MPI ${secondsText(meanOutside)} a rank on average, ${secondsText(most)} at most: `,
      "the busiest rank works ",
      el(
        "strong",
        {},
        `${meanOutside > 0 ? (most / meanOutside).toFixed(2) : "1.00"} times the average`,
      ),
      `. ${percentText(shareInside)} of the CPU time passes inside MPI.`,
    ),
  );
  const [work, waiting] = [joined(outside, MOST_COLUMNS), joined(inside, MOST_COLUMNS)];
  const ranksOf = (column) =>
    rangeText(
      column.first * block,
      Math.min(report.load.ranks, (column.first + column.count) * block) - 1,
    );
  const describe = (i) => {
    const several = work[i].count * block > 1;
    const who = `${several ? "Ranks" : "Rank"} ${ranksOf(work[i])}`;
    const times = [work[i].mean, waiting[i]?.mean ?? 0].map(secondsText);
    return `${who}: ${times[0]} outside MPI, ${times[1]} inside${several ? ", on average" : ""}`;
  };
  place.append(
    columnChart(
      "CPU time of the ranks",
      work.map((column, i) => [column.mean, waiting[i]?.mean ?? 0]),
      ["order-1", "order-0"],
      secondsText,
      describe,
    ),
    el(
      "div",
      { class: "group-key" },
      [
        ["order-1", "outside MPI"],
        ["order-0", "inside MPI"],
      ].map(([colour, text]) =>
        el(
          "span",
          { class: "key" },
          el("span", { class: "swatch", style: `background: var(--${colour})` }),
          text,
        ),
      ),
    ),
    folded("Time of the ranks as a table", () => loadTable(report)),
  );
}

function loadTable({ load: { inside, outside, block = 1, ranks } }) {
  const [work, waiting] = [joined(outside, MOST_TABLE_ROWS), joined(inside, MOST_TABLE_ROWS)];
  const rows = work.map((column, i) => [
    rangeText(column.first * block, Math.min(ranks, (column.first + column.count) * block) - 1),
    secondsText(column.mean),
    secondsText(waiting[i]?.mean ?? 0),
  ]);
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Time of the ranks" },
    simpleTable(["Ranks", "Outside MPI", "Inside MPI"], rows, [1, 2]),
  );
}

/** Stacked columns; hover and arrow keys read them. `columns`: one array of parts for each. */
function columnChart(label, columns, colours, text, describe) {
  const sum = (parts) => parts.reduce((total, part) => total + part, 0);
  const largest = Math.max(...columns.map(sum)) || 1;
  const reading = el("p", { class: "reading", role: "status" }, "Point at a column to read it.");
  const bars = columns.map((parts) =>
    el(
      "div",
      { class: "column" },
      parts
        .map((part, i) =>
          el("span", {
            style: `height: ${(100 * part) / largest}%; background: var(--${colours[i]})`,
          }),
        )
        .reverse(),
    ),
  );
  let looked = -1;
  const read = (i) => {
    bars[looked]?.classList.remove("looked-at");
    looked = Math.max(0, Math.min(bars.length - 1, i));
    bars[looked].classList.add("looked-at");
    reading.textContent = describe(looked);
  };
  const plot = el(
    "div",
    {
      class: "columns",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "chart",
      "aria-label": `${label}. Arrow keys go from column to column.`,
      on: {
        pointermove: (event) => {
          const box = plot.getBoundingClientRect();
          read(Math.floor(((event.clientX - box.left) / box.width) * bars.length));
        },
        keydown: (event) => {
          const step = { ArrowLeft: -1, ArrowRight: 1, Home: -bars.length, End: bars.length }[
            event.key
          ];
          if (step === undefined) return;
          event.preventDefault();
          read(looked < 0 ? 0 : looked + step);
        },
      },
    },
    bars,
  );
  return el(
    "div",
    { class: "column-chart" },
    el(
      "div",
      { class: "axis", "aria-hidden": "true" },
      el("span", {}, text(largest)),
      el("span", {}, text(largest / 2)),
      el("span", {}, "0"),
    ),
    plot,
    reading,
  );
}

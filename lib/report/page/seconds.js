// Seconds of the job in each order, as a simulation of its timeline predicts them, and how full the
// links get.

/** A number of seconds and what it is: "18.9 s now". */
function secondsFacts(report) {
  const { present, proposed } = report;
  if (!present?.predicted) return [];
  // Predictions may be fitted to what was measured.
  const now = secondsText(report.seconds.simulated ?? present.predicted.seconds);
  const measured = report.seconds.simulated === undefined ? "" : secondsText(report.seconds.recorded);
  const facts = [["Seconds, simulated", now, measured ? `${measured} measured` : ""]];
  if (proposed?.predicted && proposed !== present) {
    facts.push([
      `Seconds in ${proposed.name}`,
      secondsText(proposed.predicted.seconds),
      secondsRange(proposed.predicted),
    ]);
  }
  return facts;
}

function secondsRange({ low, high }) {
  return `between ${secondsText(low)} and ${secondsText(high)}`;
}

/** The row of the table of costs; nothing where no order has a prediction. */
function secondsRow(orders) {
  if (!orders.some((order) => order.predicted)) return null;
  return el(
    "tr",
    {},
    el(
      "th",
      { scope: "row" },
      "Seconds, predicted",
      el("span", { class: "note" }, "of the job, by its timeline"),
    ),
    orders.map(({ predicted }) =>
      el(
        "td",
        { class: "number" },
        predicted
          ? [
              el("data", { value: predicted.seconds }, secondsText(predicted.seconds)),
              el("span", { class: "note" }, secondsRange(predicted)),
            ]
          : "",
      ),
    ),
  );
}

function showSeconds(report, place) {
  const orders = report.orders.filter((order) => order.predicted);
  const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
  place.append(
    el("p", {}, report.seconds.basis.map(sentence).join(" ")),
    barTable("Predicted seconds, by order", [{ bars: secondsBars(report, orders) }]),
  );
  if (orders.every((order) => order.predicted.links.length === 0)) return;
  place.append(
    el("p", {}, "How much of that time the links that are busy longest carry bytes at full speed:"),
    barTable("Use of the links, by order", orders.map(linkGroup)),
  );
}

function secondsBars(report, orders) {
  const present = orders[0].predicted.seconds;
  const measured =
    report.seconds.simulated === undefined
      ? []
      : [
          {
            label: "measured",
            colour: "order-0",
            value: report.seconds.recorded,
            text: secondsText(report.seconds.recorded),
          },
        ];
  return [
    ...measured,
    ...orders.map((order) => ({
      label: order.name,
      mark: orderMark(order),
      colour: `order-${order.colour}`,
      value: order.predicted.seconds,
      text: secondsText(order.predicted.seconds),
      share: order === orders[0] || !present ? "" : signedChange(order.predicted.seconds / present),
    })),
  ];
}

function linkGroup(order) {
  return {
    name: order.name,
    note: `bound by ${order.predicted.bound}`,
    bars: order.predicted.links.map(({ name, bytes, busy }) => ({
      label: shortName(name),
      colour: `order-${order.colour}`,
      value: busy,
      text: percentText(busy),
      share: bytesText(bytes),
    })),
  };
}

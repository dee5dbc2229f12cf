// Making elements. Text only ever becomes text nodes and attribute values, never markup.

/** An element; `on` holds listeners, false and null attributes are left out. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value))
        element.addEventListener(event, listener);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function body(section) {
  return document.querySelector(`#${section} .body`);
}

/** A row of radio buttons that looks like one switch; calls `choose(value)`. */
function choice(label, name, options, chosen, choose) {
  return el(
    "fieldset",
    { class: "choice" },
    el("legend", {}, label),
    choiceButtons(name, options, chosen, choose),
  );
}

function choiceButtons(name, options, chosen, choose) {
  return options.map(([value, text]) =>
    el(
      "label",
      {},
      el("input", {
        type: "radio",
        name,
        value,
        checked: value === chosen,
        on: { change: () => choose(value) },
      }),
      el("span", {}, text),
    ),
  );
}

/** A labelled drop-down; calls `choose(value)`. */
function dropDown(label, id, options, choose) {
  const select = el(
    "select",
    { id, on: { change: () => choose(select.value) } },
    options.map(([value, text]) => el("option", { value }, text)),
  );
  return el("div", { class: "drop-down" }, el("label", { for: id }, label), select);
}

/** Something folded away whose content is made when it is first opened. */
function folded(summary, make, attributes = {}) {
  const details = el("details", attributes, el("summary", {}, summary));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(make());
  });
  return details;
}

/** A dot in the colour of an order; where colours come again, with its number. */
function orderMark(order) {
  return el(
    "span",
    {
      class: order.number === null ? "mark" : "mark numbered",
      style: `--mark: var(--order-${order.colour})`,
      "aria-hidden": "true",
    },
    order.number,
  );
}

function isDark() {
  return document.documentElement.dataset.theme === "dark";
}

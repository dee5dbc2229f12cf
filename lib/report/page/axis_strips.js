// Beside a heatmap: strips with the names of what its lines part, hosts next to the picture, and
// switches or whatever is above them outside.

const STRIP = 15; // CSS pixels
const LABEL_ROOM = 6; // around a name
const STRIP_FONT = "10.5px system-ui, sans-serif";

/** How many strips the pictures of a report have; the same at every zoom. */
function stripCount(report) {
  return Math.min(2, report.machine?.axis?.length ?? 0);
}

/** Along one axis; the caller has turned the canvas so that it goes to the right. */
class Strip {
  /** `pixel(position)` along the strip, which is `length` long. */
  constructor(context, pixel, length, colours) {
    Object.assign(this, { context, pixel, length, colours });
  }

  /** Names of the objects of a level, `group` to a box, from `start` on; its lower edge is at y. */
  draw(level, group, start, size, y) {
    const [first, end] = level.range(start, size);
    const boxes = [];
    for (let i = first - (first % group); i < end; i += group) {
      const next = Math.min(i + group, level.count);
      boxes.push({
        number: i / group,
        name: level.label(i),
        left: Math.max(0, this.pixel(level.first[i])),
        right: Math.min(this.length, this.pixel(level.first[next])),
      });
    }
    this.context.font = STRIP_FONT;
    for (const box of boxes) this.drawBox(box, y);
    this.drawNames(boxes, y);
  }

  drawBox({ number, left, right }, y) {
    this.context.fillStyle = this.colours[number % 2];
    this.context.fillRect(left, y - STRIP + 1, right - left, STRIP - 2);
  }

  /** Each box has its name; where they are too narrow only each second, fourth, ... */
  drawNames(boxes, y) {
    const { context } = this;
    const widths = boxes.map((box) => context.measureText(box.name).width + LABEL_ROOM);
    const pitch = this.length / boxes.length;
    let step = 1;
    while (step * pitch < Math.max(...widths)) step *= 2;
    context.fillStyle = this.colours[2];
    context.textBaseline = "middle";
    context.textAlign = "left";
    boxes.forEach((box, i) => {
      if (box.number % step !== 0 && boxes.length > 1) return;
      const behind = boxes[Math.min(i + step, boxes.length) - 1].right;
      const room = (step === 1 ? box.right : behind) - box.left;
      if (room < widths[i]) return;
      const at = step === 1 ? box.left + (room - widths[i]) / 2 : box.left;
      context.fillText(box.name, at + LABEL_ROOM / 2, y - STRIP / 2);
    });
  }
}

/** Both strips of both axes of a heatmap, whose plot begins at the canvas's origin. */
function drawStrips(context, heatmap, levels, { fine, group, coarse }, colours) {
  const { viewport, side } = heatmap;
  const drawAlong = (start, fineEdge, coarseEdge) => {
    const strip = new Strip(context, (at) => heatmap.pixel(at, start), side, colours);
    strip.draw(levels[fine], group, start, viewport.size, fineEdge);
    if (coarse >= 0) strip.draw(levels[coarse], 1, start, viewport.size, coarseEdge);
  };
  drawAlong(viewport.x, 0, -STRIP);
  // Turned to the right, the strips of the rows go down and lie below their axis: to its left.
  context.save();
  context.rotate(Math.PI / 2);
  drawAlong(viewport.y, STRIP, 2 * STRIP);
  context.restore();
}

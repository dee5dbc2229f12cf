// A cell of a matrix in words: who, to whom, how much, over which level.

/** Who is at the positions from `first` on, `count` of them. */
function whoText(report, order, first, count) {
  const last = Math.min(first + count, report.ranks) - 1;
  const [from, to] = [report.hostNameAt(order, first), report.hostNameAt(order, last)];
  const where = from === null ? "" : ` (${from === to || to === null ? from : `${from} to ${to}`})`;
  if (first === last) {
    const rank = order.rankAt(first);
    return (
      (rank === null ? `the rank at place ${grouped(first)}` : `rank ${grouped(rank)}`) + where
    );
  }
  const ranks = Array.from({ length: Math.min(last - first + 1, 4) }, (_, i) =>
    order.rankAt(first + i),
  );
  if (ranks.includes(null)) return `places ${rangeText(first, last)}${where}`;
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

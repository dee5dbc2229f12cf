// Keys on a heatmap go from cell to cell; `actions` has lookAtPosition(x, y, spoken), too.

function listenToHeatmap(heatmap, actions) {
  listenToPicture(heatmap, { ...actions, move, zoomAtCursor });

  /** The cell that the keys are at: the one looked at, or the first one in view. */
  function current() {
    if (heatmap.cursor) return heatmap.cursor;
    const { block } = heatmap.drawn;
    return {
      row: Math.floor(heatmap.viewport.y / block),
      column: Math.floor(heatmap.viewport.x / block),
    };
  }

  function move(down, right, far) {
    if (!heatmap.drawn) return;
    const { row, column } = current();
    const moved = heatmap.cursor ? (far ? 8 : 1) : 0;
    const last = heatmap.drawn.side - 1;
    actions.look(
      Math.max(0, Math.min(last, row + down * moved)),
      Math.max(0, Math.min(last, column + right * moved)),
      true,
    );
  }

  function zoomAtCursor(factor) {
    if (!heatmap.drawn) return;
    const { row, column } = current();
    const { block } = heatmap.drawn;
    const [x, y] = [(column + 0.5) * block, (row + 0.5) * block];
    actions.zoom(factor, x, y);
    // Cells may be finer now: the one in whose middle the key was pressed.
    actions.lookAtPosition(x, y, true);
  }
}

// Pointer, wheel, pinch and keys on a picture: `picture` has a canvas, a viewport, the `side` of
// its plot in pixels, and at(event). What they mean is up to `actions`: look(row, column, spoken),
// leave(), zoom(factor, x, y), pan(dx, dy), reset(), and for keys move(down, right, far) and
// zoomAtCursor(factor).

const WHEEL_ZOOM = 0.0022;
const KEY_ZOOM = 2;

function listenToPicture(picture, actions) {
  const { canvas } = picture;
  const pointers = new Map();
  let dragged = false;

  const positionsPerPixel = () => picture.viewport.size / picture.side;

  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, event);
    dragged = false;
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) {
      lookAt(event);
      return;
    }
    pointers.set(event.pointerId, event);
    const others = [...pointers.values()].filter((other) => other.pointerId !== event.pointerId);
    if (others.length > 0) {
      pinch(before, event, others[0]);
    } else if (!picture.viewport.whole) {
      const moved = Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
      if (moved > 3 && !canvas.hasPointerCapture(event.pointerId))
        canvas.setPointerCapture(event.pointerId);
      if (moved > 0) dragged = true;
      actions.pan(
        (before.clientX - event.clientX) * positionsPerPixel(),
        (before.clientY - event.clientY) * positionsPerPixel(),
      );
    } else {
      lookAt(event);
    }
  });

  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (event) => {
      pointers.delete(event.pointerId);
      if (end === "pointerup" && !dragged) lookAt(event);
    });
  }
  canvas.addEventListener("pointerleave", (event) => {
    pointers.delete(event.pointerId);
    if (event.pointerType === "mouse" && document.activeElement !== canvas) actions.leave();
  });

  canvas.addEventListener("dblclick", (event) => {
    const found = picture.at(event);
    if (found) actions.zoom(KEY_ZOOM, found.x, found.y);
  });

  // The wheel scrolls the page until the picture has the focus; a pinch on a touchpad is a wheel
  // with Ctrl and always means the picture.
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) return;
      const found = picture.at(event);
      if (!found) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      actions.zoom(
        Math.exp(-event.deltaY * lines * WHEEL_ZOOM * (event.ctrlKey ? 3 : 1)),
        found.x,
        found.y,
      );
      lookAt(event);
    },
    { passive: false },
  );

  canvas.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (onKey(event)) event.preventDefault();
  });

  function lookAt(event) {
    const found = picture.at(event);
    if (found) actions.look(found.row, found.column, false);
    else actions.leave();
  }

  function pinch(before, now, other) {
    const distance = (event) =>
      Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
    dragged = true;
    const found = picture.at(other);
    if (found && distance(before) > 0)
      actions.zoom(distance(now) / distance(before), found.x, found.y);
  }

  function onKey(event) {
    const arrows = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (event.key in arrows) {
      actions.move(...arrows[event.key], event.shiftKey);
    } else if (event.key === "+" || event.key === "=" || event.key === "Enter") {
      actions.zoomAtCursor(KEY_ZOOM);
    } else if (event.key === "-" || event.key === "Backspace") {
      actions.zoomAtCursor(1 / KEY_ZOOM);
    } else if (event.key === "0" || event.key === "Home" || event.key === "Escape") {
      actions.reset();
    } else {
      return false;
    }
    return true;
  }
}

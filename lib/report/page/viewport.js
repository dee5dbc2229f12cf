// The square part of a matrix of n x n positions that is shown.

const SMALLEST_VIEW = 4; // cells

class Viewport {
  /** `finest`: positions along the side of the smallest cells that there are. */
  constructor(n, finest) {
    this.n = Math.max(1, n);
    this.smallest = Math.min(SMALLEST_VIEW * finest, this.n);
    this.reset();
  }

  reset() {
    this.x = 0;
    this.y = 0;
    this.size = this.n;
  }

  get whole() {
    return this.size >= this.n;
  }

  /** Shows 1/factor of the side, keeping the position (x, y) where it is. */
  zoom(factor, x = this.x + this.size / 2, y = this.y + this.size / 2) {
    const size = Math.max(this.smallest, Math.min(this.n, this.size / factor));
    const kept = size / this.size;
    this.x = x - (x - this.x) * kept;
    this.y = y - (y - this.y) * kept;
    this.size = size;
    this.keepInside();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.keepInside();
  }

  /** Moves as little as shows the cells from (row, column) with `block` positions a side. */
  reveal(row, column, block) {
    this.x = Math.min(Math.max(this.x, column + block - this.size), column);
    this.y = Math.min(Math.max(this.y, row + block - this.size), row);
    this.keepInside();
  }

  keepInside() {
    this.x = Math.max(0, Math.min(this.n - this.size, this.x));
    this.y = Math.max(0, Math.min(this.n - this.size, this.y));
  }
}

// A map of the chunks of what is shown: which are stored, and how small.

import { bytes, colour, el, section } from './element.js';
import { json } from './server.js';

export class ChunkMap {
  constructor(node, go) {
    this.node = node;
    this.canvas = el('canvas', { className: 'map', role: 'img', 'aria-label': 'Map of the chunks' });
    this.text = el('p', { className: 'faint' });
    this.totals = el('p', { className: 'faint' });
    this.count = el('button', { onclick: () => this.sum() }, 'Count all chunks');
    this.element = section('Chunks', true, this.text, this.canvas, this.totals, this.count);
    this.element.addEventListener('toggle', () => this.load());
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('pointerleave', () => this.summary());
    this.canvas.addEventListener('click', (event) => {
      const cell = this.cell(event);
      if (cell) go(cell.row * this.map.edges[0], cell.column * this.map.edges[1]);
    });
    this.state = null;
  }

  // The map through an element, along the dimensions shown.
  set(path, rows, columns, at) {
    const state = { path, rows: rows ?? '', columns: columns ?? '', at: at.join(',') };
    if (this.state && JSON.stringify(state) === JSON.stringify(this.state)) return;
    this.state = state;
    this.stale = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 200);
  }

  async load() {
    const { state } = this;
    if (!this.element.open || !this.stale || !state) return;
    this.stale = false;
    try {
      const map = await json('chunks', state);
      if (this.state !== state) return;
      this.map = map;
      this.draw();
      this.summary();
    } catch (error) {
      this.text.textContent = error.message;
    }
  }

  draw() {
    if (!this.map) return;
    const [rows, columns] = this.map.shape;
    const side = Math.max(2, Math.min(16, Math.floor(270 / Math.max(rows, columns, 1))));
    this.side = side;
    this.canvas.width = Math.max(1, columns * side);
    this.canvas.height = Math.max(1, rows * side);
    const context = this.canvas.getContext('2d');
    const largest = Math.max(1, ...this.map.sizes);
    const [accent, absent] = [colour('accent'), colour('ground')];
    this.map.sizes.forEach((size, n) => {
      const [x, y] = [(n % columns) * side, Math.floor(n / columns) * side];
      const gap = side > 3 ? 1 : 0;
      context.globalAlpha = 1;
      context.fillStyle = absent;
      context.fillRect(x, y, side, side);
      if (size < 0) return;
      context.globalAlpha = 0.25 + 0.75 * (size / largest);
      context.fillStyle = accent;
      context.fillRect(x, y, side - gap, side - gap);
    });
  }

  summary() {
    const { map } = this;
    if (!map) return;
    const stored = map.sizes.filter((size) => size >= 0);
    const sum = stored.reduce((a, b) => a + b, 0);
    const ratio = sum ? `, ${((map.bytes * stored.length) / sum).toFixed(2)} : 1` : '';
    const every = Math.max(...map.steps) > 1 ? ` (every ${map.steps.join(' × ')})` : '';
    this.text.textContent = `${stored.length} of ${map.sizes.length} chunks${every} in sight are `
      + `stored: ${bytes(sum)}${ratio}`;
  }

  cell(event) {
    if (!this.map) return null;
    const box = this.canvas.getBoundingClientRect();
    const [rows, columns] = this.map.shape;
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    if (!(row >= 0 && row < rows && column >= 0 && column < columns)) return null;
    return {
      row: row * this.map.steps[0],
      column: column * this.map.steps[1],
      size: this.map.sizes[row * columns + column],
    };
  }

  hover(event) {
    const cell = this.cell(event);
    if (!cell) return;
    const index = [...this.map.base];
    if (this.state.rows !== '') index[this.state.rows] = cell.row;
    if (this.state.columns !== '') index[this.state.columns] = cell.column;
    const what = cell.size < 0 ? 'not stored' : `${bytes(cell.size)} of ${bytes(this.map.bytes)}, `
      + `${(this.map.bytes / Math.max(1, cell.size)).toFixed(2)} : 1`;
    this.text.textContent = `chunk (${index.join(', ')}): ${what}`;
  }

  async sum() {
    this.totals.textContent = 'counting …';
    try {
      const all = await json('totals', { path: this.node.path });
      const ratio = all.ratio ? `, ${all.ratio.toFixed(2)} : 1` : '';
      this.totals.textContent = `${all.chunks_stored} of ${all.chunks} chunks are stored: `
        + `${bytes(all.stored_bytes)}${ratio}`;
    } catch (error) {
      this.totals.textContent = error.message;
    }
  }
}

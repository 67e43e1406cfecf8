// An image on a canvas, to move and zoom.

import { colour, el, number, sharp } from './element.js';
import { paint } from './colours.js';
import { gestures } from './gestures.js';
import { Tiles } from './tiles.js';

const LOCAL = 2 ** 31; // bytes that a view may decode before it asks
const REMOTE = 2 ** 28;

export class Image {
  // `shown` is called after each change of what is seen, `picked` with the element of a tap.
  constructor(pyramid, state, look, { shown, picked }) {
    Object.assign(this, { pyramid, state, look, shown, picked });
    this.tiles = new Tiles(pyramid, () => this.redraw());
    this.canvas = el('canvas', { 'aria-label': 'The image', role: 'img', tabIndex: 0 });
    this.status = el('div', { className: 'status', hidden: true });
    this.notice = el('div', { className: 'notice', hidden: true });
    this.element = el('div', { className: 'stage' }, this.canvas, this.status, this.notice);
    this.view = null; // corner, and CSS pixels an element
    this.mark = null;
    this.square = true;
    this.flipped = false; // the last row is at the top
    this.before = []; // tiles that are shown until those of this slice are there
    this.allowed = false;
    this.seen = [];
    this.frame = 0;
    gestures(this.canvas, {
      move: (dx, dy) => this.move(-dx, -dy),
      zoom: (factor, x, y) => this.zoom(factor, x, y),
      tap: (x, y) => this.pick(x, y),
      hover: (x, y) => this.hover(x, y),
    });
    this.resized = new ResizeObserver(() => {
      if (this.view) this.redraw();
      else this.first();
    });
  }

  start() {
    this.resized.observe(this.element);
  }

  stop() {
    this.resized.disconnect();
    this.tiles.stop();
  }

  get extents() {
    return [this.pyramid.shape[this.state.rows], this.pyramid.shape[this.state.columns]];
  }

  // Shows all of it.
  fit() {
    const { width, height } = this.element.getBoundingClientRect();
    const [rows, columns] = this.extents;
    if (!width || !height || !rows || !columns) return;
    let [zy, zx] = [height / rows, width / columns];
    if (this.square) zy = zx = Math.min(zy, zx);
    this.view = { zx, zy, x: (columns - width / zx) / 2, y: (rows - height / zy) / 2 };
    this.redraw();
  }

  // Shows all of it, or as much about the centre as is decoded quickly.
  first() {
    this.fit();
    for (let n = 0; this.view && n < 40 && this.price(this.plan()) > this.limit / 4; n += 1) {
      const { width, height } = this.element.getBoundingClientRect();
      this.zoom(1.5, width / 2, height / 2);
    }
  }

  // A row as the distance from the top of the image, and back.
  turned(row) {
    return this.flipped ? this.extents[0] - row : row;
  }

  // The tiles in sight.
  plan() {
    const { width, height } = this.element.getBoundingClientRect();
    const scale = window.devicePixelRatio || 1;
    const { x, y, zx, zy } = this.view;
    return this.tiles.plan(this.state, {
      x,
      y: this.flipped ? this.turned(y + height / zy) : y,
      zx: zx * scale,
      zy: zy * scale,
      width: width * scale,
      height: height * scale,
    });
  }

  price(plan) {
    return this.tiles.cost(plan, this.state);
  }

  get limit() {
    return this.pyramid.remote ? REMOTE : LOCAL;
  }

  // One element a pixel of the screen, about the centre.
  natural() {
    const { width, height } = this.element.getBoundingClientRect();
    const z = 1 / (window.devicePixelRatio || 1);
    const [x, y] = [this.view.x + width / 2 / this.view.zx, this.view.y + height / 2 / this.view.zy];
    this.view = { zx: z, zy: z, x: x - width / 2 / z, y: y - height / 2 / z };
    this.redraw();
  }

  move(dx, dy) {
    const { width, height } = this.element.getBoundingClientRect();
    const [rows, columns] = this.extents;
    const { view } = this;
    // some of the image stays in sight
    const clamp = (at, extent, seen) =>
      Math.min(extent - seen * 0.1, Math.max(-seen * 0.9, at));
    view.x = clamp(view.x + dx / view.zx, columns, width / view.zx);
    view.y = clamp(view.y + dy / view.zy, rows, height / view.zy);
    this.redraw();
  }

  zoom(factor, x, y) {
    const { view } = this;
    const { width, height } = this.element.getBoundingClientRect();
    const [rows, columns] = this.extents;
    const least = Math.min(width / columns, height / rows, 1) / 4;
    const most = Math.max(64, width / columns, height / rows);
    const zx = Math.min(most, Math.max(least, view.zx * factor));
    const real = zx / view.zx;
    const zy = view.zy * real;
    view.x += x / view.zx - x / zx;
    view.y += y / view.zy - y / zy;
    Object.assign(view, { zx, zy });
    this.redraw();
  }

  // The same place of another slice: what is seen stays until the new one is there.
  changed() {
    this.before = this.seen.length ? this.seen : this.before;
    this.redraw();
  }

  redraw() {
    this.canvas.dataset.state = 'loading'; // until it is drawn
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.draw();
      });
    }
  }

  draw() {
    if (!this.view || !this.element.isConnected) return;
    const { context, width, height } = sharp(this.canvas);
    if (width <= 1 || height <= 1) return;
    const scale = window.devicePixelRatio || 1;
    const { view, tiles, state } = this;
    const plan = this.plan();
    const price = this.price(plan);
    const tooMuch = price > this.limit && !this.allowed;
    tiles.want(tooMuch ? [] : plan, state);
    const here = plan.map((tile) => tiles.get(tile)).filter(Boolean);
    const complete = here.length === plan.length;
    this.say(tooMuch ? price : 0);
    if (here.length) this.look.adapt(here);
    context.imageSmoothingEnabled = false;
    const put = (tile) => {
      const [x0, x1] = [tile.left, tile.right].map((at) => Math.round((at - view.x) * view.zx * scale));
      const [y0, y1] = [tile.top, tile.bottom]
        .map((at) => Math.round((this.turned(at) - view.y) * view.zy * scale));
      // upside down if y1 is above y0
      context.save();
      context.translate(x0 / scale, y0 / scale);
      context.scale(1, Math.sign(y1 - y0) || 1);
      context.drawImage(paint(tile, this.look), 0, 0, (x1 - x0) / scale, Math.abs(y1 - y0) / scale);
      context.restore();
    };
    // beyond the last element, where steps do not divide the extents
    const [rows, columns] = this.extents;
    context.save();
    context.beginPath();
    context.rect(-view.x * view.zx, -view.y * view.zy, columns * view.zx, rows * view.zy);
    context.clip();
    if (!complete) this.before.forEach(put);
    here.forEach(put);
    context.restore();
    if (complete) this.before = here;
    this.seen = here;
    if (this.mark) this.cross(context, width, height);
    this.canvas.dataset.state = complete ? 'complete' : tooMuch ? 'refused' : 'loading';
    this.shown(here, complete);
  }

  cross(context, width, height) {
    const x = (this.mark[1] + 0.5 - this.view.x) * this.view.zx;
    const y = (this.turned(this.mark[0] + 0.5) - this.view.y) * this.view.zy;
    context.strokeStyle = colour('accent');
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height);
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
  }

  say(price) {
    const { notice, tiles } = this;
    notice.hidden = !price && !tiles.error;
    if (price && notice.dataset.price !== String(price)) {
      notice.dataset.price = price;
      const amount = price >= 2 ** 30 ? `${(price / 2 ** 30).toFixed(1)} GiB`
        : `${Math.ceil(price / 2 ** 20)} MiB`;
      notice.replaceChildren(`To show this, ${amount} must be decoded: zoom in, or `, el('button', {
        onclick: () => {
          this.allowed = true;
          this.redraw();
        },
      }, 'load it'));
    } else if (tiles.error) notice.textContent = tiles.error;
    if (!price) delete notice.dataset.price;
  }

  // The element at a place of the canvas; null: there is none.
  at(x, y) {
    if (!this.view) return null;
    const { view } = this;
    const row = this.turned(view.y + y / view.zy);
    const found = [Math.floor(row), Math.floor(view.x + x / view.zx)];
    return found.every((index, n) => index >= 0 && index < this.extents[n]) ? found : null;
  }

  pick(x, y) {
    this.mark = this.at(x, y);
    if (this.mark) this.picked(this.mark);
    this.redraw();
  }

  // Says the number under the pointer, of the sample that is shown.
  hover(x, y) {
    const at = this.at(x, y);
    const tile = at && this.seen.find((one) => at[0] >= one.top && at[0] < one.bottom
      && at[1] >= one.left && at[1] < one.right);
    this.status.hidden = !tile;
    if (!tile) return;
    const row = Math.floor((at[0] - tile.top) / tile.scale[0] / tile.y[2]);
    const column = Math.floor((at[1] - tile.left) / tile.scale[1] / tile.x[2]);
    const from = row * tile.strides[0] + column * tile.strides[1];
    const values = Array.from({ length: tile.colours }, (_, c) => tile.values[from + c * tile.strides[2]]);
    const index = [tile.y[0] + row * tile.y[2], tile.x[0] + column * tile.x[2]];
    const where = tile.one === this.pyramid.levels[0] ? '' : ` of ${tile.one.path}`;
    this.status.textContent = `[${index.join(', ')}]${where}: ${values.map(number).join(', ')}`;
  }

  key(key) {
    const { width, height } = this.element.getBoundingClientRect();
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!this.view) return false;
    if (steps[key]) this.move(steps[key][0] * width * 0.15, steps[key][1] * height * 0.15);
    else if (key === '+' || key === '=') this.zoom(1.5, width / 2, height / 2);
    else if (key === '-' || key === '−') this.zoom(1 / 1.5, width / 2, height / 2);
    else if (key === '0') this.fit();
    else if (key === '1') this.natural();
    else if (key === 'Enter') this.pick(width / 2, height / 2);
    else return false;
    return true;
  }
}

// Tiles of an image: of what is seen, at the resolution in which it is seen. Tiles that are no
// longer seen are not fetched; those that were seen are kept.

import { cost, selection } from './pyramid.js';
import { numbers } from './server.js';

const SIDE = 512; // samples along either side of a tile
const KEPT = 160; // tiles kept besides those that are seen
const AT_ONCE = 6; // requests

// The largest power of two up to a ratio, or a little above: almost a sample a pixel.
const power = (ratio) => 2 ** Math.floor(Math.log2(Math.max(1, ratio * 1.2)));

export class Tiles {
  constructor(pyramid, loaded) {
    this.pyramid = pyramid;
    this.loaded = loaded;
    this.kept = new Map(); // by key, those used last at the end
    this.under = new Map(); // key -> AbortController
    this.wanted = [];
    this.error = null;
  }

  // The tiles that a view shows. It has the corner and the scale (device pixels an element).
  plan(state, view) {
    const { rows, columns } = state;
    const need = [1 / view.zy, 1 / view.zx];
    const { levels } = this.pyramid;
    const fits = (one) =>
      one.scale[rows] <= Math.max(1, need[0]) * 1.01
      && one.scale[columns] <= Math.max(1, need[1]) * 1.01;
    const one = levels.filter(fits).pop() || levels[0];
    const steps = [power(need[0] / one.scale[rows]), power(need[1] / one.scale[columns])];
    const along = (d, step, from, to) => {
      const edge = SIDE * step * one.scale[d];
      const last = Math.ceil(one.shape[d] / (SIDE * step)) - 1;
      const first = Math.max(0, Math.floor(from / edge));
      const tiles = [];
      for (let n = first; n <= Math.min(last, Math.floor(to / edge)); n += 1) {
        const start = n * SIDE * step;
        const end = Math.min(one.shape[d], start + SIDE * step);
        tiles.push([start, end, step]);
      }
      return tiles;
    };
    const tiles = [];
    for (const y of along(rows, steps[0], view.y, view.y + view.height / view.zy)) {
      for (const x of along(columns, steps[1], view.x, view.x + view.width / view.zx)) {
        const ranges = [];
        ranges[rows] = y;
        ranges[columns] = x;
        const sel = selection(one, state, ranges);
        const scale = [one.scale[rows], one.scale[columns]];
        tiles.push({
          key: `${one.path} ${rows} ${columns} ${state.colour} ${sel}`,
          sel, one, ranges, y, x, scale,
          // where the samples are, in elements of the first level
          top: y[0] * scale[0],
          left: x[0] * scale[1],
          bottom: (y[0] + Math.ceil((y[1] - y[0]) / y[2]) * y[2]) * scale[0],
          right: (x[0] + Math.ceil((x[1] - x[0]) / x[2]) * x[2]) * scale[1],
        });
      }
    }
    return tiles;
  }

  // What it costs the server to load the tiles that are not here (bytes decoded).
  cost(tiles, state) {
    return tiles.filter((tile) => !this.kept.has(tile.key))
      .reduce((sum, tile) => sum + cost(tile.one, state, tile.ranges), 0);
  }

  // The loaded tile.
  get(tile) {
    const found = this.kept.get(tile.key);
    if (found) {
      this.kept.delete(tile.key);
      this.kept.set(tile.key, found);
    }
    return found;
  }

  // Fetches these and no others.
  want(tiles, state) {
    this.wanted = tiles.filter((tile) => !this.kept.has(tile.key));
    const keys = new Set(this.wanted.map((tile) => tile.key));
    for (const [key, controller] of this.under) if (!keys.has(key)) controller.abort();
    this.next(state);
    const most = KEPT + tiles.length;
    for (const key of this.kept.keys()) {
      if (this.kept.size <= most) break;
      this.kept.delete(key);
    }
  }

  next(state) {
    for (const tile of this.wanted) {
      if (this.under.size >= AT_ONCE) return;
      if (!this.under.has(tile.key)) this.fetch(tile, state);
    }
  }

  async fetch(tile, state) {
    const controller = new AbortController();
    this.under.set(tile.key, controller);
    try {
      const { values, shape } = await numbers(tile.one.path, tile.sel, controller.signal);
      // the dimensions of the answer are those of the array, in its order
      const order = [state.rows, state.columns, state.colour]
        .filter((d) => d !== null).sort((a, b) => a - b);
      const stride = (d) => shape.slice(order.indexOf(d) + 1).reduce((n, extent) => n * extent, 1);
      this.kept.set(tile.key, {
        ...tile,
        values,
        height: shape[order.indexOf(state.rows)],
        width: shape[order.indexOf(state.columns)],
        colours: state.colour === null ? 1 : shape[order.indexOf(state.colour)],
        strides: [stride(state.rows), stride(state.columns),
          state.colour === null ? 0 : stride(state.colour)],
        painted: null,
        canvas: null,
      });
      this.error = null;
    } catch (error) {
      if (error.name !== 'AbortError') {
        this.error = error.message;
        this.wanted = this.wanted.filter((other) => other.key !== tile.key);
      }
    } finally {
      this.under.delete(tile.key);
    }
    this.wanted = this.wanted.filter((other) => other.key !== tile.key || controller.signal.aborted);
    this.next(state);
    this.loaded();
  }

  stop() {
    this.wanted = [];
    for (const controller of this.under.values()) controller.abort();
  }

  get busy() {
    return this.under.size > 0;
  }
}

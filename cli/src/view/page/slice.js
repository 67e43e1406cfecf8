// A slice of an array or of a pyramid: the image, and what controls it.

import { el, number, section, toggle } from './element.js';
import { json, numbers } from './server.js';
import { ChunkMap } from './chunkmap.js';
import { extremes, MAPS, table } from './colours.js';
import { Histogram } from './histogram.js';
import { Image } from './image.js';
import { Line } from './line.js';
import { cost } from './pyramid.js';

const PROFILE = 1000; // points
const LIMIT = 2 ** 29; // bytes that a profile may decode
const FASTEST = 80; // milliseconds for a step when playing

// The dimensions to show first: rows, columns, and those of colours.
function dimensions({ shape, names, type }) {
  const named = (wanted) => names.findIndex((name) => String(name).toLowerCase() === wanted);
  const last = shape.length - 1;
  const isColour = (d) => d >= 0 && type === 'uint8' && (shape[d] === 3 || shape[d] === 4);
  let colour = [last, named('c'), named('channel'), named('band'), shape.length - 3]
    .find((d) => shape.length > 2 && isColour(d)) ?? null;
  let [rows, columns] = [named('y'), named('x')];
  if (rows < 0 || columns < 0 || rows === columns) {
    const others = shape.map((_, d) => d).filter((d) => d !== colour);
    [rows, columns] = others.slice(-2);
  }
  if (colour === rows || colour === columns) colour = null;
  return { rows, columns, colour };
}

class Slices {
  constructor(pyramid, about) {
    this.pyramid = pyramid;
    const { shape } = pyramid;
    this.state = { ...dimensions(pyramid), index: shape.map(() => 0) };
    this.look = {
      map: 'viridis', low: 0, high: 1, version: 0, table: table('viridis'), fitted: false,
      adapt: (tiles) => this.adapt(tiles),
    };
    if (pyramid.windows) {
      [this.look.low, this.look.high] = pyramid.windows;
      this.look.fitted = true;
    }
    this.image = new Image(pyramid, this.state, this.look, {
      shown: (tiles, complete) => this.shown(tiles, complete),
      picked: (at) => this.pick(at),
    });
    const [rows, columns] = this.image.extents;
    this.image.square = Math.max(rows, columns) < 16 * Math.min(rows, columns);
    this.map = new ChunkMap({ path: pyramid.levels[0].path }, (row, column) => this.go(row, column));
    this.histogram = new Histogram((which, value) => this.limit(which, value));
    this.sliders = el('div');
    this.chosen = null;
    this.playing = 0;
    this.profiles = [];
    this.point = el('div', {}, el('p', { className: 'faint' }, 'Click into the image.'));
    this.element = el('div', { className: 'array' }, this.image.element,
      el('div', { className: 'panel' }, this.display(), this.colours(),
        section('Point', true, this.point), this.map.element, ...about));
    this.layOut();
  }

  display() {
    const select = (title, which, none) => {
      const options = this.pyramid.shape.map((extent, d) =>
        el('option', { value: String(d) }, `${this.pyramid.names[d]} (${extent})`));
      if (none) options.unshift(el('option', { value: '' }, 'none'));
      const chosen = el('select', { onchange: () => this.turn(which, chosen.value) }, ...options);
      this.selects[which] = chosen;
      return el('div', { className: 'row' }, el('label', {}, title, chosen));
    };
    this.selects = {};
    this.flip = toggle('Flip', 'The last row is at the top', false, (on) => {
      this.image.flipped = on;
      this.image.redraw();
    });
    const buttons = el('div', { className: 'row' },
      el('button', { title: 'Show all of it (0)', onclick: () => this.image.fit() }, 'Fit'),
      el('button', { title: 'One element a pixel (1)', onclick: () => this.image.natural() }, '1 : 1'),
      el('button', { title: 'Zoom in (+)', onclick: () => this.key('+') }, '+'),
      el('button', { title: 'Zoom out (−)', onclick: () => this.key('-') }, '−'),
      toggle('Square', 'Elements are as wide as they are high', this.image.square, (on) => {
        this.image.square = on;
        this.image.fit();
      }),
      this.flip);
    const level = this.pyramid.levels.length > 1
      ? (this.level = el('p', { className: 'faint' })) : null;
    return section('Slice', true, buttons, level, select('Rows', 'rows'),
      select('Columns', 'columns'),
      this.pyramid.shape.length > 2 ? select('Colours', 'colour', true) : null, this.sliders);
  }

  colours() {
    const maps = MAPS.map((name) => el('option', {}, name));
    this.maps = el('select', { onchange: () => this.choose(this.maps.value) }, ...maps);
    const input = (which) => el('input', {
      type: 'number', step: 'any', 'aria-label': which === 'low' ? 'Least' : 'Most',
      onchange: (event) => {
        if (event.target.value !== '') this.limit(which, Number(event.target.value));
      },
    });
    this.inputs = { low: input('low'), high: input('high') };
    this.section = section('Colours', true,
      el('div', { className: 'row' }, el('label', {}, 'Map', this.maps),
        el('button', { title: 'Fit the limits to what is shown (A)', onclick: () => this.refit() },
          'Fit limits')),
      this.histogram.canvas,
      el('div', { className: 'row' }, this.inputs.low, '–', this.inputs.high,
        el('span', { className: 'faint' }, this.pyramid.unit)));
    return this.section;
  }

  // Rebuilds the sliders, one for each dimension that is not shown.
  layOut() {
    const { state, pyramid } = this;
    for (const which of ['rows', 'columns', 'colour']) {
      if (this.selects[which]) this.selects[which].value = String(state[which] ?? '');
    }
    const shown = [state.rows, state.columns, state.colour];
    const others = pyramid.shape.map((_, d) => d)
      .filter((d) => !shown.includes(d) && pyramid.shape[d] > 1);
    if (!others.includes(this.chosen)) this.chosen = others[0] ?? null;
    // bytes of red, green and blue are colours as they are
    this.section.hidden = state.colour !== null && pyramid.type === 'uint8';
    this.parts = {};
    this.sliders.replaceChildren(...others.map((d) => {
      const most = pyramid.shape[d] - 1;
      const input = (type) => el('input', {
        type, min: 0, max: most, step: 1, 'aria-label': pyramid.names[d],
        oninput: (event) => {
          this.focus(d);
          this.step(d, Math.min(most, Math.max(0, Math.round(Number(event.target.value)))));
        },
      });
      const parts = {
        range: input('range'), box: input('number'),
        play: el('button', { title: 'Play (space)', onclick: () => this.play(d) }, '▶'),
      };
      parts.row = el('div', { className: 'slider' },
        el('span', { title: pyramid.names[d], onclick: () => this.focus(d) }, pyramid.names[d]),
        parts.range, parts.box, parts.play);
      this.parts[d] = parts;
      return parts.row;
    }));
    if (this.chosen !== null) this.focus(this.chosen);
    for (const d of others) this.place(d);
  }

  place(d) {
    this.parts[d].range.value = this.parts[d].box.value = String(this.state.index[d]);
  }

  focus(d) {
    this.chosen = d;
    for (const [own, parts] of Object.entries(this.parts)) {
      parts.row.classList.toggle('chosen', Number(own) === d);
    }
  }

  // Shows another index along a dimension.
  step(d, index) {
    this.state.index[d] = index;
    this.place(d);
    this.image.changed();
  }

  play(d) {
    const stop = this.playing && this.chosen === d;
    clearTimeout(this.playing);
    this.playing = 0;
    this.focus(d);
    for (const parts of Object.values(this.parts)) parts.play.textContent = '▶';
    if (stop) return;
    this.parts[d].play.textContent = '⏸';
    const next = () => {
      this.playing = setTimeout(next, FASTEST);
      // as fast as slices arrive
      if (this.image.canvas.dataset.state === 'loading') return;
      this.step(d, (this.state.index[d] + 1) % this.pyramid.shape[d]);
    };
    this.playing = setTimeout(next, 0);
  }

  // Shows other dimensions.
  turn(which, value) {
    const { state } = this;
    const d = value === '' ? null : Number(value);
    for (const other of ['rows', 'columns', 'colour']) {
      if (other !== which && state[other] === d && d !== null) state[other] = state[which];
    }
    state[which] = d;
    for (const other of ['rows', 'columns']) {
      if (state[other] === null) {
        const used = [state.rows, state.columns, state.colour];
        state[other] = this.pyramid.shape.findIndex((_, n) => !used.includes(n));
      }
    }
    if (this.playing) this.play(this.chosen);
    this.image.before = [];
    this.image.seen = [];
    this.image.mark = null;
    this.image.tiles.stop();
    this.layOut();
    this.image.fit();
  }

  // Takes limits from what arrives first, and later only when asked.
  adapt(tiles) {
    if (this.look.fitted) return;
    const range = extremes(tiles);
    if (range) [this.look.low, this.look.high] = range;
    this.look.version += 1;
  }

  shown(tiles, complete) {
    const { look } = this;
    if (complete && tiles.length) look.fitted = true;
    const { low, high } = this.inputs;
    if (document.activeElement !== low) low.value = number(look.low);
    if (document.activeElement !== high) high.value = number(look.high);
    const keys = tiles.map((tile) => tile.key).join();
    if (complete && keys !== this.counted) {
      this.counted = keys;
      const range = extremes(tiles);
      if (range) this.histogram.count(tiles, range);
    }
    this.histogram.draw(look);
    const one = tiles[0]?.one;
    if (this.level && one) {
      this.level.textContent = `level ${this.pyramid.levels.indexOf(one)} of `
        + `${this.pyramid.levels.length}: ${one.path}, ${one.shape.join(' × ')}`;
    }
    const target = one || this.pyramid.levels[0];
    const at = this.state.index.map((index, d) => Math.floor(index / target.scale[d]));
    this.map.set(target.path, this.state.rows, this.state.columns, at);
    this.mapped = target;
  }

  refit() {
    const range = extremes(this.image.seen);
    if (!range) return;
    [this.look.low, this.look.high] = range;
    this.look.version += 1;
    this.counted = null;
    this.image.redraw();
  }

  limit(which, value) {
    this.look[which] = value;
    this.look.fitted = true;
    this.look.version += 1;
    this.image.redraw();
  }

  choose(map) {
    Object.assign(this.look, { map, table: table(map) });
    this.look.version += 1;
    this.maps.value = map;
    this.image.redraw();
  }

  // Moves the image to a chunk of the map.
  go(row, column) {
    const { width, height } = this.image.element.getBoundingClientRect();
    const { view, state } = this.image;
    const { scale } = this.mapped;
    view.y = this.image.turned(row * scale[state.rows]) - height / view.zy / 2;
    view.x = column * scale[state.columns] - width / view.zx / 2;
    this.image.redraw();
  }

  // The value of an element, and the numbers along each dimension through it.
  async pick(at) {
    const { state, pyramid } = this;
    const index = [...state.index];
    [index[state.rows], index[state.columns]] = at;
    const [one] = pyramid.levels;
    const through = (d, range) => index
      .map((i, n) => (n === d ? range : n === state.colour ? (n === d ? range : ':') : i)).join(',');
    const value = el('strong', {}, '…');
    const where = index.map((i, d) => (d === state.colour ? ':' : i)).join(', ');
    const lines = el('div');
    this.point.replaceChildren(el('div', {}, `[${where}] = `, value), lines);
    this.profiles = [];
    try {
      const { texts } = await json('text', { path: one.path, sel: through(-1) });
      value.textContent = `${texts.join(', ')} ${pyramid.unit}`;
    } catch (error) {
      value.textContent = error.message;
    }
    if (state.colour !== null) return;
    for (const d of [state.columns, state.rows, ...Object.keys(this.parts).map(Number)]) {
      const step = Math.max(1, Math.ceil(one.shape[d] / PROFILE));
      const ranges = [];
      ranges[d] = [0, one.shape[d], step];
      const line = new Line(`along ${pyramid.names[d]}${step > 1 ? `, every ${step}th` : ''}`);
      const load = async () => {
        try {
          const { values } = await numbers(one.path, through(d, `::${step}`));
          line.set(values, 0, step, index[d]);
        } catch (error) {
          line.text.textContent = error.message;
        }
      };
      lines.append(line.element);
      this.profiles.push(line);
      if (cost(one, state, ranges) <= LIMIT) load();
      else {
        line.canvas.hidden = true;
        line.text.append(' ', el('button', {
          onclick: (event) => {
            event.target.remove();
            line.canvas.hidden = false;
            load();
          },
        }, 'load: it is far apart'));
      }
    }
  }

  key(key) {
    const along = this.chosen;
    const lower = key.toLowerCase();
    if (lower === 'a') this.refit();
    else if (lower === 'c') this.choose(MAPS[(MAPS.indexOf(this.look.map) + 1) % MAPS.length]);
    else if (along !== null && (key === ',' || key === '.')) {
      const extent = this.pyramid.shape[along];
      this.step(along, (this.state.index[along] + (key === '.' ? 1 : extent - 1)) % extent);
    } else if (along !== null && key === ' ') this.play(along);
    else return this.image.key(key);
    return true;
  }

  start() {
    this.image.start();
    this.orient();
  }

  // North is at the top: where rows are latitudes that rise, the image is flipped.
  async orient() {
    const name = this.pyramid.names[this.state.rows];
    const extent = this.pyramid.shape[this.state.rows];
    if (!/^lat(itude)?$/i.test(name) || extent < 2) return;
    const parent = this.pyramid.path.split('/').slice(0, -1);
    try {
      // in the same group there need be no such array
      const { children } = await json('children', { path: parent.join('/') });
      const found = children.find((child) => child.path === name && child.shape?.length === 1);
      if (found?.shape[0] !== extent) return;
      const { values } = await numbers([...parent, name].join('/'), `0:${extent}:${extent - 1}`);
      if (values[1] > values[0] && !this.image.flipped) this.flip.click();
    } catch (error) {
      this.image.status.textContent = error.message;
    }
  }

  stop() {
    clearTimeout(this.playing);
    this.image.stop();
  }

  redraw() {
    this.image.redraw();
    this.profiles.forEach((line) => line.draw());
    this.map.draw();
  }
}

export function slices(pyramid, about) {
  return new Slices(pyramid, about);
}

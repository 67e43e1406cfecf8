// An array: as an image, as a line, or as text.

import { el } from './element.js';
import { json, numbers } from './server.js';
import { about } from './about.js';
import { ChunkMap } from './chunkmap.js';
import { Line } from './line.js';
import { cost, single } from './pyramid.js';
import { slices } from './slice.js';

const POINTS = 2000; // of a line
const TEXTS = 500;
const LIMIT = 2 ** 30; // bytes that a line may decode

export function array(node) {
  if (node.numbers && node.shape.length > 1 && !node.shape.includes(0)) {
    return slices(single(node), about(node), node);
  }
  if (node.numbers && node.shape.length === 1 && node.shape[0] > 1) return line(node);
  return texts(node);
}

function side(node) {
  const map = new ChunkMap(node, () => {});
  const first = node.shape.length ? node.shape.length - 1 : null;
  map.set(node.path, null, first, node.shape.map(() => 0));
  return [map.element, ...about(node)];
}

// One dimension: all of it, or what was zoomed to.
function line(node) {
  const plot = new Line(node.dimension_names?.[0] || 'dim 0');
  const extent = node.shape[0];
  let [start, end] = [0, extent];
  let asked = 0;
  const [one] = single(node).levels;
  const load = async () => {
    asked += 1;
    const mine = asked;
    const step = Math.max(1, Math.ceil((end - start) / POINTS));
    if (cost(one, {}, [[start, end, step]]) > LIMIT) end = Math.min(end, start + LIMIT / one.item);
    try {
      const { values } = await numbers(node.path, `${start}:${end}:${step}`);
      if (mine !== asked) return;
      plot.label = (node.dimension_names?.[0] || 'dim 0') + (step > 1 ? `, every ${step}th` : '');
      plot.text.textContent = plot.label;
      plot.set(values, start, step);
      plot.canvas.dataset.state = 'complete';
    } catch (error) {
      plot.text.textContent = error.message;
    }
  };
  const zoom = (factor, about) => {
    const length = Math.min(extent, Math.max(8, Math.round((end - start) / factor)));
    const centre = start + (end - start) * about;
    start = Math.max(0, Math.min(extent - length, Math.round(centre - length * about)));
    end = start + length;
    load();
  };
  const move = (part) => {
    const length = end - start;
    start = Math.max(0, Math.min(extent - length, start + Math.round(length * part)));
    end = start + length;
    load();
  };
  plot.canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), event.offsetX / plot.canvas.clientWidth);
  }, { passive: false });
  const stage = el('div', { className: 'stage page line' }, plot.text, plot.canvas);
  const resized = new ResizeObserver(() => plot.draw());
  const keys = {
    ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2),
    '+': () => zoom(1.5, 0.5), '=': () => zoom(1.5, 0.5), '-': () => zoom(1 / 1.5, 0.5),
    0: () => zoom(1e-9, 0.5),
  };
  return {
    element: el('div', { className: 'array' }, stage, el('div', { className: 'panel' }, ...side(node))),
    start: () => {
      resized.observe(stage);
      load();
    },
    stop: () => resized.disconnect(),
    redraw: () => plot.draw(),
    key: (key) => {
      keys[key]?.();
      return key in keys;
    },
  };
}

// What can be no image: the first elements.
function texts(node) {
  const out = el('div', { className: 'texts' });
  let left = TEXTS;
  const sel = [...node.shape].reverse().map((extent) => {
    const count = Math.max(1, Math.min(extent, left));
    left = Math.floor(left / count);
    return `0:${count}`;
  }).reverse().join(',');
  const load = async () => {
    try {
      const { shape, texts: all } = await json('text', { path: node.path, sel });
      const row = shape.length > 1 ? shape[shape.length - 1] : 1;
      const lines = [];
      for (let n = 0; n < all.length; n += row) lines.push(all.slice(n, n + row).join('  '));
      out.textContent = lines.join('\n');
      const whole = shape.every((count, d) => count === node.shape[d]);
      if (!whole) out.append(el('p', { className: 'faint' }, `[${sel}]: the rest is not shown`));
    } catch (error) {
      out.replaceChildren(el('p', { className: 'error' }, error.message));
    }
  };
  return {
    element: el('div', { className: 'array' }, el('div', { className: 'page' }, out),
      el('div', { className: 'panel' }, ...side(node))),
    start: load,
  };
}

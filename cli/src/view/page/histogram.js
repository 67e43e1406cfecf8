// The numbers that are shown, counted, above the colours that they have; the limits can be drawn.

import { colour, el, number, sharp } from './element.js';

const BINS = 96;

export class Histogram {
  constructor(change) {
    this.change = change;
    this.canvas = el('canvas', { className: 'chart', 'aria-label': 'Histogram of what is shown' });
    this.range = [0, 1];
    this.counts = null;
    this.grip = null;
    const value = (event) => {
      const box = this.canvas.getBoundingClientRect();
      const at = (event.clientX - box.left) / box.width;
      return this.range[0] + (this.range[1] - this.range[0]) * Math.min(1, Math.max(0, at));
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      const at = value(event);
      const { low, high } = this.look;
      this.grip = Math.abs(at - low) < Math.abs(at - high) ? 'low' : 'high';
      this.change(this.grip, at);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (this.grip) this.change(this.grip, value(event));
    });
    const end = () => { this.grip = null; };
    this.canvas.addEventListener('pointerup', end);
    this.canvas.addEventListener('pointercancel', end);
  }

  // Counts the numbers of tiles.
  count(tiles, range) {
    this.range = range[1] > range[0] ? range : [range[0] - 0.5, range[1] + 0.5];
    const [low, high] = this.range;
    this.counts = new Float64Array(BINS);
    const factor = BINS / (high - low);
    for (const { values } of tiles) {
      for (let n = 0; n < values.length; n += 1) {
        const at = (values[n] - low) * factor;
        if (at >= 0 && at <= BINS) this.counts[Math.min(BINS - 1, at | 0)] += 1;
      }
    }
  }

  draw(look) {
    this.look = look;
    if (!this.counts || !this.canvas.isConnected) return;
    const { context, width, height } = sharp(this.canvas);
    const [low, high] = this.range;
    const foot = 30;
    const tallest = Math.log1p(Math.max(...this.counts)) || 1;
    context.fillStyle = colour('faint');
    this.counts.forEach((count, n) => {
      const tall = (Math.log1p(count) / tallest) * (height - foot);
      context.fillRect((n * width) / BINS, height - foot - tall, width / BINS, tall);
    });
    for (let x = 0; x < width; x += 1) {
      const value = low + ((x + 0.5) / width) * (high - low);
      const at = look.high > look.low ? (value - look.low) / (look.high - look.low) : 0.5;
      const pixel = look.table[Math.max(0, Math.min(255, Math.floor(at * 256)))];
      context.fillStyle = `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
      context.fillRect(x, height - foot + 2, 1, 12);
    }
    context.fillStyle = colour('accent');
    for (const limit of [look.low, look.high]) {
      const x = ((limit - low) / (high - low)) * width;
      context.fillRect(Math.min(width - 2, Math.max(0, x - 1)), 0, 2, height - foot + 14);
    }
    context.fillStyle = colour('text');
    context.font = '11px system-ui, sans-serif';
    context.fillText(number(low), 0, height - 3);
    context.textAlign = 'right';
    context.fillText(number(high), width, height - 3);
  }
}

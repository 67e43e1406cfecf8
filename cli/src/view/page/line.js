// A line of numbers with axes.

import { colour, el, number, sharp } from './element.js';

const LEFT = 56;
const FOOT = 18;

// Round numbers between two limits.
function ticks(low, high, count) {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((n) => n * unit >= rough) * unit;
  const found = [];
  for (let n = Math.ceil(low / step); n * step <= high + step * 1e-9; n += 1) found.push(n * step);
  return found;
}

export class Line {
  constructor(label) {
    this.canvas = el('canvas', { className: 'chart', 'aria-label': label });
    this.text = el('div', { className: 'faint' }, label);
    this.label = label;
    this.element = el('div', {}, this.text, this.canvas);
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('pointerleave', () => { this.text.textContent = this.label; });
  }

  // `values[n]` is the number of the element `start + n * step`; `mark` is one of those elements.
  set(values, start, step, mark = null) {
    Object.assign(this, { values, start, step, mark });
    this.draw();
  }

  get end() {
    return this.start + Math.max(1, this.values.length - 1) * this.step;
  }

  draw() {
    if (!this.values || !this.canvas.isConnected) return;
    const { context, width, height } = sharp(this.canvas);
    const finite = this.values.filter(Number.isFinite);
    let low = finite.reduce((a, b) => Math.min(a, b), Infinity);
    let high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(low <= high)) {
      this.text.textContent = `${this.label}: no finite numbers`;
      return;
    }
    if (low === high) [low, high] = [low - 0.5, high + 0.5];
    const x = (index) => LEFT + ((index - this.start) / (this.end - this.start)) * (width - LEFT - 6);
    const y = (value) => 6 + (1 - (value - low) / (high - low)) * (height - FOOT - 12);
    context.font = '11px system-ui, sans-serif';
    context.lineWidth = 1;
    context.strokeStyle = colour('line');
    context.fillStyle = colour('faint');
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (const at of ticks(low, high, Math.max(4, height / 40))) {
      context.fillText(number(Number(at.toPrecision(12))), LEFT - 5, y(at));
      context.strokeRect(LEFT, y(at), width - LEFT - 6, 0);
    }
    context.textAlign = 'center';
    for (const at of ticks(this.start, this.end, Math.max(3, width / 90))) {
      if (Number.isInteger(at)) context.fillText(String(at), Math.min(width - 16, x(at)), height - 8);
    }
    if (this.mark !== null) {
      context.strokeStyle = colour('faint');
      context.strokeRect(x(this.mark), 6, 0, height - FOOT - 12);
    }
    context.strokeStyle = colour('accent');
    context.lineWidth = 1.5;
    context.beginPath();
    let down = false; // numbers that are not finite leave a gap
    this.values.forEach((value, n) => {
      const at = [x(this.start + n * this.step), y(value)];
      if (!Number.isFinite(value)) down = false;
      else if (down) context.lineTo(...at);
      else {
        context.moveTo(...at);
        context.lineTo(at[0] + 0.5, at[1]);
        down = true;
      }
    });
    context.stroke();
  }

  hover(event) {
    if (!this.values) return;
    const box = this.canvas.getBoundingClientRect();
    const at = (event.clientX - box.left - LEFT) / (box.width - LEFT - 6);
    const n = Math.round(at * (this.values.length - 1));
    if (n < 0 || n >= this.values.length) return;
    this.text.textContent = `${this.label} [${this.start + n * this.step}]: ${number(this.values[n])}`;
  }
}

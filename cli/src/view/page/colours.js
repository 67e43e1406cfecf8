// Colour maps, and numbers as colours.

// Points at equal distances, between which colours are mixed: near Matplotlib's maps of the names.
const POINTS = {
  viridis: ['440154', '472c7a', '3b518b', '2c718e', '21908d', '27ad81', '5cc863', 'aadc32',
    'fde725'],
  magma: ['000004', '1c1044', '4f127b', '812581', 'b5367a', 'e55064', 'fb8761', 'fec287',
    'fcfdbf'],
  inferno: ['000004', '1f0c48', '550f6d', '88226a', 'ba3655', 'e35933', 'f98c0a', 'f9c932',
    'fcffa4'],
  cividis: ['00224e', '123570', '3b496c', '575d6d', '707173', '8a8678', 'a59c74', 'c3b369',
    'fee838'],
  gray: ['000000', 'ffffff'],
  'gray, reversed': ['ffffff', '000000'],
  'blue and red': ['053061', '2166ac', '4393c3', '92c5de', 'f7f7f7', 'f4a582', 'd6604d',
    'b2182b', '67001f'],
  turbo: ['30123b', '4662d7', '36aaf9', '1ae4b6', '72fe5e', 'c8ef34', 'faba39', 'f66b19',
    'ca2a04', '7a0403'],
};

export const MAPS = Object.keys(POINTS);

// 256 colours, each as the four bytes of a pixel.
export function table(name) {
  const points = POINTS[name].map((hex) => [0, 2, 4].map((n) => parseInt(hex.slice(n, n + 2), 16)));
  const bytes = new Uint8ClampedArray(1024);
  for (let n = 0; n < 256; n += 1) {
    const at = (n / 255) * (points.length - 1);
    const below = Math.min(points.length - 2, Math.floor(at));
    for (let c = 0; c < 3; c += 1) {
      bytes[n * 4 + c] = points[below][c]
        + (points[below + 1][c] - points[below][c]) * (at - below);
    }
    bytes[n * 4 + 3] = 255;
  }
  return new Uint32Array(bytes.buffer);
}

// Paints a tile on its own canvas. NaN is transparent.
export function paint(tile, look) {
  if (tile.painted === look.version) return tile.canvas;
  const { values, width, height, strides: [down, across, deep], colours } = tile;
  if (!tile.canvas) tile.canvas = new OffscreenCanvas(width, height);
  const context = tile.canvas.getContext('2d');
  const image = context.createImageData(width, height);
  const { low, high } = look;
  const factor = high > low ? 255.999 / (high - low) : 0;
  if (colours === 1) {
    const pixels = new Uint32Array(image.data.buffer);
    const middle = high > low ? 0 : 128;
    let to = 0;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0, from = y * down; x < width; x += 1, from += across, to += 1) {
        const value = values[from];
        if (value !== value) continue;
        const at = (value - low) * factor + middle;
        pixels[to] = look.table[at <= 0 ? 0 : at >= 255 ? 255 : at | 0];
      }
    }
  } else {
    const plain = values instanceof Uint8Array;
    let to = 0;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0, from = y * down; x < width; x += 1, from += across, to += 4) {
        for (let c = 0; c < 3; c += 1) {
          const value = values[from + Math.min(c, colours - 1) * deep];
          image.data[to + c] = plain ? value : (value - low) * factor;
        }
        const alpha = values[from + 3 * deep];
        image.data[to + 3] = colours < 4 ? 255 : plain ? alpha : (alpha - low) * factor;
      }
    }
  }
  context.putImageData(image, 0, 0);
  tile.painted = look.version;
  return tile.canvas;
}

// The least and the most of the finite numbers of tiles; null: there are none.
export function extremes(tiles) {
  let low = Infinity;
  let high = -Infinity;
  for (const { values } of tiles) {
    for (let n = 0; n < values.length; n += 1) {
      const value = values[n];
      if (value < low && value !== -Infinity) low = value;
      if (value > high && value !== Infinity) high = value;
    }
  }
  return low <= high ? [low, high] : null;
}

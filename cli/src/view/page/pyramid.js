// An image as a pyramid: levels of falling resolution, the first the finest. An array is a pyramid
// of one level; OME-Zarr's multiscales are one of several.

import { json } from './server.js';

function level(node, scale) {
  return {
    path: node.path,
    shape: node.shape,
    chunk: node.chunk_shape,
    item: node.element_bytes,
    scale, // elements of the first level for each of its elements, by dimension
  };
}

function pyramid(node, levels, names) {
  return {
    path: node.path,
    shape: node.shape,
    names: node.shape.map((_, d) => names?.[d] || `dim ${d}`),
    type: node.data_type,
    unit: typeof node.attributes.units === 'string' ? node.attributes.units : '',
    remote: node.remote,
    levels,
    windows: null,
  };
}

export function single(node) {
  return pyramid(node, [level(node, node.shape.map(() => 1))], node.dimension_names);
}

function factors(dataset) {
  const found = (dataset.coordinateTransformations || []).find((one) => one.type === 'scale');
  return Array.isArray(found?.scale) ? found.scale : null;
}

// The pyramid of a group with multiscales; null: it has none.
export async function pyramidOf(group) {
  const ome = group.attributes.ome || group.attributes;
  const described = Array.isArray(ome.multiscales) ? ome.multiscales[0] : null;
  if (!Array.isArray(described?.datasets) || described.datasets.length === 0) return null;
  const join = (path) => (group.path ? `${group.path}/${path}` : String(path));
  const datasets = described.datasets.slice(0, 32);
  const nodes = await Promise.all(
    datasets.map((dataset) => json('node', { path: join(dataset.path) })));
  const [first] = nodes;
  if (nodes.some((node) => node.shape?.length !== first.shape?.length)) return null;
  if (!first.numbers || first.shape.length < 2) return null;
  const base = factors(datasets[0]);
  const levels = nodes.map((node, n) => {
    const own = factors(datasets[n]);
    const scale = node.shape.map((extent, d) => {
      const ratio = own && base ? own[d] / base[d] : first.shape[d] / extent;
      return ratio > 0 && Number.isFinite(ratio) ? ratio : 1;
    });
    return level(node, scale);
  });
  const names = (described.axes || []).map((axis) => axis?.name ?? axis);
  const made = pyramid(first, levels, names.length ? names : first.dimension_names);
  const window = ome.omero?.channels?.[0]?.window;
  if (Number.isFinite(window?.start) && window.end > window.start) {
    made.windows = [window.start, window.end];
  }
  return made;
}

// How many elements along the dimension of colours are shown: red, green, blue, and alpha if there
// are four.
const colours = (extent) => (extent > 4 ? 3 : extent);

// The selection of a part of a level, in NumPy's notation. `state` has the dimensions shown, and
// the index along the others in elements of the first level.
export function selection(one, state, ranges) {
  return one.shape.map((extent, d) => {
    if (ranges[d]) return ranges[d].join(':');
    if (d === state.colour) return `0:${colours(extent)}`;
    return String(Math.min(extent - 1, Math.floor(state.index[d] / one.scale[d])));
  }).join(',');
}

// The bytes that the server decodes for a part: all chunks that it touches.
export function cost(one, state, ranges) {
  return one.shape.reduce((all, extent, d) => {
    const chunk = Math.max(1, one.chunk[d]);
    let touched = 1;
    if (ranges[d]) {
      const [start, end, step] = ranges[d];
      const chunks = Math.floor((end - 1) / chunk) - Math.floor(start / chunk) + 1;
      touched = Math.min(chunks, Math.ceil((end - start) / step));
    } else if (d === state.colour) touched = Math.ceil(colours(extent) / chunk);
    return all * touched * chunk;
  }, one.item);
}

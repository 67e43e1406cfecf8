// Metadata and attributes of a node, and the page of a group.

import { bytes, el, section } from './element.js';
import { json } from './server.js';
import { pyramidOf } from './pyramid.js';
import { slices } from './slice.js';

const HIDDEN = ['attributes', 'path', 'kind', 'numbers', 'chunk_counts', 'remote',
  'stored_bytes', 'ratio', 'chunks_stored'];

// A value of JSON, whose lists and objects open.
export function value(of) {
  if (of === null || typeof of !== 'object') return el('span', {}, JSON.stringify(of));
  const entries = Object.entries(of);
  const text = JSON.stringify(of);
  if (text.length < 60 || entries.length === 0) return el('span', {}, text);
  const all = el('div');
  const details = el('details', {}, el('summary', { className: 'faint' },
    Array.isArray(of) ? `${entries.length} items` : `${entries.length} members`), all);
  details.addEventListener('toggle', () => {
    if (all.firstChild) return;
    for (const [name, inner] of entries.slice(0, 500)) {
      all.append(el('div', {}, el('span', { className: 'faint' }, `${name}: `), value(inner)));
    }
    if (entries.length > 500) all.append(el('div', {}, `${entries.length - 500} more`));
  });
  return details;
}

function table(entries) {
  const rows = entries.map(([name, of]) =>
    el('tr', {}, el('th', {}, name), el('td', { className: 'json' }, value(of))));
  return el('table', {}, el('tbody', {}, ...rows));
}

function spelt(name, of) {
  if (name === 'bytes' && of !== null) return `${of} (${bytes(of)})`;
  if (name === 'codecs' && Array.isArray(of)) return of;
  return Array.isArray(of) ? of.join(', ') : of;
}

export function about(node) {
  const rows = Object.entries(node)
    .filter(([name, of]) => !HIDDEN.includes(name) && of !== null)
    .map(([name, of]) => [name.replaceAll('_', ' '), spelt(name, of)]);
  const attributes = Object.entries(node.attributes);
  return [
    section('Metadata', false, table(rows)),
    section(`Attributes`, true, attributes.length ? table(attributes)
      : el('p', { className: 'faint' }, 'none')),
  ];
}

// A group; as an image if it has multiscales.
export async function group(node) {
  let wrong = null;
  try {
    const pyramid = await pyramidOf(node);
    if (pyramid) return slices(pyramid, about(node));
  } catch (error) {
    wrong = el('p', { className: 'error' }, `Its multiscales cannot be shown: ${error.message}`);
  }
  const { children } = await json('children', { path: node.path });
  const link = (child) => {
    const path = node.path ? `${node.path}/${child.path}` : child.path;
    return el('tr', {},
      el('td', {}, el('a', { href: `#path=${encodeURIComponent(path)}` }, child.path)),
      el('td', {}, child.kind),
      el('td', {}, child.error || (child.shape ? `${child.data_type} (${child.shape.join(', ')})`
        : '')));
  };
  const list = children.length ? el('table', {}, el('tbody', {}, ...children.map(link)))
    : el('p', { className: 'faint' }, 'The group is empty.');
  return { element: el('div', { className: 'page' }, wrong, list, ...about(node)) };
}

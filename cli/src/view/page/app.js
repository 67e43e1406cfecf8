// The page: a tree on the left, a node on the right. The address says which: #path=a/b.

import { el } from './element.js';
import { json } from './server.js';
import { Tree } from './tree.js';
import { group } from './about.js';
import { array } from './array.js';

const find = (id) => document.getElementById(id);
let shown = null; // what must be stopped before another node is shown

function path() {
  return new URLSearchParams(location.hash.slice(1)).get('path') || '';
}

async function show() {
  const wanted = path();
  shown?.stop?.();
  shown = null;
  document.body.classList.remove('tree');
  tree.choose(wanted);
  find('title').textContent = `/${wanted}`;
  document.title = `/${wanted} · zarrc`;
  find('summary').textContent = '';
  try {
    const node = await json('node', { path: wanted });
    if (path() !== wanted) return;
    const isArray = node.kind === 'array';
    find('summary').textContent = isArray
      ? `${node.data_type} (${node.shape.join(', ')}) · ${node.format}`
      : `group · ${node.format} · ${node.store}`;
    shown = isArray ? array(node) : await group(node);
    if (path() === wanted) find('main').replaceChildren(shown.element);
    shown.start?.();
  } catch (error) {
    if (path() !== wanted) return;
    find('main').replaceChildren(el('p', { className: 'page error' }, error.message));
  }
}

function theme(next) {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const now = document.documentElement.dataset.theme || dark;
  const wanted = next ? (now === 'dark' ? 'light' : 'dark') : localStorage.getItem('zarrc theme');
  if (!wanted) return;
  document.documentElement.dataset.theme = wanted;
  localStorage.setItem('zarrc theme', wanted);
  shown?.redraw?.();
}

function menu() {
  const open = document.body.classList.toggle('tree');
  find('menu').setAttribute('aria-expanded', String(open));
}

const tree = new Tree(find('side'), (chosen) => {
  location.hash = `path=${encodeURIComponent(chosen)}`;
});

find('menu').addEventListener('click', menu);
find('theme').addEventListener('click', () => theme(true));
find('help').addEventListener('click', () => find('keys').showModal());
window.addEventListener('hashchange', show);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => shown?.redraw?.());
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input:not([type=range]), select, textarea, dialog');
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '?') find('keys').showModal();
  else if (event.key.toLowerCase() === 't') theme(true);
  // arrows belong to the tree or the slider that has the focus
  else if (event.key.startsWith('Arrow') && event.target.closest('nav, input')) return;
  // as do Enter and space to a button
  else if (['Enter', ' '].includes(event.key) && event.target.closest('button, nav, summary')) return;
  else if (!shown?.key?.(event.key)) return;
  event.preventDefault();
});
theme(false);
tree.start();
show();

// The nodes of the store. A group's children are fetched when it is opened.

import { el } from './element.js';
import { json } from './server.js';

export class Tree {
  constructor(parent, choose) {
    this.parent = parent;
    this.onchoose = choose;
    this.items = new Map(); // path -> { item, list, kind, open }
    this.chosen = null;
  }

  async start() {
    const root = this.item({ path: '', kind: 'group' }, '');
    this.parent.replaceChildren(el('ul', { role: 'tree' }, root));
    this.parent.addEventListener('keydown', (event) => this.key(event));
    await this.open('');
    root.tabIndex = 0;
  }

  item(node, path) {
    const name = path.split('/').pop() || '/';
    const isGroup = node.kind === 'group';
    const about = node.shape ? ` ${node.data_type} (${node.shape.join(', ')})` : '';
    const label = el('span', {
      className: 'node',
      title: node.error || `/${path}${about}`,
      onclick: () => {
        if (isGroup && this.chosen === path) this.turn(path);
        else if (isGroup) this.open(path);
        this.onchoose(path);
      },
    }, isGroup ? '▸ ' : '▦ ', name, el('small', {}, about));
    const item = el('li', { role: 'treeitem', tabIndex: -1, 'aria-selected': 'false' }, label);
    item.dataset.path = path;
    this.items.set(path, { item, label, isGroup, list: null });
    return item;
  }

  async open(path) {
    const entry = this.items.get(path);
    if (!entry?.isGroup) return;
    entry.item.setAttribute('aria-expanded', 'true');
    entry.label.firstChild.data = '▾ ';
    if (entry.list) {
      entry.list.hidden = false;
      return;
    }
    entry.list = el('ul', { role: 'group' });
    entry.item.append(entry.list);
    try {
      const { children, more } = await json('children', { path });
      for (const child of children) {
        const below = path ? `${path}/${child.path}` : child.path;
        entry.list.append(this.item(child, below));
      }
      if (more) entry.list.append(el('li', { className: 'faint' }, `${more} more are not shown`));
    } catch (error) {
      entry.list.append(el('li', { className: 'error' }, error.message));
    }
    if (this.chosen !== null) this.mark();
  }

  turn(path) {
    const entry = this.items.get(path);
    if (entry.item.getAttribute('aria-expanded') !== 'true') return this.open(path);
    entry.item.setAttribute('aria-expanded', 'false');
    entry.label.firstChild.data = '▸ ';
    entry.list.hidden = true;
  }

  // Marks a node as the one that is shown, and opens the groups above it.
  async choose(path) {
    this.chosen = path;
    const parts = path.split('/');
    for (let n = 0; n < parts.length; n += 1) await this.open(parts.slice(0, n).join('/'));
    await this.open(path);
    this.mark();
  }

  mark() {
    for (const [path, { item }] of this.items) {
      item.setAttribute('aria-selected', String(path === this.chosen));
    }
  }

  key(event) {
    const item = event.target.closest('[role=treeitem]');
    if (!item) return;
    const all = [...this.parent.querySelectorAll('[role=treeitem]')]
      .filter((one) => one.offsetParent !== null);
    const at = all.indexOf(item);
    const { path } = item.dataset;
    const open = item.getAttribute('aria-expanded') === 'true';
    if (event.key === 'ArrowDown') all[at + 1]?.focus();
    else if (event.key === 'ArrowUp') all[at - 1]?.focus();
    else if (event.key === 'ArrowRight') open ? all[at + 1]?.focus() : this.open(path);
    else if (event.key === 'ArrowLeft') {
      open ? this.turn(path) : item.parentElement.closest('[role=treeitem]')?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') this.onchoose(path);
    else return;
    event.preventDefault();
  }
}

// Makes elements. Texts of a store become text nodes, never markup.

export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name in made && name !== 'list') made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

// A section of the panel, which remembers whether it is open.
export function section(title, open, ...children) {
  const key = `zarrc section ${title}`;
  const kept = localStorage.getItem(key);
  return el('details', {
    className: 'section',
    open: kept === null ? open : kept === 'yes',
    ontoggle: (event) => localStorage.setItem(key, event.target.open ? 'yes' : 'no'),
  }, el('summary', {}, title), ...children);
}

// A button that is either pressed or not.
export function toggle(text, title, pressed, change) {
  const button = el('button', { title, 'aria-pressed': String(pressed) }, text);
  button.addEventListener('click', () => {
    const now = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(now));
    change(now);
  });
  return button;
}

// The value of a colour of the style sheet.
export function colour(name) {
  const probe = el('i', { hidden: true });
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

// A canvas as large as it is shown, in device pixels; its context draws in CSS pixels.
export function sharp(canvas) {
  const scale = window.devicePixelRatio || 1;
  const { width, height } = canvas.getBoundingClientRect();
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  return { context, width, height };
}

export function bytes(count) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let unit = 0;
  while (count >= 1024 && unit + 1 < units.length) {
    count /= 1024;
    unit += 1;
  }
  return `${unit ? count.toFixed(1) : count} ${units[unit]}`;
}

export function number(value) {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  return String(Number(value.toPrecision(6)));
}

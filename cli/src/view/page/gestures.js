// Mouse, pen and fingers on a canvas: moves, zooms about a point, and taps.

export function gestures(canvas, { move, zoom, tap, hover }) {
  const fingers = new Map();
  let travelled = 0;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (fingers.size === 0) travelled = 0;
    fingers.set(event.pointerId, place(event));
  });
  canvas.addEventListener('pointermove', (event) => {
    const now = place(event);
    const before = fingers.get(event.pointerId);
    if (!before) {
      hover(...now);
      return;
    }
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    travelled += Math.abs(dx) + Math.abs(dy);
    if (fingers.size === 2) {
      const distance = spread();
      fingers.set(event.pointerId, now);
      const [a, b] = [...fingers.values()];
      move(dx / 2, dy / 2);
      if (distance > 0) zoom(spread() / distance, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
      return;
    }
    fingers.set(event.pointerId, now);
    if (travelled > 4) move(dx, dy);
  });
  canvas.addEventListener('pointerup', (event) => {
    const alone = fingers.size === 1;
    if (fingers.delete(event.pointerId) && alone && travelled <= 4) tap(...place(event));
  });
  canvas.addEventListener('pointercancel', (event) => fingers.delete(event.pointerId));
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    zoom(Math.exp((-event.deltaY * lines) / 400), ...place(event));
  }, { passive: false });
}

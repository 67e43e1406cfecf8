// Asks the server of this page.

async function ask(name, parameters, signal) {
  const query = Object.entries(parameters)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
  const response = await fetch(`api/${name}?${query}`, { signal });
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

export async function json(name, parameters, signal) {
  return (await ask(name, parameters, signal)).json();
}

const ARRAYS = { u1: Uint8Array, f4: Float32Array, f8: Float64Array };

// Selected numbers of an array: { values, shape }.
export async function numbers(path, sel, signal) {
  const response = await ask('data', { path, sel }, signal);
  const shape = response.headers.get('x-zarrc-shape');
  const values = new ARRAYS[response.headers.get('x-zarrc-type')](await response.arrayBuffer());
  return { values, shape: shape ? shape.split(',').map(Number) : [] };
}

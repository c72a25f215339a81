/** Frames of a browser that draws by itself, awaited one after the other. */

declare global {
  /** Frames that we asked for so far; in the isolated world's global object only. */
  var orbweaverFrames: number | undefined;
}

/** Resolves to true when so many frames have been drawn. */
export async function framesDrawn(count: number): Promise<boolean> {
  for (let frame = 0; frame < count; frame++) {
    globalThis.orbweaverFrames = (globalThis.orbweaverFrames ?? 0) + 1;
    await new Promise((drawn) => requestAnimationFrame(drawn));
  }
  return true;
}

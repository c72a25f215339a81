/**
 * Brings every animation and transition to its end: where frames are drawn on demand, they would stand at their start.
 * @returns how many there were
 */
export function finishAnimations(): number {
  const animations = Document.prototype.getAnimations.call(document);
  for (const animation of animations) {
    try {
      animation.finish();
    } catch {
      animation.pause(); // one without end
    }
  }
  return animations.length;
}

/** The execution contexts of a page's own scripts, by frame: known only if they were watched from the page's beginning. */
import type { DevToolsSession } from '../../../browsers/protocol/session.ts';

export class OwnWorlds {
  readonly #ofFrames = new Map<string, number>();

  /** Follows the frames of the session's process. */
  constructor(session: DevToolsSession) {
    session.on('Runtime.executionContextCreated', ({ context: { id, auxData } }) => {
      const { frameId, isDefault }: { frameId?: unknown; isDefault?: unknown } = auxData ?? {};
      if (isDefault === true && typeof frameId === 'string') this.#ofFrames.set(frameId, id);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      for (const [frameId, id] of this.#ofFrames) if (id === executionContextId) this.#ofFrames.delete(frameId);
    });
    session.on('Runtime.executionContextsCleared', () => this.#ofFrames.clear());
  }

  of(frameId: string): number | undefined {
    return this.#ofFrames.get(frameId);
  }
}

/** A renderer without a browser, for benchmarks and tests of everything else (Scrapy's NullDownloadHandler). */
import type { VisitOutcome } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { Renderer, RendererStats } from './renderer.ts';

/** @param outcomeOf the outcome of each visit; may be a lookup in a map of a graph */
export function nullRenderer(outcomeOf: (visit: Visit) => VisitOutcome | Promise<VisitOutcome>): Renderer {
  let visits = 0;
  const end = async (visit: Visit, signal: AbortSignal): Promise<VisitOutcome> => {
    signal.throwIfAborted();
    visits += 1;
    return outcomeOf(visit);
  };
  return {
    render: end,
    renderDocument: (visit, _document, signal): Promise<VisitOutcome> => end(visit, signal),
    signIn: () => Promise.reject(new Error('there is no browser to sign in with')),
    renewSignIns: () => {},
    resize: () => {},
    stats: (): RendererStats => ({
      browserVersion: 'none',
      browserPid: null,
      visits,
      pagesReplaced: 0,
      browsersReplaced: 0,
    }),
    [Symbol.asyncDispose]: async (): Promise<void> => {},
  };
}

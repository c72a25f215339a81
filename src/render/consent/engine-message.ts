/** Reads messages of the engine in a frame. Its page may be hostile: shapes and lengths are checked, and no code is taken from a message. */
import { z } from 'zod';
import { parsedJson } from '../../base/safe-json.ts';
import type { ConsentEvent } from '../../core/consent/consent-progress.ts';
import { CONSENT_MESSAGE_LENGTH } from '../limits/consent-limits.ts';

/** A question to the page, by the name of a snippet that the package ships. */
export interface EngineQuestion {
  readonly kind: 'question';
  readonly id: string;
  readonly snippet: string;
}

const short = z.string().max(200);
const message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('eval'), id: short, snippetId: short }),
  z.object({ type: z.literal('popupFound'), cmp: short }),
  z.object({ type: z.literal('optOutResult'), result: z.boolean() }),
  z.object({ type: z.literal('optInResult'), result: z.boolean() }),
  z.object({ type: z.literal('autoconsentDone'), isCosmetic: z.boolean() }),
  z.object({ type: z.literal('selfTestResult'), result: z.boolean() }),
  z.object({ type: z.literal('report'), state: z.object({ lifecycle: short }) }),
]);

/** Null for a message that does not matter, and for a text that is no message of the engine. */
export function engineMessage(payload: string): ConsentEvent | EngineQuestion | null {
  if (payload.length > CONSENT_MESSAGE_LENGTH) return null;
  const { data } = message.safeParse(parsedJson(payload));
  switch (data?.type) {
    case 'eval':
      return { kind: 'question', id: data.id, snippet: data.snippetId };
    case 'popupFound':
      return { kind: 'found', name: data.cmp };
    case 'optOutResult':
    case 'optInResult':
      return { kind: 'acted', done: data.result };
    case 'autoconsentDone':
      return { kind: 'done', hides: data.isCosmetic };
    case 'selfTestResult':
      return { kind: 'tested', gone: data.result };
    case 'report':
      return data.state.lifecycle === 'nothingDetected' ? { kind: 'nothing-found' } : null;
    case undefined:
      return null;
  }
}

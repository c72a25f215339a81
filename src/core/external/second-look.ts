/** Links that refused plain HTTP, and what a browser makes of them. Readers come with browsers: what answers them well is not blocked. */
import type { NotJudgedReason } from '../../model/finding.ts';
import type { ExternalRecord, ExternalVerdict } from '../../model/external-record.ts';

/** What a browser saw at a link. */
export type BrowserSight =
  | {
      readonly kind: 'shown';
      /** Of the document that was shown last. */
      readonly status: number | null;
      /** Is it a page like others, or why not? */
      readonly judged: true | NotJudgedReason;
    }
  | { readonly kind: 'failed'; readonly detail: string };

/** Links that are looked at again in one audit: each loads a page with all its parts from somebody else. Arbitrary. */
export const MOST_SIGHTS = 20;
/** They ask for a name and a password, or are closed by law: a browser is told the same. */
const SETTLED: ReadonlySet<number | null> = new Set([407, 451]);
const GONE: ReadonlySet<number | null> = new Set([404, 410]);

/** The links to look at: of each host one after the other, so that one host does not use them all up. @param hostOf for URLs */
export function secondLooks(
  records: readonly ExternalRecord[],
  hostOf: (url: string) => string,
): readonly ExternalRecord[] {
  const turns = new Map<string, number>();
  return records
    .filter(({ verdict, status, looks }) => verdict === 'blocked' && looks.length > 0 && !SETTLED.has(status))
    .map((record) => {
      const host = hostOf(record.url);
      const turn = turns.get(host) ?? 0;
      turns.set(host, turn + 1);
      return { record, turn };
    })
    .toSorted((one, other) => one.turn - other.turn)
    .slice(0, MOST_SIGHTS)
    .map(({ record }) => record);
}

/** What is said of a link after both looks. Only two looks that say that there is no page call it broken. */
export function secondVerdict(
  { looks }: Pick<ExternalRecord, 'looks'>,
  sight: BrowserSight,
): { readonly verdict: ExternalVerdict; readonly detail: string } {
  const said = looks.findLast(({ detail }) => detail !== null)?.detail ?? 'refused';
  if (sight.kind === 'failed') return { verdict: 'blocked', detail: `${said}; in a browser: ${sight.detail}` };
  const { status, judged } = sight;
  if (judged === true && isWell(status)) return { verdict: 'ok', detail: `answers a browser; plain HTTP: ${said}` };
  const shown = isWell(status) && judged !== true ? judged.replaceAll('-', ' ') : `status ${status ?? 'unknown'}`;
  const confirmed = GONE.has(status) && looks.some(({ method, status: first }) => method === 'GET' && GONE.has(first));
  return { verdict: confirmed ? 'broken' : 'blocked', detail: `${said}; in a browser: ${shown}` };
}

function isWell(status: number | null): boolean {
  return status !== null && ((status >= 200 && status < 300) || status === 304);
}

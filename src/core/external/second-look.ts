/** A browser's look at links that refused plain HTTP. Readers come with browsers: a link that answers those well is not blocked. */
import type { NotJudgedReason } from '../../model/finding.ts';
import type { ExternalRecord, ExternalVerdict } from '../../model/external-record.ts';

/** A browser's result for a link. */
export type BrowserSight =
  | {
      readonly kind: 'shown';
      /** Status of the document that was shown last. */
      readonly status: number | null;
      /** True for an ordinary page, else the reason why it is none. */
      readonly judged: true | NotJudgedReason;
    }
  | { readonly kind: 'failed'; readonly detail: string };

/** Links that are looked at again in one audit: each loads a page with all its parts from a foreign site. Arbitrary. */
export const MOST_SIGHTS = 20;
/** Statuses that ask for a name and a password, or refuse by law: a browser gets the same. */
const SETTLED: ReadonlySet<number | null> = new Set([407, 451]);
const GONE: ReadonlySet<number | null> = new Set([404, 410]);

/** The links to look at, hosts in turn, so that one host does not use up the limit. @param hostOf for URLs */
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

/** Verdict on a link after both looks: broken only if both say that the page does not exist. */
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

/**
 * The visit of a soft-404 probe: judges by its answer the URL space that it stands for. The probe adds nothing to the crawl: it is not a page of
 * the site, its links are not followed, and it ends as skipped; the rule gives its purpose and its result.
 */
import { fnv1a } from '../base/hash.ts';
import { linesOf, ownLines } from '../core/fingerprint/boilerplate.ts';
import { contentSketch, saysTheSame, type ContentSketch } from '../core/fingerprint/content-sketch.ts';
import { leadsToPage } from '../core/links/page-link.ts';
import type { SimilarityIndex } from '../dedup/similarity-index.ts';
import type { Page } from '../model/page.ts';
import type { SkippedRecord } from '../model/record.ts';
import { canonicalise, type UrlPolicy } from '../model/url/canonical-url.ts';
import { hostKeyOf } from '../model/url/host-key.ts';
import type { VisitOutcome, VisitOutcomeKind } from '../model/visit-outcome.ts';
import type { Visit } from '../model/visit.ts';
import type { ProbeAnswer, ProbeQuestion, TrapMemory } from '../traps/trap-memory.ts';

interface AnswerSearch {
  readonly trapMemory: TrapMemory;
  readonly similar: Pick<SimilarityIndex, 'boilerplateOf'>;
  /** By which the links of the tested page were read. */
  readonly urlPolicy: UrlPolicy;
}

/** Outcomes that show how the site treats the probe. */
const IS_ANSWER: ReadonlySet<VisitOutcomeKind> = new Set(['captured', 'http-error', 'redirected', 'not-html']);

/** The meaning of an answer, for skipped.jsonl. */
const SAYS: Readonly<Record<ProbeAnswer['kind'], string>> = {
  infinite: 'answered as its pages are: there is no end to them',
  finite: 'answered in another way than its pages are',
  unknown: 'not answered',
};

/** Stores the meaning of the answer. @returns the record that the probe ends with */
export async function probeRecord(
  { url, referrer }: Visit,
  outcome: VisitOutcome,
  search: AnswerSearch,
): Promise<SkippedRecord> {
  const question = await search.trapMemory.questionOf(url);
  const answer = question === null ? UNKNOWN : await answerTo(question, outcome, search);
  if (question !== null) await search.trapMemory.keepAnswer(question, answer);
  const space = question === null ? '' : ` for ${question.place.host}${question.place.pattern}`;
  return { url, reason: 'probe', rule: `soft-404 probe${space}: ${SAYS[answer.kind]}`, referrer };
}

const UNKNOWN: ProbeAnswer = { kind: 'unknown' };

async function answerTo(question: ProbeQuestion, outcome: VisitOutcome, search: AnswerSearch): Promise<ProbeAnswer> {
  if (outcome.kind === 'captured' && leadsOn(outcome.page, question, search.urlPolicy)) {
    const sketch = await sketchOf(outcome.page, question, search);
    // pages of a folder or a host are compared with the probe one by one
    if (question.of !== 'address' || saysTheSame(question, sketch)) return { kind: 'infinite', sketch };
  }
  return IS_ANSWER.has(outcome.kind) ? { kind: 'finite' } : UNKNOWN;
}

/**
 * Does the probe's answer link to pages of its host that the tested page does not? An answer that leads nowhere makes no infinite space:
 * for example, a program may answer for every number, but link only to existing ones.
 */
function leadsOn({ url, foundLinks }: Page, question: ProbeQuestion, urlPolicy: UrlPolicy): boolean {
  const named = new Set(question.named);
  return foundLinks.some((foundLink) => {
    // a page that a script fills asks for something else at each address, also at one that does not exist
    if (foundLink.confidence === 'low' || !leadsToPage(foundLink)) return false;
    const to = canonicalise(foundLink.resolved ?? foundLink.href, foundLink.base, urlPolicy);
    return (
      to.kind === 'canonical' && hostKeyOf(to.url) === hostKeyOf(url) && to.url !== url && !named.has(fnv1a(to.url))
    );
  });
}

async function sketchOf(
  { url, text }: Page,
  { place }: ProbeQuestion,
  { similar }: AnswerSearch,
): Promise<ContentSketch> {
  return contentSketch(ownLines(await similar.boilerplateOf(place.host), linesOf(text ?? '')), url, []);
}

/** Reads removed and added pages, as far as needed to see which of them are the same. */
import { shinglesOf } from '../core/fingerprint/shingle.ts';
import { normalText } from '../core/fingerprint/normal-text.ts';
import type { MovingPage } from '../core/diff/moved-pages.ts';
import type { PageVersion } from '../model/page-version.ts';
import type { ComparedSite } from './compared-site.ts';
import { steadyLine } from './steady-line.ts';

/** Pages of each side whose texts are read; a site with more removed and added pages is another site. */
const MOST_PAGES = 2000;
/** Pages that tell the template's lines, and the share of them that such a line must be on. */
const SAMPLE = 40;
const TEMPLATE_SHARE = 0.2;
const LEAST_SAMPLE = 5;

/** @param redirects targets of removed addresses that redirect */
export async function moveCandidates(
  site: ComparedSite,
  pages: readonly PageVersion[],
  redirects: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<readonly MovingPage[]> {
  if (pages.length === 0) return [];
  const template = await templateLines(site, signal);
  const candidates: MovingPage[] = [];
  for (const page of pages.slice(0, MOST_PAGES)) {
    signal.throwIfAborted();
    const { text } = await site.content(page, true);
    const own = (text ?? []).filter((line) => !template.has(line)).map(steadyLine);
    candidates.push({
      address: page.address,
      digest: page.digest,
      words: text === null ? (page.words ?? 0) : text.join(' ').split(/\s+/).length,
      shingles: text === null ? null : shinglesOf(normalText(own.join('\n'))),
      redirect: redirects.get(page.address) ?? null,
    });
  }
  return candidates;
}

/** Lines that many pages of the site have. */
async function templateLines(site: ComparedSite, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const captured = [...site.pages.values()].filter(({ outcome }) => outcome === 'captured');
  const step = Math.max(1, Math.floor(captured.length / SAMPLE));
  const sample = captured.filter((_, index) => index % step === 0).slice(0, SAMPLE);
  const counts = new Map<string, number>();
  for (const page of sample) {
    signal.throwIfAborted();
    const { text } = await site.content(page, true);
    for (const line of new Set(text ?? [])) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  if (sample.length < LEAST_SAMPLE) return new Set();
  return new Set([...counts].filter(([, count]) => count > sample.length * TEMPLATE_SHARE).map(([line]) => line));
}

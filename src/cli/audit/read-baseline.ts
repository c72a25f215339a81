/** `--baseline`: a file, or the folder of a crawl that was audited. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CrawlError } from '../../base/errors.ts';
import { readStoredCrawl } from '../../crawl-folder/stored-crawl.ts';
import { storedFindings } from '../../crawl-folder/stored-lines.ts';
import type { AcceptedFinding, Baseline } from '../../core/gates/baseline.ts';
import { siteAddresses, siteHosts } from '../../core/gates/site-address.ts';
import { VERSION } from '../../options/identity.ts';
import { parseBaseline } from '../../report/baseline-file.ts';

export interface FoundBaseline {
  readonly kind: 'file' | 'folder';
  /** Null where there is no such file yet. */
  readonly content: Baseline | null;
  /** The file as it stands; null where there is none. */
  readonly text: string | null;
}

/**
 * Reads a baseline.
 * @param path absolute; @param shown the path as messages name it
 * @throws {CrawlError} BASELINE_INVALID, CRAWL_UNREADABLE
 */
export async function readBaseline(path: string, shown: string): Promise<FoundBaseline> {
  const found = await stat(path).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null;
    throw unreadable(shown, cause);
  });
  if (found === null) return { kind: 'file', content: null, text: null };
  if (found.isDirectory()) return { kind: 'folder', content: await acceptedByFolder(path, shown), text: null };
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unreadable(shown, cause);
  });
  return { kind: 'file', content: parseBaseline(text, shown), text };
}

const idSchema = z.looseObject({ id: z.string() });

/** Findings of an earlier audit are known, accepted or not. */
async function acceptedByFolder(path: string, shown: string): Promise<Baseline> {
  const { seeds } = await readStoredCrawl(path, VERSION);
  const audited = await stat(join(path, 'findings.jsonl')).catch(() => null);
  if (audited === null) {
    throw new CrawlError(
      'BASELINE_INVALID',
      `${shown} was not audited: there is no findings.jsonl in it\nAudit that crawl first.`,
    );
  }
  const addressOf = siteAddresses(seeds);
  const accepted: AcceptedFinding[] = [];
  const ids = new Set<string>();
  let damaged = 0;
  const unread = { torn: () => (damaged += 1), damaged: () => (damaged += 1) };
  for await (const finding of storedFindings(path, unread)) {
    const { id } = idSchema.safeParse(finding).data ?? {};
    if (id === undefined) damaged += 1;
    if (id === undefined || ids.has(id)) continue;
    ids.add(id);
    const { rule, url, message } = finding;
    accepted.push({
      id,
      rule,
      address: addressOf(url),
      message,
      reason: `found by the audit of ${shown}`,
      until: null,
    });
  }
  if (damaged > 0) {
    throw new CrawlError(
      'BASELINE_INVALID',
      `${shown}: ${damaged} lines of findings.jsonl cannot be read\nAudit that crawl again.`,
    );
  }
  return { site: siteHosts(seeds), accepted };
}

function unreadable(shown: string, cause: unknown): CrawlError {
  return new CrawlError('BASELINE_INVALID', `${shown} cannot be read: ${codeOf(cause)}\nCheck its permissions.`, {
    cause,
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);
}

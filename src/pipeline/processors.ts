/**
 * Runs the processors on a document. Those of extensions come first; a later one does not change a field that an earlier one has set.
 * Findings of an extension are checked and cut like those of a page.
 */
import { z } from 'zod';
import { withDeadline } from '../base/deadline.ts';
import type { Log } from '../base/log.ts';
import { seconds, type Milliseconds } from '../base/units.ts';
import type { FileFacts, PageProcessor } from '../core/files/page-processor.ts';
import type { FileSource } from '../model/file-source.ts';
import type { FoundLink } from '../model/link.ts';
import { boundedCall } from './bounded-call.ts';
import { FILE_TEXT_LIMIT } from './builtin-processors.ts';
import { createComplaints } from './complaints.ts';
import { checkedLinks } from './discover-links.ts';
import type { Extension } from './extension.ts';
import { builtinFindings, type BuiltinFinding } from './file-reading.ts';

/** The findings of all processors that accept a document. */
export interface Findings {
  readonly title: string | null;
  readonly description: string | null;
  readonly lang: string | null;
  /** Text for readers; null where the document has none. */
  readonly text: string | null;
  readonly links: readonly FoundLink[];
  readonly facts: FileFacts;
}

export interface Processors {
  /**
   * @param builtin findings of the built-in processors; if left out, they are run here
   * @returns rejects only with the signal's reason: a processor that fails finds nothing, and its failure is logged once
   */
  find(file: FileSource, signal: AbortSignal, builtin?: readonly BuiltinFinding[]): Promise<Findings>;
}

export const NO_FINDINGS: Findings = {
  title: null,
  description: null,
  lang: null,
  text: null,
  links: [],
  facts: {},
};

/** Time limit of a processor, after which it has failed; a blocking one is ended sooner. */
const PROCESS_LIMIT: Milliseconds = seconds(30);
const LINE = 1000;
const FACTS = 20;

const line = z
  .string()
  .transform((text) => text.slice(0, LINE))
  .nullish();
const fact = z.union([z.string().transform((text) => text.slice(0, LINE)), z.number(), z.boolean()]);
const findings = z.object({
  title: line,
  description: line,
  lang: line,
  text: z
    .string()
    .transform((text) => text.slice(0, FILE_TEXT_LIMIT))
    .nullish(),
  links: z.array(z.unknown()).default([]),
  facts: z
    .record(z.string().max(100), fact)
    .transform((facts) => Object.fromEntries(Object.entries(facts).slice(0, FACTS)))
    .default({}),
});

/** @param extensions their processors come before the built-in ones */
export function createProcessors(extensions: readonly Extension[], log: Log): Processors {
  const complaints = createComplaints(log);
  const theirs = extensions.flatMap(({ name, processors }) => processors.map((each) => [name, each] as const));

  async function one(
    [extension, processor]: (typeof theirs)[number],
    file: FileSource,
    signal: AbortSignal,
  ): Promise<Findings> {
    const about = { extension, processor: processor.name, url: file.url };
    try {
      if (!boundedCall(() => processor.accepts(file.contentType, file.url))) return NO_FINDINGS;
      return checked(await bounded(processor, file, signal), about);
    } catch (error) {
      signal.throwIfAborted();
      return failed(about, error);
    }
  }

  function checked(given: unknown, about: About): Findings {
    const { title, description, lang, text, links, facts } = findings.parse(given);
    return {
      title: title ?? null,
      description: description ?? null,
      lang: lang ?? null,
      text: text ?? null,
      links: checkedLinks(links, { extension: about.extension, discoverer: about.processor, url: about.url }, log),
      facts,
    };
  }

  function failed(about: About, error: unknown): Findings {
    complaints.report(`${about.extension}/${about.processor}`, 'processor failed', { ...about, error: wordsOf(error) });
    return NO_FINDINGS;
  }

  function builtIn(finding: BuiltinFinding, { url }: FileSource): Findings {
    const about = { extension: 'built-in', processor: finding.name, url };
    return 'found' in finding ? checked(finding.found, about) : failed(about, finding.error);
  }

  return {
    find: async (file, signal, builtin) => {
      let together: Findings = NO_FINDINGS;
      for (const each of theirs) together = joined(together, await one(each, file, signal));
      for (const each of builtin ?? builtinFindings(file)) together = joined(together, builtIn(each, file));
      return together;
    },
  };
}

interface About {
  readonly extension: string;
  readonly processor: string;
  readonly url: string;
}

/** Runs a processor within its limits. Most are synchronous and need no timer. */
async function bounded(processor: PageProcessor, file: FileSource, signal: AbortSignal): Promise<unknown> {
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const found = boundedCall<unknown>(() => processor.process(file, both));
  if (!isThenable(found)) return found;
  try {
    return await withDeadline(Promise.resolve(found), `the processor ${processor.name}`, PROCESS_LIMIT, signal);
  } finally {
    stop.abort();
  }
}

/** Is it a promise, perhaps one of a foreign library? */
function isThenable(found: unknown): found is PromiseLike<unknown> {
  return typeof found === 'object' && found !== null && 'then' in found && typeof found.then === 'function';
}

function joined(one: Findings, next: Findings): Findings {
  if (next === NO_FINDINGS) return one;
  return {
    title: one.title ?? next.title,
    description: one.description ?? next.description,
    lang: one.lang ?? next.lang,
    text: one.text ?? next.text,
    links: [...one.links, ...next.links],
    facts: { ...next.facts, ...one.facts },
  };
}

/** The text of an error, for the log. */
export function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, LINE);
}

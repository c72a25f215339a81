/**
 * The engine that checks accessibility: the package axe-core, unmodified. It is optional, and loaded only where the check is asked for
 * (docs/audit.md, "Accessibility").
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { cutText } from '../../base/cut-text.ts';
import type { AxeCatalogue, AxeChoice, AxeRule } from '../../model/accessibility.ts';
import { packageMissing } from '../optional-package.ts';

const AXE_PACKAGE = 'axe-core';
/** The version that this program was tested with. */
const PINNED = '4.14.1';
/** The whole engine in one file, beside the main module, as the package documents it. */
const SCRIPT_FILE = 'axe.min.js';
const RULE_TEXT = 500;

export interface AxeEngine {
  readonly version: string;
  /** Source that makes `axe` in the world in which it runs. */
  readonly script: string;
  readonly rules: readonly AxeRule[];
}

/** The parts of the package. */
interface AxePackage {
  readonly version: unknown;
  readonly script: string;
  readonly rules: unknown;
}

const text = z.string().transform((value) => cutText(value, RULE_TEXT));
const rulesShape = z
  .array(
    z.object({
      ruleId: z.string().regex(/^[a-z][a-z0-9-]{0,79}$/),
      help: text,
      description: text,
      helpUrl: z.url({ protocol: /^https$/ }),
      tags: z.array(z.string().max(100)),
    }),
  )
  .min(1)
  .max(1000);

/** Loads the package; tests pass another loader. @throws {CrawlError} PACKAGE_MISSING */
export async function loadAxeEngine(load: () => Promise<AxePackage> = readPackage): Promise<AxeEngine> {
  try {
    const { version, script, rules } = await load();
    return {
      version: z.string().max(100).parse(version),
      script,
      rules: rulesShape.parse(rules).map(({ ruleId: id, ...rule }) => ({ id, ...rule })),
    };
  } catch (cause) {
    throw packageMissing({ name: AXE_PACKAGE, version: PINNED, does: 'accessibility is checked by' }, cause);
  }
}

/** The engine's data in a crawl folder, so that its audits need no package. */
export function axeCatalogue({ version, rules }: AxeEngine, pages: AxeChoice): AxeCatalogue {
  return { version, pages, rules };
}

async function readPackage(): Promise<AxePackage> {
  const require = createRequire(import.meta.url);
  const main = require.resolve(AXE_PACKAGE);
  const { version, getRules }: { readonly version: unknown; readonly getRules: () => unknown } = require(AXE_PACKAGE);
  return { version, script: await readFile(join(dirname(main), SCRIPT_FILE), 'utf8'), rules: getRules() };
}

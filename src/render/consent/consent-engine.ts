/**
 * The engine that knows consent dialogs: the package @duckduckgo/autoconsent, unmodified. It is optional, and nothing of it is loaded
 * where dialogs are left alone (design/rendering, "Consent").
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ConsentRule } from '../../core/consent/consent-action.ts';
import { packageMissing } from '../optional-package.ts';

const CONSENT_PACKAGE = '@duckduckgo/autoconsent';
/** The version that this program was tested with. */
const PINNED = '16.23.0';
/** The build for pages that are driven from outside: beside the main module, as the package documents it. */
const SCRIPT_FILE = 'autoconsent.playwright.js';
/** Steps that find a dialog by asking whether it is seen, or by asking the page. */
const SEEING = /"(?:visible|waitForVisible|eval)":/;
/** Steps that reject a dialog by hiding it. */
const HIDING = /"hide":/;
/** Characters of a URL that rules are chosen by: they name hosts. */
const MATCHED_LENGTH = 300;

export interface ConsentEngine {
  readonly version: string;
  /** Runs in a frame; expects `autoconsentSendMessage` there and makes `autoconsentReceiveMessage`. */
  readonly script: string;
  /** The rules for a page, or a frame in one, as JSON; the engine itself decides which of them fit. */
  rulesFor(url: string, isMainFrame: boolean): string;
  /** The facts of a rule; null for a rule that is a program of the engine. */
  ruleOf(name: string): ConsentRule | null;
  /** Selectors of a rule's dialog; one of several parts leads through shadow roots. Empty for a program of the engine. */
  elementsOf(name: string): readonly (readonly string[])[];
  /** Source of a question to the page by its name, as shipped; null where there is none of that name. */
  snippet(name: string): string | null;
}

/** The files of the package. */
interface ConsentPackage {
  readonly version: string;
  readonly script: string;
  /** Its rules, as they are shipped. */
  readonly rules: unknown;
  readonly evalSnippets: unknown;
}

const ruleShape = z.looseObject({
  name: z.string(),
  cosmetic: z.boolean().optional(),
  prehideSelectors: z.array(z.string()).optional(),
  detectPopup: z.array(z.unknown()).optional(),
  optIn: z.array(z.unknown()).optional(),
  optOut: z.array(z.unknown()).optional(),
  runContext: z
    .looseObject({ main: z.boolean().optional(), frame: z.boolean().optional(), urlPattern: z.string().optional() })
    .optional(),
});
const rulesShape = z.object({ autoconsent: z.array(ruleShape) });
type Rule = z.infer<typeof ruleShape>;

/** Loads the package; tests pass another loader. @throws {CrawlError} PACKAGE_MISSING */
export async function loadConsentEngine(load: () => Promise<ConsentPackage> = readPackage): Promise<ConsentEngine> {
  try {
    return consentEngine(await load());
  } catch (cause) {
    throw packageMissing({ name: CONSENT_PACKAGE, version: PINNED, does: 'consent dialogs are dealt with by' }, cause);
  }
}

async function readPackage(): Promise<ConsentPackage> {
  const require = createRequire(import.meta.url);
  const main = require.resolve(CONSENT_PACKAGE);
  const manifest: unknown = JSON.parse(await readFile(join(dirname(main), '..', 'package.json'), 'utf8'));
  const { evalSnippets }: { evalSnippets: unknown } = require(CONSENT_PACKAGE);
  return {
    version: z.object({ version: z.string() }).parse(manifest).version,
    script: await readFile(join(dirname(main), SCRIPT_FILE), 'utf8'),
    rules: require(`${CONSENT_PACKAGE}/rules/rules.json`),
    evalSnippets,
  };
}

function consentEngine({ version, script, rules, evalSnippets }: ConsentPackage): ConsentEngine {
  const { autoconsent } = rulesShape.parse(rules);
  const snippets = new Map(
    Object.entries(z.record(z.string(), z.unknown()).parse(evalSnippets)).map(([name, run]) => [name, String(run)]),
  );
  const byName = new Map(autoconsent.map((rule) => [rule.name, rule]));
  const main = chosenBy(autoconsent.filter(({ runContext }) => runContext?.main !== false));
  const frame = chosenBy(autoconsent.filter(({ runContext }) => runContext?.frame === true));
  return {
    version,
    script,
    rulesFor: (url, isMainFrame) => (isMainFrame ? main : frame)(url),
    ruleOf: (name) => {
      const rule = byName.get(name);
      if (rule === undefined) return null;
      const sees = SEEING.test(JSON.stringify(rule.detectPopup ?? []));
      const hides = rule.cosmetic === true && HIDING.test(JSON.stringify(rule.optOut ?? []));
      return { hides, accepts: (rule.optIn ?? []).length > 0, sees };
    },
    elementsOf: (name) => {
      const rule = byName.get(name);
      return rule === undefined ? [] : elementsOf(rule);
    },
    snippet: (name) => snippets.get(name) ?? null,
  };
}

/** Steps of a rule that name the elements of its dialog. */
const LOOKS = ['visible', 'waitForVisible', 'exists', 'waitFor'] as const;
const selectorShape = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

function elementsOf({ detectPopup = [], prehideSelectors = [] }: Rule): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const look = (step: unknown): void => {
    if (Array.isArray(step)) step.forEach(look);
    const { data } = stepShape.safeParse(step);
    if (data === undefined || data['negated'] === true || data['check'] === 'none') return;
    for (const kind of LOOKS) {
      const { data: selector } = selectorShape.safeParse(data[kind]);
      if (selector !== undefined) found.push(selector);
    }
    look(data['any']);
    look(data['all']);
  };
  look(detectPopup);
  return [...found, ...prehideSelectors.map((one) => [one])];
}

const stepShape = z.record(z.string(), z.unknown());

/** Chooses rules by a URL. Nearly all rules are for one site each; those for all sites become JSON once. */
function chosenBy(rules: readonly Rule[]): (url: string) => string {
  const general = rules.filter(({ runContext }) => !runContext?.urlPattern).map((rule) => JSON.stringify(rule));
  const ofSites = rules.flatMap((rule) => {
    const pattern = rule.runContext?.urlPattern;
    return pattern ? [{ pattern: new RegExp(pattern), rule }] : [];
  });
  const all = general.join(',');
  return (url) => {
    const address = url.slice(0, MATCHED_LENGTH);
    const own = ofSites.filter(({ pattern }) => pattern.test(address)).map(({ rule }) => JSON.stringify(rule));
    return `[${[...own, ...(all === '' ? [] : [all])].join(',')}]`;
  };
}

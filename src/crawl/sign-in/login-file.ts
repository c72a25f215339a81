/**
 * The file of `--login`: steps in YAML (or JSON, which is YAML), or a module. Secrets stand in it as `${env:NAME}`, and are taken from the
 * environment before anything is fetched.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { CrawlError } from '../../base/errors.ts';
import { parsedUrl } from '../../base/parsed-url.ts';
import { seconds, type Milliseconds } from '../../base/units.ts';
import { globFault } from '../../core/scope/url-glob.ts';
import { systemCode } from '../../crawl-folder/disk-error.ts';
import { webOrigin } from '../../model/user-headers.ts';
import type { HookedPage } from '../../render/hooks/page-hook.ts';
import { loadModule } from '../opening/load-extensions.ts';
import { readTotpSecret, type TotpSecret } from './totp.ts';

type LoginAction =
  | { readonly kind: 'goto'; readonly url: string }
  | { readonly kind: 'fill'; readonly selector: string; readonly value: string }
  | { readonly kind: 'totp'; readonly selector: string; readonly secret: TotpSecret }
  | { readonly kind: 'click'; readonly selector: string }
  /** Selector null: on whatever has the focus. */
  | { readonly kind: 'press'; readonly key: string; readonly selector: string | null }
  | { readonly kind: 'wait-for'; readonly selector: string }
  | { readonly kind: 'wait-url'; readonly glob: string }
  | { readonly kind: 'wait-time'; readonly time: Milliseconds };

export interface LoginStep {
  /** Counted from 1; 0 for the load of `url`. */
  readonly number: number;
  /** The step as the file has it, without a value: `fill "#password"`. */
  readonly words: string;
  readonly action: LoginAction;
  /** Glob of the addresses of the step's page; null: the newest page. */
  readonly at: string | null;
  readonly timeout: Milliseconds;
}

type LoginFunction = (call: {
  readonly page: HookedPage;
  readonly context: ReturnType<HookedPage['context']>;
}) => unknown;

type LoginWay =
  | { readonly kind: 'steps'; readonly steps: readonly LoginStep[] }
  | { readonly kind: 'module'; readonly run: LoginFunction };

export interface LoginFile {
  /** As the user named it. */
  readonly name: string;
  readonly way: LoginWay;
  /** The default time limit. */
  readonly timeout: Milliseconds;
  /** Values from the environment. */
  readonly secrets: readonly string[];
}

interface LoginFilePlace {
  readonly workingFolder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The URL at which the steps begin, unless the file names one. */
  readonly start: string;
}

/** The time limit of a step, unless it or the file says otherwise. */
const STEP_TIME = seconds(15);
const LONGEST_TIME = 600;
const FILE_LIMIT = 256 * 1024;
const MOST_STEPS = 100;
const LENGTH = 4000;

/** @throws {CrawlError} USAGE that names the file, the step and what would be accepted */
export async function readLoginFile(name: string, place: LoginFilePlace): Promise<LoginFile> {
  const path = resolve(place.workingFolder, name);
  if (/\.[cm]?js$/i.test(name))
    return { name, way: { kind: 'module', run: await readModule(name, path) }, timeout: STEP_TIME, secrets: [] };
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const why = systemCode(error) === 'ENOENT' ? 'there is no such file' : systemCode(error) || 'no reason given';
    throw refusal(name, `it cannot be read: ${why}`, 'Name a YAML file with steps, or a JavaScript module');
  });
  return readSteps(name, text, place);
}

async function readModule(name: string, path: string): Promise<LoginFunction> {
  const { default: run } = await loadModule(path, { option: 'login', value: name });
  if (!isFunction(run))
    throw refusal(name, 'its default export is no function', 'export default async ({ page, context }) => { … }');
  return run;
}

function isFunction(value: unknown): value is LoginFunction {
  return typeof value === 'function';
}

const text = z.string().min(1).max(LENGTH);
const time = z.number().positive().max(LONGEST_TIME);
const own = { timeout: time.optional() };
/** Fields of steps that look for an element: the page that it is on. */
const there = { ...own, at: text.optional() };
/** Steps by verb, so that an error names that step. */
const STEPS = {
  goto: z.strictObject({ goto: text, ...own }),
  fill: z.strictObject({ fill: text, with: text.optional(), totp: text.optional(), ...there }),
  click: z.strictObject({ click: text, ...there }),
  press: z.strictObject({ press: text, on: text.optional(), ...there }),
  wait: z.strictObject({
    wait: z.union([text, time, z.strictObject({ url: text })]),
    ...own,
  }),
} as const;
const VERBS = 'goto, fill, click, press or wait';

const schema = z.strictObject({
  url: text.optional(),
  timeout: time.optional(),
  steps: z.array(z.looseObject({})).min(1).max(MOST_STEPS),
});

function readSteps(name: string, content: string, place: LoginFilePlace): LoginFile {
  if (content.length > FILE_LIMIT) throw refusal(name, 'it is too long', `A file has at most ${FILE_LIMIT} bytes`);
  const document = parseDocument(content);
  const [fault] = document.errors;
  if (fault !== undefined) throw refusal(name, `it is no YAML: line ${fault.linePos?.[0].line ?? 0}`, 'Mend that line');
  const read = schema.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!read.success) throw refusal(name, issueWords(read.error), `It has "steps", a list; each is one of ${VERBS}`);
  const { url = place.start, timeout = STEP_TIME / 1000, steps } = read.data;
  const secrets: string[] = [];
  const env = environmentOf(place.variables, secrets);
  const begin = { name, env, base: place.start, timeout, number: 0 };
  const first = gotoOf(url, begin);
  const reading = { ...begin, base: first.url };
  const given = steps.map((step, index) => readStep(step, index + 1, reading));
  const start = { number: 0, words: `goto ${url}`, action: first, at: null, timeout: seconds(timeout) };
  const all = given[0]?.action.kind === 'goto' ? given : [start, ...given];
  return { name, way: { kind: 'steps', steps: all }, timeout: seconds(timeout), secrets };
}

interface StepReading {
  readonly name: string;
  /** Inserts the values of the environment. @throws a text that says which is missing */
  readonly env: (value: string) => string;
  readonly base: string;
  /** Seconds. */
  readonly timeout: number;
}

function readStep(step: object, number: number, reading: StepReading): LoginStep {
  const verbs = Object.keys(STEPS).filter((verb) => verb in step);
  const [verb] = verbs;
  const at = { ...reading, number };
  if (verb === undefined || verbs.length > 1)
    throw stepRefusal(at, 'it has no verb, or several', `A step is one of ${VERBS}`);
  const fields = parsedStep(step, verb, at);
  const limit = seconds(fields.timeout ?? reading.timeout);
  const glob = 'at' in fields && fields.at !== undefined ? withEnvironment(fields.at, at) : null;
  const fault = glob === null ? null : globFault(glob);
  if (fault !== null) throw stepRefusal(at, `the glob of "at" ${fault}`, EXAMPLES);
  return { number, timeout: limit, at: glob, ...actionOf(fields, at) };
}

type StepFields = { [Verb in keyof typeof STEPS]: z.infer<(typeof STEPS)[Verb]> }[keyof typeof STEPS];
type StepPlace = StepReading & { readonly number: number };

function parsedStep(step: object, verb: string, at: StepPlace): StepFields {
  const shape = Object.entries(STEPS).find(([name]) => name === verb)?.[1] ?? STEPS.goto;
  const read = shape.safeParse(step);
  if (read.success) return read.data;
  throw stepRefusal(at, issueWords(read.error), EXAMPLES);
}

function actionOf(fields: StepFields, at: StepPlace): Pick<LoginStep, 'words' | 'action'> {
  if ('goto' in fields) return { words: `goto ${fields.goto}`, action: gotoOf(fields.goto, at) };
  if ('click' in fields) {
    const selector = withEnvironment(fields.click, at);
    return { words: `click ${quoted(fields.click)}`, action: { kind: 'click', selector } };
  }
  if ('press' in fields) {
    const { press: key, on } = fields;
    const selector = on === undefined ? null : withEnvironment(on, at);
    return { words: `press ${key}`, action: { kind: 'press', key, selector } };
  }
  if ('fill' in fields) return { words: `fill ${quoted(fields.fill)}`, action: fillOf(fields, at) };
  return waitOf(fields, at);
}

function gotoOf(url: string, at: StepPlace): Extract<LoginAction, { kind: 'goto' }> {
  const resolved = parsedUrl(withEnvironment(url, at), at.base)?.href ?? '';
  if (webOrigin(resolved) === null) throw stepRefusal(at, `${quoted(url)} is no http(s) URL`, 'Give a whole URL');
  return { kind: 'goto', url: resolved };
}

function fillOf(fields: z.infer<typeof STEPS.fill>, at: StepPlace): LoginAction {
  const { with: value, totp: secret } = fields;
  const selector = withEnvironment(fields.fill, at);
  if ((value === undefined) === (secret === undefined))
    throw stepRefusal(at, 'it needs either "with" or "totp"', EXAMPLES);
  if (secret === undefined) return { kind: 'fill', selector, value: withEnvironment(value ?? '', at) };
  if (!REFERENCE.test(secret))
    throw stepRefusal(at, 'the secret of one-time passwords stands in the file', 'Write totp: ${env:NAME}');
  const read = readTotpSecret(withEnvironment(secret, at));
  if (read === null)
    throw stepRefusal(at, `the variable of ${secret} holds no secret`, 'It is base32, or an otpauth://totp/ URL');
  return { kind: 'totp', selector, secret: read };
}

function waitOf({ wait }: z.infer<typeof STEPS.wait>, at: StepPlace): Pick<LoginStep, 'words' | 'action'> {
  if (typeof wait === 'number') return { words: `wait ${wait} s`, action: { kind: 'wait-time', time: seconds(wait) } };
  if (typeof wait === 'string')
    return { words: `wait ${quoted(wait)}`, action: { kind: 'wait-for', selector: withEnvironment(wait, at) } };
  const glob = withEnvironment(wait.url, at);
  const fault = globFault(glob);
  if (fault !== null) throw stepRefusal(at, `the glob ${fault}`, EXAMPLES);
  return { words: `wait url ${quoted(wait.url)}`, action: { kind: 'wait-url', glob } };
}

const REFERENCE = /^\$\{env:\w+\}$/;

function withEnvironment(value: string, at: StepPlace): string {
  try {
    return at.env(value);
  } catch (error) {
    throw stepRefusal(
      at,
      error instanceof Error ? error.message : '',
      'Set it; the file names it, and no argument does',
    );
  }
}

/** @param secrets gets every value that is used, but for origins */
function environmentOf(variables: LoginFilePlace['variables'], secrets: string[]): (value: string) => string {
  return (value) =>
    value.replace(/\$\{env:(\w+)\}/g, (_all, variable: string) => {
      const found = variables[variable] ?? '';
      if (found === '') throw new Error(`the variable ${variable} is not set`);
      // the origin of a site stands in every line of the log
      if (webOrigin(found) === found.replace(/\/$/, '').toLowerCase()) return found;
      // a QR code's content holds the secret itself
      const [, secret = found] = /^otpauth:.*[?&]secret=([A-Z2-7]+)/i.exec(found) ?? [];
      secrets.push(...new Set([found, secret]));
      return found;
    });
}

const EXAMPLES =
  'As in { fill: "#password", with: "${env:PASSWORD}" }, { fill: "#code", totp: "${env:TOTP}" }, { click: "#send" }, { press: Enter, on: "#code" }, { wait: "#menu" }, { wait: 2 }, { wait: { url: "/home**" } }';

/** The first error, without a value. */
function issueWords({ issues }: z.ZodError): string {
  const [issue] = issues;
  const at = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  return `${at}${issue?.message ?? 'it is not accepted'}`;
}

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 200));
}

function stepRefusal({ name, number }: StepPlace, what: string, cure: string): CrawlError {
  return refusal(name, number === 0 ? what : `step ${number}: ${what}`, cure);
}

function refusal(name: string, what: string, cure: string): CrawlError {
  return new CrawlError('USAGE', `login: ${quoted(name)} is not accepted: ${what}\n${cure}.`, {
    data: { option: 'login' },
  });
}

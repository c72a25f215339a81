import { describe, expect, test } from 'vitest';
import { CrawlError } from '../../../src/base/errors.ts';
import { exitCodeOfError } from '../../../src/cli/exit-code.ts';
import { diagnoseConsent } from '../../../src/render/consent/diagnose-consent.ts';
import { loadConsentEngine } from '../../../src/render/consent/consent-engine.ts';
import { engineMessage } from '../../../src/render/consent/engine-message.ts';
import { CONSENT_MESSAGE_LENGTH } from '../../../src/render/limits/consent-limits.ts';

describe('the consent engine', () => {
  test.each([
    ['is not installed', () => Promise.reject(new Error('Cannot find module'))],
    ['has other rules', () => Promise.resolve({ version: '1', script: '', rules: [], evalSnippets: {} })],
  ])('that %s stops the program with the command that installs it', async (_what, load) => {
    const error: unknown = await loadConsentEngine(load).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CrawlError);
    expect(error).toMatchObject({
      code: 'PACKAGE_MISSING',
      message: expect.stringMatching(/\nInstall it: npm install @duckduckgo\/autoconsent@\d+\.\d+\.\d+$/),
    });
    expect(exitCodeOfError(error)).toBe(2);
  });

  test('that is missing makes a machine no less fit, and doctor names the command', async () => {
    const missing = await diagnoseConsent(() => loadConsentEngine(() => Promise.reject(new Error('gone'))));
    expect(missing).toMatchObject({ ok: true, cure: expect.stringMatching(/^npm install @duckduckgo/) });
    expect(await diagnoseConsent()).toMatchObject({ ok: true, cure: null });
  });

  test('gets the rules for all pages, and those that are made for the site', async () => {
    const engine = await loadConsentEngine();
    const namesAt = (url: string, isMain: boolean): readonly string[] =>
      (JSON.parse(engine.rulesFor(url, isMain)) as { name: string }[]).map(({ name }) => name);
    const anywhere = namesAt('https://example.org/', true);
    expect(anywhere).toContain('Adroll');
    expect(anywhere).not.toContain('coinbase');
    expect(anywhere).not.toContain('piano.io'); // for frames
    expect(namesAt('https://www.coinbase.com/prices', true)).toEqual(['coinbase', ...anywhere]);
    expect(namesAt(`https://example.org/?${'https://www.coinbase.com/'.repeat(10_000)}`, true)).toEqual(anywhere);
    expect(namesAt('https://example.org/', false)).toEqual(['cookiealert', 'piano.io']);
  });

  test('knows its snippets by their names, and nothing else by any', async () => {
    const engine = await loadConsentEngine();
    expect(engine.snippet('EVAL_COOKIEBOT_1')).toBe('() => !!window.Cookiebot');
    for (const name of ['constructor', 'toString', '__proto__', '()=>1', '']) expect(engine.snippet(name)).toBeNull();
  });

  test('has rules that hide, and rules that cannot accept', async () => {
    const engine = await loadConsentEngine();
    expect(engine.ruleOf('Adroll')).toEqual({ hides: false, accepts: true, sees: true });
    expect(engine.ruleOf('b-cookie')).toEqual({ hides: true, accepts: true, sees: true });
    expect(engine.ruleOf('wpcc')).toEqual({ hides: true, accepts: true, sees: false });
    expect(engine.ruleOf('Cookiebot')).toBeNull(); // a program
  });
});

describe('a message of the engine', () => {
  const read = (message: unknown): unknown => engineMessage(JSON.stringify(message));

  test('says what was found and done, and which question is to be asked, never with what code', () => {
    expect(read({ type: 'popupFound', cmp: 'Adroll', url: 'x' })).toEqual({ kind: 'found', name: 'Adroll' });
    expect(read({ type: 'optInResult', cmp: 'a', result: true })).toEqual({ kind: 'acted', done: true });
    expect(read({ type: 'autoconsentDone', isCosmetic: true })).toEqual({ kind: 'done', hides: true });
    expect(read({ type: 'report', state: { lifecycle: 'nothingDetected' } })).toEqual({ kind: 'nothing-found' });
    expect(read({ type: 'eval', id: '1', code: 'x', snippetId: 'EVAL_0' })).toEqual({
      kind: 'question',
      id: '1',
      snippet: 'EVAL_0',
    });
  });

  test.each([
    ['no JSON', '{'],
    ['no object', '"popupFound"'],
    ['of no known kind', '{"type":"asked"}'],
    ['of another shape', '{"type":"optOutResult","result":"yes"}'],
    ['a question without a name', '{"type":"eval","id":"1","code":"alert(1)"}'],
    ['a name that is none', JSON.stringify({ type: 'popupFound', cmp: 'x'.repeat(201) })],
    ['too long', JSON.stringify({ type: 'popupFound', cmp: 'x', url: 'u'.repeat(CONSENT_MESSAGE_LENGTH) })],
  ])('that is %s is none', (_what, payload) => {
    expect(engineMessage(payload)).toBeNull();
  });
});

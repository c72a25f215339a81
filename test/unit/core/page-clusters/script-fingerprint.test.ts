import { describe, expect, it } from 'vitest';
import {
  scriptFingerprint,
  scriptSkeleton,
  type ScriptTraits,
} from '../../../../src/core/page-clusters/script-fingerprint.ts';
import { processorTime } from '../../../support/processor-time.ts';

const NONE: ScriptTraits = { urls: [], inline: [], hooks: [] };
const inline = (...texts: readonly string[]): string => scriptFingerprint({ ...NONE, inline: texts });

describe('the fingerprint of a document', () => {
  it.each([
    ['strings', 'show("one")', "show('another one')"],
    ['figures', 'show(1, 2.5)', 'show(27, 0x1f)'],
    ['comments and white space', 'show(1) // now', '/* then */ show( 1 )'],
    ['the length of lists and records of data', 'let a = [1, 2, {x: "y"}];', 'let a = ["p", {x: 1}, {z: null}, [3]];'],
    ['template strings', 'f(`a`)', 'f(`b ${c}`)'],
  ])('is the same whatever the %s', (_what, one, other) => {
    expect(inline(one)).toBe(inline(other));
  });

  it.each([
    ['another function', 'show("one")', 'hide("one")'],
    ['another step', 'show(1)', 'show(1);show(2)'],
    ['a condition', 'show(a)', 'if(a)show(a)'],
  ])('is another with %s', (_what, one, other) => {
    expect(inline(one)).not.toBe(inline(other));
  });

  it('does not hang on the order of scripts, nor on the query of their URLs', () => {
    const one = { ...NONE, urls: ['http://a.test/a.js?v=1', 'http://a.test/b.js'] };
    const other = { ...NONE, urls: ['http://a.test/b.js', 'http://a.test/a.js?v=2'] };
    expect(scriptFingerprint(one)).toBe(scriptFingerprint(other));
    expect(scriptFingerprint({ ...NONE, urls: ['http://a.test/a.js'] })).not.toBe(scriptFingerprint(one));
  });

  it('is another where scripts find other things to work on', () => {
    expect(scriptFingerprint({ ...NONE, hooks: ['div#list'] })).not.toBe(
      scriptFingerprint({ ...NONE, hooks: ['div#map'] }),
    );
    expect(scriptFingerprint({ ...NONE, hooks: ['div#c12'] })).toBe(scriptFingerprint({ ...NONE, hooks: ['div#c7'] }));
  });

  it('is made in a moment of a script that is made to be slow', () => {
    const started = processorTime();
    for (const text of ['"\\"'.repeat(50_000), '/*'.repeat(100_000), '[""'.repeat(60_000), "'\n".repeat(60_000)])
      expect(scriptSkeleton(text).length).toBeLessThan(200_000);
    expect(processorTime() - started).toBeLessThan(1000);
  });
});

import { describe, expect, it } from 'vitest';
import { languageFault } from '../../../../src/core/audit-rules/language-tag.ts';

describe('a language tag', () => {
  it.each(
    'en de-AT pt-BR zh-CN zh-Hant zh-Hant-TW sr-Latn-RS es-419 no iw fil mul und zxx sl-rozaj de-CH-1996 en-US-u-hc-h12 de-x-house EN-us lld hyw azb aaa zzj LLD zh-yue zh-cmn-Hans-CN sgn-ase'.split(
      ' ',
    ),
  )('is good: %s', (tag) => {
    expect(languageFault(tag)).toBeNull();
  });

  it.each([
    ['english', 'it is no language tag'],
    ['en_US', 'it is no language tag'],
    ['', 'it is no language tag'],
    ['en-', 'it is no language tag'],
    ['xx', 'xx is no language'],
    ['zzz', 'zzz is no language'],
    ['zh-CHN', 'it is no language tag'],
    ['en-USA', 'it is no language tag'],
    ['a1b', 'it is no language tag'],
    ['en-UK', 'UK is no region; GB is meant'],
    ['de-QX', 'QX is no region'],
    [`en${'-abcde'.repeat(20)}`, 'it is no language tag'],
  ])('is none: %s', (tag, fault) => {
    expect(languageFault(tag)).toBe(fault);
  });
});

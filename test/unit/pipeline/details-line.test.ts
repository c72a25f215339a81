import { describe, expect, it } from 'vitest';
import { detailsLine } from '../../../src/pipeline/details-line.ts';
import { detailsText, readJournalText } from '../../../src/frontier/journal-text.ts';
import type { PageBehaviour, PageMessage } from '../../../src/model/page-details.ts';
import { pageOf } from '../../support/page.ts';

const NONE = { count: 0, first: [] };
const behaviour = (parts: Partial<PageBehaviour>): PageBehaviour => ({
  ...{ exceptions: NONE, consoleErrors: NONE, consoleWarnings: NONE, failed: NONE, cspViolations: NONE },
  ...{ deprecations: NONE, requests: {}, largest: [], uncompressed: NONE, uncached: NONE, scripts: NONE },
  ...{
    thirdParties: NONE,
    images: NONE,
    fonts: [],
    steadyImages: [],
    beforeConsent: null,
    cookies: NONE,
    storage: null,
    tls: null,
    ...parts,
  },
});
const message: PageMessage = { text: '☂'.repeat(500), source: `https://example.org/${'☂'.repeat(480)}` };
const messages = { count: 1234, first: Array.from({ length: 20 }, () => message) };

describe('the line of details of a page', () => {
  it('has the headers that audits go by, and no cookies', () => {
    const headers = [
      ['content-security-policy', "default-src 'self'"],
      ['set-cookie', 'session=secret'],
      ['x-powered-by', 'PHP'],
    ] as const;
    const line = detailsLine(pageOf('https://example.org/', { headers }));
    expect(JSON.parse(line)).toMatchObject({ headers: [['content-security-policy', "default-src 'self'"]] });
    expect(line).not.toContain('secret');
  });

  it('is at most 64 KiB long whatever the page made up: lists are cut, counts stay', () => {
    const line = detailsLine(
      pageOf('https://example.org/', {
        behaviour: behaviour({ exceptions: messages, consoleErrors: messages, deprecations: messages }),
      }),
    );
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(64 * 1024);
    const read: { behaviour: PageBehaviour } = JSON.parse(line);
    expect(read.behaviour.exceptions.count).toBe(1234);
    expect(read.behaviour.exceptions.first.length).toBeGreaterThan(0);
    expect(read.behaviour.exceptions.first.length).toBeLessThan(20);
  });

  it('says that its list of images is cut', () => {
    const steadyImages = Array.from({ length: 100 }, (_, at) => `https://example.org/${at}.png`);
    const read = (parts: Partial<PageBehaviour>): unknown =>
      JSON.parse(detailsLine(pageOf('https://example.org/', { behaviour: behaviour({ steadyImages, ...parts }) })));
    expect(read({})).not.toHaveProperty('behaviour.steadyImagesCut');
    expect(read({ exceptions: messages, consoleErrors: messages, deprecations: messages })).toHaveProperty(
      'behaviour.steadyImagesCut',
      true,
    );
  });

  it('passes the journal as it is, behind the lines of links', () => {
    const line = detailsLine(pageOf('https://example.org/', {}));
    const head = '{"page":null,"new":"10","skipped":[],"paid":0,"history":0}';
    const links = ['{"to":"a","new":false}', '{"to":"b","new":false}'];
    const entry = readJournalText([head, ...links].join('\n') + detailsText(line));
    expect(entry.details).toBe(line);
    expect(entry.links).toEqual(['{"to":"a","new":true}', '{"to":"b","new":false}']);
    expect(readJournalText([head, ...links].join('\n') + detailsText(undefined))).not.toHaveProperty('details');
  });
});

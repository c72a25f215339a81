import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LinkRecord } from '../../../src/model/record.ts';
import { storeCrawl } from '../../support/stored-crawl.ts';
import { runFake } from './fake-shell.ts';

test('orbweaver explain gives the command that goes on with the crawl, as one may paste it', async () => {
  const link: LinkRecord = {
    from: 'https://example.org/',
    to: 'https://example.org/a',
    href: '/a',
    kind: 'anchor',
    confidence: 'high',
    context: 'a[href]',
    stage: 'load',
    frame: null,
    text: 'A',
    rel: [],
    new: true,
  };
  const state = { state: 'interrupted', end: 'interrupted' };
  await using crawl = await storeCrawl({ crawl: state, links: [link] });
  await rename(crawl.folder, join(crawl.base, 'my site'));
  const { code, shell } = await runFake({ words: ['explain', 'my site', '/a'], workingFolder: crawl.base });
  expect(code).toBe(0);
  expect(shell.outputText).toContain("orbweaver resume './my site'");
});

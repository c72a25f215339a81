import { expect, test } from 'vitest';
import { issuerNote } from '../../../src/crawl/summary/issuer-note.ts';

const failed = (why: string) => ({ url: 'https://a.test/', why, referrer: null });

test.each([
  ['robots.txt: unable to verify the first certificate', /^https:\/\/a\.test .*NODE_EXTRA_CA_CERTS=<file>/],
  ['self-signed certificate', /NODE_EXTRA_CA_CERTS=<file>/],
  ['net::ERR_CERT_AUTHORITY_INVALID', /^the browser .*--snapshot html,text,warc/],
])('a failure with "%s" has a note with the cure', (why, words) => {
  expect(issuerNote([failed('status 500'), failed(why)])).toMatch(words);
});

test('other failures have none', () => {
  expect(issuerNote([])).toBeNull();
  expect(issuerNote([failed('status 500'), failed('certificate has expired')])).toBeNull();
});

import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { seconds } from '../../../src/base/units.ts';
import { mayHoldLinks } from '../../../src/core/links/catalogue.ts';
import { openEgress } from '../../../src/egress/open-egress.ts';
import { VisitDocuments } from '../../../src/fetch/visit-documents.ts';
import { NO_USER_HEADERS } from '../../../src/model/user-headers.ts';
import { httpOrigin } from '../../support/origin.ts';
import { visitOf } from '../../support/page.ts';

const OPTIONS = {
  userAgent: 'Test/1',
  pageTimeout: seconds(10),
  settleTimeout: seconds(10),
  extraHeaders: NO_USER_HEADERS,
  wantsFile: mayHoldLinks,
};

describe('an answer without a type', () => {
  it.each([
    ['a text', '/README', 'see https://a.test/', 'text/plain', true],
    ['a sitemap', '/sitemap.xml', '<?xml version="1.0"?><urlset/>', 'text/xml', true],
    ['a program', '/tool.rom', '\0\x01\x02', 'application/octet-stream', false],
  ])('is a file where it is %s', async (_what, path, body, contentType, isRead) => {
    await using origin = await httpOrigin((_request, response) => response.end(body));
    await using egress = await openEgress(
      {
        grants: [{ cidr: '127.0.0.1', port: origin.port }],
        closedPorts: [],
        connectTimeout: seconds(5),
        resolveTimeout: seconds(5),
      },
      { log: silentLog },
    );
    const documents = new VisitDocuments(OPTIONS, { egress, clock: systemClock });
    const got = await documents.document(
      visitOf(`http://127.0.0.1:${origin.port}${path}`),
      new AbortController().signal,
    );
    if (got.kind !== 'outcome' || got.outcome.kind !== 'not-html') throw new Error(JSON.stringify(got));
    const read = got.outcome.body === undefined ? null : Buffer.from(got.outcome.body.bytes).toString();
    expect([got.outcome.answer.contentType, read]).toEqual([contentType, isRead ? body : null]);
  });
});

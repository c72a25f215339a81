import { parsedUrl } from '../../base/parsed-url.ts';
import { sizeWords } from '../../base/size-words.ts';
import type { PageRule } from '../../model/audit-rule.ts';
import { hasServerHeaders, responseHeader } from './response-header.ts';

/** Bytes: a text that fits into a packet takes as long either way. */
const PACKET = 1400;

export const uncompressedText: PageRule = {
  id: 'uncompressed-text',
  severity: 'notice',
  category: 'weight',
  about: 'site',
  needsDetails: true,
  needsServer: true,
  title: 'Text that is sent unpacked',
  why: 'Markup, scripts and sheets shrink to a quarter when the server packs them.',
  fix: 'Switch on gzip or Brotli for texts in the server.',
  source: {
    name: 'RFC 9110, section 8.4: Content-Encoding',
    url: 'https://www.rfc-editor.org/rfc/rfc9110.html#section-8.4',
  },
  *checkPage(page) {
    const { details, isFromServer, bytes } = page;
    if (!isFromServer || details === null) return;
    if (hasServerHeaders(page) && responseHeader(page, 'content-encoding') === null && (bytes ?? 0) > PACKET)
      yield { thing: 'documents', message: `Documents are sent unpacked: ${page.url} has ${sizeWords(bytes ?? 0)}` };
    for (const { url, type, decoded } of details.behaviour?.uncompressed.first ?? []) {
      // the answers to scripts are of one server, and may have as many addresses as there are pages
      const thing = type === 'xhr' || type === 'fetch' ? `answers of ${parsedUrl(url)?.origin ?? ''}/` : url;
      yield { thing, target: url, isBuilt: true, message: `${url} (${type}) is sent unpacked: ${sizeWords(decoded)}` };
    }
  },
};

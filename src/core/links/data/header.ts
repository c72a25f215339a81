/** Links that stand in the headers of an answer. */
import { parsedUrl } from '../../../base/parsed-url.ts';
import type { LinkKind } from '../../../model/link-kinds.ts';
import type { FoundLink } from '../../../model/link.ts';
import type { Headers } from '../../../model/page.ts';
import { isForPrograms, namesPage } from '../page-link.ts';
import { assignedEndpoint, groupedEndpoints, namedEndpoints, policyEndpoints } from './report-endpoints.ts';

/** A header that names more is not meant for readers. */
const LINKS_PER_HEADER = 1000;

/**
 * Link (RFC 8288), Refresh and Content-Location. A `resource`: a Link to a part of the page, a report endpoint, the variant of the page that a
 * server chose. @param base URL of the answer
 */
export function headerLinks(headers: Headers, base: string): readonly FoundLink[] {
  const links: FoundLink[] = [];
  for (const [name, value] of headers) {
    if (name === 'link') links.push(...linkHeader(value, base));
    else if (name === 'refresh') {
      const href = refreshHeaderTarget(value);
      if (href !== null) links.push(foundLink(href, base, { kind: 'header', context: 'Refresh' }));
    } else if (name === 'content-location' && value.trim() !== '') {
      const kind = isVariant(value.trim(), base) ? 'resource' : 'header';
      links.push(foundLink(value.trim(), base, { kind, context: 'Content-Location' }));
    } else {
      for (const href of reportEndpoints(name, value))
        links.push(foundLink(href, base, { kind: 'resource', context: name }));
    }
  }
  return links;
}

/**
 * Does a Content-Location name the file that the server chose for this answer (RFC 9110, section 8.7): `/a.html.en` for `/a.html` or `/a`,
 * `/b/index.html.en` for `/b/`? A visit would double each page of a server that negotiates.
 */
function isVariant(location: string, base: string): boolean {
  const [own, chosen] = [parsedUrl(base), parsedUrl(location, base)];
  if (own === null || chosen === null || own.origin !== chosen.origin) return false;
  const at = own.pathname.lastIndexOf('/') + 1;
  const [name, file] = [own.pathname.slice(at), chosen.pathname.slice(at)];
  if (!chosen.pathname.startsWith(own.pathname.slice(0, at)) || file.includes('/')) return false;
  return name === ''
    ? /^(?:index|default)\./i.test(file)
    : file !== name && file.startsWith(`${name.split('.', 1)[0]}.`);
}

/** The addresses to which a header lets the browser send its reports. @param name in lower case */
function reportEndpoints(name: string, value: string): readonly string[] {
  switch (name) {
    case 'content-security-policy':
    case 'content-security-policy-report-only':
      return policyEndpoints(value);
    case 'reporting-endpoints':
      return namedEndpoints(value);
    case 'report-to':
      return groupedEndpoints(value);
    case 'expect-ct':
    case 'public-key-pins':
    case 'public-key-pins-report-only':
    case 'x-xss-protection': {
      const endpoint = assignedEndpoint(value);
      return endpoint === null ? [] : [endpoint];
    }
    default:
      return [];
  }
}

/** The target of a refresh, in a header or a meta element: `5; url='/next'`. null where it only reloads. */
export function refreshHeaderTarget(content: string): string | null {
  const match = /^\s*(?:\d+(?:\.\d*)?|\.\d+)\s*[;,\s]\s*(?:url\s*=\s*)?(.*)$/is.exec(content.slice(0, 4096));
  const text = match?.[1]?.trim() ?? '';
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text === '' ? null : text;
  const end = text.indexOf(quote, 1);
  const quoted = end === -1 ? text.slice(1) : text.slice(1, end);
  return quoted === '' ? null : quoted;
}

function* linkHeader(value: string, base: string): Generator<FoundLink> {
  let count = 0;
  for (const { target, parameters } of linkValues(value)) {
    count += 1;
    if (count > LINKS_PER_HEADER) return;
    const rel = (parameters.get('rel') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((token) => token !== '');
    if (rel.length === 0 || target === '' || parameters.has('anchor')) continue; // a link from another page
    const text = (parameters.get('title') ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 200);
    const kind = namesPage(rel) && !isForPrograms(parameters.get('type') ?? '') ? 'header' : 'resource';
    yield { ...foundLink(target, base, { kind, context: `Link;rel=${rel.join(' ')}`.slice(0, 100) }), rel, text };
  }
}

interface LinkValue {
  readonly target: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Sticky patterns, each anchored where the last one ended: a comma in a target or a quoted string separates nothing. */
function* linkValues(value: string): Generator<LinkValue> {
  const start = /[\s,]*<([^>]*)>/y;
  const parameter = /\s*;\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;
  let position = 0;
  for (;;) {
    start.lastIndex = position;
    const parts = start.exec(value);
    if (parts === null) return;
    position = start.lastIndex;
    const parameters = new Map<string, string>();
    for (;;) {
      parameter.lastIndex = position;
      const next = parameter.exec(value);
      if (next === null) break;
      position = parameter.lastIndex;
      const name = (next[1] ?? '').toLowerCase();
      if (!parameters.has(name)) parameters.set(name, next[2]?.replaceAll(/\\(.)/g, '$1') ?? next[3] ?? '');
    }
    yield { target: (parts[1] ?? '').trim(), parameters };
    const comma = value.indexOf(',', position);
    if (comma === -1) return;
    position = comma;
  }
}

function foundLink(href: string, base: string, { kind, context }: { kind: LinkKind; context: string }): FoundLink {
  return {
    href,
    base,
    resolved: null,
    kind,
    confidence: 'high',
    context,
    stage: 'load',
    frame: null,
    text: '',
    rel: [],
  };
}

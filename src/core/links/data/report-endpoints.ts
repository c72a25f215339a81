/** Endpoints for the reports of a browser: addresses in policies, which are never visited. */
import { parsedJson } from '../../../base/safe-json.ts';

/** Endpoints kept of one policy. */
const LIMIT = 50;
const LENGTH = 16_384;

/** `report-uri` of a content security policy (CSP Level 3, section 6.5.1): addresses separated by white space. */
export function policyEndpoints(policy: string): readonly string[] {
  const found: string[] = [];
  for (const directive of policy.slice(0, LENGTH).split(/[;,]/)) {
    const [name = '', ...values] = directive.trim().split(/\s+/);
    if (name.toLowerCase() === 'report-uri') found.push(...values.filter(isAddress));
  }
  return found.slice(0, LIMIT);
}

/** Members of a structured dictionary: `main="/reports", other="https://example.org/r"` (Reporting API, section 3.2). */
export function namedEndpoints(value: string): readonly string[] {
  return [...value.slice(0, LENGTH).matchAll(/(?:^|,)\s*[\w*.-]{1,100}\s*=\s*"([^"]{1,2048})"/g)]
    .map(([, href = '']) => href.trim())
    .filter(isAddress)
    .slice(0, LIMIT);
}

/** Groups of endpoints in JSON, one behind the other (Reporting API of 2018, section 3.1). */
export function groupedEndpoints(value: string): readonly string[] {
  const groups: unknown = parsedJson(`[${value.slice(0, LENGTH)}]`);
  if (!Array.isArray(groups)) return [];
  return groups
    .flatMap((group: unknown): readonly unknown[] => listOf(fieldOf(group, 'endpoints')))
    .map((endpoint) => fieldOf(endpoint, 'url'))
    .filter((url): url is string => typeof url === 'string' && isAddress(url))
    .slice(0, LIMIT);
}

/** The endpoint in older headers: `report-uri="/pins"`, `1; report=/xss`. */
export function assignedEndpoint(value: string): string | null {
  const match = /(?:^|[;,\s])report(?:-uri)?\s*=\s*(?:"([^"]{1,2048})"|([^\s;,"]{1,2048}))/i.exec(
    value.slice(0, LENGTH),
  );
  const href = (match?.[1] ?? match?.[2] ?? '').trim();
  return isAddress(href) ? href : null;
}

/** Is it absolute, or relative to the root or to its place? A group's name is not. */
function isAddress(text: string): boolean {
  return text.length <= 2048 && /^(?:https?:\/\/[^\s/]|\.{0,2}\/)[^\s<>"]*$/i.test(text);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

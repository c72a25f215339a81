/** Facts of a JSON file about itself: feeds, manifests of apps, and any file with a title. */
import { parsedJson } from '../../base/safe-json.ts';

interface DataFacts {
  readonly title: string | null;
  readonly description: string | null;
  readonly lang: string | null;
}

const FIELD_LIMIT = 1000;
const NOTHING: DataFacts = { title: null, description: null, lang: null };

/** @param text of one JSON value; any other text gives no facts */
export function dataFacts(text: string): DataFacts {
  const value = parsedJson(text.replace(/^\uFEFF/, ''));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOTHING;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return {
    title: field(fields, ['title', 'name', 'short_name']),
    description: field(fields, ['description', 'summary']),
    lang: field(fields, ['lang', 'language']),
  };
}

function field(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : null;
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, FIELD_LIMIT);
  }
  return null;
}

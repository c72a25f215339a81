/** Finds links in `data-*` attributes, by their names and values. */
import { parsedJson } from '../../../base/safe-json.ts';
import type { RawLink } from '../../../model/page-facts.ts';
import { jsonTexts } from '../data/json-texts.ts';
import { rawLink } from '../raw-link.ts';
import {
  actsByName,
  beginsAsReference,
  isNoReference,
  isPlainPath,
  isWebUrl,
  readsAsReference,
} from '../texts/reference-text.ts';
import { srcsetUrls } from './srcset.ts';
import { isAssetName } from '../texts/url-text.ts';

const JSON_LENGTH = 200_000;
const JSON_LINKS = 200;

/** Words of names: of files that are shown, and of targets of links. */
const SHOWN =
  /(?:^|[-_.:])(?:src|srcset|lazy|lazysrc|lazyload|bg|background|poster|img|image|images|thumb|thumbnail|icon|photo|picture|original|hires|retina|zoom|video|audio|mp4|webm|media|sprite|avatar|logo|echo|parallax|flickity)(?:$|[-_.:\d])|(?:src|srcset|image|img|poster|thumb|background)$/;
const GONE_TO =
  /(?:^|[-_.:])(?:href|hrefs|url|urls|link|links|to|permalink|route|path|pathname|uri|page|goto|go|location|redirect|next|prev|previous|target|remote|pjax|load|fetch|visit|ajax|navigate|destination|dest|share|canonical|clickthrough|click)$|(?:href|url|uri|permalink|link)$/;
/** Names of paths, which may be those of a file, of a tree's node, or of an operation of an API: Swagger UI has `data-path="/pets"`. */
const PLACED = /(?:^|[-_.:])path(?:name)?$/;
/**
 * Elements that nobody clicks: they tell scripts what the page is made of (Docsify has `<body data-page="/guide/custom.md">`), what to ask
 * for while a form is filled in (Redmine has `<form data-cm-url="/issues/context_menu">`), and where their files are (Stencil has
 * `<script data-resources-url="/build/">`).
 */
const UNCLICKED: ReadonlySet<string> = new Set(
  'html body form select textarea script link meta style template'.split(' '),
);
/** Names of attributes whose addresses take data or measure: no pages, whatever they answer. */
const SENT_TO =
  /(?:^|[-_.:])(?:post|delete|destroy|remove|logout|signout|vote|like|unlike|follow|unfollow|buy|cart|save|update|create|submit|upload|track|tracking|beacon|ping|csrf|api|endpoint|action|ws|websocket|socket|stream)(?:$|[-_.:])/;

/** @param name in lower case, `data-` included */
export function dataLinks(element: string, name: string, value: string): readonly RawLink[] {
  const text = value.trim();
  if (text.length < 2 && text !== '/') return [];
  const first = text[0];
  const key = name.slice(5);
  const context = `${element}/@${name}`;
  if (first === '{' || first === '[') return jsonLinks(text, context);
  if (!/[/.?#]/.test(text)) return [];
  if (SHOWN.test(key)) return shown({ element, key, text, context });
  if (isNoReference(text) && !/^#!?\//.test(text)) return [];
  if (SENT_TO.test(key) && beginsAsReference(text)) return [rawLink(text, 'resource', context, 'low')];
  if (GONE_TO.test(key) && readsAsReference(text)) return [goneTo(element, key, text)];
  if (!isWebUrl(text) && !isPlainPath(text)) return [];
  return [rawLink(text, isAssetName(text) || actsByName(text) ? 'resource' : 'attribute', context, 'low')];
}

function goneTo(element: string, key: string, text: string): RawLink {
  const context = `${element}/@data-${key}`;
  if (isAssetName(text)) return rawLink(text, 'resource', context);
  // a script may send something to `data-url`; an attribute named a link is one
  if (actsByName(text) && !/(?:href|link|page)$/.test(key)) return rawLink(text, 'resource', context, 'low');
  return rawLink(text, 'attribute', context, PLACED.test(key) || UNCLICKED.has(element) ? 'low' : undefined);
}

interface Shown {
  readonly element: string;
  readonly key: string;
  readonly text: string;
  readonly context: string;
}

function shown({ element, key, text, context }: Shown): readonly RawLink[] {
  if (/srcset/.test(key))
    return srcsetUrls(text)
      .filter(isPart)
      .map((url) => rawLink(url, 'resource', context));
  // a frame that waits for its turn, or for consent: `<iframe data-src="/map">`
  if ((element === 'iframe' && key.endsWith('src')) || /iframe(?:-?src)?$/.test(key))
    return readsAsReference(text) && !isNoReference(text) ? [rawLink(text, 'frame', context)] : [];
  const url = addressInStyle(text) ?? text;
  return isPart(url) ? [rawLink(url, 'resource', context)] : [];
}

/** The content of `url(…)` at the beginning of a text, with quotes or without. */
function addressInStyle(text: string): string | null {
  if (!/^url\(/i.test(text)) return null;
  const rest = text.slice(4).trimStart();
  const begin = rest[0] === '"' || rest[0] === "'" ? 1 : 0;
  const end = rest.slice(begin).search(/["')]/) + begin;
  if (end <= begin) return null;
  const behind = rest[end] === ')' ? rest.slice(end) : rest.slice(end + 1).trimStart();
  return behind.startsWith(')') ? rest.slice(begin, end) : null;
}

/** Pictures are named with or without a path; `a.jpg`, but not `1.5` or `lazy`. */
function isPart(text: string): boolean {
  return !isNoReference(text) && (beginsAsReference(text) || (isAssetName(text) && !/\s/.test(text)));
}

/** Properties and states that components keep in their markup. */
function jsonLinks(text: string, context: string): readonly RawLink[] {
  if (text.length > JSON_LENGTH || !text.includes('/')) return [];
  const value = parsedJson(text);
  if (value === undefined) return [];
  const found = new Set<string>();
  for (const { text: string } of jsonTexts(value)) {
    if ((isWebUrl(string) || isPlainPath(string)) && !isAssetName(string)) found.add(string);
    if (found.size >= JSON_LINKS) break;
  }
  return [...found].map((href) => rawLink(href, actsByName(href) ? 'resource' : 'attribute', context, 'low'));
}

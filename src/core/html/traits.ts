/** The parts of a document that could change it once a browser shows it, and the elements on which they would work. */
import { parsedUrl } from '../../base/parsed-url.ts';
import { textOf, type HtmlElement } from './tree.ts';

export interface DocumentTraits {
  /** URLs of scripts, absolute. */
  readonly urls: readonly string[];
  /** Texts of inline scripts, handlers and `javascript:` URLs. */
  readonly inline: readonly string[];
  /** Names that scripts look for: custom elements, attributes of frameworks, `data-` attributes, empty elements with an id. */
  readonly hooks: readonly string[];
  /**
   * Names by which scripts find elements, each once, figures as `0`: `.` and a class, `#` and an id (of a headline `h#`), `<` and the name
   * of an element. At most 1,000.
   */
  readonly names: readonly string[];
  /** Frames, other documents in this one, a refresh, shadow trees: they bring content that is not in this document's markup. */
  readonly embeds: boolean;
}

const FRAMES: ReadonlySet<string> = new Set('iframe frame object embed applet portal fencedframe frameset'.split(' '));
/** Elements on which an application is mounted, or into which a list is filled. */
const MOUNTS: ReadonlySet<string> = new Set(
  'div section main ul ol dl nav aside article table tbody select'.split(' '),
);
/** Attributes that scripts look for: `data-`, and those of htmx, Alpine, Vue, AngularJS, Livewire, Unpoly and Phoenix. */
const HOOK = /^(?:data-|hx-|x-|v-|ng-|wire:|up-|phx-|[:@])/;
const HEADLINE = /^h[1-6]$/;
const BY_ITSELF = /\b(?:load|revealed|intersect|every)\b/;
const HOOK_LIMIT = 500;
const NAME_LIMIT = 1000;
/** Characters of a name that count. */
const NAME_LENGTH = 60;
const TEXT_LIMIT = 512 * 1024;
const [SPACE, SMALL_J, CAPITAL_J] = [0x20, 0x6a, 0x4a];
const NONE: readonly string[] = [];

/** @param elements those of the document, and declarative shadow trees */
export function traitsOf(elements: readonly HtmlElement[], base: string): DocumentTraits {
  const urls: string[] = [];
  const inline: string[] = [];
  const hooks = new Set<string>();
  const names = new Set<string>();
  const namesOf = newNames();
  let embeds = false;
  let size = 0;
  const add = (text: string): void => {
    if (size < TEXT_LIMIT && /\S/.test(text)) inline.push(text);
    size += text.length;
  };
  for (const element of elements) {
    const { name, attributes } = element;
    embeds ||= isEmbedded(element);
    if (names.size < NAME_LIMIT) for (const each of namesOf(element)) names.add(each);
    if (name === 'script' && isProgram(element)) {
      const src = attributes.get('src') ?? attributes.get('href') ?? attributes.get('xlink:href');
      if (src === undefined) add(textOf(element));
      else {
        const program = parsedUrl(src, base);
        if (program !== null) urls.push(program.href);
      }
    }
    for (const key of attributes.names) {
      const value = attributes.get(key) ?? '';
      if (key.startsWith('on')) add(`${key}=${value}`);
      else if (isCode(value)) add(value);
      if (hooks.size < HOOK_LIMIT && HOOK.test(key)) hooks.add(hookOf(key, value));
    }
    if (hooks.size < HOOK_LIMIT) for (const hook of hooksOf(element)) hooks.add(hook);
  }
  return { urls, inline, hooks: [...hooks], names: [...names].slice(0, NAME_LIMIT), embeds };
}

/** May a browser find more in this document than its markup holds? */
export function canChange({ urls, inline, embeds }: DocumentTraits): boolean {
  return embeds || urls.length > 0 || inline.length > 0;
}

/** Gives those names of an element that no earlier element had: most elements of a document share their names with another. */
function newNames(): (element: HtmlElement) => readonly string[] {
  const elements = new Set<string>();
  const classLists = new Set<string>();
  return ({ name, attributes }) => {
    const id = attributes.get('id') ?? '';
    const list = attributes.get('class') ?? '';
    const isKnown = elements.has(name) && (list === '' || classLists.has(list));
    if (isKnown && id === '') return NONE;
    elements.add(name);
    classLists.add(list);
    const classes = isKnown ? NONE : (list.slice(0, NAME_LIMIT * NAME_LENGTH).match(/\S+/g) ?? NONE);
    const ids = id === '' ? NONE : [HEADLINE.test(name) ? `h#${id}` : `#${id}`];
    const names = [`<${name}`, ...ids, ...classes.map((each) => `.${each}`)];
    return names.map(withoutFigures);
  };
}

/** Figures in names belong to a single page. */
function withoutFigures(name: string): string {
  return name.slice(0, NAME_LENGTH).replaceAll(/\d+/g, '0');
}

function isEmbedded({ name, namespace, attributes }: HtmlElement): boolean {
  if (FRAMES.has(name)) return true;
  if (namespace !== 'html') return false;
  if (name === 'meta') return attributes.get('http-equiv')?.trim().toLowerCase() === 'refresh';
  return name === 'template' && attributes.has('shadowrootmode');
}

/** Data in a script element runs nowhere. */
export function isProgram({ attributes }: HtmlElement): boolean {
  const type = (attributes.get('type') ?? attributes.get('language') ?? '').trim().toLowerCase();
  return type === '' || type === 'module' || /(?:java|ecma|live|j)script/.test(type);
}

/** An attribute by its name. Of those with which htmx says when it loads something also whether that is without the reader. */
function hookOf(key: string, value: string): string {
  return key.endsWith('hx-trigger') && BY_ITSELF.test(value) ? `${key}=load` : key;
}

function isCode(value: string): boolean {
  const first = value.charCodeAt(0);
  // the first letter of most values shows that they are none
  return (first <= SPACE || first === SMALL_J || first === CAPITAL_J) && isCodeAddress(value);
}

function isCodeAddress(value: string): boolean {
  return value.length > 10 && /^[\0-\x20]*j[\t\n\r]*a[\t\n\r]*v[\t\n\r]*a[\t\n\r]*s/i.test(value.slice(0, 40));
}

function hooksOf({ name, namespace, attributes, children }: HtmlElement): readonly string[] {
  if (namespace !== 'html') return NONE;
  if (name.includes('-')) return [name];
  if (!MOUNTS.has(name) || children.some((child) => child.kind === 'element')) return NONE;
  if (children.some((child) => child.kind === 'text' && /\S/.test(child.data))) return NONE;
  const id = attributes.get('id');
  return [`${name}#${id ?? ''}.${attributes.get('class') ?? ''}`];
}

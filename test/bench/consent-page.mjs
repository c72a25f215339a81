// Builds the page that a rule of the consent engine expects: elements for its selectors, in the browser.

/** The steps that must succeed in sequence, with conditions and alternatives resolved to their first branch. */
function flat(steps = []) {
  return steps.flatMap((step) => {
    if (step.negated || step.optional || step.check === 'none') return [];
    if (step.any) return flat(step.any.slice(0, 1));
    if (step.if) return [step.if, ...flat(step.then)];
    return [step];
  });
}

const LOOKS = ['exists', 'visible', 'waitFor', 'waitForVisible'];
const CLICKS = ['click', 'waitForThenClick'];
const selectors = (steps, kinds) => steps.flatMap((step) => kinds.flatMap((kind) => (step[kind] ? [step[kind]] : [])));

/** The elements that a page needs to try a rule with `optOut` or `optIn`; `why` is the reason if no page can be made, else null. */
export function planPage(rule, action) {
  const detect = [...flat(rule.detectCmp), ...flat(rule.detectPopup)];
  const act = flat(rule[action]);
  if (act.length === 0) return { why: 'has no steps' };
  if (rule.runContext?.main === false) return { why: 'is for frames' };
  if (detect.some((step) => step.eval || step.cookieContains)) return { why: 'asks scripts or cookies of the page' };
  if (act.some((step) => step.eval)) return { why: 'asks scripts or cookies of the page' };
  const elements = [...selectors(detect, LOOKS), ...selectors(act, [...LOOKS, ...CLICKS])];
  if (
    elements
      .flat()
      .some((text) => /xpath\/|:has\(|:is\(|:where\(|:nth-(?!child\(\d+\))|:last|:first|:only|\\/.test(text))
  )
    return { why: 'has selectors that this program builds nothing for' };
  const last = selectors(act, CLICKS).at(-1) ?? null;
  return { why: null, elements, last, cosmetic: rule.cosmetic === true };
}

/** Runs in the page: builds the elements, and removes them at the click on the rule's last button. */
export function build({ elements, last }) {
  const VOID = new Set(['input', 'img', 'link', 'meta', 'script']);
  const root = document.body.appendChild(document.createElement('div'));
  const firstOf = (text) => {
    let depth = 0;
    for (let at = 0; at < text.length; at++) {
      if ('[('.includes(text[at])) depth += 1;
      if ('])'.includes(text[at])) depth -= 1;
      if (text[at] === ',' && depth === 0) return text.slice(0, at).trim();
    }
    return text.trim();
  };
  /** Makes an element for `div#a.b[c="d"]`; leaves out `:not(…)` and other pseudo-classes. */
  const make = (compound) => {
    const plain = compound.replace(/:not\([^)]*\)/g, '').replace(/:{1,2}[\w-]+(\([^)]*\))?/g, '');
    const attributes = [
      ...plain.matchAll(/\[\s*([\w:-]+)\s*(?:[~|^$*]?=\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]*)))?(?:\s+[is])?\s*\]/g),
    ];
    const rest = plain.replace(/\[[^\]]*\]/g, '');
    const tag = /^[a-z][\w-]*/i.exec(rest)?.[0] ?? 'div';
    const element = document.createElement(tag);
    for (const [, id] of rest.matchAll(/#([\w-]+)/g)) element.id = id;
    for (const [, name] of rest.matchAll(/\.([\w-]+)/g)) element.classList.add(name);
    for (const [, name, one, two, three] of attributes) {
      const value = one ?? two ?? three ?? '';
      if (name === 'class') element.className += ` ${value}`;
      else element.setAttribute(name, value);
    }
    if (tag === 'dialog') element.setAttribute('open', '');
    if (!VOID.has(tag)) element.append('words');
    return element;
  };
  const add = (text, scope, under) => {
    const selector = firstOf(text);
    const there = scope.querySelector(selector);
    if (there) return there;
    // compounds, each with the combinator before it
    const parts = selector.replace(/\s*([>+~])\s*(?![^[]*\])/g, ' $1').split(/\s+(?![^[(]*[\])])/);
    let parent = under;
    for (let at = 0; at < parts.length; at++) {
      const known = parts.slice(0, at + 1).join(' ');
      const found = scope.querySelector(known);
      if (found) parent = found;
      else {
        const element = make(parts[at].replace(/^[>+~]/, ''));
        const place = Number(/:nth-child\((\d+)\)/.exec(parts[at])?.[1] ?? 0);
        while (place > parent.childElementCount + 1) parent.append(document.createElement('i'));
        if (/^[+~]/.test(parts[at])) parent.after(element);
        else if (place > 0) parent.insertBefore(element, parent.children[place - 1] ?? null);
        else parent.append(element);
        parent = element;
      }
    }
    return scope.querySelector(selector);
  };
  const place = (target) => {
    let scope = document;
    let under = root;
    let element = null;
    for (const [index, text] of [target].flat().entries()) {
      element = add(text, scope, under);
      if (element === null) return null;
      if (index < [target].flat().length - 1) {
        scope = element.shadowRoot ?? element.contentDocument ?? element.attachShadow({ mode: 'open' });
        under = scope.body ?? scope;
      }
    }
    return element;
  };
  const placed = elements.map(place);
  const button = last === null ? null : place(last);
  if (placed.includes(null) || (last !== null && button === null)) document.title = 'not built';
  button?.addEventListener('click', () => {
    document.body.replaceChildren('answered');
    document.title = 'answered';
  });
}

/** Lists the boxes of elements, so that a part of a picture can be named. */
import { BOXES_KEPT, SELECTOR_LENGTH, type ElementBox } from '../../../src/model/page-pictures.ts';
import { attribute, localNameOf, select } from '../safe-dom.ts';

/** Elements that are looked at. */
const ELEMENTS = 10_000;
/** Shortest side in pixels; smaller elements name nothing. */
const LEAST_SIDE = 4;
/** Steps of a selector, from the element up. */
const STEPS = 5;
/** Siblings that are counted. */
const SIBLINGS = 200;
const NAME = /^[A-Za-z][\w-]{0,63}$/;

const { getBoundingClientRect } = Element.prototype;
const parentOf = getter<Element | null>(Node.prototype, 'parentElement');
const previousOf = getter<Element | null>(Element.prototype, 'previousElementSibling');

function getter<Value>(prototype: object, name: string): (node: object) => Value {
  const read = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (node) => read?.call(node);
}

/** Boxes in the order of the document; very small ones are left out. */
export function elementBoxes(): readonly ElementBox[] {
  const boxes: ElementBox[] = [];
  const elements = select(document, 'body, body *');
  const most = Math.min(ELEMENTS, elements.length);
  for (let index = 0; index < most && boxes.length < BOXES_KEPT; index++) {
    const element = elements[index];
    if (element === undefined) continue;
    const { x, y, width, height } = getBoundingClientRect.call(element);
    if (width < LEAST_SIDE || height < LEAST_SIDE) continue;
    const box = { x: Math.floor(x), y: Math.floor(y), width: Math.ceil(width), height: Math.ceil(height) };
    boxes.push({ selector: selectorOf(element).slice(0, SELECTOR_LENGTH), ...box });
  }
  return boxes;
}

function selectorOf(element: Element): string {
  const steps: string[] = [];
  for (let at: Element | null = element; at !== null && steps.length < STEPS; at = parentOf(at)) {
    const id = attribute(at, 'id') ?? '';
    const name = localNameOf(at);
    if (NAME.test(id)) return [`#${id}`, ...steps].join(' > ');
    if (name === 'body' || name === 'html') return steps.length === 0 ? name : steps.join(' > ');
    steps.unshift(name + place(at, name));
  }
  return steps.join(' > ');
}

function place(element: Element, name: string): string {
  let same = 1;
  let at = previousOf(element);
  for (let looked = 0; at !== null && looked < SIBLINGS; looked++, at = previousOf(at))
    if (localNameOf(at) === name) same += 1;
  return `:nth-of-type(${same})`;
}

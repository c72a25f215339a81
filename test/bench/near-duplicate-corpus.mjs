/**
 * A corpus with known near-duplicates: pages of three hosts, each with two versions of a template of menus and a footer,
 * each on about every second page, and texts of made-up words by Zipf's law. Many texts have further versions, of the kinds found on the
 * web. Which of them are duplicates is defined here as a person would judge it; it is not measured.
 */
const SYLLABLES = 'ka lo mi ter sen du ra vo pel in gor ash ne tu bri co lum fa sto wen'.split(' ');

function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Versions of a text: `duplicate` says if they are duplicates of the first. `make` gets the paragraphs and returns changed ones. */
function kindsOf({ below, words, sentence }) {
  const copy = (paragraphs) => paragraphs.map((paragraph) => [...paragraph]);
  const edit = (paragraphs, count) => {
    const changed = copy(paragraphs);
    for (let time = 0; time < count; time += 1) {
      const paragraph = changed[below(changed.length)];
      paragraph[below(paragraph.length)] = words(1)[0];
    }
    return changed;
  };
  const total = (paragraphs) => paragraphs.reduce((sum, { length }) => sum + length, 0);
  return [
    { name: 'same text', duplicate: true, make: copy },
    {
      name: 'edit: one word in 300',
      duplicate: true,
      make: (text) => edit(text, Math.max(1, Math.round(total(text) / 300))),
    },
    { name: 'edit: a sentence more', duplicate: true, make: (text) => [...copy(text), sentence(6)] },
    { name: 'a paragraph elsewhere', duplicate: true, make: (text) => moved(copy(text), below) },
    { name: 'another template around it', duplicate: true, make: copy, template: true },
    { name: 'date, time and age', duplicate: true, make: copy, moment: true },
    { name: 'counter', duplicate: true, make: (text) => [...copy(text), ['visitor', String(below(1e6))]] },
    { name: 'another price in a short page', duplicate: false, short: true, make: (text) => price(text, below) },
    {
      name: 'a third of it rewritten',
      duplicate: false,
      make: (text) => text.map((each, at) => (at % 3 === 0 ? words(each.length) : each)),
    },
    { name: 'same words, shuffled', duplicate: false, make: (text) => shuffled(text, below) },
  ];
}

function moved(paragraphs, below) {
  const [paragraph] = paragraphs.splice(below(paragraphs.length), 1);
  paragraphs.splice(below(paragraphs.length + 1), 0, paragraph);
  return paragraphs;
}

function price(paragraphs, below) {
  const [first = [], ...rest] = paragraphs;
  return [first.map((word) => (word.startsWith('€') ? `€${below(900) + 100}` : word)), ...rest];
}

function shuffled(paragraphs, below) {
  return paragraphs.map((paragraph) => {
    const words = [...paragraph];
    for (let at = words.length - 1; at > 0; at -= 1) {
      const other = below(at + 1);
      [words[at], words[other]] = [words[other], words[at]];
    }
    return words;
  });
}

/** @returns pages in the order of a crawl, and the number of different texts */
export function corpus(seed) {
  const random = generator(seed);
  const below = (limit) => Math.floor(random() * limit);
  const vocabulary = Array.from({ length: 5000 }, () =>
    Array.from({ length: 1 + below(3) }, () => SYLLABLES[below(SYLLABLES.length)]).join(''),
  );
  // by Zipf's law: the rank is uniform in its logarithm
  const words = (count) => Array.from({ length: count }, () => vocabulary[Math.floor(5000 ** random()) - 1]);
  const sentence = (count) => words(count);
  const kinds = kindsOf({ below, words, sentence });
  const templates = Array.from({ length: 3 }, () =>
    Array.from({ length: 2 }, () => ({ head: lines(30, words), foot: lines(12, words) })),
  );
  const pages = [];
  let family = 0;
  for (let number = 0; number < 600; number += 1) {
    const kind = kinds[number % kinds.length];
    const host = number % 3;
    const text = kind.short ? [[...words(24), `€${below(900) + 100}`, ...words(5)]] : article(below, words);
    const template = below(2);
    const versions = [{ paragraphs: text, template, moment: '2026-01-02' }];
    versions.push({
      paragraphs: kind.make(text),
      template: kind.template ? 1 - template : template,
      moment: kind.moment ? ['3 minutes ago', '12:30', '5 January 2026'][below(3)] : '2026-01-02',
    });
    for (const [at, version] of versions.entries()) {
      const isFirst = at === 0;
      if (isFirst || !kind.duplicate) family += 1;
      pages.push({
        url: `https://site-${host}.example/text/${number}/${at}`,
        host: `https://site-${host}.example`,
        kind: isFirst ? 'first of its kind' : kind.name,
        family,
        duplicate: !isFirst && kind.duplicate,
        text: rendered(version, templates[host][version.template]),
        order: random(),
      });
    }
  }
  return inOrder(pages, family);
}

/** Pages in random order; the first page of each family is the original, the others are its duplicates. */
function inOrder(pages, families) {
  const sorted = pages.toSorted((one, other) => one.order - other.order);
  const seen = new Set();
  for (const page of sorted) {
    page.duplicate = seen.has(page.family);
    seen.add(page.family);
  }
  return { pages: sorted, families };
}

function article(below, words) {
  return Array.from({ length: 4 + below(12) }, () => words(40 + below(60)));
}

function lines(count, words) {
  return Array.from({ length: count }, () => words(1 + Math.floor(count / 10)).join(' '));
}

function rendered({ paragraphs, moment }, { head, foot }) {
  const body = paragraphs.map((paragraph) => paragraph.join(' '));
  return [...head, `posted ${moment}`, ...body, ...foot].join('\n');
}

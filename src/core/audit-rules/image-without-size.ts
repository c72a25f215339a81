import type { PageRule } from '../../model/audit-rule.ts';

export const imageWithoutSize: PageRule = {
  id: 'image-without-size',
  severity: 'notice',
  category: 'documents',
  about: 'element',
  title: 'Image without width and height',
  why: 'Until it is loaded the browser does not know its place, and the text jumps when it comes.',
  fix: 'Give the image width and height attributes; style sheets may still scale it.',
  source: {
    name: 'HTML Standard, dimension attributes',
    url: 'https://html.spec.whatwg.org/multipage/embedded-content-other.html#dimension-attributes',
  },
  *checkPage({ url, images, details }) {
    const { steadyImages, steadyImagesCut = false } = details?.behaviour ?? {};
    // a list that is cut says nothing of the images that it lacks
    if (steadyImagesCut) return;
    const steady = new Set(steadyImages);
    for (const { src, hasSize, selector, snippet } of images) {
      if (hasSize || steady.has(src)) continue;
      yield {
        thing: src,
        // a style sheet may give the size, which only a browser tells
        confidence: 'medium',
        message: `The image ${src} has no width and height`,
        evidence: { selector, snippet },
        sources: { count: 1, first: [{ url, selector }] },
      };
    }
  },
};

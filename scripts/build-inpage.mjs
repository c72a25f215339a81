// Builds every page script of browsers/inpage/entry into src/render/generated/<name>.ts: an expression that is a function of one
// JSON value. Helpers are bundled in, for the page has no imports.
import { generateSources } from './generated-sources.mjs';

generateSources({
  entries: 'browsers/inpage/entry',
  target: 'src/render/generated',
  options: { format: 'iife', globalName: 'entry', target: 'chrome120', charset: 'ascii' },
  wrap: (text) => `(input)=>{${text.trim()}return entry.run(input)}`,
});

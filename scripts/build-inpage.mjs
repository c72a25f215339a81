// Builds every page script of browsers/inpage/entry into src/render/generated/<name>.ts: an expression that is a function of one
// JSON value. Bundles the helpers in, because a page has no imports. Builds the script of the audit report likewise, as a script.
import { generateSources } from './generated-sources.mjs';

generateSources({
  entries: 'browsers/inpage/entry',
  target: 'src/render/generated',
  options: { format: 'iife', globalName: 'entry', target: 'chrome120', charset: 'ascii' },
  wrap: (text) => `(input)=>{${text.trim()}return entry.run(input)}`,
});

generateSources({
  entries: 'browsers/report-page/entry',
  target: 'src/report/html/generated',
  options: { format: 'iife', target: 'es2022', charset: 'ascii' },
  wrap: (text) => text.trim(),
});

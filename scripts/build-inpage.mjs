// Builds every page script of browsers/inpage/entry into src/render/generated/<name>.ts: an expression that is a function of one
// JSON value. Helpers are bundled in, for the page has no imports. The script of the audit report is built likewise, as a script.
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

// Assets of the benchmark's pages: scripts built from real packages, pictures, style sheets, fonts.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

import { build } from 'esbuild';

const VENDOR = `
import * as React from 'react';
import { createRoot } from 'react-dom/client';
Object.assign(window, { React, createRoot });`;

const APPLICATION = `
import * as parse5 from 'parse5';
import * as htmlparser2 from 'htmlparser2';
const { createElement: h, useEffect, useState } = window.React;
window.libraries = [Object.keys(parse5).length, Object.keys(htmlparser2).length];
const nodes = (html) => parse5.parseFragment(html).childNodes.length;
const Item = ({ link, index }) =>
  h('li', { className: 'item' }, h('a', { href: link.href }, link.text), h('p', null, link.about),
    h('span', null, 'n' + nodes(link.html) + index));
function Application() {
  const [answer, setAnswer] = useState(null);
  useEffect(() => {
    const [, , size, , page] = location.pathname.split('/');
    fetch('/api/b/' + size + '/' + page).then((response) => response.json()).then(setAnswer);
  }, []);
  if (answer === null) return h('div', { className: 'spinner' }, 'Loading');
  document.title = answer.title;
  return h('main', null, h('h1', null, answer.title),
    h('ul', null, answer.links.map((link, index) => h(Item, { key: link.href, link, index }))));
}
window.createRoot(document.getElementById('root')).render(h(Application));`;

/** @param packages folder whose node_modules hold react, react-dom, parse5 and htmlparser2 */
export async function buildScripts(packages) {
  const [vendor, application] = await Promise.all(
    [VENDOR, APPLICATION].map(async (contents) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: packages },
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        define: { 'process.env.NODE_ENV': '"production"' },
        logLevel: 'error',
      });
      return Buffer.from(outputFiles[0].contents);
    }),
  );
  return { vendor, application };
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8 + named.length);
  frame.writeUInt32BE(data.length, 0);
  named.copy(frame, 4);
  frame.writeUInt32BE(crc32(named), 4 + named.length);
  return frame;
}

function crc32(bytes) {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}

/** A PNG in true colour with noise, so that it hardly compresses. */
export function noisePicture(width, height, seed) {
  const row = width * 3 + 1;
  const pixels = Buffer.alloc(row * height);
  let state = Math.imul(seed, 2654435761) >>> 0;
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    pixels[at] = at % row === 0 ? 0 : state >>> 26;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // bits a channel, true colour
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** One of the four style sheets of a heavy page: 400 rules; the first also brings the fonts. */
export function styleSheet(number) {
  const rules = Array.from(
    { length: 400 },
    (_, n) =>
      `.c${number}-${n} .x${n % 7}>div:nth-child(${(n % 9) + 1}){margin:${n % 5}px;padding:${n % 3}px;color:#${((n * 4321) & 0xfff).toString(16).padStart(3, '0')}}`,
  );
  const faces = [0, 1, 2].map((font) => `@font-face{font-family:F${font};src:url(/e/font${font}.ttf)}`);
  const base =
    'body{font-family:F0,sans-serif}h2{font-family:F1}td{font-family:F2}.grid{display:grid;grid-template-columns:repeat(6,1fr);gap:4px}';
  return `${number === 0 ? faces.join('') + base : ''}${rules.join('')}`;
}

const FONT_FOLDER = '/usr/share/fonts';
/** Fonts of any Debian or Fedora with a browser; found by name below the folder of fonts. */
const FONT_NAMES = [
  ['LiberationSans-Regular.ttf', 'LiberationSerif-Regular.ttf', 'LiberationMono-Regular.ttf'],
  ['DejaVuSans.ttf', 'DejaVuSerif.ttf', 'DejaVuSansMono.ttf'],
];

/** Three fonts of the system. @throws if there are none: the heavy pages would be lighter than stated */
export function systemFonts() {
  const files = readdirSync(FONT_FOLDER, { recursive: true }).map(String);
  for (const names of FONT_NAMES) {
    const paths = names.map((name) => files.find((file) => file.endsWith(`/${name}`)));
    if (paths.every((path) => path !== undefined)) return paths.map((path) => readFileSync(join(FONT_FOLDER, path)));
  }
  throw new Error(`no three fonts under ${FONT_FOLDER}: install fonts-liberation, or leave family e out (--families)`);
}

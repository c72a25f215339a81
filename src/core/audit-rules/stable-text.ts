/** Texts of scripts without parts that change with builds and loads: numbers, digests in file names, queries. */

export function stableText(text: string): string {
  return text.replaceAll(/https?:\/\/\S+/g, (url) => stableAddress(url)).replaceAll(/\d+/g, '#');
}

/** `/assets/app.4f9c21ab.js?v=3` is `/assets/app.*.js`. */
export function stableAddress(url: string): string {
  return (url.split(/[?#]/, 1)[0] ?? '')
    .replaceAll(/[.-](?=[\w]*\d)[\w]{6,}(?=\.\w+$)/g, '.*')
    .replaceAll(/[0-9a-f]{8,}/gi, '*');
}

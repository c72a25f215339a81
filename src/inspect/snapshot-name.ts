/**
 * `snapshots/3f/3f0c…-docs-intro.html`, `.390x844.png`, `.boxes.json`, as crawl-folder/directory-writer.ts makes them: nothing else is brought into a crawl
 * folder from elsewhere.
 */
const SNAPSHOT =
  /^snapshots\/([0-9a-f]{2})\/\1[0-9a-f]{18}(?:-[a-z0-9-]{1,40})?\.(?:html|txt|boxes\.json|(?:\d{1,6}x\d{1,6}\.)?(?:jpg|png))$/;

/** @param name relative to the crawl folder, with forward slashes */
export function isSnapshotName(name: string): boolean {
  return SNAPSHOT.test(name);
}

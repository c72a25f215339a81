// Medians and spreads of the runs, and the table for RESULTS.md.

export function median(values) {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The expected links of a real site are all links that any run has found there; each run then gets its part of them. */
export function pool(runs) {
  const all = new Map();
  for (const { site, anchors } of runs)
    for (const link of anchors ?? []) all.set(site, (all.get(site) ?? new Set()).add(link));
  return runs.map(({ anchors, ...run }) =>
    anchors === undefined ? run : { ...run, found: anchors.size, expected: all.get(run.site)?.size ?? 0 },
  );
}

const digits = (value) => (Math.abs(value) < 10 ? 1 : 0);
const shown = (value) => (Number.isFinite(value) ? value.toFixed(digits(value)) : '–');

/** Median, with minimum and maximum if there are several values. */
function spread(values) {
  const known = values.filter(Number.isFinite);
  if (known.length < 2) return shown(median(known));
  return `${shown(median(known))} (${shown(Math.min(...known))}–${shown(Math.max(...known))})`;
}

/**
 * Makes one row for each crawler on each family.
 * @param runs of `measure`, each with `family` and `target` (the ratio to reach, or null)
 * @param peer name of the contestant that ratios compare with
 */
export function table(runs, peer) {
  const header = [
    'family',
    'crawler',
    'CPU ms/page',
    'node',
    'Redis',
    'pages/s',
    'peak MB',
    'links found / expected',
    `CPU against ${peer}`,
    'to reach',
    'load before',
  ];
  const groups = new Map();
  for (const run of runs) {
    const key = `${run.family} ${run.contestant}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  const rows = [...groups.values()].map((group) => {
    const [{ family, contestant, target }] = group;
    const column = (key) => group.map((run) => run[key]);
    const against = median(
      runs.filter((run) => run.site === group[0].site && run.contestant === peer).map(({ cpu }) => cpu),
    );
    const ratio = against / median(column('cpu'));
    const [found, expected] = [median(column('found')), median(column('expected'))];
    return [
      family,
      contestant,
      spread(column('cpu')),
      shown(median(column('node'))),
      shown(median(column('redis'))),
      spread(column('pagesPerSecond')),
      shown(median(column('peakMb'))),
      `${found} / ${expected} = ${(found / expected).toFixed(2)}`,
      contestant === peer || !Number.isFinite(ratio) ? '' : `1/${ratio.toFixed(1)}`,
      target ?? '',
      spread(column('load')),
    ];
  });
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { parseStorageState } from '../../../src/core/sign-in/storage-state.ts';
import { openSignIns } from '../../../src/crawl/opening/open-sign-ins.ts';
import { storedCanonicalUrl } from '../../../src/model/url/canonical-url.ts';
import { registrableDomainOf } from '../../../src/model/url/host-key.ts';

const cookie = (domain: string, value: string) => ({ name: 'sid', value, domain, path: '/' });

it('a log-in replaces the sign-in of its own site, and of no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-sign-ins-'));
  try {
    const file = join(folder, 'state.json');
    const cookies = [cookie('a.example', 'old'), cookie('b.example', 'kept')];
    await writeFile(file, JSON.stringify({ cookies, origins: [] }));
    const [a, b] = [storedCanonicalUrl('https://a.example/'), storedCanonicalUrl('https://b.example/')];
    const parts = { workingFolder: folder, seeds: [a, b], signsIn: true, clock: systemClock, log: silentLog };
    {
      await using signIns = await openSignIns('state.json', parts);
      const after = parseStorageState(JSON.stringify({ cookies: [cookie('a.example', 'new')] }));
      if (after === null) throw new Error('no state');
      signIns.replace(after);
      expect(signIns.stateOf(registrableDomainOf(a))?.cookies).toMatchObject([{ value: 'new' }]);
      expect(signIns.stateOf(registrableDomainOf(b))?.cookies).toMatchObject([{ value: 'kept' }]);
    }
    const written = parseStorageState(await readFile(file, 'utf8'));
    expect(written?.cookies.map(({ value }) => value).toSorted()).toEqual(['kept', 'new']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** F15 to F28: scripts that never end, take all memory, or flood what listens to them. */
import { scripted, type CrawlFixture } from './fixture.ts';

export const SCRIPT_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'F15',
    attack: 'script without an end before the load event',
    routes: () => ({ '/hostile': scripted('while(true);') }),
    ends: { '/hostile': ['captured', 'timed-out'] },
    resumed: true,
    quick: true,
  },
];

import { expect, it } from 'vitest';
import { launchFailure } from '../../../browsers/launch/launch-failure.ts';
import { DeadlineExceeded } from '../../../src/base/deadline.ts';
import { seconds } from '../../../src/base/units.ts';

const found = {
  kind: 'executable',
  path: '/opt/shell',
  flavour: 'headless-shell',
  source: '--browser',
  variables: {},
} as const;
const closed = new Error('the connection was closed');
const late = new DeadlineExceeded('the browser', seconds(60));
const BUS = 'dbus/bus.cc: Failed to connect to the bus';

it.each([
  [
    'that ends and says why',
    closed,
    'error while loading shared libraries: libdoom.so.6',
    'a library it needs is missing',
  ],
  [
    'for which no process is left',
    new Error('spawn /opt/shell EAGAIN'),
    '',
    'the system gives no more processes, open files or memory',
  ],
  ['that ends', closed, BUS, 'it ended at once'],
  ['that says something and is not there in time', late, BUS, 'it did not answer in time'],
  ['that is not there in time', late, '', 'it did not answer in time'],
  ['without a sandbox, which is not there in time', late, 'No usable sandbox!', 'its sandbox is not allowed here'],
])('a browser %s is told of as such, in its own words', (_what, error, printed, cause) => {
  const { code, message } = launchFailure(found, error, printed);
  expect(code).toBe('BROWSER_UNUSABLE');
  expect(message).toContain(`the browser /opt/shell does not start: ${cause}`);
  expect(message).toContain(printed);
});

import { describe, expect, test } from 'vitest';
import { ConsentProgress, type ConsentEvent } from '../../../../src/core/consent/consent-progress.ts';

const FOUND: ConsentEvent = { kind: 'found', name: 'Adroll' };
const WORDS: ConsentEvent = { kind: 'found', name: 'HEURISTIC-REJECT' };
const ASKED: ConsentEvent = { kind: 'asked' };
const ACTED: ConsentEvent = { kind: 'acted', done: true };
const DONE: ConsentEvent = { kind: 'done', hides: false };

function after(mode: 'reject' | 'accept' | 'hide', ...events: readonly ConsentEvent[]): ConsentProgress {
  const progress = new ConsentProgress(mode);
  progress.entered('main');
  for (const event of events) progress.note('main', event);
  return progress;
}

describe('a page', () => {
  test.each([
    ['reject', 'none', 'nothing was found', [{ kind: 'nothing-found' }]],
    ['reject', 'shown', 'a dialog was found and nobody answered', [FOUND]],
    ['reject', 'shown', 'the engine is still at work', [FOUND, ASKED]],
    ['reject', 'shown', 'its steps failed', [FOUND, ASKED, { kind: 'acted', done: false }]],
    ['reject', 'shown', 'the answer only led to a dialog that never came', [FOUND, ASKED, ACTED]],
    ['reject', 'rejected', 'the engine is done', [FOUND, ASKED, ACTED, DONE]],
    ['accept', 'accepted', 'the engine is done', [FOUND, ASKED, ACTED, DONE]],
    [
      'accept',
      'accepted',
      'a rule that rejects by hiding has accepted',
      [FOUND, ASKED, ACTED, { ...DONE, hides: true }],
    ],
    ['reject', 'hidden', 'a rule hides where it should reject', [FOUND, ASKED, ACTED, { ...DONE, hides: true }]],
    ['hide', 'hidden', 'the engine has hidden it', [FOUND, { kind: 'hidden' }]],
    ['hide', 'shown', 'it cannot be hidden', [FOUND, { kind: 'left' }]],
    ['reject', 'shown', 'a button was clicked, and nobody looked after it', [WORDS, ASKED, ACTED, DONE]],
    ['reject', 'rejected', 'the clicked button is gone', [WORDS, ASKED, ACTED, DONE, { kind: 'tested', gone: true }]],
    ['reject', 'shown', 'the clicked button is still there', [WORDS, ASKED, ACTED, { kind: 'tested', gone: false }]],
    ['reject', 'rejected', 'its frame went with the answer', [FOUND, ASKED, { kind: 'gone' }]],
    ['reject', 'none', 'its frame went before it was answered', [FOUND, { kind: 'gone' }]],
    ['reject', 'shown', 'the engine claims to be done without having been asked', [FOUND, ACTED, DONE]],
    ['reject', 'none', 'the engine claims to be done with what it has not found', [ASKED, ACTED, DONE]],
  ] as const)('under %s is %s where %s', (mode, state, _why, events) => {
    expect(after(mode, ...events).state).toBe(state);
  });

  test('that was loaded again shows what its last document shows', () => {
    const progress = after('reject', FOUND, ASKED, ACTED, DONE);
    progress.reloaded();
    expect(progress.state).toBe('rejected');
    progress.entered('main');
    progress.note('main', FOUND);
    expect(progress.state).toBe('shown');
  });

  test('that was loaded again by itself, with a dialog that nobody has answered, is one without', () => {
    const progress = after('reject', FOUND);
    progress.reloaded();
    expect(progress.state).toBe('none');
  });

  test('that was kept from going where its answer leads is shown', () => {
    const progress = after('reject', FOUND, ASKED, ACTED, DONE);
    progress.navigationStopped();
    expect(progress.state).toBe('shown');
  });

  test('has been dealt with where one frame has, and another led there', () => {
    const progress = after('reject', FOUND, ASKED, ACTED);
    expect(progress).toMatchObject({ underWay: true, answered: false });
    progress.entered('frame');
    for (const event of [FOUND, ASKED, ACTED, DONE]) progress.note('frame', event);
    expect(progress).toMatchObject({ state: 'rejected', answered: true });
  });

  test('hears nothing of a frame that the engine was not let into', () => {
    const progress = after('reject', { kind: 'nothing-found' });
    for (const event of [FOUND, ASKED, ACTED, DONE]) progress.note('other', event);
    expect(progress).toMatchObject({ state: 'none', underWay: false, hasDialog: false });
  });
});

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { addSession, findSignedIn } from '../../src/store/people/sessions.ts';
import { findInvitation, inviteMember } from '../../src/store/people/team.ts';
import { findUserByLink, setPasswordLink } from '../../src/store/people/users.ts';
import { watchClock } from '../../src/store/server/clock-trust.ts';
import { TODAY } from '../collect/stage.ts';
import { crowd, YESTERDAY } from '../ledger/stage.ts';
import { until } from '../support/program.ts';
import { jobsOf } from './stage.ts';

const MIDNIGHT = (TODAY + 1) * 86_400;

test('while the clock is 400 days ahead nothing is sealed, copied or mailed; when it comes back that goes on', async (t) => {
  const { take, start, look, logged, counted, lines, copies, mailed } = jobsOf(t, { keep: 3 });
  await take(...crowd(2), ...crowd(4, { day: TODAY }));
  start();
  await logged(`days sealed {"days":1} at ${TODAY * 86_400 + 43_200}`);
  await until('it is tried', () => lines.at(-1)?.startsWith('restore test done') === true);
  const wrong = (TODAY + 400) * 86_400 + 43_200;
  await look(wrong);
  await until('it is logged', () => lines.some((line) => /^the clock has jumped.*\{"days":400\}/.test(line)));
  const [before, mails] = [lines.length, mailed()];
  await look(wrong + 60);
  await look(wrong + 120);
  assert.deepEqual([lines.length, mailed()], [before, mails]);
  assert.deepEqual(
    readdirSync(copies).map((name) => name.slice(0, 10)),
    ['2026-03-10'],
  );
  await look(MIDNIGHT + 60);
  await logged(`days sealed {"days":1} at ${MIDNIGHT + 60}`);
  assert.ok(lines.includes(`the server trusts the clock again {} at ${MIDNIGHT + 60}`));
  assert.deepEqual(counted(), { [YESTERDAY]: 2, [TODAY]: 4 });
  await until('mails are looked at again', () => mailed() > mails);
});

for (const [after, isTold] of [
  ['after six hours', false],
  ['by the word of the operator', true],
] as const) {
  test(`a server that was off for a month seals what it missed ${after}`, async (t) => {
    const { db, clock, take, start, look, logged, lines, counted, set, wait } = jobsOf(t);
    watchClock(db, clock).look();
    await take(...crowd(2, { day: TODAY }));
    const later = (TODAY + 30) * 86_400 + 3_600;
    set(later);
    start();
    await until('it is logged', () => lines.some((line) => line.startsWith('the clock has jumped')));
    assert.deepEqual(counted(), { [TODAY]: 2 }, 'what is not sealed is counted all the same');
    if (isTold) watchClock(db, clock).accept();
    else wait(6 * 3_600);
    await look(later + 60);
    await logged(`days sealed {"days":1} at ${later + 60}`);
    assert.deepEqual(counted(), { [TODAY]: 2 });
  });
}

test('a link that nobody opened stays expired when the clock goes back', async (t) => {
  const { db, start, look } = jobsOf(t);
  const now = TODAY * 86_400 + 43_200;
  const to = { accountId: 1, owner: 'ann@example.com', email: 'bob@example.com', role: 'viewer' as const };
  db.write(() => {
    inviteMember(db, { ...to, secret: 'invitation', now });
    setPasswordLink(db, 1, 'password', now + 86_400);
  });
  start();
  await look(now + 86_399);
  await look(now);
  assert.ok(findInvitation(db, 'invitation', now) && findUserByLink(db, 'password', now));
  await look(now + 86_400);
  await look(now);
  assert.ok(findInvitation(db, 'invitation', now) && !findUserByLink(db, 'password', now));
  for (const days of [2, 4, 5, 4, 2]) await look(now + days * 86_400);
  await look(now);
  assert.equal(findInvitation(db, 'invitation', now), undefined);
});

test('a session that has ended does not live again when the clock goes back', async (t) => {
  const { db, start, look } = jobsOf(t);
  const now = TODAY * 86_400 + 43_200;
  db.write(() => addSession(db, { userId: 1, secret: 'cookie', browser: 'Firefox', now }));
  start();
  for (const days of [2, 4, 6, 4, 2, 0]) await look(now + days * 86_400);
  assert.ok(findSignedIn(db, 'cookie', now));
  for (const days of [2, 4, 6, 7, 6, 4, 2, 0]) await look(now + days * 86_400);
  assert.equal(findSignedIn(db, 'cookie', now), undefined);
});

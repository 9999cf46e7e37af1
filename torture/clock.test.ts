import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTokenSecret } from '../src/lib/secrets.ts';
import type { Db } from '../src/store/db.ts';
import { openReader } from '../src/store/file/open-file.ts';
import { findInvitation, inviteMember } from '../src/store/people/team.ts';
import { findTrustedDay } from '../src/store/server/clock-trust.ts';
import { BROWSER, storedHits } from '../test/collect/stage.ts';
import { furnish } from '../test/support/furnish.ts';
import { NOON, startApp } from '../test/support/helpers.ts';
import { PROGRAM, program } from '../test/support/program.ts';
import { chance } from '../test/support/random.ts';
import { form } from '../test/support/requests.ts';
import { clientOf, pageview } from './clients.ts';
import { bearer } from './furnish.ts';
import { scaled } from './scale.ts';

const DAY = 86_400;
const SKEW_SECONDS = 60;
const HOUR = 3_600;

/** Moments at which clocks do odd things: summer time begins and ends, a leap day, the turn of a year, the beginning. */
const ODD = [
  '2026-03-29T00:59:59Z',
  '2026-10-25T00:59:59Z',
  '2028-02-28T23:59:59Z',
  '2028-02-29T23:59:59Z',
  '2027-12-31T23:59:59Z',
  '1970-01-01T00:00:01Z',
];
const JUMPS = [HOUR, -HOUR, -DAY, DAY, 10 * 365 * DAY, -10 * 365 * DAY];

type Salt = { day: number; bytes: Buffer };

/** Looks at the file again and again, and says what is wrong with the newest hit and the salt. */
function watch() {
  let salt: Salt | undefined;
  let changes = 0;
  return {
    changes: () => changes,
    look(db: Db, now: number, about: string): void {
      const hit = db.one<{ day: number; second: number }>('SELECT day, second FROM hit ORDER BY id DESC LIMIT 1');
      assert.ok(
        hit && Math.abs(hit.day * DAY + hit.second - now) <= SKEW_SECONDS,
        `${about}: a hit lies at another time than it came`,
      );
      const found = db.all<Salt>('SELECT day, bytes FROM salt');
      // While the clock is not trusted, the trusted day keeps its own.
      const trusted = findTrustedDay(db);
      // The day of the newest hit, because midnight may pass between it and this look.
      const next = found.find(({ day }) => day === hit.day);
      assert.ok(next, `${about}: there is no salt of the day`);
      assert.ok(
        found.every(({ day }) => day === next.day || day === trusted),
        `${about}: a salt is of another day`,
      );
      assert.equal(
        next.day === salt?.day,
        salt !== undefined && next.bytes.equals(salt.bytes),
        `${about}: a salt a day`,
      );
      if (next.day !== salt?.day) changes++;
      salt = next;
    },
  };
}

test('D9 wherever the clock jumps and whenever days are sealed, the server answers, a day has one salt, and each hit counts when it came', async (t) => {
  const random = chance(t);
  const { ask, owner, siteId, db, clock, engine, seal, log } = await startApp(t, { flood: '0' });
  const { look, changes } = watch();
  const came = new Map<number, number>();
  let sealed = 0;
  const steps = scaled(60, 600);
  for (let n = 0; n < steps; n++) {
    const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    if (random() < 0.3) clock.jump((Date.parse(pick(ODD)) - clock.now()) / 1000);
    else clock.jump(pick(JUMPS));
    if (clock.now() < 0 || clock.now() > Date.parse('2200-01-01')) clock.jump((NOON - clock.now()) / 1000);
    clock.pass(Math.floor(random() * 3));
    const about = new Date(clock.now()).toISOString();
    const body = { site: 'example.com', url: `https://example.com/${n % 50}` };
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      assert.equal((await ask('POST', '/day', { body, headers: BROWSER, address })).status, 202, about);
    }
    look(db, Math.floor(clock.now() / 1000), about);
    const day = Math.floor(clock.now() / 1000 / DAY);
    came.set(day, (came.get(day) ?? 0) + 2);
    if (random() < 0.3) sealed += await seal();
    for (const range of ['today', '30d', '12m']) {
      for (const report of ['overview', 'timeseries', 'realtime', 'breakdown/pages']) {
        const { status, text } = await owner.ask('GET', `/sites/${siteId}/stats/${report}?range=${range}`);
        assert.equal(status, 200, `${report} ${range} at ${about}: ${text}`);
      }
    }
  }
  assert.deepEqual(
    log.filter((line) => !line.includes('days sealed')),
    [],
  );
  const counted = new Map<number, number>();
  for await (const { day, visits } of engine.queries.readVisits(siteId)) {
    for (const { hits } of visits) counted.set(day, (counted.get(day) ?? 0) + hits.length);
  }
  const inOrder = (days: Map<number, number>) => [...days].sort(([a], [b]) => a - b);
  assert.deepEqual(inOrder(counted), inOrder(came));
  t.diagnostic(`${steps} jumps, ${changes()} salts, ${sealed} days sealed`);
});

test('D9 wherever the clock jumps, limits hold until their time has passed', async (t) => {
  const { ask, owner, clock, db } = await startApp(t, { flood: '1', 'rate-limit': '5' });
  const hit = async () => {
    const body = { site: 'example.com', url: 'https://example.com/' };
    const before = storedHits(db).length;
    assert.equal((await ask('POST', '/day', { body, headers: BROWSER })).status, 202);
    return storedHits(db).length > before;
  };
  const signIn = async () => {
    const wrong = form({ email: owner.email, password: 'not the password' });
    return (await ask('POST', '/sign-in', { ...wrong, address: '198.51.100.1' })).status;
  };
  const get = async () => (await owner.ask('GET', '/account')).status;
  while ((await get()) === 200);
  while (await hit());
  while ((await signIn()) !== 429);
  for (const jump of [...JUMPS, ...JUMPS.toReversed(), 1_000 * DAY]) {
    clock.jump(jump);
    assert.deepEqual([await get(), await hit(), await signIn()], [429, false, 429], `${jump} s`);
  }
  clock.pass(15 * 60);
  assert.deepEqual([await get(), await hit(), (await signIn()) === 429], [200, true, false]);
});

test('D9 wherever the clock jumps, no invitation lives longer than it was given, nor again', async (t) => {
  const { db, owner, clock } = await startApp(t);
  const secret = makeTokenSecret(randomBytes);
  const now = () => Math.floor(clock.now() / 1000);
  const invite = { accountId: owner.accountId, owner: owner.email, email: 'new@example.com', role: 'viewer' as const };
  db.write(() => inviteMember(db, { ...invite, secret, now: now() }));
  const end = () =>
    db.one<{ at: number }>('SELECT expires_at AS at FROM invitation ORDER BY expires_at DESC LIMIT 1')?.at ?? 0;
  const given = end();
  assert.ok(given > now());
  let isOver = false;
  for (const jump of [1, -1, -HOUR, given - now() - 1, ...JUMPS, given - now(), -1, 1, 10 * DAY]) {
    clock.jump(jump);
    isOver ||= now() >= given;
    assert.equal(findInvitation(db, secret, now()) === undefined, isOver, new Date(clock.now()).toISOString());
    assert.equal(end(), isOver ? 0 : given);
  }
  assert.ok(isOver);
});

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** The clock on the wall of a program, and what sets it so many seconds off. */
function wallClock(offset: string) {
  const set = (seconds: number) => writeFileSync(offset, `${seconds < 0 ? '' : '+'}${seconds}`);
  const env = {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: offset,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    TZ: 'Europe/Berlin',
  };
  return { set, env };
}

test('D9 the built program goes on when the clock on the wall jumps, and starts at any time', {
  skip: !existsSync(FAKETIME) && 'it needs faketime',
}, async (t) => {
  // By the clock of the machine, as faketime gives it.
  const { serve, db: path, folder, print } = program(t, { command: [process.execPath, PROGRAM] });
  const token = await furnish(path, ['example.com']);
  const { set, env } = wallClock(join(folder, 'offset'));
  const real = () => Math.floor(Date.now() / 1000);
  const { look, changes } = watch();
  set(0);
  let server = await serve(['--flood', '0', '--keep-backups', '0'], { env });
  let by = 0;
  const says = async (about: string, what = look) => {
    const client = clientOf(server.port);
    for (let n = 0; n < 3; n++) assert.equal((await pageview(client, 'example.com', `/${n}`)).status, 202, about);
    const { db, close } = openReader(path);
    what(db, real() + by, about);
    close();
    for (const [where, headers] of [
      ['/api/v1/sites/1/stats/overview?range=12m', bearer(token)],
      ['/readyz', {}],
    ] as const) {
      const { status, text } = await client.ask('GET', where, { headers });
      assert.equal(status, 200, `${where} at ${about}: ${text}`);
    }
    client.close();
  };
  await says('the beginning');
  for (const jump of [...JUMPS, ...ODD]) {
    by = typeof jump === 'number' ? jump : Date.parse(jump) / 1000 - real();
    set(by);
    await says(new Date((real() + by) * 1000).toISOString());
  }
  assert.equal(await server.stop(), 0);
  t.diagnostic(`${changes()} salts`);
  assert.deepEqual(
    server.stderr.filter((line) => /fail|error/.test(line)),
    [],
  );

  // From the earliest on, so that no day is sealed before it comes.
  for (const odd of ODD.toSorted().slice(0, scaled(1, ODD.length))) {
    by = Date.parse(odd) / 1000 - real() - 1;
    set(by);
    server = await serve(['--flood', '0', '--keep-backups', '0'], { env });
    await says(`a start at ${odd}`, () => {});
    assert.equal(await server.stop(), 0);
    assert.deepEqual(
      server.stderr.filter((line) => /fail|error/.test(line)),
      [],
    );
  }
  assert.match(await print(['check']), / 0 differ$/);
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addOutage } from '../../src/store/server/outages.ts';
import { changeTimeZone } from '../../src/store/sites/zones.ts';
import { appendTo, type Hit, pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import type { Person } from '../support/people.ts';
import { type Answer, dataOf } from '../support/requests.ts';

/** A little more and a little less than they should be, in turn. */
const NOISE = [1, -1, 0, 2, -2];
const SIGNUP = { event: 'signup' };

/** So many visitors on a day, each with one pageview and, if they sign up, an event. */
const comers = (day: number, count: number, more: Partial<Hit> = {}): Hit[] =>
  Array.from({ length: count }, (_, i) => pageview({ day, visitor: 1 + i, ...more }));

/** A site that has been visited from 40 days before today on: 10 visitors a day, and from the day of the note on 20, but for a quiet day. */
async function stage(t: TestContext, { noted = TODAY - 15, first = TODAY - 40, quiet = 0, zone = 'UTC' } = {}) {
  const app = await startApp(t);
  const { db, engine, siteId, manager } = app;
  db.run('UPDATE site SET time_zone = ? WHERE id = ?', zone, siteId);
  const date = new Date(noted * 86_400_000).toISOString().slice(0, 10);
  const notes = `/sites/${siteId}/notes`;
  const { id } = dataOf(await manager.ask('POST', notes, { date, text: 'A new front page' }), 'POST', notes);
  const countOn = (day: number) => (day < noted ? 10 : 20) + (NOISE[day % NOISE.length] ?? 0);
  const days = Array.from({ length: TODAY - first }, (_, i) => first + i).filter((day) => day !== quiet);
  await appendTo(
    engine,
    days.flatMap((day) => comers(day, countOn(day), { siteId })),
  );
  const path = `/sites/${siteId}/notes/${id}/effect`;
  const asked = (query = '', who: Person = app.viewer) => who.ask('GET', path + query);
  return Object.assign(app, {
    path,
    asked,
    effect: async (query = '', who?: Person): Promise<Answer['body']> => dataOf(await asked(query, who), 'GET', path),
    store: (hits: Hit[]) =>
      appendTo(
        engine,
        hits.map((hit) => ({ ...hit, siteId })),
      ),
    /** What was counted on some days. */
    sumOf: (from: number, to: number) =>
      days.filter((day) => day >= from && day < to).reduce((sum, day) => sum + countOn(day), 0),
    goal: async (value: string): Promise<number> =>
      (await manager.ask('POST', `/sites/${siteId}/goals`, { type: 'event', value })).body.data.id,
  });
}

test('the two weeks after a note are compared with the two before, without its own day, open and sealed alike', async (t) => {
  const { effect, seal, store, sumOf, owner, manager, viewer } = await stage(t);
  const noted = TODAY - 15;
  const quiet = await effect();
  await store(comers(noted, 500, { visitor: 9_999 }));
  const open = await effect();
  assert.deepEqual(open, quiet, 'the day itself has no part');
  const { change, interval, sentence, sentence_code: code, ...rest } = open;
  assert.deepEqual(rest, {
    metric: 'visitors',
    before: {
      from: '2026-02-09T00:00:00Z',
      to: '2026-02-22T23:59:59Z',
      days: 14,
      total: sumOf(noted - 14, noted),
    },
    after: {
      from: '2026-02-24T00:00:00Z',
      to: '2026-03-09T23:59:59Z',
      days: 14,
      total: sumOf(noted + 1, TODAY),
    },
    verdict: 'up',
  });
  assert.deepEqual(code, {
    code: 'visitors_changed',
    values: { change, days: 14, low: interval[0], high: interval[1] },
  });
  assert.equal(change, Math.round((rest.after.total / rest.before.total - 1) * 1_000) / 10);
  assert.ok(0 < interval[0] && interval[0] < change && change < interval[1]);
  assert.match(
    sentence,
    /^Visitors: \+\d+(\.\d)? % in the 14 days after the note, compared with the 14 days before it/,
  );
  assert.equal(await seal(), 40);
  for (const who of [owner, manager, viewer]) assert.deepEqual(await effect('', who), open);
});

test('whoever may read the reports may read it, by a token that reads and by a share link too, and a stranger finds nothing', async (t) => {
  const app = await stage(t);
  const { ask, path, owner, stranger } = app;
  const at = `/api/v1${path}`;
  assert.equal((await ask('GET', at, { token: app.tokenOf(owner, ['read']) })).status, 200);
  assert.equal((await ask('GET', at, { token: app.tokenOf(owner, ['collect']) })).status, 403);
  assert.equal((await ask('GET', at, { share: await app.share(owner, app.siteId) })).status, 200);
  assert.equal((await stranger.ask('GET', path)).status, 404);
  const own = path.replace(`/${app.siteId}/`, `/${app.strangerSiteId}/`);
  assert.equal((await stranger.ask('GET', own)).status, 404, 'the note is of another site');
  assert.equal((await owner.ask('GET', path.replace(/notes\/\d+/, 'notes/999'))).status, 404);
});

test('days that are not over are left out with their partners, and below a week of pairs there is no figure', async (t) => {
  const noted = TODAY - 9;
  const { effect, store, sumOf, clock } = await stage(t, { noted });
  await store(comers(TODAY, 300));
  const early = await effect();
  assert.deepEqual([early.before.days, early.after.days, early.verdict], [8, 8, 'up']);
  assert.equal(early.before.total, sumOf(noted - 13, noted - 5), 'those two weeks before the eight days');
  assert.equal(early.after.total, sumOf(noted + 1, TODAY));
  assert.deepEqual(early.notices, [
    'These days are not compared, because they are incomplete, or paired with an incomplete day: 2026-02-15, 2026-02-24 to 2026-02-28, 2026-03-10 to 2026-03-15.',
  ]);
  clock.pass(86_400);
  assert.equal((await effect()).before.days, 9, 'when the day is over it takes part');

  const fresh = await stage(t, { noted: TODAY - 7 });
  const { change, interval, verdict, sentence, after } = await fresh.effect();
  assert.deepEqual([change, interval, verdict, after.days], [null, null, 'too_few_days', 6]);
  assert.match(sentence, /^Not enough comparable days: 6 of 14\. At least 7 are needed\.$/);
  const today = await stage(t, { noted: TODAY });
  assert.deepEqual((await today.effect()).after, {
    from: '2026-03-11T00:00:00Z',
    to: '2026-03-24T23:59:59Z',
    days: 0,
    total: 0,
  });
});

test('days up to that of the first hit are left out with their partners, and later ones without any are not', async (t) => {
  const noted = TODAY - 15;
  const first = noted - 10;
  const { effect, sumOf } = await stage(t, { noted, first });
  const begun = await effect();
  assert.deepEqual([begun.before.days, begun.after.days], [9, 9]);
  const { effect: effectThere } = await stage(t, { noted, first, quiet: first + 3 });
  const quiet = await effectThere();
  assert.equal(quiet.before.days, 9, 'nobody came on that day, but the site was there');
  assert.equal(quiet.before.total, begun.before.total - sumOf(first + 3, first + 4));
});

test('days are those of the site, and one on which its zone was changed is left out', async (t) => {
  const noted = TODAY - 14;
  const utc = await stage(t, { noted });
  assert.equal((await utc.effect()).after.days, 13, 'the last of them is today');
  const ahead = await stage(t, { noted, zone: 'Pacific/Auckland' });
  const { after } = await ahead.effect();
  assert.deepEqual([after.from, after.to, after.days], ['2026-02-24T11:00:00Z', '2026-03-10T10:59:59Z', 14]);

  const { effect, db, siteId } = await stage(t, { zone: 'America/Los_Angeles' });
  const whole = await effect();
  db.write(() => changeTimeZone(db, siteId, 'Pacific/Auckland', Date.parse('2026-03-03T12:00:00Z') / 1000));
  const moved = await effect();
  assert.equal(whole.after.days, 14);
  assert.ok(moved.after.days < 14);
  assert.match(moved.notices.join(), /an incomplete day: .*2026-03-0[34]/);
  assert.match(moved.notices.join(), /These days were counted in America\/Los_Angeles/);
});

test('pageviews are counted, and conversions of the goal that is named or the main goal', async (t) => {
  const { effect, store, goal, manager, siteId } = await stage(t);
  const noted = TODAY - 15;
  const [signup, nothing] = [await goal('signup'), await goal('nothing')];
  const days = Array.from({ length: 30 }, (_, i) => TODAY - 30 + i);
  // Those who sign up do so twice: both are conversions of one visitor.
  const signups = days.flatMap((day) => comers(day, day < noted ? 6 + (day % 3) : 3 + (day % 2), SIGNUP));
  await store([...signups, ...signups]);

  const { before, change, verdict, ...reached } = await effect(`?metric=conversions&goal=${signup}`);
  assert.deepEqual([reached.metric, reached.goal, before.days, verdict], ['conversions', signup, 14, 'down']);
  const expected = days.filter((day) => day >= noted - 14 && day < noted).reduce((sum, day) => sum + 6 + (day % 3), 0);
  assert.equal(before.total, 2 * expected);
  assert.ok(change < -40 && change > -60);
  assert.match(reached.sentence, /^Conversions: −/);
  assert.equal((await effect(`?metric=conversions&goal=${nothing}`)).verdict, 'too_few_counted');
  await manager.ask('PATCH', `/sites/${siteId}`, { main_goal_id: signup });
  assert.equal((await effect('?metric=conversions')).before.total, before.total);

  const [seen, came] = [await effect('?metric=pageviews'), await effect('?metric=visitors')];
  assert.equal(seen.metric, 'pageviews');
  assert.deepEqual(came, await effect());
  assert.equal(seen.before.total, came.before.total, 'each of them opened one page');
});

test('days of which only sums are kept have visitors, and conversions of pages that are named whole, but not of patterns', async (t) => {
  const { effect, db, siteId, manager, seal } = await stage(t);
  const add = async (value: string): Promise<number> =>
    (await manager.ask('POST', `/sites/${siteId}/goals`, { type: 'page', value })).body.data.id;
  const [whole, pattern] = [await add('/'), await add('/*')];
  const queries = ['', `?metric=conversions&goal=${whole}`, `?metric=conversions&goal=${pattern}`];
  const [visitors, named, like] = await Promise.all(queries.map((query) => effect(query)));
  assert.deepEqual([named.before.total, like.before.total], [visitors.before.total, visitors.before.total]);
  await seal();
  db.run('UPDATE site SET keep_days = 15 WHERE id = ?', siteId);
  await seal();
  const [keptVisitors, keptNamed, keptLike] = await Promise.all(queries.map((query) => effect(query)));
  assert.deepEqual([keptVisitors, keptNamed], [visitors, named]);
  assert.deepEqual([keptLike.verdict, keptLike.before.days, keptLike.change], ['too_few_days', 0, null]);
  assert.match(keptLike.notices.join(), /^These days are not compared/);
});

test('what is asked wrongly is refused by its name', async (t) => {
  const { asked, goal, owner, stranger, strangerSiteId } = await stage(t);
  const known = await goal('signup');
  const wrong: [string, string][] = [
    ['?metric=visits', 'metric'],
    ['?metric=', 'metric'],
    ['?metric=conversions', 'goal'],
    ['?metric=conversions&goal=x', 'goal'],
    [`?goal=${known}`, 'goal'],
    [`?metric=pageviews&goal=${known}`, 'goal'],
    ['?range=7d', 'range'],
  ];
  for (const [query, field] of wrong) {
    const answer = await asked(query, owner);
    assert.equal(answer.status, 422, query);
    assert.deepEqual(Object.keys(answer.body.error.fields), [field], query);
  }
  const theirs = await stranger.ask('POST', `/sites/${strangerSiteId}/goals`, { type: 'page', value: '/' });
  for (const id of [999, theirs.body.data.id]) {
    assert.equal((await asked(`?metric=conversions&goal=${id}`)).status, 404);
  }
});

test('a day into which an outage falls is left out with its partner, and what is set aside does not count', async (t) => {
  const { effect, db, owner, siteId } = await stage(t);
  const whole = await effect();
  addOutage(db, { from: (TODAY - 3) * 86_400 + 100, to: (TODAY - 3) * 86_400 + 700, reason: 'down' });
  const missed = await effect();
  assert.deepEqual([whole.after.days, missed.after.days, missed.before.days], [14, 13, 13]);
  assert.match(missed.notices[0], /an incomplete day: .*2026-03-07/);

  await owner.ask('POST', `/sites/${siteId}/goals`, { type: 'event', value: 'signup' });
  await owner.ask('POST', `/sites/${siteId}/exclusions`, { from: '2026-02-24', filters: { page: '/' } });
  assert.equal((await effect()).after.total, 0);
  // Days from which something was taken are whole days.
  const [goal] = (await owner.ask('GET', `/sites/${siteId}/goals`)).body.data;
  assert.equal((await effect(`?metric=conversions&goal=${goal.id}`)).after.days, 13);
});

test('a deleted day is left out with its partner', async (t) => {
  const { effect, owner, siteId, seal, engine } = await stage(t);
  const whole = await effect();
  await seal();
  await engine.upkeep.sweep();
  const day = new Date((TODAY - 3) * 86_400_000).toISOString().slice(0, 10);
  assert.equal((await owner.ask('POST', `/sites/${siteId}/deletions`, { from: day, to: day })).status, 200);
  const lost = await effect();
  assert.deepEqual([whole.after.days, lost.after.days, lost.before.days], [14, 13, 13]);
  assert.ok(lost.notices[0].includes(day));
});

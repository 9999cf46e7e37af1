import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBot } from '../../src/classify/bot.ts';
import { CRAWLERS } from '../../src/classify/crawlers.ts';
import { findKnownSource } from '../../src/classify/source.ts';
import { BAKERY } from '../../src/demo/bakery.ts';
import { dice } from '../../src/demo/dice.ts';
import { DOCS } from '../../src/demo/docs.ts';
import { makeCrawls, makeHits } from '../../src/demo/past.ts';
import { DAYS, type Plan } from '../../src/demo/plan.ts';
import { secondsBetween } from '../../src/demo/trickle.ts';
import { findZone } from '../../src/lib/zone.ts';
import { NOON } from '../support/helpers.ts';

const PLANS = [BAKERY, DOCS];
const DAY = 86_400;
/** To make all of them again would take seconds. */
const COMPARED = 5_000;
const now = NOON / 1000;
const pastOf = (plan: Plan, seed = 1, at = now) => ({
  plan,
  dice: dice(seed),
  today: findZone(plan.timeZone).dayAt(at),
});

test('the same seed makes the same past, and none of it lies ahead', () => {
  for (const plan of PLANS) {
    const hits = [...makeHits(pastOf(plan), now)];
    const again = makeHits(pastOf(plan), now);
    for (const hit of hits.slice(0, COMPARED)) assert.deepEqual(again.next().value, hit);
    assert.notDeepEqual(hits[0], makeHits(pastOf(plan, 2), now).next().value);
    const { dateAt } = findZone(plan.timeZone);
    assert.ok(hits.every(({ day, second }) => dateAt(day * DAY + second) === day && day * DAY + second <= now));
    assert.ok(new Set(hits.map(({ day }) => day)).size > DAYS - 5);
    const seen = hits.filter(({ engaged }) => engaged === undefined).length;
    assert.ok(seen > 50_000 && seen < 200_000 && hits.length > seen * 1.4, `${seen} of ${hits.length}`);
  }
});

test('the bakery sleeps by the clocks of its own town, in winter as in summer, up to the last moment', () => {
  const { timeZone } = BAKERY;
  assert.equal(timeZone, 'Europe/Berlin');
  // In Berlin the next day has begun at this instant.
  const evening = Date.UTC(2026, 6, 10, 22, 30) / 1000;
  const past = pastOf(BAKERY, 1, evening);
  const instants = [...makeHits(past, evening)].map(({ day, second }) => day * DAY + second);
  const { localAt, findStart } = findZone(timeZone);
  for (const month of [0, 6]) {
    const hours = instants
      .map((instant) => new Date(localAt(instant) * 1000))
      .filter((time) => time.getUTCMonth() === month)
      .map((time) => time.getUTCHours());
    const atNight = hours.filter((hour) => hour < 4).length;
    assert.ok(hours.length > 2_000 && atNight / hours.length < 0.02, `${atNight} of ${hours.length} in month ${month}`);
  }
  assert.equal(findStart(past.today), Date.UTC(2026, 6, 10, 22) / 1000);
  assert.ok(instants.every((instant) => instant <= evening));
});

test('as many visitors come to the demo while it runs as came on the days before', () => {
  for (const plan of PLANS) {
    const past = pastOf(plan);
    const byDay = new Map<number, Set<number>>();
    for (const { day, visitor } of makeHits(past, now)) {
      const visitors = byDay.get(day) ?? new Set();
      byDay.set(day, visitors.add(visitor));
    }
    const days = [...byDay].filter(([day]) => day < past.today).slice(-28);
    const usual = days.map(([, visitors]) => visitors.size).sort((a, b) => a - b)[14] as number;
    const midnight = findZone(plan.timeZone).findStart(past.today);
    const hours = Array.from({ length: 24 }, (_, hour) => 3600 / secondsBetween(plan, midnight + hour * 3600));
    const today = hours.reduce((sum, visitors) => sum + visitors, 0);
    assert.ok(today > usual / 2 && today < usual * 2, `${today} a day, where ${usual} were`);
    assert.ok(Math.max(...hours) > 4 * Math.min(...hours) || plan !== BAKERY, 'a town sleeps');
  }
});

test('what the demo makes up is known to the program', () => {
  const known = new Set(CRAWLERS.map(({ id }) => id));
  for (const plan of PLANS) {
    assert.ok([...makeCrawls(pastOf(plan))].every(({ crawler }) => known.has(crawler)));
    for (const [agent] of plan.agents) assert.equal(isBot(agent, undefined), false, agent);
    for (const [host] of plan.assistants) assert.equal(findKnownSource(host)?.kind, 'assistant', host);
    assert.equal(plan.hours.length, 24);
    assert.equal(plan.week.length, 7);
    const pages = new Set([...plan.entries, ...Object.values(plan.links).flat()].map(([page]) => page));
    const events = Object.values(plan.actions).flatMap((actions) => actions.map(({ event }) => event));
    for (const { type, value } of [...plan.goals, ...plan.funnels.flatMap(({ steps }) => steps)]) {
      assert.ok(type === 'page' ? pages.has(value) : events.includes(value), value);
    }
  }
});

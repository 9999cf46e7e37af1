import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBot } from '../../src/classify/bot.ts';
import { CRAWLERS } from '../../src/classify/crawlers.ts';
import { findKnownSource } from '../../src/classify/known-sources.ts';
import { SEED } from '../../src/cli/demo.ts';
import { BAKERY } from '../../src/demo/bakery.ts';
import { dice } from '../../src/demo/dice.ts';
import { DOCS } from '../../src/demo/docs.ts';
import { makeCrawls, makeHits } from '../../src/demo/past.ts';
import { DAYS, type Scenario } from '../../src/demo/scenario.ts';
import { AT_START, findNextArrival } from '../../src/demo/trickle.ts';
import { findZone } from '../../src/lib/zone.ts';
import { TEXT_FIELDS } from '../../src/stats/dimensions.ts';
import { measureEffect, pairDays } from '../../src/stats/effects.ts';
import { unpackVitals } from '../../src/stats/vitals.ts';
import { NOON, share } from '../support/helpers.ts';
import { chance } from '../support/random.ts';

const SCENARIOS = [BAKERY, DOCS];
const DAY = 86_400;
/** To make all of them again would take seconds. */
const COMPARED = 5_000;
const now = NOON / 1000;
const pastOf = (scenario: Scenario, seed = 1, at = now) => ({
  scenario,
  dice: dice(seed),
  today: findZone(scenario.timeZone).dayAt(at),
});

test('the same seed makes the same past, and none of it lies ahead', () => {
  for (const scenario of SCENARIOS) {
    const hits = [...makeHits(pastOf(scenario), now)];
    const again = makeHits(pastOf(scenario), now);
    for (const hit of hits.slice(0, COMPARED)) assert.deepEqual(again.next().value, hit);
    assert.notDeepEqual(hits[0], makeHits(pastOf(scenario, 2), now).next().value);
    const { dateAt } = findZone(scenario.timeZone);
    assert.ok(hits.every(({ day, second }) => dateAt(day * DAY + second) === day && day * DAY + second <= now));
    assert.ok(new Set(hits.map(({ day }) => day)).size > DAYS - 5);
    const seen = hits.filter(({ engaged }) => engaged === undefined).length;
    assert.ok(seen > 50_000 && seen < 200_000 && hits.length > seen * 1.4, `${seen} of ${hits.length}`);
  }
});

test('demo: pages tell how far they were scrolled and how fast they were, and some hits have properties', () => {
  for (const scenario of SCENARIOS) {
    const hits = [...makeHits(pastOf(scenario), now)];
    const told = hits.filter(({ engaged }) => engaged !== undefined);
    const depths = told.map(({ scroll = -1 }) => scroll);
    assert.ok(Math.min(...depths.slice(0, COMPARED)) > 0 && Math.max(...depths.slice(0, COMPARED)) <= 100);
    const lcp = told.map(({ vitals = 0 }) => unpackVitals(vitals).lcp ?? 0).sort((one, other) => one - other);
    const poor = lcp.filter((value) => value > 4_000).length / lcp.length;
    assert.ok((lcp[0] ?? 0) > 0 && poor > 0.001 && poor < 0.2, `${scenario.domain}: ${poor} of pageviews are slow`);
    const found = new Set(hits.map(({ texts }) => texts[TEXT_FIELDS.indexOf('properties')]));
    assert.ok(found.has('') && found.size > 4, `${scenario.domain}: ${found.size} sets of properties`);
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

/** How many visitors come on each day of the past. */
function countVisitors(past: ReturnType<typeof pastOf>, at: number): (day: number) => number {
  const byDay = new Map<number, Set<number>>();
  for (const { day, visitor } of makeHits(past, at)) byDay.set(day, (byDay.get(day) ?? new Set()).add(visitor));
  return (day) => byDay.get(day)?.size ?? 0;
}

/** The instants at which visitors come to a demo that starts at an instant and runs for some hours. */
function arrivalsOf(scenario: Scenario, start: number, hours: number, seed: number): number[] {
  const thrown = dice(seed);
  const arrivals = new Array<number>(AT_START).fill(start);
  for (let at = start; at < start + hours * 3600; arrivals.push(at)) at = findNextArrival(scenario, thrown, at);
  return arrivals;
}

test('demo: as many visitors come while it runs as on other days, by the hours of the scenario', () => {
  for (const scenario of SCENARIOS) {
    const past = pastOf(scenario);
    const visitorsOn = countVisitors(past, now);
    const usual = Array.from({ length: 28 }, (_, back) => visitorsOn(past.today - 1 - back)).sort((a, b) => a - b)[14];
    const midnight = findZone(scenario.timeZone).findStart(past.today);
    for (let seed = 1; seed <= 20; seed++) {
      const arrivals = arrivalsOf(scenario, midnight, 24, seed);
      const share = arrivals.length / (usual as number);
      assert.ok(
        share > 0.5 && share < 2,
        `${scenario.domain}, seed ${seed}: ${arrivals.length} where ${usual} are usual`,
      );
      const hour = arrivalsOf(scenario, now, 1, seed);
      assert.ok(hour.length < (usual as number) / 4, `${scenario.domain}, seed ${seed}: ${hour.length} in an hour`);
      const atNight = arrivals.slice(AT_START).filter((at) => at < midnight + 4 * 3600).length;
      assert.ok(
        scenario !== BAKERY || atNight < arrivals.length / 10,
        `a town sleeps: ${atNight} of ${arrivals.length}`,
      );
    }
  }
});

test('demo: of each site, one change brought more visitors and one brought fewer, beyond chance', (t) => {
  // The past depends on the date only by its weekday. So seven days stand for all days. Chance chooses some of them.
  const first = Math.floor(chance(t)() * 7);
  for (let more = 0; more < share(7); more++) {
    const weekday = (first + more) % 7;
    const at = now + weekday * DAY;
    for (const [i, scenario] of SCENARIOS.entries()) {
      const past = pastOf(scenario, SEED + i + 1, at);
      const visitorsOn = countVisitors(past, at);
      const verdicts = scenario.notes.map(({ on }) => {
        const days = pairDays(past.today - on).filter(({ after }) => after < past.today);
        const pairs = days.map(({ before, after }) => ({ before: visitorsOn(before), after: visitorsOn(after) }));
        return measureEffect(pairs).verdict;
      });
      for (const verdict of ['up', 'down', 'unclear'] as const) {
        assert.ok(verdicts.includes(verdict), `${scenario.domain}, weekday ${weekday}: none is ${verdict}`);
      }
    }
  }
});

test('what the demo makes up is known to the program', () => {
  const known = new Set(CRAWLERS.map(({ id }) => id));
  for (const scenario of SCENARIOS) {
    assert.ok([...makeCrawls(pastOf(scenario))].every(({ crawler }) => known.has(crawler)));
    for (const [agent] of scenario.agents) assert.equal(isBot(agent, undefined), false, agent);
    for (const [host] of scenario.assistants) assert.equal(findKnownSource(host)?.kind, 'assistant', host);
    assert.equal(scenario.hours.length, 24);
    assert.equal(scenario.week.length, 7);
    const pages = new Set([...scenario.entries, ...Object.values(scenario.links).flat()].map(([page]) => page));
    const events = Object.values(scenario.actions).flatMap((actions) => actions.map(({ event }) => event));
    for (const { type, value } of [...scenario.goals, ...scenario.funnels.flatMap(({ steps }) => steps)]) {
      assert.ok(type === 'page' ? pages.has(value) : events.includes(value), value);
    }
  }
});

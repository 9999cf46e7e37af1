import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Dice, dice } from '../../src/demo/dice.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import { COUNTRIES, days, explain, SOURCES } from './explaining.ts';
import { shapes } from './shapes.ts';
import { openSite } from './stage.ts';
import type { Query } from './visits.ts';

const DEVICES = ['Mobile', 'Desktop'];
const HOSTS = ['example.com', 'shop.example.com'];
const PROPERTIES = ['', '{"plan":"pro"}', '{"plan":"free","seats":"5"}', '{"seats":"9"}'];
const pick = <One>({ between }: Dice, list: readonly One[]): One => list[between(0, list.length - 1)] as One;

/** Visitors of a day, some with a second visit that has another source. `planted` of them are mobile visitors from DE. */
function makeDay(thrown: Dice, day: number, count: number, planted: number): Hit[] {
  return Array.from({ length: count + planted }, (_, visitor) => {
    const own = visitor < count ? { country: pick(thrown, COUNTRIES), device: pick(thrown, DEVICES) } : PLANTED;
    const second = thrown.between(0, 86_000);
    const make = (more: Partial<Hit>): Hit =>
      pageview({
        day,
        visitor,
        second,
        source: pick(thrown, SOURCES),
        page: pick(thrown, ['/', '/a', '/b']),
        hostname: pick(thrown, HOSTS),
        properties: pick(thrown, PROPERTIES),
        ...own,
        ...more,
      });
    const later = second + 3_000;
    const goal = thrown.chance(0.3) ? [make({ second: second + 10, page: '/thanks' })] : [];
    return [make({}), ...goal, ...(later < 86_400 && thrown.chance(0.2) ? [make({ second: later })] : [])];
  }).flat();
}

const PLANTED = { country: 'DE', device: 'Mobile' };
for (const [name, limits] of shapes()) {
  test(`explain: each figure is that of the overview with these filters${name}`, async (t) => {
    const app = await startApp(t, {}, { limits, threaded: true });
    for (let seed = 1; seed <= share(8); seed++) {
      const thrown = dice(seed);
      const opened = await openSite(app, { goals: [{ type: 'page', value: '/thanks' }] });
      const goal = String(opened.known.goals[0]?.id);
      // Open days in many parts take long, so they are few. With fewer visitors a day, the country alone may explain the
      // change as well.
      const isWhole = name === '';
      const { length, least, planted } = isWhole
        ? { length: 16, least: 30, planted: 40 }
        : { length: 3, least: 10, planted: 20 };
      const make = (ago: number) =>
        makeDay(thrown, TODAY - ago, thrown.between(least, least + 20), ago < 8 ? planted : 0);
      const hits = Array.from({ length }, (_, ago) => make(ago)).flat();
      await opened.store(hits);
      await app.engine.upkeep.compact();
      const questions: Query[] = [
        { range: 'today', compare_until: 'now' },
        { range: days(-7, -1), compare: days(-14, -8), by: 'conversions', goal },
        { range: '7d', compare_until: 'now' },
        { range: '7d' },
        { range: days(-7, -1), compare: days(-14, -8), by: 'visits' },
        { range: days(-7, -1), compare: days(-14, -8), by: 'pageviews' },
        { range: '7d', compare_until: 'now', by: 'pageviews', 'filters[hostname]': 'example.com' },
        { range: days(-7, -1), compare: days(-14, -8), by: 'visits', 'filters[country][not]': ['FR'] },
        { range: days(-7, -1), compare: days(-14, -8), 'filters[device]': 'Mobile' },
        { range: days(-3, -1), compare: days(-15, -10), 'filters[country][not]': ['FR'] },
        { range: '7d', compare_until: 'now', 'filters[hostname]': 'example.com' },
        { range: days(-7, -1), by: 'conversions', compare: days(-14, -8), goal, 'filters[property:plan][is]': ['pro'] },
      ];
      const agree = async () => {
        for (const question of questions.slice(0, isWhole ? questions.length : 1)) {
          await explain(app, opened, question);
        }
      };
      const found = async () => (isWhole ? await explain(app, opened, { range: days(-7, -1) }) : [PLANTED]);
      await agree();
      assert.deepEqual(await found(), [PLANTED]);
      await app.seal();
      await agree();
      assert.deepEqual(await found(), [PLANTED]);
      await opened.exclude(TODAY - 7, TODAY, { 'filters[source]': 'x.org' });
      await agree();
    }
  });
}

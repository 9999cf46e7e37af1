import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../src/lang/languages.ts';
import { Problem } from '../../src/lib/errors.ts';
import { DAY } from '../../src/lib/time.ts';
import { letter as customLetter } from '../../src/mail/custom-alerts.ts';
import type { MailKind, Sources } from '../../src/mail/kind.ts';
import { writeReason } from '../../src/mail/reason.ts';
import { weekly } from '../../src/mail/reports.ts';
import { letter } from '../../src/mail/traffic.ts';
import { voiceIn } from '../../src/mail/voice.ts';
import { type Ask, makeAsk } from '../../src/stats/ask.ts';
import { IN_UTC } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { comersAt, hourly, sourcesOf, store } from './site.ts';

const MONDAY = Date.parse('2026-03-09T07:00:00Z') / 1000;
const FIRST = Date.parse('2026-03-02T00:00:00Z') / 1000;
/** The day of the tests' clock. */
const TUESDAY = Date.parse('2026-03-10T00:00:00Z') / 1000;

type App = Awaited<ReturnType<typeof startApp>>;

const REASON = {
  filters: { country: 'DE', channel: 'Organic Search', entry: '/a' },
  ...{ total: 1_480, previous: 300, isCertain: true },
};

test('reason: the sentence of a mail has the properties in the language of the mail', () => {
  const said = LANGUAGES.map((language) => writeReason(REASON, voiceIn(language)));
  assert.deepEqual(said, [
    'Most of the change comes from visitors that have the country Germany, the channel Organic Search and the entry page /a in common: 300 before, 1,480 now.',
    'Der größte Teil der Änderung kommt von Besuchern, die das Land Deutschland, den Kanal Organische Suche und die Einstiegsseite /a gemeinsam haben: vorher 300, jetzt 1.480.',
    'La plus grande partie du changement vient de visiteurs qui ont le pays Allemagne, le canal Recherche naturelle et la page d’entrée /a en commun\u202f: 300 avant, 1\u202f480 maintenant.',
    'La mayor parte del cambio viene de visitantes que tienen en común el país Alemania, el canal Búsqueda orgánica y la página de entrada /a: 300 antes, 1480 ahora.',
  ]);
  const direct = { ...REASON, filters: { source: '' } };
  assert.match(writeReason(direct, voiceIn('en')), /have the source Direct in common/);
  const ofHits = { ...REASON, filters: { hostname: 'shop.example.com', 'property:plan': 'pro' } };
  const hostAndPlan = [
    'that have the host name shop.example.com and the property plan = pro in common',
    'die den Hostnamen shop.example.com und die Eigenschaft plan = pro gemeinsam haben',
    'qui ont le nom d’hôte shop.example.com et la propriété plan = pro en commun',
    'que tienen en común el nombre de host shop.example.com y la propiedad plan = pro',
  ];
  for (const [i, language] of LANGUAGES.entries()) {
    assert.ok(writeReason(ofHits, voiceIn(language)).includes(hostAndPlan[i] as string), language);
  }
});

test('reason: a weekly report names what made the change, and nothing where chance may do as much', async (t) => {
  const app = await startApp(t);
  const { siteId } = app;
  const week = (first: number, planted: number) =>
    Array.from({ length: 7 }, (_, i) => [
      ...comersAt(20, first + i * DAY, { siteId, country: 'FR', device: 'Desktop' }),
      ...comersAt(20, first + i * DAY + 3_600, { siteId, country: 'DE', device: 'Mobile' }),
      ...comersAt(20, first + i * DAY + 7_200, { siteId, country: 'DE', device: 'Desktop' }),
      ...comersAt(planted, first + i * DAY + 9_000, { siteId, country: 'DE', device: 'Mobile' }),
    ]).flat();
  await store(app.db, [...week(FIRST - 14 * DAY, 0), ...week(FIRST - 7 * DAY, 0), ...week(FIRST, 20)]);
  assert.deepEqual(await readReasons(app, MONDAY), [
    'Most of the change comes from visitors that have the device Mobile in common: 140 before, 280 now. They also make up most of the change of other figures: Pageviews 140 → 280 and Visits 140 → 280.',
  ]);
  assert.deepEqual(await readReasons(app, MONDAY - 7 * DAY), []);
});

test('reason: pageviews of a weekly report have a reason of their own', async (t) => {
  const app = await startApp(t);
  const { siteId } = app;
  const week = (first: number, french: number, views: number) =>
    Array.from({ length: 7 }, (_, i) => {
      const germans = comersAt(60, first + i * DAY + 3_600, { siteId, country: 'DE' });
      return [
        ...comersAt(french, first + i * DAY, { siteId, country: 'FR' }),
        ...Array.from({ length: views }, (_, view) => germans.map((one) => ({ ...one, second: one.second + view }))),
      ].flat();
    }).flat();
  await store(app.db, [...week(FIRST - 7 * DAY, 60, 1), ...week(FIRST, 120, 6)]);
  assert.deepEqual(await readReasons(app, MONDAY), [
    'Most of the change comes from visitors that have the country France in common: 420 before, 840 now. They also make up most of the change of other figures: Visits 420 → 840.',
    'Pageviews: Most of the change comes from visitors that have the country Germany in common: 420 before, 2,520 now.',
  ]);
});

test('reason: an alert of many visitors is not explained by a fall since a wave a week before', async (t) => {
  const app = await startApp(t);
  const hour = FIRST + 4 * DAY + 14 * 3_600;
  const { siteId } = app;
  await store(app.db, [
    ...hourly(4, FIRST - 35 * DAY, hour + 3_600, { siteId, country: 'FR', source: 'x.org' }),
    ...comersAt(900, hour - 7 * DAY - 7_200, { siteId, country: 'DE', source: 'news.example', page: '/a' }),
    ...comersAt(300, hour + 60, { siteId, country: 'FR', source: 'x.org' }),
  ]);
  const mail = JSON.stringify(await readAlert(app, hour));
  assert.match(mail, /has far more visitors than usual/);
  assert.doesNotMatch(mail, /Most of the change/);
});

test('reason: an alert names the visitors that are more than a week before', async (t) => {
  const app = await startApp(t);
  const { siteId } = app;
  const hour = FIRST + 4 * DAY + 14 * 3_600;
  await store(app.db, [
    ...hourly(4, FIRST - 35 * DAY, hour, { siteId, country: 'FR', source: 'x.org' }),
    ...comersAt(300, hour + 60, { siteId, country: 'DE', source: 'news.example', page: '/a' }),
    ...comersAt(4, hour + 400, { siteId, country: 'FR', source: 'x.org' }),
  ]);
  assert.match(
    JSON.stringify(await readAlert(app, hour)),
    /Most of the change comes from visitors that have .* in common: 0 before, 300 now/,
  );
});

test('reason: if the server is too busy to explain a change, the message has no reason and is not late', async (t) => {
  const app = await startApp(t);
  const { siteId, owner } = app;
  const alert = { name: 'Odd', metric: 'visitors', condition: 'unusual' };
  assert.equal((await owner.ask('POST', `/sites/${siteId}/alerts`, alert)).status, 201);
  const hour = TUESDAY + 14 * 3_600;
  await store(app.db, [
    ...hourly(4, TUESDAY - 35 * DAY, hour, { siteId, country: 'FR' }),
    ...comersAt(300, hour + 60, { siteId, country: 'DE' }),
  ]);
  for (const [write, at, unanswered, figures] of [
    [letter, hour, 'table', ['visitors']],
    [weekly.letter, TUESDAY + 6 * DAY + 7 * 3_600, 'table', ['visitors', 'pageviews', 'visits']],
    [customLetter, TUESDAY + DAY, 'breakdown', ['visitors']],
  ] as const) {
    const logged: unknown[] = [];
    const log = (...line: unknown[]) => logged.push(line);
    const read = async (sources: Partial<Sources>) => JSON.stringify(await readLetter(app, write, at, sources));
    const ask =
      (code: 'unavailable' | 'internal'): Ask =>
      async (query, signal) => {
        if (query.report === unanswered) throw new Problem(code);
        return sourcesOf(app).ask(query, signal);
      };
    assert.match(await read({ log }), /example\.com/);
    assert.deepEqual(logged, []);
    const message = await read({ log, ask: ask('unavailable') });
    assert.match(message, /example\.com/);
    assert.doesNotMatch(message, /Most of the change/);
    const reason = new Problem('unavailable').message;
    assert.deepEqual(
      logged,
      figures.map((figure) => [
        'a change could not be explained; the message has no reason',
        { site: siteId, figure, reason },
      ]),
    );
    await assert.rejects(read({ log, ask: ask('internal') }), Problem);
  }
});

test('reason: a change since totals-only days is not explained, because their visitors have no properties', async (t) => {
  const app = await startApp(t);
  const { siteId, engine } = app;
  const days = Array.from({ length: 4 }, (_, i) => FIRST / DAY - 7 + i);
  const totals = { visitors: 40, visits: 40, pageviews: 40, events: 0, bounces: 0, seconds: 0 };
  const sums = {
    today: days[0] as number,
    texts: [''],
    days,
    readSums: (day: number) => ({ day, totals, counts: new Map() }),
  };
  await engine.imports.add(siteId, { ...sums, today: FIRST / DAY + 7 }, { replace: false });
  const counted = Array.from({ length: 17 }, (_, i) => FIRST / DAY - 10 + i).filter((day) => !days.includes(day));
  const week = counted.flatMap((day) => [
    ...comersAt(day < FIRST / DAY ? 20 : 280, day * DAY, { siteId, country: 'DE', source: 'x.org' }),
    ...comersAt(20, day * DAY + 3_600, { siteId, country: 'FR', source: 'y.org' }),
  ]);
  await store(app.db, week);
  const mail = JSON.stringify(await readLetter(app, weekly.letter, MONDAY, { ask: makeAsk(engine.queries) }));
  assert.match(mail, /2,100/);
  assert.doesNotMatch(mail, /Most of the change/);
});

test('reason: a custom alert has no reason unless it makes up most of the change of all visitors', async (t) => {
  const odd = { metric: 'visitors', condition: 'unusual' };
  const [usual, equal] = [{ CA: 300 }, { DE: 400, FR: 200, US: 400 }];
  const even = { CA: 300, DE: 300, FR: 290, US: 280 };
  for (const [weekBefore, today, reason] of [
    [{ DE: 100, FR: 500, US: 400 }, equal, undefined],
    [usual, even, undefined],
    [{ DE: 100, FR: 200, US: 400 }, equal, /the country Germany in common: 100 before, 400 now/],
  ] as const) {
    const app = await startApp(t);
    const { siteId, owner } = app;
    const goal = await owner.ask('POST', `/sites/${siteId}/goals`, { type: 'page', value: '/' });
    for (const one of [
      { ...odd, name: 'People' },
      { ...odd, name: 'Views', metric: 'pageviews' },
      { ...odd, name: 'Orders', metric: 'conversions', goal_id: goal.body.data.id },
    ]) {
      assert.equal((await owner.ask('POST', `/sites/${siteId}/alerts`, one)).status, 201);
    }
    const come = (counts: object, day: number) =>
      Object.entries(counts).flatMap(([country, count]) => comersAt(count, day, { siteId, country, page: '/' }));
    const weeks = Array.from({ length: 7 }, (_, i) => come(usual, TUESDAY - (i + 2) * 7 * DAY)).flat();
    await store(app.db, [...weeks, ...come(weekBefore, TUESDAY - 7 * DAY), ...come(today, TUESDAY)]);
    const mail = JSON.stringify(await readLetter(app, customLetter, TUESDAY + DAY));
    assert.match(mail, /3 custom alerts/);
    if (!reason) assert.doesNotMatch(mail, /in common/);
    else
      for (const name of ['People', 'Views', 'Orders']) assert.match(mail, new RegExp(`${name}: .*${reason.source}`));
  }
});

test('reason: an alert of pageviews is explained by the pageviews of a group, and not if all groups see more', async (t) => {
  for (const { today, reloads, now: told } of [
    { today: [500, 100], reloads: 600, now: undefined },
    { today: [500, 1_000], reloads: 500, now: '1,000' },
    { today: [500, 400], reloads: 900, now: '800' },
  ] as const) {
    const app = await startApp(t);
    const { siteId, owner } = app;
    const views = { name: 'Views', metric: 'pageviews', condition: 'unusual' };
    assert.equal((await owner.ask('POST', `/sites/${siteId}/alerts`, views)).status, 201);
    const come = (day: number, [french, german]: readonly [number, number]) => [
      ...comersAt(french, day, { siteId, country: 'FR' }),
      ...comersAt(german, day, { siteId, country: 'DE' }),
    ];
    const weeks = Array.from({ length: 8 }, (_, i) => come(TUESDAY - (i + 1) * 7 * DAY, [500, 100])).flat();
    const now = come(TUESDAY, today);
    const twice = now.slice(0, reloads).map((one) => ({ ...one, second: one.second + 1 }));
    await store(app.db, [...weeks, ...now, ...twice]);
    const mail = JSON.stringify(await readLetter(app, customLetter, TUESDAY + DAY));
    assert.match(mail, /Views \(Pageviews\)/);
    if (!told) assert.doesNotMatch(mail, /in common/);
    else assert.ok(mail.includes(`have the country Germany in common: 100 before, ${told} now`), mail);
  }
});

/** Reads the sentences of a weekly report that give a reason. */
const readReasons = async (app: App, at: number): Promise<string[]> =>
  ((await readLetter(app, weekly.letter, at))?.blocks ?? []).flatMap((block) =>
    block.kind === 'words' && block.words.includes('Most of the change') ? [block.words] : [],
  );

const readAlert = (app: App, hour: number) => readLetter(app, letter, hour);

/** Writes a letter in the hour after the moment that it is about. */
const readLetter = (app: App, write: MailKind['letter'], at: number, sources: Partial<Sources> = {}) =>
  write(
    { ...sourcesOf(app), ...sources },
    { ...IN_UTC, id: app.siteId, accountId: app.owner.accountId, domain: 'example.com' },
    { at, createdAt: at + 3_600, endedAt: null, now: at + 3_600, aliveSince: undefined },
    voiceIn('en'),
  );

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../src/lang/languages.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { type Details, writeEffects } from '../../src/mail/effect-letter.ts';
import { writeBlocks } from '../../src/mail/text.ts';
import { voiceIn } from '../../src/mail/voice.ts';
import { addOutage } from '../../src/store/server/outages.ts';
import { hereOn } from '../cli/here.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { receiver } from '../mail/receiver.ts';
import { type Mail, readMail } from '../mail/server.ts';
import { date } from '../stats/days.ts';
import { EVERYBODY, office, recipients } from './office.ts';

/** The last of the 14 days after this day is yesterday. */
const NOTED = TODAY - 15;
const NOISE = [1, -1, 0, 2, -2];
const NOON_OF_TODAY = TODAY * DAY + 12 * HOUR;

/** A subject with quotes is encoded, so tests read the title, which has the same words. */
const titles = (mails: readonly Mail[]): string[] => [
  ...new Set(mails.map((mail) => (readMail(mail).parts['text/plain'] ?? '').split(/\r?\n/, 1)[0] ?? '')),
];

const plain = ([mail]: readonly Mail[]): string =>
  (readMail(mail ?? assert.fail('no mail')).parts['text/plain'] ?? '').replaceAll(/\s+/g, ' ');

/** 10 visitors on a day before the note, and 20 after it. A third of them leaves at once, before it and after it. */
function makeDay(day: number): Hit[] {
  const count = (day < NOTED ? 10 : 20) + (NOISE[day % NOISE.length] ?? 0);
  return Array.from({ length: count }, (_, visitor) => {
    const base = { day, visitor: 1 + visitor };
    if (visitor % 3 === 0) return [pageview(base)];
    return [pageview(base), pageview({ ...base, second: 43_210, ...(visitor % 3 === 1 && { event: 'signup' }) })];
  }).flat();
}

type Added = { text?: string; day?: number; effect?: boolean; url?: string };

/** A site that was visited from 40 days before today on, with a goal, and a function that adds a note. */
async function stage(t: Parameters<typeof office>[0], { first = TODAY - 40, settings = {}, hook = '' } = {}) {
  const opened = await office(t, settings, hook || undefined);
  const { store, owner, manager, siteId, at } = opened;
  const path = `/sites/${siteId}`;
  const { id } = (await manager.ask('POST', `${path}/goals`, { type: 'event', value: 'signup' })).body.data;
  await owner.ask('PATCH', path, { main_goal_id: id });
  await store(...Array.from({ length: TODAY - first }, (_, i) => makeDay(first + i)).flat());
  at(NOON_OF_TODAY);
  let hours = 0;
  return {
    ...opened,
    /** Each hour, the server looks once. */
    async nextHour(): Promise<Mail[]> {
      at(NOON_OF_TODAY + ++hours * HOUR);
      return await opened.look();
    },
    async note({ text = 'Deploy 1f2e3d4', day = NOTED, effect = true, ...more }: Added = {}): Promise<number> {
      const answer = await manager.ask('POST', `${path}/notes`, { date: date(day), text, effect, ...more });
      assert.equal(answer.status, 201, answer.text);
      return answer.body.data.id;
    },
    effectOf: async (note: number, metric: string) =>
      (await manager.ask('GET', `${path}/notes/${note}/effect?metric=${metric}`)).body.data,
  };
}

test('effects: once the 14 days after a note are sealed, its effect is sent once, also after a restart', async (t) => {
  const { note, nextHour, seal, restart, effectOf } = await stage(t);
  const id = await note({ url: 'https://git.example.com/c/1f2e3d4' });
  assert.deepEqual(await nextHour(), [], 'the days are not sealed yet');
  await seal();
  const mails = await nextHour();
  assert.deepEqual(recipients(mails), EVERYBODY);
  assert.deepEqual(titles(mails), ['example.com: two weeks after “Deploy 1f2e3d4”']);
  const text = plain(mails);
  assert.match(text, /23 February 2026: Deploy 1f2e3d4 https:\/\/git\.example\.com\/c\/1f2e3d4 /);
  for (const [metric, name] of [
    ['visitors', 'Visitors'],
    ['conversions', String.raw`Conversions \(signup\)`],
  ] as const) {
    const { before, after, change, verdict } = await effectOf(id, metric);
    assert.equal(verdict, 'up');
    const row = `${name} ${before.total} ${after.total} \\+${change.toFixed(1)}%`;
    assert.match(text, new RegExp(row), row);
  }
  assert.match(text, /Visits \d+ \d+ \+\d+\.\d% Bounce rate 3\d\.\d% 3\d\.\d% [−+]\d\.\d pp/);
  assert.match(text, /Beyond chance: Visitors, Visits and Conversions\. May be chance: Bounce rate\./);
  assert.match(text, /14 days after are compared with 14 days before, in pairs of equal weekdays\./);
  assert.match(text, /sites\/example\.com\?range=2026-02-09~2026-03-09/);
  assert.doesNotMatch(text, /not compared/);
  assert.deepEqual(await nextHour(), []);
  restart();
  assert.deepEqual(await nextHour(), []);
});

test('effects: only notes that ask for it have one, and those of a day share a message', async (t) => {
  const { note, nextHour, seal } = await stage(t);
  await seal();
  await note({ effect: false });
  await note({ day: NOTED + 1 });
  assert.deepEqual(await nextHour(), [], 'its last day is running');
  await note({ text: 'First' });
  await note({ text: 'Second' });
  await note({ text: 'The day before', day: NOTED - 1 });
  assert.deepEqual(titles(await nextHour()), ['example.com: two weeks after “The day before”']);
  assert.deepEqual(titles(await nextHour()), ['example.com: two weeks after “First +1”']);
  assert.deepEqual(await nextHour(), []);
  await note({ text: 'Written down late' });
  assert.deepEqual(titles(await nextHour()), ['example.com: two weeks after “Written down late”']);
  await note({ text: 'Too long ago', day: NOTED - 15 });
  assert.deepEqual(await nextHour(), []);
});

test('effects: days that are missing are named, and with too few days there are no figures', async (t) => {
  const { note, nextHour, seal, db } = await stage(t);
  await note();
  await seal();
  addOutage(db, { from: (NOTED + 3) * DAY + HOUR, to: (NOTED + 3) * DAY + 2 * HOUR, reason: 'down' });
  const one = plain(await nextHour());
  assert.match(one, /13 days after are compared with 13 days before/);
  assert.match(one, /These days are not compared, .*: 2026-02-12, 2026-02-26\./);
  addOutage(db, { from: (NOTED + 3) * DAY, to: (NOTED + 11) * DAY, reason: 'down' });
  await note({ text: 'Another' });
  const few = plain(await nextHour());
  assert.match(few, /Not enough comparable days: 6 of 14\. At least 7 are needed\. These days are not compared, /);
  assert.doesNotMatch(few, /Visitors|chance/);
});

test('effects: a webhook gets the message too, and a site that switched it off sends none', async (t) => {
  const hook = await receiver(t);
  const { note, nextHour, seal, owner, siteId } = await stage(t, { hook: hook.url });
  await note();
  await seal();
  assert.equal((await nextHour()).length, 3);
  const [message] = hook.received.map(({ body }) => JSON.parse(body));
  assert.equal(message.kind, 'effects');
  assert.match(message.text, /Beyond chance: Visitors, Visits and Conversions\./);
  await owner.ask('PATCH', `/sites/${siteId}`, { report_effects: false });
  await note({ text: 'Another' });
  assert.deepEqual(await nextHour(), []);
});

test('effects: a preview is about the latest note whose two weeks are over', async (t) => {
  const app = await stage(t);
  const preview = () => hereOn(app, 'mail', 'preview', 'example.com', '--kind', 'effects');
  assert.match((await preview()).explained.join(''), /No mail is sent: no note with this message/);
  await app.note({ text: 'Long ago', day: NOTED - 2 });
  await app.note({ text: 'Deploy\r\nBcc: x@example.com' });
  const { printed } = await preview();
  assert.match(printed.join('\n'), /^Subject: example\.com: two weeks after “Deploy Bcc: x@example\.com”\n/);
  assert.match(printed.join('\n'), /Visitors +\d+ +\d+ +\+/);
});

test('effects: a day that is never sealed does not make the server ask for ever', async (t) => {
  const { note, at, look, asked } = await stage(t);
  await note();
  at(NOON_OF_TODAY + 15 * DAY);
  const before = asked();
  assert.deepEqual(await look(), []);
  at(NOON_OF_TODAY + 15 * DAY + HOUR + MINUTE);
  assert.deepEqual(await look(), []);
  assert.equal(asked(), before);
});

test('effects: the message is in the language of the reader', () => {
  const details: Details = {
    ...{ day: NOTED, notes: [{ id: 1, text: 'Deploy', url: null }], pairs: 13 },
    figures: [
      { name: 'visitors', before: 1_300, after: 1_560, change: 20, verdict: 'up' },
      { name: 'bounce_rate', before: 40, after: 39.5, change: -0.5, verdict: 'unclear' },
      { name: 'conversions', before: null, after: null, change: null, verdict: 'too_few_days' },
    ],
    notCompared: [],
  };
  const [, table] = writeEffects(details, 'example.com', 'https://stats.example.com', voiceIn('en')).blocks;
  assert.ok(table?.kind === 'table');
  assert.deepEqual(
    table.rows.map((row) => row.at(-1)?.tone),
    ['good', undefined, undefined],
    'a change that may be chance has no colour',
  );
  const says = LANGUAGES.map((language) => {
    const letter = writeEffects(details, 'example.com', 'https://stats.example.com', voiceIn(language));
    return `${letter.subject} | ${writeBlocks(letter, voiceIn(language))}`.replaceAll(/\s+/g, ' ');
  });
  const [english, german, french, spanish] = says;
  assert.match(
    english ?? '',
    /two weeks after “Deploy” .* Visitors 1,300 1,560 \+20\.0% Bounce rate 40\.0% 39\.5% −0\.5 pp Conversions – – – Beyond chance: Visitors\. May be chance: Bounce rate\. Too little was counted to compare: Conversions\. 13 days/,
  );
  assert.match(
    german ?? '',
    /zwei Wochen nach „Deploy“ .* Zahlen Vorher Nachher Änderung .* Mehr als Zufall: Besucher\. Kann Zufall sein: Absprungrate\. Zu wenig gezählt für einen Vergleich: Conversions\. 13 Tage/,
  );
  assert.match(
    french ?? '',
    /deux semaines après « Deploy » .* Avant Après .* Au-delà du hasard : Visiteurs\. Peut-être le hasard : Taux de rebond\. .* 13 jours/,
  );
  assert.match(
    spanish ?? '',
    /dos semanas después de «Deploy» .* Antes Después .* Más que azar: Visitantes\. Puede ser azar: .* 13 días/,
  );
});

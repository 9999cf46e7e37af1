import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../src/lang/languages.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { sayChanged } from '../../src/mail/told-figures.ts';
import { voiceIn } from '../../src/mail/voice.ts';
import { hereOn } from '../cli/here.ts';
import { type Mail, readMail } from '../mail/server.ts';
import { comersAt } from '../mail/site.ts';
import { LAST_WEEK, MONDAY, office } from './office.ts';

const WEEK = 7 * DAY;
const plain = ([mail]: readonly Mail[]): string =>
  (readMail(mail ?? assert.fail('no mail')).parts['text/plain'] ?? '').replaceAll(/\s+/g, ' ');
const written = ([mail]: readonly Mail[]): string => readMail(mail ?? assert.fail('no mail')).parts['text/html'] ?? '';
const CHANGED = /changed since the last report/;

/** A site with visitors of two countries in each of several weeks, and a function that sends the report of a week. */
async function stage(t: Parameters<typeof office>[0]) {
  const opened = await office(t, { weekly_report: true });
  const { store, at, look, owner, siteId } = opened;
  for (let week = -1; week < 12; week++) {
    const moment = LAST_WEEK + week * WEEK + 12 * HOUR;
    await store(...comersAt(5, moment, { country: 'DE' }), ...comersAt(3, moment + DAY, { country: 'US' }));
  }
  return {
    ...opened,
    /** The mails of a Monday. */
    async report(week: number): Promise<Mail[]> {
      at(MONDAY + week * WEEK + 7 * HOUR);
      return await look();
    },
    async exclude(from: string, to: string, country: string) {
      const body = { from, to, filters: { country: { is: [country] } } };
      const answer = await owner.ask('POST', `/sites/${siteId}/exclusions`, body);
      assert.equal(answer.status, 201, answer.text);
      return answer.body.data.id as number;
    },
  };
}

test('reports: a report says once how figures of earlier reports have changed, also after a restart', async (t) => {
  const { report, exclude, restart, owner, siteId } = await stage(t);
  assert.doesNotMatch(plain(await report(0)), CHANGED);
  assert.doesNotMatch(plain(await report(1)), CHANGED, 'nothing has changed');
  const id = await exclude('2026-03-02', '2026-03-08', 'US');
  restart();
  const mails = await report(2);
  const says =
    'Figures of 2 March 2026 – 8 March 2026 changed since the last report: Visitors 8 → 5, Visits 8 → 5, Pageviews 8 → 5. ' +
    'https://stats.example.com/sites/example.com?range=2026-03-02~2026-03-08 ';
  assert.ok(plain(mails).includes(says), plain(mails));
  assert.match(
    written(mails),
    /Pageviews 8 → 5\. <a class="accent" href="https:\/\/stats\.example\.com\/sites\/example\.com\?range=2026-03-02~2026-03-08"[^>]*>See what changed<\/a>/,
  );
  assert.doesNotMatch(plain(await report(3)), CHANGED, 'it was told');
  await owner.ask('DELETE', `/sites/${siteId}/exclusions/${id}`);
  assert.match(plain(await report(4)), /of 2 March 2026 – 8 March 2026 .* Visitors 5 → 8,/);
});

test('reports: days that no report told are not named, and neither is the week of the report itself', async (t) => {
  const { report, exclude } = await stage(t);
  await report(0);
  await exclude('2026-02-23', '2026-03-01', 'US');
  await exclude('2026-03-09', '2026-03-15', 'DE');
  assert.doesNotMatch(plain(await report(1)), CHANGED);
});

test('reports: several weeks are one line, and the oldest are forgotten', async (t) => {
  const { report, exclude } = await stage(t);
  for (let week = 0; week < 10; week++) await report(week);
  await exclude('2026-03-02', '2026-03-15', 'DE');
  await exclude('2026-04-20', '2026-04-26', 'US');
  const text = plain(await report(10));
  assert.match(text, /Figures of 20 April 2026 – 26 April 2026 changed .*: Visitors 8 → 5,/);
  await exclude('2026-03-30', '2026-04-12', 'DE');
  await exclude('2026-04-27', '2026-05-03', 'DE');
  assert.match(
    plain(await report(11)),
    /of 30 March 2026 – 3 May 2026 changed since the last report: Visitors 37 → 22,/,
  );
});

test('reports: a preview says what has changed since the last report', async (t) => {
  const app = await stage(t);
  await app.report(-1);
  await app.exclude('2026-02-23', '2026-03-01', 'DE');
  const { printed } = await hereOn(app, 'mail', 'preview', 'example.com');
  assert.match(
    printed.join(' '),
    /Figures of 23 February 2026 – 1 March 2026 changed .*: Visitors 8 → 3, Visits 8 → 3,/,
  );
});

test('reports: the line about changed figures is in the language of the reader', () => {
  const figures = (visitors: number) => ({ visitors, visits: 1_400, pageviews: 2_000 });
  const changed = { from: 20_514, to: 20_521, before: figures(1_320), after: figures(1_200) };
  const says = LANGUAGES.map((language) => {
    const [block] = sayChanged({ told: [], changed }, voiceIn(language), (days) => days);
    assert.ok(block?.kind === 'words');
    return `${block.words} ${block.link?.words}`.replaceAll(/\s/g, ' ');
  });
  assert.deepEqual(says, [
    'Figures of 2 March 2026 – 8 March 2026 changed since the last report: Visitors 1,320 → 1,200. See what changed',
    'Zahlen vom 2. März 2026 bis 8. März 2026 haben sich seit dem letzten Bericht geändert: Besucher 1.320 → 1.200. Änderungen ansehen',
    'Les chiffres du 2 mars 2026 au 8 mars 2026 ont changé depuis le dernier rapport : Visiteurs 1 320 → 1 200. Voir les changements',
    'Las cifras del 2 de marzo de 2026 al 8 de marzo de 2026 han cambiado desde el último informe: Visitantes 1320 → 1200. Ver los cambios',
  ]);
});

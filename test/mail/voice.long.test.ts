import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, type Language, TRANSLATED } from '../../src/lang/languages.ts';
import { DAY } from '../../src/lib/time.ts';
import { codeMail } from '../../src/mail/code.ts';
import { makeFooter } from '../../src/mail/footer.ts';
import { writeLetter } from '../../src/mail/html.ts';
import { invitationMail } from '../../src/mail/invitation.ts';
import type { Letter } from '../../src/mail/letter.ts';
import { newEmailMail } from '../../src/mail/new-email.ts';
import { reminderMail } from '../../src/mail/reminder.ts';
import { monthly, weekly } from '../../src/mail/reports.ts';
import { returnLetter, silenceLetter } from '../../src/mail/silence.ts';
import { suggested } from '../../src/mail/suggested.ts';
import * as traffic from '../../src/mail/traffic.ts';
import { voiceIn } from '../../src/mail/voice.ts';
import { noTotals } from '../../src/stats/aggregates.ts';
import { startApp } from '../support/helpers.ts';
import { comersAt, hourly, sourcesOf, store } from './site.ts';

const NOON = Date.parse('2026-03-10T12:00:00Z') / 1000;
const MONDAY = Date.parse('2026-03-09T07:00:00Z') / 1000;
const FIRST = Date.parse('2026-03-01T07:00:00Z') / 1000;

/** A letter of every kind about the same visits, which are so many that each has all its parts, in a language. */
async function lettersOf(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const { siteId } = app;
  await app.owner.ask('POST', `/sites/${siteId}/goals`, { type: 'page', value: '/launch' });
  const surge = { source: 'news.example', page: '/launch', utm_campaign: 'spring' };
  await store(app.db, [...hourly(2, NOON - 63 * DAY, NOON), ...comersAt(1_500, NOON, surge)]);
  const site = { id: siteId, accountId: app.owner.accountId, domain: 'example.com', timeZone: 'UTC', earliestDay: 0 };
  const silence = { lastHit: NOON, since: NOON, expected: 40 };
  const facts = { silence, now: NOON + 7_200, lastOfAll: 0, drops: [{ reason: 'foreign-host', hits: 3 }] };
  const settings = { ...app.config, domain: site.domain, timeZone: site.timeZone };
  const occasion = (at: number) => ({ at, createdAt: at, endedAt: null, now: at, aliveSince: 0 });
  return async (language: Language): Promise<Letter[]> => {
    const voice = voiceIn(language);
    const of = (kind: { letter: typeof traffic.letter }, at: number) =>
      kind.letter(sourcesOf(app), site, occasion(at), voice);
    const letters = await Promise.all([
      ...[of(weekly, MONDAY), of(monthly, FIRST), of(traffic, NOON), of({ letter: returnLetter }, NOON)],
      ...[NOON - 1, NOON + 1].map((aliveSince) => silenceLetter(settings, { ...facts, aliveSince }, voice)),
      silenceLetter(settings, { ...facts, lastOfAll: NOON + 1, aliveSince: undefined }, voice),
    ]);
    return letters.map((letter) => letter ?? assert.fail());
  };
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
const ENGLISH_WORDS = new Set('the and with you this visitors usually somebody hour before'.split(' '));

test('every letter is whole in every language, in its own words', async (t) => {
  const lettersIn = await lettersOf(t);
  const english = await lettersIn('en');
  for (const language of TRANSLATED) {
    const letters = await lettersIn(language);
    for (const [i, letter] of letters.entries()) {
      const voice = voiceIn(language);
      const { subject, text, html } = writeLetter(
        letter,
        makeFooter('example.com', 'https://stats.example.com/u', voice),
        voice,
      );
      const about = `${language}: ${text}`;
      assert.notEqual(subject, english[i]?.subject, about);
      assert.equal(letter.blocks.length, english[i]?.blocks.length, about);
      assert.equal(letter.link.url, english[i]?.link.url, about);
      assert.ok(!/[{}]|undefined|NaN/.test(subject + text), about);
      assert.ok(html.includes(`<html lang="${language}">`), about);
      assert.deepEqual(
        wordsIn(`${subject} ${text}`).filter((word) => ENGLISH_WORDS.has(word)),
        [],
        about,
      );
    }
  }
});

test('days, figures and what is counted are written as people of the language write them', async (t) => {
  const lettersIn = await lettersOf(t);
  const writeText = async (language: Language, i: number): Promise<string> => {
    const voice = voiceIn(language);
    const letter = (await lettersIn(language))[i] ?? assert.fail();
    return `${letter.subject}\n${writeLetter(letter, makeFooter('example.com', 'https://x', voice), voice).text}`.replaceAll(
      /[\u00a0\u202f]/g,
      ' ',
    );
  };
  const german = await writeText('de', 0);
  assert.match(german, /^example\.com: 336 Besucher letzte Woche\n/);
  assert.match(german, /2\. März 2026 – 8\. März 2026, verglichen mit der Woche davor\./);
  assert.match(german, /\n {2}Mo\., 2\. März +48 {2}#/);
  assert.match(german, /Absprungrate +100,0 % +0,0 pp\n/);
  assert.match(await writeText('es', 1), /^example\.com: 1344 visitantes en febrero de 2026\n/);
  assert.match(await writeText('fr', 1), /^example\.com : 1 344 visiteurs en février 2026\n/);
  assert.match(await writeText('en', 1), /^example\.com: 1,344 visitors in February 2026\n/);
  assert.match(
    await writeText('de', 2),
    /12:00–13:00 UTC: 1\.500 Besucher\. Üblich um diese Zeit an einem Dienstag: 2\./,
  );
  assert.match(
    await writeText('fr', 2),
    /Cause la plus probable : des visiteurs venus de news\.example sur la page \/launch\./,
  );
});

test('what visits have in common is one sentence of the language', () => {
  const draft = {
    ...{ day: NOON / DAY, visits: 1_200, now: 1_000, usual: 4.4 },
    values: { source: ['', 'a.example', 'b.example', 'c.example', 'd.example'], country: ['US'] },
    totals: { ...noTotals(), visits: 1_000, pageviews: 2_500 },
  };
  const said = (language: Language, ...more: (typeof draft)[]) => {
    const [first] = suggested('example.com', [draft, ...more], voiceIn(language));
    return first?.kind === 'words' ? first.words.replaceAll(/[\u00a0\u202f]/g, ' ') : assert.fail();
  };
  assert.equal(
    said('en', draft),
    'Many visits look alike: 1,000 of 1,200 on this day have the source Direct or a.example or b.example or 2 others and the country US in common (usually 4). Pages per visit: 2.5. Smaller groups of similar visits: 1.',
  );
  assert.equal(
    said('de'),
    'Viele Besuche gleichen sich: 1.000 von 1.200 an diesem Tag haben die Quelle Direkt oder a.example oder b.example oder 2 weitere und das Land US gemeinsam. Üblich: 4. Seiten pro Besuch: 2,5.',
  );
  const onlyPages = { ...draft, values: {} as typeof draft.values, totals: { ...draft.totals, pageviews: 1_000 } };
  const [first] = suggested('example.com', [onlyPages], voiceIn('en'));
  assert.deepEqual(first, {
    kind: 'words',
    words: 'Many visits look alike: 1,000 of 1,200 on this day viewed only one page (usually 4).',
  });
});

test('mails to people have their link or code alone on its line in every language, and no subject of others', () => {
  const url = 'https://stats.example.com/x/0123456789';
  const [owner, email] = ['owner@example.com', 'ann@example.com'];
  const subjects = LANGUAGES.flatMap((language) => {
    const voice = voiceIn(language);
    const mails = [
      codeMail({ owner, email, code: '123456' }, voice),
      invitationMail({ owner, email, role: 'viewer', url }, voice),
      invitationMail({ owner, email, role: 'manager', url }, voice),
      reminderMail({ email, url }, voice),
      newEmailMail({ email, url }, voice),
    ];
    for (const { to, text } of mails) {
      assert.equal(to, email);
      assert.equal(text.split('\n').filter((line) => line === url || line === '123456').length, 1, text);
      assert.ok(!/[{}]|undefined/.test(text), text);
    }
    assert.notEqual(mails[1]?.text, mails[2]?.text);
    return [...new Set(mails.map(({ subject }) => subject))];
  });
  assert.equal(new Set(subjects).size, 4 * LANGUAGES.length);
});

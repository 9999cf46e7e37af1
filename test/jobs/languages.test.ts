import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { changeLanguage } from '../../src/store/people/users.ts';
import { mailTo, read } from '../mail/inviting.ts';
import { mailServer, readMail } from '../mail/server.ts';
import { comersAt } from '../mail/site.ts';
import { startApp } from '../support/helpers.ts';
import { LAST_WEEK, MONDAY, office } from './office.ts';

test('each reader of a site gets its mails in the language that they have chosen, and English without one', async (t) => {
  const { store, at, look, db, owner, manager, viewer, asked } = await office(t, { weekly_report: true });
  await store(...[0, 7, 14].flatMap((days) => comersAt(3, LAST_WEEK + days * DAY)));
  /** The subjects by reader of a week's mails, and how many questions they took. */
  const week = async (number: number) => {
    const before = asked();
    at(MONDAY + number * 7 * DAY + 7 * HOUR);
    const mails = await look();
    const texts = mails.map((mail) => [mail.to[0], readMail(mail).headers.subject]);
    return { subjects: Object.fromEntries(texts) as Record<string, string>, questions: asked() - before, mails };
  };
  const english = 'example.com: 3 visitors last week';
  const first = await week(0);
  assert.deepEqual(first.subjects, {
    [owner.email]: english,
    [manager.email]: english,
    [viewer.email]: english,
  });
  changeLanguage(db, owner.id, 'de');
  changeLanguage(db, viewer.id, 'de');
  const second = await week(1);
  assert.deepEqual(second.subjects, {
    [owner.email]: 'example.com: 3 Besucher letzte Woche',
    [manager.email]: english,
    [viewer.email]: 'example.com: 3 Besucher letzte Woche',
  });
  const own = second.mails.find(({ to }) => to[0] === owner.email) ?? assert.fail();
  const { parts } = readMail(own);
  assert.match(
    parts['text/plain'] ?? '',
    /Du bekommst diese E-Mail, weil du Zugriff auf die Statistik von example\.com hast\./,
  );
  assert.match(parts['text/html'] ?? '', /<html lang="de">[\s\S]+>Abbestellen<\/a>/);
  // Besides the questions whether anything is due and what was told, each language asks once for all who read it.
  assert.equal(second.questions - 2, 2 * (first.questions - 2));
  changeLanguage(db, manager.id, 'de');
  assert.equal((await week(2)).questions, first.questions);
});

test('a person is written to in their own language, and without an account in that of who invites', async (t) => {
  const server = await mailServer(t);
  const app = await startApp(t, mailTo(server.port));
  const { db, owner, stranger } = app;
  const invited = async (email: string): Promise<string> => {
    assert.equal((await owner.ask('POST', '/team', { email, role: 'viewer' })).status, 201);
    return read(await server.next()).text;
  };
  assert.match(await invited('ann@example.com'), /^Hello,\n\nowner@example\.com has invited you /);
  changeLanguage(db, owner.id, 'de');
  assert.match(
    await invited('bob@example.com'),
    /^Hallo,\n\nowner@example\.com hat dich zu einer Webstatistik eingeladen\. /,
  );
  changeLanguage(db, stranger.id, 'es');
  assert.match(await invited(stranger.email), /^Hola:\n\nowner@example\.com te ha invitado /);

  const headers = { 'sec-fetch-site': 'same-origin' };
  await app.ask('POST', '/forgot', { body: { email: stranger.email }, headers });
  assert.match(
    read(await server.next()).text,
    /^Hola:\n\nAlguien, probablemente tú, ha pedido restablecer la contraseña /,
  );
  await app.ask('POST', '/forgot', { body: { email: owner.email }, headers });
  const { headers: own, text } = read(await server.next());
  assert.match(text, /^Hallo,\n\njemand, wahrscheinlich du, möchte das Passwort /);
  assert.match(own.subject ?? '', /^=\?UTF-8\?Q\?Passwort_f=C3=BCr_daybook_/);
});

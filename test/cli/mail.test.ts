import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DAY } from '../../src/lib/time.ts';
import { MAILED } from '../../src/mail/kinds.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { addUser } from '../../src/store/people/users.ts';
import { addSite } from '../../src/store/sites/sites.ts';
import { comersAt, store } from '../mail/site.ts';
import { folder, NOON } from '../support/helpers.ts';
import { here } from './here.ts';

const now = NOON / 1000;
/** A file with a site that has had visitors for some weeks, and the command over it. */
async function desk(t: TestContext, { visitors = 1 } = {}) {
  const path = join(folder(t), 'daybook.db');
  const { db, close } = openStore(path);
  const siteId = db.write(() => {
    const { accountId } = addUser(db, { email: 'ann@example.com', password: null, now });
    return addSite(db, { accountId, domain: 'one.example', now });
  });
  for (let day = 1; day < 40; day++) await store(db, comersAt(visitors, now - day * DAY, { siteId }));
  close();
  return async (...words: string[]) => {
    const { printed, explained } = await here(
      path,
      'mail',
      'preview',
      ...words,
      '--base-url',
      'https://stats.example.com',
    );
    return { printed: printed.join('\n'), explained: explained.join('\n') };
  };
}

test('mail preview prints the weekly report as text, and nobody could end mails with its link', async (t) => {
  const preview = await desk(t);
  const { printed } = await preview('one.example');
  assert.match(printed, /^Subject: one\.example: 7 visitors last week\n\none\.example last week\n/);
  assert.match(printed, /Unsubscribe from these e-mails: https:\/\/stats\.example\.com\/unsubscribe\/SECRET$/);
  assert.equal((await preview('ONE.example', '--kind', 'weekly', '--text')).printed, printed);
});

test('every kind is there in both forms', async (t) => {
  const preview = await desk(t);
  const without = {
    custom: 'yesterday did not meet the condition of any custom alert',
    effects: 'no note with this message is older than two weeks',
  };
  for (const [kind, reason] of Object.entries(without)) {
    assert.equal((await preview('one.example', '--kind', kind)).explained, `No mail is sent: ${reason}.`);
  }
  for (const { name: kind } of MAILED.filter(({ name }) => !(name in without))) {
    const html = (await preview('one.example', '--kind', kind, '--html')).printed;
    assert.match(html, /^<!doctype html>\n[\s\S]+<\/html>$/, kind);
    assert.match((await preview('one.example', '--kind', kind)).printed, /^Subject: one\.example: /, kind);
  }
});

test('a preview is in the language that is asked for', async (t) => {
  const preview = await desk(t);
  const { printed } = await preview('one.example', '--language', 'de');
  assert.match(printed, /^Subject: one\.example: 7 Besucher letzte Woche\n/);
  assert.match((await preview('one.example', '--language', 'de', '--html')).printed, /<html lang="de">/);
  assert.equal((await preview('one.example', '--language', 'en')).printed, (await preview('one.example')).printed);
  await assert.rejects(preview('one.example', '--language', 'nl'), {
    message: '--language takes one of en, de, fr, es, not "nl"',
    exitCode: 2,
  });
});

test('where no mail would be sent that is said', async (t) => {
  const preview = await desk(t, { visitors: 0 });
  const { printed, explained } = await preview('one.example');
  assert.equal(printed, '');
  assert.match(explained, /^No mail is sent: no visitors in the last full week/);
});

test('another kind, both forms at once and a domain that is no site are errors', async (t) => {
  const preview = await desk(t);
  await assert.rejects(preview('one.example', '--kind', 'daily'), {
    message: `--kind takes one of ${MAILED.map(({ name }) => name).join(', ')}, not "daily"`,
    exitCode: 2,
  });
  await assert.rejects(preview('one.example', '--html', '--text'), { exitCode: 2 });
  await assert.rejects(preview('two.example'), {
    message: 'there is no site two.example. To add it, run daybook site add',
    exitCode: 1,
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { coded } from '../../src/lang/coded.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { addUser } from '../../src/store/people/users.ts';
import { addDestination, noteAccepted, noteFailure } from '../../src/store/sites/destinations.ts';
import { addSite } from '../../src/store/sites/sites.ts';
import { folder } from '../support/helpers.ts';
import { here } from './here.ts';

test('channels: a list says which channels of all sites fail, and why, without a secret', async (t) => {
  const path = join(folder(t), 'daybook.db');
  const { db, close } = openStore(path);
  db.write(() => {
    const { accountId } = addUser(db, { email: 'ann@example.com', password: null, now: 0 });
    const [one, two] = ['one.example', 'two.example'].map((domain) => addSite(db, { accountId, domain, now: 0 }));
    const chosen = { kind: 'slack', language: 'en', paused: false, now: 0 } as const;
    const add = (siteId = 0, name = '', more = {}) =>
      addDestination(
        db,
        siteId,
        { ...chosen, messages: ['weekly'], name, ...more },
        { place: 'hooks.slack.com', settings: { url: 'https://hooks.slack.com/services/hidden' } },
      ).id;
    noteAccepted(db, add(two, 'Good team'), 1);
    noteFailure(db, add(two, 'Lost team'), coded('it_denied', { status: 403 }), 1);
    add(two, 'Quiet', { paused: true });
    add(one, 'New team');
    const restored = add(one, 'Restored');
    db.run('DELETE FROM destination_secret WHERE destination_id = ?', restored);
  });
  close();
  const { printed } = await here(path, 'channels');
  const words = printed.map((line) => line.replaceAll(/ {2,}/g, ' '));
  assert.deepEqual(words, [
    'one.example 4 slack new New team',
    'one.example 5 slack failing Restored: its URL and token are missing, because backups do not contain them. Enter them again',
    'two.example 1 slack working Good team',
    'two.example 2 slack failing Lost team: access was denied (status 403). Check the token or the URL',
    'two.example 3 slack paused Quiet',
  ]);
  assert.ok(!JSON.stringify(await here(path, 'channels', '--json')).includes('hidden'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '../../src/mail/kinds.ts';
import { addMailing } from '../../src/store/mail/mailings.ts';
import { startApp } from '../support/helpers.ts';

test('every kind of mail can be written down, once for a moment', async (t) => {
  const { db, siteId } = await startApp(t);
  for (const { name: kind } of [...KINDS, ...KINDS]) db.write(() => addMailing(db, { siteId, kind, at: 1, now: 2 }));
  const written = db.all<{ kind: string }>('SELECT kind FROM mailing ORDER BY id').map(({ kind }) => kind);
  assert.deepEqual(
    written,
    KINDS.map(({ name }) => name),
  );
});

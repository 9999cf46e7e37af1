import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder } from '../support/helpers.ts';
import { here } from './here.ts';

test('an operator gives a user another e-mail, which must be free', async (t) => {
  const path = join(folder(t), 'daybook.db');
  const [ann, bob] = ['ann@example.com', 'bob@example.com'];
  for (const email of [ann, bob]) await here(path, 'user', 'add', email);
  await assert.rejects(here(path, 'user', 'email', ann, bob), /bob@example\.com is already a user/);
  await assert.rejects(here(path, 'user', 'email', 'cy@example.com', 'dan@example.com'), /there is no user cy@/);
  const { printed } = await here(path, 'user', 'email', ann, 'Ann@new.example');
  assert.deepEqual(printed, [`${ann} is now ann@new.example, and 0 sessions ended`]);
  const list = (await here(path, 'user', 'list')).printed.join('\n');
  assert.match(list, /ann@new\.example/);
  assert.doesNotMatch(list, /ann@example\.com/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { noteUpkeep } from '../../src/store/server/upkeep.ts';
import { furnish } from '../support/furnish.ts';
import { commandLine } from './here.ts';

test('doctor prints a line for each thing it looks at, and ends with 1 where one needs attention', async (t) => {
  const { db, run } = commandLine(t);
  const { db: file, close } = openStore(db);
  const healthy = await run(['doctor']);
  assert.deepEqual([healthy.code, healthy.stderr], [0, '']);
  const lines = healthy.stdout.trimEnd().split('\n');
  assert.equal(lines.length, 20);
  for (const line of lines) assert.match(line, /^OK {9}[a-z]+ +\S/);
  // Hits may have come already: the server looks each minute from where.
  assert.match(healthy.stdout, /visitors +No visitors yet\. Every minute, the server checks/);

  noteUpkeep(file, 'restore', { at: 0, fine: false, words: 'it is damaged' });
  close();
  const ill = await run(['doctor']);
  assert.deepEqual([ill.code, ill.stderr], [1, 'daybook: one thing needs attention\n']);
  assert.match(
    ill.stdout,
    /\nATTENTION {2}restore {5}1970-01-01T00:00:00Z: it is damaged\n {23}Make another backup [^\n]+\n/,
  );
});

test('doctor --json prints the same as a list', async (t) => {
  const { db, run } = commandLine(t);
  openStore(db).close();
  const { code, stdout } = await run(['doctor', '--json', '--keep-backups', '0']);
  assert.equal(code, 1);
  const found = JSON.parse(stdout) as { name: string; fine: boolean; says: string; remedy?: string }[];
  assert.deepEqual(
    found.filter(({ fine }) => !fine).map(({ name }) => name),
    ['backup'],
  );
  for (const { fine, says, remedy } of found) assert.deepEqual([says !== '', remedy === undefined], [true, fine]);
});

test('doctor tells what a server behind a proxy that is not trusted sees, without an address', async (t) => {
  const { db, run, serve } = commandLine(t);
  await furnish(db);
  const server = await serve();
  const body = JSON.stringify({ site: 'example.com', url: 'https://example.com/' });
  const headers = { 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0', 'x-forwarded-for': '198.51.100.7' };
  assert.equal((await fetch(`${server.url}/day`, { method: 'POST', body, headers })).status, 202);
  await server.stop();
  const { stdout } = await run(['doctor']);
  assert.match(stdout, /ATTENTION {2}visitors {4}\S+: Visitors from 1 network, through a proxy whose X-Forwarded-For/);
  assert.match(stdout, /--trusted-proxies/);
  assert.doesNotMatch(stdout, /198\.51|127\.0\.0\.1/);
});

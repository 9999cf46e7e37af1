import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { recount } from '../../src/ledger/upkeep/recount.ts';
import { finish } from '../../src/lib/steps.ts';
import { backup } from '../../src/store/file/backup.ts';
import { openReader, openStore } from '../../src/store/file/open-file.ts';
import { restore } from '../../src/store/file/restore.ts';
import { findUpkeep } from '../../src/store/server/upkeep.ts';
import { BROWSER } from '../collect/stage.ts';
import { filled, rowsOf } from '../store/stage.ts';
import { type Program, program, type Server, until } from '../support/program.ts';

const COPIES = 20;
const CLIENTS = 4;

/** A program whose file is filled, and closed. */
async function book(t: TestContext): Promise<Program & { copy: string }> {
  const daybook = program(t);
  const { path, close } = await filled(t);
  close();
  copyFileSync(path, daybook.db);
  return { ...daybook, copy: join(daybook.folder, 'copy.db') };
}

test('backup writes a copy and says how large it is, and restore puts it back', async (t) => {
  const { db, copy, print, run } = await book(t);
  const before = rowsOf(db);
  assert.match(await print(['backup', 'copy.db']), /^copy\.db \d+\.\d MB$/);
  assert.deepEqual(rowsOf(copy), before);

  await print(['plan', 'set', 'later']);
  const later = rowsOf(db);
  const refused = await run(['restore', 'copy.db']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^daybook: [^\n]+daybook\.db: there is a file already. --replace [^\n]+\n$/);
  assert.deepEqual(rowsOf(db), later);
  const { code, stdout, stderr } = await run(['restore', 'copy.db', '--replace']);
  assert.deepEqual([code, /^\.\/daybook\.db \d+\.\d MB\n$/.test(stdout)], [0, true]);
  assert.match(stderr, /daybook\.db\.before-restore. Delete it/);
  assert.deepEqual(rowsOf(db), before);
  assert.deepEqual(rowsOf(`${db}.before-restore`), later);
});

test('backup says in the file that it has made a copy; without a file it makes none', async (t) => {
  const { db, folder, print, run } = await book(t);
  await print(['backup', 'copy.db']);
  const store = openStore(db);
  assert.ok(findUpkeep(store.db, 'backup')?.fine);
  store.close();
  const { code, stderr } = await run(['backup', 'second.db', '--db', 'none.db']);
  assert.equal(code, 78);
  assert.match(stderr, /there is no such file/);
  assert.deepEqual(
    readdirSync(folder).filter((name) => /none|second/.test(name)),
    [],
  );
});

test('restore does nothing while the server runs, and backup all', async (t) => {
  const { db, copy, print, run, serve } = await book(t);
  const server = await serve();
  await print(['backup', 'copy.db']);
  const { code, stderr } = await run(['restore', 'copy.db', '--replace']);
  assert.equal(code, 78);
  assert.match(stderr, /daybook\.db: a server is running on it. Stop that first\n$/);
  assert.equal(await server.stop(), 0);
  await print(['restore', 'copy.db', '--replace']);
  assert.deepEqual(rowsOf(db), rowsOf(copy));
});

/** Sends pageviews one after the other until it is told to stop; each page is one of its own. */
async function browse(
  { port }: Server,
  name: string,
  acknowledged: string[],
  sent: Set<string>,
  isOver: () => boolean,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; !isOver(); n++) {
    const page = `/${name}/${n}`;
    sent.add(page);
    const status = await new Promise((done, failed) => {
      const sending = request({ agent, port, method: 'POST', path: '/day', headers: BROWSER }, (answer) => {
        answer.on('end', () => done(answer.statusCode)).resume();
      });
      sending.on('error', failed).end(JSON.stringify({ site: 'site1.example', url: `https://site1.example${page}` }));
    });
    assert.equal(status, 202);
    acknowledged.push(page);
  }
  agent.destroy();
}

test(`${COPIES} copies under load, each restored: sound, and with all that was acknowledged before it was begun`, async (t) => {
  const { db, folder, serve } = await book(t);
  const server = await serve(['--flood', '0', '--keep-backups', '0']);
  const acknowledged: string[] = [];
  const sent = new Set<string>();
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, (_, n) =>
    browse(server, `client${n}`, acknowledged, sent, () => isOver),
  );
  let least = 0;
  for (let n = 0; n < COPIES; n++) {
    const place = join(folder, `${n}`);
    mkdirSync(place);
    await until('more hits are acknowledged', () => acknowledged.length > least);
    least = acknowledged.length;
    for (const _ of backup(db, join(place, 'copy.db'))) await new Promise(setImmediate);
    finish(restore(join(place, 'copy.db'), join(place, 'daybook.db')));
    const { db: copy, close } = openReader(join(place, 'daybook.db'));
    assert.deepEqual(copy.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    assert.deepEqual(
      [...recount(copy)].flatMap(({ faults }) => faults),
      [],
    );
    const stored = new Map(
      copy
        .all<{ page: string; n: number }>(
          `SELECT t.text AS page, count(*) AS n FROM hit h JOIN term t ON t.site_id = h.site_id AND t.id = h.page
           WHERE h.site_id = 1 AND t.text LIKE '/client%' GROUP BY h.page`,
        )
        .map(({ page, n }) => [page, n]),
    );
    for (const page of acknowledged.slice(0, least)) assert.equal(stored.get(page), 1, page);
    for (const page of stored.keys()) assert.ok(sent.has(page), page);
    close();
  }
  isOver = true;
  await Promise.all(clients);
  t.diagnostic(`${acknowledged.length} hits were acknowledged meanwhile`);
  assert.equal(await server.stop(), 0);
});

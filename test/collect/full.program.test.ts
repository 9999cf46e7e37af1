import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../src/store/file/open-file.ts';
import { smallDisk } from '../support/disk.ts';
import { furnish } from '../support/furnish.ts';
import { program } from '../support/program.ts';
import { BROWSER } from './stage.ts';

const DISK_KIB = 8 * 1024;
const FILLER_KIB = 4 * 1024;
const AT_ONCE = 50;
/** More than go onto the disk. */
const MOST = 20_000;

/** The log has a line for the full disk, and one with how often it came. */
function assertToldOnce(stderr: readonly string[]): void {
  const told = stderr.filter((line) => line.includes('"event":"hits not stored, '));
  assert.equal(told.length, 2, stderr.join('\n'));
  assert.ok(JSON.parse(told[1] ?? '').times > 1);
}

test('on a full disk hits are refused, all that was acknowledged is kept, reading goes on, and with room so do hits', async (t) => {
  const { serve } = program(t);
  const disk = smallDisk(t, DISK_KIB);
  if (disk === undefined) return t.skip('it needs the right to mount a tmpfs');
  const [path, filler] = [join(disk, 'daybook.db'), join(disk, 'filler')];
  const token = await furnish(path);
  writeFileSync(filler, Buffer.alloc(FILLER_KIB * 1024));
  const server = await serve(['--db', path, '--flood', '0']);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  t.after(() => agent.destroy());

  const [acknowledged, refused] = [new Set<string>(), new Set<string>()];
  /** Sends so many pageviews of pages that nobody has seen, and says how many were acknowledged. */
  async function browse(count: number): Promise<number> {
    const before = acknowledged.size;
    const pages = Array.from({ length: count }, (_, n) => `/${acknowledged.size + refused.size + n}`.padEnd(900, '-'));
    const statuses = await Promise.all(pages.map((page) => post(page)));
    for (const [n, page] of pages.entries()) {
      const status = statuses[n];
      assert.ok(status === 202 || status === 503, `${status}`);
      (status === 202 ? acknowledged : refused).add(page);
    }
    return acknowledged.size - before;
  }
  const post = (page: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sending = request({ agent, port: server.port, method: 'POST', path: '/day', headers: BROWSER }, (answer) =>
        answer.on('end', () => resolve(answer.statusCode)).resume(),
      );
      sending.on('error', reject);
      sending.end(JSON.stringify({ site: 'example.com', url: `https://example.com${page}` }));
    });
  const eventsUsed = async (): Promise<number> => {
    const answer = await fetch(`${server.url}/api/v1/account`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200);
    const { data } = (await answer.json()) as { data: { events_used: number } };
    return data.events_used;
  };

  while (refused.size === 0 && acknowledged.size < MOST) await browse(AT_ONCE);
  // A small one may still find room where a large one does not; in the end none does.
  while ((await browse(1)) > 0);
  assert.ok(acknowledged.size > AT_ONCE && refused.size > 0);
  // SQLite may find a place for one more when it has tidied up.
  assert.ok((await browse(AT_ONCE)) < AT_ONCE);
  const before = acknowledged.size;
  for (let n = 0; n < 3; n++) assert.equal(await eventsUsed(), before);

  rmSync(filler);
  assert.equal(await browse(AT_ONCE), AT_ONCE);
  assert.equal(await eventsUsed(), before + AT_ONCE);
  t.diagnostic(`${before} hits were acknowledged before the disk was full, ${refused.size} were refused`);

  assert.equal(await server.stop(), 0);
  assertToldOnce(server.stderr);
  const { db, close } = openStore(path);
  const integrity = db.all('PRAGMA integrity_check');
  const pages = db.all<{ page: string }>(
    'SELECT t.text AS page FROM hit h JOIN term t ON t.site_id = h.site_id AND t.id = h.page',
  );
  close();
  assert.deepEqual(integrity, [{ integrity_check: 'ok' }]);
  assert.deepEqual(pages.map(({ page }) => page).sort(), [...acknowledged].sort());
});

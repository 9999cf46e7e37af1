import assert from 'node:assert/strict';
import { join } from 'node:path';
import { rowsOn } from '../../test/cluster/servers.ts';
import { furnish } from '../../test/support/furnish.ts';
import { DATABASE, type World } from './world.ts';

/** How many rows each server has of what nobody may delete; undefined of one that does not answer. */
async function rowsOf({ servers }: World): Promise<(number | undefined)[]> {
  const sql = 'SELECT count() AS n FROM activity UNION ALL SELECT count() AS n FROM visit';
  const all = servers.map((server) => rowsOn<{ n: number }>(server, DATABASE, sql).catch(() => undefined));
  return (await Promise.all(all)).map((rows) => rows?.reduce((sum, { n }) => sum + n, 0));
}

const SILENT = /"a server of the cluster does not answer","url":"([^"]+)"/g;

/** A primary that has another installation's file, or an older one of this, is refused with one line, and deletes nothing. One that reaches no server goes on trying. */
export async function assertRefused(world: World): Promise<void> {
  const { daybook, engine, older } = world;
  const empty = join(daybook.folder, 'empty.db');
  await furnish(empty, ['s0.example']);
  for (const path of [empty, older]) {
    const before = await rowsOf(world);
    const { code, stdout, stderr } = await daybook.run(['serve', '--port', '0', '--engine', engine, '--db', path]);
    const silent = new Set([...`${stdout}${stderr}`.matchAll(SILENT)].map(([, url]) => url));
    if (code !== null || silent.size < world.servers.length) {
      assert.ok(code !== null && code !== 0, `${path}: it was not refused (${code})\n${stdout}${stderr}`);
      assert.match(stderr, /^daybook: [^\n]+\n$/m, path);
    }
    const after = await rowsOf(world);
    const isLess = after.some((n, i) => n !== undefined && n < (before[i] ?? 0));
    assert.ok(!isLess, `${path}: ${before} rows, then ${after}`);
  }
}

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { CHROME, TODAY } from '../collect/stage.ts';
import { furnish } from '../support/furnish.ts';
import { NOON } from '../support/helpers.ts';
import { commandLine, here } from './here.ts';

export const DAY = 86_400;
export const now = NOON / 1000;
export type Line = Record<string, string>;

export const moment = (day: number, second = 0): string => new Date((day * DAY + second) * 1000).toISOString();
export const line = (day: number, more: Line = {}): string =>
  `${JSON.stringify({ at: moment(day), url: 'https://example.com/a', visitor: 'v', ...more })}\n`;

/** So many visitors a day, by how many days ago. */
export const visitors = (counts: Record<number, number>): string =>
  Object.entries(counts)
    .flatMap(([back, count]) =>
      Array.from({ length: count }, (_, n) => line(TODAY - Number(back), { visitor: `${n}` })),
    )
    .join('');

export async function started(t: TestContext) {
  const daybook = commandLine(t);
  const token = await furnish(daybook.db);
  const file = join(daybook.folder, 'hits.ndjson');
  const args = ['import', 'example.com', file, '--format', 'ndjson'];
  const bring = (text: string | Buffer, ...flags: string[]) => {
    writeFileSync(file, text);
    return daybook.run([...args, ...flags]);
  };
  return {
    daybook,
    file,
    bring,
    async mustBring(text: string | Buffer, ...flags: string[]): Promise<string> {
      writeFileSync(file, text);
      const { printed, explained } = await here(daybook.db, ...args, ...flags);
      assert.deepEqual(explained, []);
      return printed.join('\n');
    },
    /** A server, and what it says of the days that have visitors, by how long ago they are. */
    async serve() {
      const server = await daybook.serve(['--rate-limit', '0', '--flood', '0']);
      const get = (path: string) =>
        fetch(`${server.url}/api/v1/sites/example.com/${path}`, { headers: { Authorization: `Bearer ${token}` } });
      const days = async (): Promise<Record<number, number>> => {
        const answer = await get('stats/timeseries?range=30d');
        assert.equal(answer.status, 200);
        const { data } = (await answer.json()) as { data: { points: { visitors: number }[] } };
        const counts = data.points.reverse().map(({ visitors }, back) => [back, visitors] as const);
        return Object.fromEntries(counts.filter(([, count]) => count > 0));
      };
      /** A pageview from this machine. */
      const view = (page = '/live', agent = CHROME) =>
        fetch(`${server.url}/day`, {
          method: 'POST',
          headers: { 'user-agent': agent, 'accept-language': 'de' },
          body: JSON.stringify({ site: 'example.com', url: `https://example.com${page}` }),
        });
      return { ...server, get, days, view };
    },
  };
}

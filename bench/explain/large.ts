// Measures how long an explanation takes on a large site: a file that `npm run bench -- --folder F` has filled.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseDay } from '../../src/lib/time.ts';
import { writeDate } from '../../src/stats/interval.ts';
import { daybook } from '../stats/daybook.ts';
import { ms } from '../stats/table.ts';

const RUNS = 7;
/** So many days are compared with as many days before. The first is half of the year. */
const DAYS = [182, 30, 7];
const FILTERS = ['', '&filters[device]=Mobile'];
/** So many servers are started for one explanation each. Such a server has nothing of the file in its memory yet. */
const NEW_SERVERS = 5;
/** After this time, a new server has done the work that is due at its start. */
const REST_MS = 6_000;

export async function measureLarge(folder: string): Promise<void> {
  const { year } = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as {
    year: { hits: number; to: string };
  };
  const nameQuery = (days: number, filters: string): string =>
    `/stats/explain?range=${writeDate(parseDay(year.to) - days + 1)}~${year.to}${filters}`;
  const [longest = 0] = DAYS;
  console.log(`${year.hits.toLocaleString('en')} hits in a year`);
  for (const filters of FILTERS) {
    const first = await measureNew(folder, nameQuery(longest, filters));
    console.log(`${longest} days${filters && ', filtered'}, the median of ${NEW_SERVERS} new servers: ${first}`);
  }
  console.log(`in one server: the first explanation, and the median of ${RUNS} more`);
  const server = await daybook(folder).serve();
  try {
    for (const days of DAYS) {
      for (const filters of FILTERS) {
        const times: number[] = [];
        for (let run = 0; run <= RUNS; run++) {
          const begin = performance.now();
          await server.read(nameQuery(days, filters));
          times.push(performance.now() - begin);
        }
        const [first = 0, ...more] = times;
        console.log(`${days} days${filters && ', filtered'}: ${ms(first)} ms, ${ms(findMedian(more))} ms`);
      }
    }
  } finally {
    await server.close();
  }
}

const findMedian = (list: readonly number[]): number =>
  list.toSorted((one, other) => one - other)[list.length >> 1] ?? 0;

/** Measures how long people wait for the first answer of a new server, and how much processor time it takes. */
async function measureNew(folder: string, query: string): Promise<string> {
  const all: { wait: number; work: number }[] = [];
  for (let i = 0; i < NEW_SERVERS; i++) {
    const server = await daybook(folder).serve();
    await pause(REST_MS);
    const [begin, before] = [performance.now(), server.cpu()];
    await server.read(query);
    all.push({ wait: performance.now() - begin, work: (server.cpu() - before) / 1000 });
    await server.close();
  }
  const [wait, work] = [all.map((one) => one.wait), all.map((one) => one.work)].map(findMedian);
  return `${ms(wait ?? 0)} ms, ${ms(work ?? 0)} ms of processor time`;
}

// Measures how long an explanation takes on a large site: a file that `npm run bench -- --folder F` has filled.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseDay } from '../../src/lib/time.ts';
import { writeDate } from '../../src/stats/interval.ts';
import { daybook, type Server } from '../stats/daybook.ts';
import { ms } from '../stats/table.ts';

const RUNS = 7;
/** So many days are compared with as many days before. The first is half of the year. */
const DAYS = [182, 30, 7];
const FILTERS = ['', '&filters[device]=Mobile'];
/** So many servers are started for one explanation each. Such a server has nothing of the file in its memory yet. */
const NEW_SERVERS = 5;
/** A server is at rest if it used at most this much processor time in each of the last seconds, in microseconds. */
const MOST_AT_REST = 50_000;
const RESTING_SECONDS = 4;

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

/**
 * Waits until a new server has done the work that is due at its start. This may be a backup with its test, and receipts.
 * Receipts of 10 million hits take a minute of processor time.
 */
async function waitForRest(server: Server): Promise<void> {
  for (let rested = 0; rested < RESTING_SECONDS; ) {
    const before = server.cpu();
    await pause(1_000);
    rested = server.cpu() - before <= MOST_AT_REST ? rested + 1 : 0;
  }
}

/** Measures how long people wait for the first answer of a new server, and how much processor time it takes. */
async function measureNew(folder: string, query: string): Promise<string> {
  const all: { wait: number; work: number }[] = [];
  for (let i = 0; i < NEW_SERVERS; i++) {
    const server = await daybook(folder).serve();
    await waitForRest(server);
    const [begin, before] = [performance.now(), server.cpu()];
    await server.read(query);
    all.push({ wait: performance.now() - begin, work: (server.cpu() - before) / 1000 });
    await server.close();
  }
  const [wait, work] = [all.map((one) => one.wait), all.map((one) => one.work)].map(findMedian);
  return `${ms(wait ?? 0)} ms, ${ms(work ?? 0)} ms of processor time`;
}

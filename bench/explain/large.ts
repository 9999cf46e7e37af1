// Measures how long an explanation takes on a large site: a file that `npm run bench -- --folder F` has filled.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDay } from '../../src/lib/time.ts';
import { writeDate } from '../../src/stats/interval.ts';
import { daybook } from '../stats/daybook.ts';
import { ms } from '../stats/table.ts';

const RUNS = 7;
/** So many days are compared with as many days before. The first is half of the year. */
const DAYS = [182, 30, 7];
const FILTERS = ['', '&filters[device]=Mobile'];

export async function measureLarge(folder: string): Promise<void> {
  const { year } = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as {
    year: { hits: number; to: string };
  };
  console.log(
    `${year.hits.toLocaleString('en')} hits in a year: the first explanation, and the median of ${RUNS} more`,
  );
  const server = await daybook(folder).serve();
  try {
    for (const days of DAYS) {
      for (const filters of FILTERS) {
        const from = writeDate(parseDay(year.to) - days + 1);
        const times: number[] = [];
        for (let run = 0; run <= RUNS; run++) {
          const begin = performance.now();
          await server.read(`/stats/explain?range=${from}~${year.to}${filters}`);
          times.push(performance.now() - begin);
        }
        const [first = 0, ...more] = times;
        const median = more.sort((one, other) => one - other)[RUNS >> 1] ?? 0;
        console.log(`${days} days${filters && ', filtered'}: ${ms(first)} ms, ${ms(median)} ms`);
      }
    }
  } finally {
    await server.close();
  }
}

import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { daybook } from './daybook.ts';
import type { Engine } from './engine.ts';
import { tableFiles } from './tables.ts';
import { traffic, type Year, yearOf } from './traffic.ts';

/** What was put into the folder, and how many seconds each took to take it. */
export type Facts = { year: Year; visits: number; seconds: Record<string, number> };

/** Makes the year and fills everyone with it. A folder that has been filled is left as it is. */
export async function prepare(
  folder: string,
  count: number,
  product: Pick<ReturnType<typeof daybook>, 'load'>,
  engines: readonly Engine[],
): Promise<Facts> {
  const done = join(folder, 'facts.json');
  if (existsSync(done)) {
    const facts = JSON.parse(readFileSync(done, 'utf8')) as Facts;
    for (const { name } of engines)
      if (!(name in facts.seconds)) throw new Error(`${folder} was filled without ${name}`);
    return facts;
  }

  const year = yearOf(count, Date.now());
  const lines = join(folder, 'hits.ndjson');
  const path = (table: string): string => join(folder, `${table}.tsv`);
  const tables = tableFiles(path);
  const file = openSync(lines, 'w');
  // A day at a time, because a year does not fit into memory.
  for (const hits of traffic(year)) {
    writeSync(file, hits.map((hit) => `${JSON.stringify(hit)}\n`).join(''));
    if (engines.length > 0) tables.add(hits);
  }
  closeSync(file);
  const { visit: visits } = tables.close();

  const seconds: Record<string, number> = { daybook: product.load(lines) };
  for (const engine of engines) {
    const start = performance.now();
    await engine.load(path, tables.words);
    seconds[engine.name] = (performance.now() - start) / 1000;
  }
  for (const used of [lines, path('visit'), path('hit')]) rmSync(used);
  const facts = { year, visits, seconds };
  writeFileSync(done, JSON.stringify(facts));
  return facts;
}

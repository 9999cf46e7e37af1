import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { daybook } from './daybook.ts';
import type { Engine } from './engine.ts';
import { tableFiles } from './tables.ts';
import { type Hit, traffic, type Year, yearOf } from './traffic.ts';

/** What the folder contains. `seconds` is how long each party took to load it. */
export type Facts = { year: Year; visits: number; seconds: Record<string, number> };

type Product = Pick<ReturnType<typeof daybook>, 'load'>;

/** Writes a hit as lines of the import file. A second line has how long and how far the page was seen. */
export function linesOf({ engaged, scroll, cents, ...hit }: Hit): string {
  const { at, url, visitor } = hit;
  const told = engaged === undefined ? [] : [{ at, url, visitor, engaged, ...(scroll !== undefined && { scroll }) }];
  const revenue = cents === undefined ? {} : { revenue: { amount: (cents / 100).toFixed(2), currency: 'EUR' } };
  return [{ ...hit, ...revenue }, ...told].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/**
 * Makes the hits of the year, and loads them into all parties. `others` are also daybooks. A folder that is already
 * filled stays as it is.
 */
export async function prepare(
  folder: string,
  count: number,
  product: Product,
  engines: readonly Engine[],
  others: Readonly<Record<string, Product>> = {},
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
  // Hits are made day by day, because a whole year does not fit into memory.
  for (const hits of traffic(year)) {
    writeSync(file, hits.map(linesOf).join(''));
    if (engines.length > 0) tables.add(hits);
  }
  closeSync(file);
  const { visit: visits } = tables.close();

  const seconds: Record<string, number> = { daybook: await product.load(lines) };
  for (const [name, other] of Object.entries(others)) seconds[name] = await other.load(lines);
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

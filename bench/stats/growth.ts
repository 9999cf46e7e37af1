import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { productParty } from './compare.ts';
import { daybook } from './daybook.ts';
import { prepare } from './prepare.ts';
import type { Question } from './questions.ts';
import { median, ms, show } from './table.ts';

const UNFILTERED: Question = { report: 'pages', filters: {} };
const FILTERED: Question = { report: 'referrers', filters: { page: '/pricing/article-1' } };

/** Measures daybook alone with more and more hits. `sizes` are in millions of hits. */
export async function growth(sizes: readonly number[], runs: number, isMarkdown: boolean): Promise<void> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
    try {
      const product = daybook(folder);
      const { year, seconds } = await prepare(folder, size * 1e6, product, []);
      const server = await product.serve();
      try {
        await setTimeout(1000);
        const atRest = server.memory();
        const { ask } = productParty(server);
        const time = async (question: Question): Promise<string> => {
          const taken: number[] = [];
          for (let run = -2; run < runs; run++) {
            const start = performance.now();
            await ask(question, year);
            if (run >= 0) taken.push(performance.now() - start);
          }
          return ms(median(taken));
        };
        const found = [await time(UNFILTERED), await time(FILTERED)];
        const rate = Math.round((size * 1e6) / (seconds.daybook ?? 0)).toLocaleString('en');
        const disk = (product.bytes() / 1e6 / size).toFixed(1);
        rows.push([`${size} million`, rate, disk, ...found, atRest.toFixed(0), server.memory().toFixed(0)]);
      } finally {
        await server.close();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const head = [
    'hits',
    'import, hits/s',
    'MB per million',
    'pages, ms',
    'sources of a page, ms',
    'MB RSS at rest',
    'after',
  ];
  show(head, rows, isMarkdown);
}

import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Counts, crawledIn } from '../integrations/crawled.ts';
import { furnish } from '../support/furnish.ts';
import type { Program } from '../support/program.ts';
import { commandLine, here } from './here.ts';

export const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

let moments = 0;

/** A line as a web server writes it, one after the other. */
export function line(path: string, agent = 'GPTBot/1.2', host = ''): string {
  const second = moments++ % 86_400;
  const time = [second / 3_600, (second / 60) % 60, second % 60]
    .map((n) => String(Math.floor(n)).padStart(2, '0'))
    .join(':');
  return `${host}192.0.2.1 - - [10/Mar/2026:${time} +0000] "GET ${path} HTTP/1.1" 200 1234 "-" "${agent}"\n`;
}

export const lines = (count: number, path = '/page'): string =>
  Array.from({ length: count }, () => line(path)).join('');

/** Lines of which every fourth is a crawler's, and what they add up to. */
export function mixed(count: number): { text: string; counts: Counts } {
  const counts: Counts = {};
  let text = '';
  for (let i = 0; i < count; i++) {
    const page = `/${i % 997}`;
    text += line(page, i % 4 === 0 ? 'GPTBot' : CHROME);
    const key = `2026-03-10 gptbot ${page}`;
    if (i % 4 === 0) counts[key] = (counts[key] ?? 0) + 1;
  }
  return { text, counts };
}

export const started = (t: TestContext) => startedIn(commandLine(t));

export async function startedIn<Place extends Pick<Program, 'db' | 'folder'>>(daybook: Place) {
  const token = await furnish(daybook.db);
  const log = join(daybook.folder, 'access.log');
  const logs = async (...args: string[]) => (await here(daybook.db, 'logs', 'example.com', ...args)).printed.join('\n');
  const count = async (...args: string[]) => Number(/, (\d+) requests? of AI crawlers/.exec(await logs(...args))?.[1]);
  return { daybook, token, log, logs, count, crawled: () => crawledIn(daybook.db) };
}

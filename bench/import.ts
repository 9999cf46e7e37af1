// Measures how long an import takes to read a line: parsing, checks, page, source, tags, visitor and spool. Also
// measures how long the spool takes to return all hits. Usage: `taskset -c 0 node bench/import.ts`. Other programs may
// use the machine too, so the processor time is shown beside the elapsed time.
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCountries } from '../src/classify/country.ts';
import { parseHit } from '../src/exchange/products/ndjson.ts';
import { hitReader } from '../src/exchange/reading/file-hits.ts';
import { lineSplitter } from '../src/exchange/reading/lines.ts';
import { spool } from '../src/exchange/reading/spool.ts';
import { openLog } from '../src/logs/files.ts';

const LINES = 500_000;
const DAYS = 30;
const START = Date.UTC(2026, 2, 1);

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
];
const REFERRERS = ['https://www.google.com/', 'https://news.ycombinator.com/item?id=1', 'https://t.co/abc'];
const MEDIUMS = ['mail', 'social', 'cpc'];

type Roll = (n: number) => number;

/** Makes a source of whole numbers from 0 up to n. The numbers are the same in each run. */
function dice(): Roll {
  let state = 1;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const oneOf = (roll: Roll, list: readonly string[]): string => list[roll(list.length)] ?? '';

/** How two kinds of files name a visitor: an export of daybook, and the records of a server. */
const PEOPLE: Record<string, (roll: Roll, visitor: number) => object> = {
  'visitor named': (roll, visitor) => ({
    visitor: `v${visitor}`,
    country: oneOf(roll, ['DE', 'US', 'FR', 'JP']),
    device: oneOf(roll, ['Desktop', 'Mobile']),
    browser: oneOf(roll, ['Chrome', 'Safari', 'Firefox']),
    os: oneOf(roll, ['Windows', 'iOS', 'Linux']),
  }),
  'address and agent': (_, visitor) => ({
    ip: `${20 + (visitor % 60)}.${(visitor >> 3) % 250}.${(visitor >> 7) % 250}.${visitor % 250}`,
    agent: AGENTS[visitor % AGENTS.length],
  }),
};

/**
 * Writes hits in the order of time. A visitor of a day has three hits, and hits of a hundred other visitors are between
 * them.
 */
function makeFile(path: string, person: (roll: Roll, visitor: number) => object): void {
  const roll = dice();
  const file = openSync(path, 'w');
  for (let i = 0; i < LINES; ) {
    let text = '';
    for (const end = Math.min(LINES, i + 10_000); i < end; i++) {
      const at = new Date(START + Math.floor((i / LINES) * DAYS * 86_400) * 1000).toISOString().replace('.000', '');
      const tags = roll(10) === 0 ? `?utm_source=letter-${roll(20)}&utm_medium=${oneOf(roll, MEDIUMS)}` : '';
      const hit = {
        at,
        url: `https://example.com/articles/page-${roll(5_000)}${tags}`,
        ...(roll(3) === 0 ? { referrer: oneOf(roll, REFERRERS) } : {}),
        ...(roll(10) === 0 ? { event: 'signup', label: `plan-${roll(50)}` } : {}),
        ...person(roll, Math.floor((i + roll(300)) / 3)),
      };
      text += `${JSON.stringify(hit)}\n`;
    }
    writeSync(file, text);
  }
  closeSync(file);
}

async function show(what: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  const { user, system } = process.cpuUsage();
  await work();
  const { user: userThen, system: systemThen } = process.cpuUsage();
  const [passed, worked] = [(performance.now() - begun) * 1000, userThen - user + (systemThen - system)];
  console.log(what.padEnd(36), ...[passed, worked].map((time) => (time / LINES).toFixed(2).padStart(8)));
}

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const clock = { now: () => START + 365 * 86_400_000, tick: () => 0 };
const shared = {
  site: {
    id: 1,
    domain: 'example.com',
    privatePaths: '',
    pageParameters: '',
    dimensionsOff: '',
    timeZone: 'UTC',
    earliestDay: 0,
  },
  countries: openCountries(undefined, clock, () => {}),
  clock,
  key: randomBytes(32),
  codeOf: () => 0,
};

try {
  console.log('µs a line'.padEnd(36), '  passed', '  worked');
  for (const [kind, person] of Object.entries(PEOPLE)) {
    const path = join(folder, 'hits.ndjson');
    makeFile(path, person);
    console.log(`${kind}: ${LINES} lines, ${(statSync(path).size / 1e6).toFixed(0)} MB`);
    for (const run of ['first', 'second']) {
      const spooled = spool(join(folder, 'spool'));
      const hitOf = hitReader(shared);
      await show(`  read, ${run} time`, async () => {
        const lines = lineSplitter((line, number) => {
          const hit = parseHit(line, number);
          if (hit) spooled.add(hitOf(hit, number));
        });
        const file = openLog(path);
        for await (const chunk of file.bytes(0)) lines.feed(chunk);
        lines.end();
        file.close();
      });
      let hits = 0;
      await show('  given back', async () => {
        for (const { day } of spooled.days()) hits += spooled.rows(day).count;
      });
      spooled.close();
      if (hits !== LINES) throw new Error(`${hits} hits came back`);
    }
  }
  console.log(`${Math.round(process.resourceUsage().maxRSS / 1024)} MB of memory at most`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

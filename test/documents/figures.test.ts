// The documents quote figures of docs/figures.json, which `npm run figures` measures. A sentence with another number fails here.
//
// A quote has a pattern. Each group of it is a number, and the figure of this group has the same place in the list. Example: with
// /script of (N) bytes/ and `script_bytes`, each "script of 1,098 bytes" in any document is compared with the table. A quoted
// number may have fewer digits than the table: 97 for 96.5.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BENCHES, type Figure, readFigures } from '../../bench/figures/benches.ts';
import { DOCUMENTS, textOf } from './documents.ts';

const TABLE: Record<string, Figure> = JSON.parse(textOf('docs/figures.json'));

/** `least` is how often the documents have the quote. If a sentence is changed beyond its pattern, the test says so. */
type Quote = { pattern: string; figures: string[]; least: number };

/** In a pattern, N stands for a number. */
const QUOTES: Quote[] = [
  { pattern: '(?:script of|tracker/day.ts\\)?,) (N) bytes', figures: ['script_bytes'], least: 3 },
  { pattern: 'size of the script \\| (N) bytes', figures: ['script_bytes'], least: 1 },
  { pattern: 'against (N) bytes\\), and Liwan', figures: ['script_bytes'], least: 1 },
  { pattern: 'first view \\| (N) kB', figures: ['first_view'], least: 1 },
  { pattern: '(N) MB\\*{0,2} (?:of disk )?for (?:a|each) million hits', figures: ['disk_per_million'], least: 3 },
  { pattern: 'million hits take about (N) MB', figures: ['disk_per_million'], least: 1 },
  { pattern: 'disk for a million hits, in a file of ten million \\| (N) MB', figures: ['disk_per_million'], least: 1 },
  { pattern: 'year of ten million hits takes (N) MB', figures: ['disk'], least: 1 },
  {
    pattern: '\\| daybook \\| (N) \\| (N) \\| (N) \\| (N) \\| \\| ClickHouse',
    figures: ['import_seconds', 'import_rate', 'disk', 'disk_per_million'],
    least: 1,
  },
  { pattern: '\\*\\*(N) MB of memory\\*\\*', figures: ['memory_at_rest'], least: 1 },
  { pattern: 'After 78 queries over the whole year it is (N) MB', figures: ['memory_after_questions'], least: 1 },
  {
    pattern: '(N) MB with ten million hits in the file, up to (N) MB after 78 queries',
    figures: ['memory_at_rest', 'memory_after_questions'],
    least: 1,
  },
  { pattern: 'first seconds after a start \\| (N) MB', figures: ['memory_after_start'], least: 1 },
  {
    pattern: '\\| later, after the first backup was made and tested \\| (N) MB',
    figures: ['memory_at_rest'],
    least: 1,
  },
  { pattern: 'memory at rest, with ten million hits \\| (N) MB', figures: ['memory_at_rest'], least: 1 },
  { pattern: 'after these 78 queries \\| (N) MB', figures: ['memory_after_questions'], least: 1 },
  { pattern: '(N) to (N) ms over 12 months', figures: ['report_fastest', 'report_slowest'], least: 1 },
  { pattern: 'Tables of two or three dimensions take up to (N) ms', figures: ['table_slowest'], least: 1 },
  { pattern: '(N) s with ten million hits in the file', figures: ['start'], least: 1 },
  { pattern: 'start, with (?:a file of )?ten million hits(?: in the file)? \\| (N) s', figures: ['start'], least: 2 },
  { pattern: '(N) to (N)(?: hits)? a second', figures: ['hits_at_64', 'hits_at_512'], least: 2 },
  {
    pattern: '(N) at 64 connections, (N) at 256, (N) at 512',
    figures: ['hits_at_64', 'hits_at_256', 'hits_at_512'],
    least: 1,
  },
  ...[64, 256, 512].map((at) => ({
    pattern: `\\| ${at} \\| (N) \\| (N) ms \\| (N) ms \\| (N) MB \\|`,
    figures: [`hits_at_${at}`, `hit_p50_at_${at}`, `hit_p99_at_${at}`, `memory_at_${at}`],
    least: 1,
  })),
  {
    pattern:
      "daybook's throughput was (N), (N) and (N) times as high as that of the bare server, at 64, 256 and 512 connections",
    figures: ['of_bare_at_64', 'of_bare_at_256', 'of_bare_at_512'],
    least: 1,
  },
  { pattern: '(N) µs of processor time, at 500 hits a second', figures: ['hit_cpu'], least: 1 },
  { pattern: 'processor time of a hit, at 500 a second \\| (N) µs', figures: ['hit_cpu'], least: 1 },
  {
    pattern:
      "a hit costs (N) µs of processor time, including the kernel's. That is (N) times the cost on the bare server in the same run. The median response time is (N) ms",
    figures: ['hit_cpu', 'hit_cpu_of_bare', 'hit_p50'],
    least: 1,
  },
  {
    pattern: 'reading an access log \\| (N) lines/s, compressed (N)',
    figures: ['log_lines', 'packed_log_lines'],
    least: 1,
  },
  { pattern: 'reports take up to (N) s', figures: ['open_day_slowest'], least: 1 },
  { pattern: 'v1/account` \\| (N)', figures: ['account_requests'], least: 1 },
  { pattern: 'v1/sites` \\(3 sites\\) \\| (N)', figures: ['site_list_requests'], least: 1 },
  { pattern: 'v1/sites/site1.example` \\| (N)', figures: ['site_requests'], least: 1 },
  { pattern: 'healthz`, for comparison \\| (N)', figures: ['health_requests'], least: 1 },
];

const flat = (document: string): string => textOf(document).replaceAll(/\s+/g, ' ');
const find = ({ pattern }: Quote, text: string): RegExpExecArray[] => [
  ...text.matchAll(new RegExp(pattern.replaceAll('N', '\\d[\\d.,]*(?<=\\d)'), 'g')),
];

/** Writes a value of the table with as many decimals as the quoted number has. */
function writeLike(quoted: string, value: number): string {
  const decimals = quoted.split('.')[1]?.length ?? 0;
  return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

test('figures: each number that a document quotes is the one of the table', () => {
  for (const quote of QUOTES) {
    const found = DOCUMENTS.flatMap((document) => find(quote, flat(document)).map((match) => ({ document, match })));
    assert.ok(found.length >= quote.least, `${found.length} times, not ${quote.least}: ${quote.pattern}`);
    for (const { document, match } of found) {
      const [text, ...quoted] = match;
      const expected = quote.figures.map((name, i) => writeLike(quoted[i] ?? '', TABLE[name]?.value ?? Number.NaN));
      assert.deepEqual(quoted, expected, `${document}: ${text}`);
    }
  }
});

test('figures: the table has each figure of each bench, and no other', () => {
  const names = BENCHES.flatMap(({ readings }) => Object.keys(readings));
  assert.deepEqual(Object.keys(TABLE).sort(), names.toSorted());
  const unquoted = names.filter((name) => !QUOTES.some(({ figures }) => figures.includes(name)));
  assert.deepEqual(unquoted, []);
  for (const [name, { date, version, machine, command }] of Object.entries(TABLE)) {
    assert.match(date, /^\d{4}-\d\d-\d\d$/, name);
    assert.ok(version && machine && command, name);
  }
});

/** Sizes that are no measured figures: what a machine needs. */
const REQUIRED = ['512 MB'];

test('figures: README has no size, time or rate beside those of the table', () => {
  const text = flat('README.md');
  const rest = QUOTES.reduce(
    (left, quote) => find(quote, left).reduce((all, [match]) => all.replace(match, ''), left),
    text,
  );
  const sizes = rest.match(/\d[\d.,]* ?(?:bytes|kB|MB|GB|µs|ms|s|hits\/s|hits a second)\b/g) ?? [];
  assert.deepEqual(
    sizes.filter((size) => !REQUIRED.includes(size)),
    [],
  );
});

test('figures: the range of reports is that of the tables of statistics', () => {
  const times = [
    ...textOf('docs/figures.md').matchAll(/^\| ([^|]+) \| ([\d.]+) \| [\d.]+ \| [\d.]+ \| [\d.]+ \| [\d.]+ \|$/gm),
  ];
  const { tables = [], reports = [] } = Object.groupBy(times, ([, name]) =>
    name?.startsWith('by ') ? 'tables' : 'reports',
  );
  assert.deepEqual([reports.length, tables.length], [66, 12]);
  const [ofReports, ofTables] = [reports, tables].map((some) => some.map(([, , time]) => Number(time))) as [
    number[],
    number[],
  ];
  assert.deepEqual(
    [Math.min(...ofReports), Math.max(...ofReports)],
    [TABLE.report_fastest?.value, TABLE.report_slowest?.value],
  );
  assert.equal(Number(Math.max(...ofTables).toPrecision(3)), TABLE.table_slowest?.value);
});

/** Writes a value of the table as a bench prints it, in the unit of the bench. */
const value = (name: string, times = 1): string => String((TABLE[name]?.value ?? Number.NaN) * times);

const printCollected = (connections: number): string =>
  [
    '',
    connections,
    ...['hits', 'hit_p50', 'hit_p99', 'memory', 'of_bare'].map((one) => value(`${one}_at_${connections}`)),
  ].join('   ');

/** What benches print, shortened. */
const PRINTED: Record<string, string> = {
  sizes: `script: ${value('script_bytes')} bytes\nfirst view: ${value('first_view')} kB\n`,
  statistics: `| overview | 2.63 | 43.8 | 273.7 | 0.06 | 0.01 |

| taking the year | seconds | hits/s | MB on disk | MB per million |
|---|---:|---:|---:|---:|
| daybook | ${value('import_seconds')} | ${value('import_rate')} | ${value('disk')} | ${value('disk_per_million')} |
| ClickHouse | 19.9 | 501,609 | 360.3 | 36.0 |
fastest report: ${value('report_fastest')} ms, slowest report: ${value('report_slowest')} ms
slowest table: ${value('table_slowest')} ms
start: ${value('start')} s
memory: ${value('memory_after_start')} MB after the start, ${value('memory_at_rest')} MB at rest, ${value('memory_after_questions')} MB after the questions
`,
  collect: `one fdatasync: 0.05 ms
connections      hits/s      p50 ms      p99 ms      RSS MB     of bare
${[64, 256, 512].map(printCollected).join('\n')}
     hits/s    µs a hit      p50 ms      p99 ms    worst ms     of bare
        100         210         4.1         9.0        12.0        0.90
        500         ${value('hit_cpu')}         ${value('hit_p50')}         8.0        11.0        ${value('hit_cpu_of_bare')}
       1000         110         3.9         8.8        14.0        0.84
`,
  'open-day': `slowest answer of all: ${value('open_day_slowest', 1000)} ms\n`,
  logs: `2000000 lines, 412 MB, 40000 of AI crawlers
million lines a second     passed   worked
daybook logs                 ${value('log_lines', 1e-6)}     0.80
  the same again             0.75     0.80
daybook logs, gzip           ${value('packed_log_lines', 1e-6)}     0.66
`,
  sites: `/api/v1/account               ${value('account_requests')} /s  0.39 of /healthz
/api/v1/sites                 ${value('site_list_requests')} /s  0.37 of /healthz
/api/v1/sites/site1.example   ${value('site_requests')} /s  0.33 of /healthz
/healthz                      ${value('health_requests')} /s
`,
};

test('figures: what the benches print is read as it is in the table', () => {
  for (const bench of BENCHES) {
    const at = { date: '2026-03-01', version: '1.0.0', machine: 'a machine' };
    const read = readFigures(bench, PRINTED[bench.name] ?? '', at);
    for (const [name, figure] of Object.entries(read)) {
      const { value, unit, command } = TABLE[name] as Figure;
      assert.deepEqual(figure, { value, unit, command, ...at }, name);
    }
    assert.throws(() => readFigures(bench, 'nothing', at), /did not print/);
  }
});

// The benches whose figures the documents quote, and how each figure is read from what a bench prints.
//
// A reading has a pattern with one group, which is a number. Example: bench/sizes.ts prints "script: 1042 bytes", and
// `script_bytes` reads 1042 by /script: ([\d.,]+) bytes/. bench/figures.ts runs the benches and writes
// docs/figures.json. test/documents/figures.test.ts compares that table with every document.

/**
 * A figure in the output of a bench. `unit` is for people who read the table. `times` converts the printed number to
 * this unit.
 */
type Reading = { pattern: RegExp; unit: string; times?: number };

export type Bench = { name: string; command: string[]; readings: Record<string, Reading> };

/** A row of docs/figures.json. */
export type Figure = {
  value: number;
  unit: string;
  /** The command that measures the figure. */
  command: string;
  date: string;
  version: string;
  machine: string;
};

const NUMBER = '([\\d.,]+)';

/** A row of bench/collect.ts: connections, hits a second, p50, p99, memory, share of the bare server. */
const collectedRow = (connections: number, column: 1 | 2 | 3 | 4 | 5): RegExp =>
  new RegExp(`^ *${connections}${' +[\\d.]+'.repeat(column - 1)} +${NUMBER}`, 'm');

const collected = (connections: number): Bench['readings'] => ({
  [`hits_at_${connections}`]: { pattern: collectedRow(connections, 1), unit: 'hits/s' },
  [`hit_p50_at_${connections}`]: { pattern: collectedRow(connections, 2), unit: 'ms' },
  [`hit_p99_at_${connections}`]: { pattern: collectedRow(connections, 3), unit: 'ms' },
  [`memory_at_${connections}`]: { pattern: collectedRow(connections, 4), unit: 'MB' },
  [`of_bare_at_${connections}`]: { pattern: collectedRow(connections, 5), unit: 'of the bare server' },
});

const answered = (path: string): Reading => ({
  pattern: new RegExp(`^${path} +${NUMBER} /s`, 'm'),
  unit: 'requests/s',
});
const npm = (...args: string[]): string[] => ['npm', 'run', '--silent', ...args];

export const BENCHES: readonly Bench[] = [
  {
    name: 'sizes',
    command: ['node', 'bench/sizes.ts'],
    readings: {
      script_bytes: { pattern: /script: ([\d.]+) bytes/, unit: 'bytes' },
      first_view: { pattern: /first view: ([\d.]+) kB/, unit: 'kB' },
    },
  },
  {
    name: 'statistics',
    command: npm('bench', '--', '--markdown'),
    readings: {
      report_fastest: { pattern: /fastest report: ([\d.]+) ms/, unit: 'ms' },
      report_slowest: { pattern: /slowest report: ([\d.]+) ms/, unit: 'ms' },
      table_slowest: { pattern: /slowest table: ([\d.]+) ms/, unit: 'ms' },
      import_seconds: { pattern: /^\| daybook \| ([\d.]+) \|/m, unit: 's' },
      import_rate: { pattern: /^\| daybook \| [\d.]+ \| ([\d,]+) \|/m, unit: 'hits/s' },
      disk: { pattern: /^\| daybook \| [\d.]+ \| [\d,]+ \| ([\d.]+) \|/m, unit: 'MB' },
      disk_per_million: { pattern: /^\| daybook \| [\d.]+ \| [\d,]+ \| [\d.]+ \| ([\d.]+) \|/m, unit: 'MB' },
      start: { pattern: /start: ([\d.]+) s/, unit: 's' },
      memory_after_start: { pattern: /memory: ([\d.]+) MB after the start/, unit: 'MB' },
      memory_at_rest: { pattern: /memory: .* ([\d.]+) MB at rest/, unit: 'MB' },
      memory_after_questions: { pattern: /memory: .* ([\d.]+) MB after the questions/, unit: 'MB' },
    },
  },
  {
    name: 'collect',
    command: npm('bench:collect'),
    readings: {
      ...collected(64),
      ...collected(256),
      ...collected(512),
      // Below the table of connections, a row has hits a second, microseconds a hit, and how long answers took.
      hit_cpu: { pattern: /µs a hit[\s\S]*^ *500 +([\d.]+)/m, unit: 'µs' },
      hit_p50: { pattern: /µs a hit[\s\S]*^ *500 +[\d.]+ +([\d.]+)/m, unit: 'ms' },
      hit_cpu_of_bare: { pattern: /µs a hit[\s\S]*^ *500(?: +[\d.]+){4} +([\d.]+)/m, unit: 'of the bare server' },
    },
  },
  {
    name: 'open-day',
    command: npm('bench:open-day'),
    readings: {
      open_day_slowest: { pattern: /slowest answer of all: ([\d.]+) ms/, unit: 's', times: 0.001 },
    },
  },
  {
    name: 'logs',
    command: ['node', 'bench/logs.ts'],
    readings: {
      log_lines: { pattern: /^daybook logs +([\d.]+)/m, unit: 'lines/s', times: 1e6 },
      packed_log_lines: { pattern: /^daybook logs, gzip +([\d.]+)/m, unit: 'lines/s', times: 1e6 },
    },
  },
  {
    name: 'sites',
    command: npm('bench:sites'),
    readings: {
      account_requests: answered('/api/v1/account'),
      site_list_requests: answered('/api/v1/sites'),
      site_requests: answered('/api/v1/sites/site1.example'),
      health_requests: answered('/healthz'),
    },
  },
];

/** Rates and times vary from run to run. So their figures are rounded to at most three digits, but sizes are not. */
const DIGITS = 3;
const isExact = (unit: string): boolean => unit === 'bytes';

const showCommand = ({ command }: Bench): string => command.join(' ').replace(' --silent', '');

/** Reads the figures of a bench from what it printed. Throws if one is missing. */
export function readFigures(
  bench: Bench,
  printed: string,
  at: Pick<Figure, 'date' | 'version' | 'machine'>,
): Record<string, Figure> {
  return Object.fromEntries(
    Object.entries(bench.readings).map(([name, { pattern, unit, times = 1 }]) => {
      const text = pattern.exec(printed)?.[1];
      if (text === undefined) throw new Error(`${bench.name} did not print ${name} (${pattern})`);
      const value = Number(text.replaceAll(',', '')) * times;
      const figure = isExact(unit) ? value : Number(value.toPrecision(DIGITS));
      return [name, { value: figure, unit, command: showCommand(bench), ...at }];
    }),
  );
}

// Computes on paper which machines a number of hits a month needs, and what they cost: `node bench/cluster/sizes.ts`.
//
// The costs of a hit and of a query were measured by `npm run bench:cluster`, which prints this table with its own
// measurements. Everything else is an assumption, which you can change: `node bench/cluster/sizes.ts --core 15
// --peak 5`. `--help` lists them. Prices are only examples, in any currency.
//
// Example: 10 billion hits a month are 3,858 a second, and 11,574 at a peak. With 41 µs a hit, collectors need half a
// core. At 50 % load this is one core.
import { parseArgs } from 'node:util';

/** What one hit or one query costs on one core of the measured machine. */
export type Costs = {
  /** The processor time for taking a hit in a collector, in microseconds. `clickhouse` is that of one replica. */
  collector: number;
  clickhouse: number;
  /** The bytes of a hit: `sent` to each replica, `open` and `sealed` on the disk of a replica, with its sums. */
  sent: number;
  open: number;
  sealed: number;
  /** The processor time of a query in seconds: `filtered` reads a million hits, and the next field reads none. */
  filtered: number;
  least: number;
};

/** What copies of open days cost, measured by bench/cluster-open-day.ts. */
type CopyCosts = {
  /** Rows that a primary copies in a second. */
  rate: number;
  /** The bytes of a row on the disk of the primary. */
  bytes: number;
  /** The processor time of ClickHouse, in seconds, for an overview of a million open hits that are not copied. */
  visits: number;
};

/** Measured in November 2026 on the machine of docs/figures.md, at 20,000 hits a second. */
const MEASURED: Costs = {
  collector: 40.9,
  clickhouse: 10.1,
  sent: 278,
  open: 19.8,
  sealed: 41.4,
  filtered: 0.115,
  least: 0.004,
};
const COPIES: CopyCosts = { rate: 65_000, bytes: 70, visits: 0.42 };

/** The assumptions, with their meanings. */
const ASSUMED = {
  peak: [3, 'the traffic of the busiest second, as a multiple of the average'],
  busy: [0.5, 'the share of a core that is in use at a peak'],
  largest: [0.1, 'the share of the largest site'],
  replicas: [2, 'the ClickHouse servers of each shard'],
  cores: [16, 'the cores of a ClickHouse server'],
  memory: [64, 'GB of memory of a ClickHouse server'],
  diskSize: [2_000, 'GB of disk of a ClickHouse server, of which it may fill 80 %'],
  years: [3, 'for how many years hits are kept'],
  message: [1_000, 'bytes of a message of a browser, with its headers'],
  core: [20, 'the price of a core for a month'],
  gb: [3, 'the price of a GB of memory for a month'],
  disk: [0.1, 'the price of a GB of disk for a month'],
  traffic: [0, 'the price of a GB that comes in from the internet'],
} as const;

type Assumptions = Record<keyof typeof ASSUMED, number>;

const DEFAULTS = Object.fromEntries(Object.entries(ASSUMED).map(([name, [value]]) => [name, value])) as Assumptions;

const SECONDS_A_MONTH = 30 * 86_400;
const DAYS_A_MONTH = 30;
const FULL = 0.8;
/** A collector and a primary have 2 cores and 4 GB at least. The primary counts all open days that people look at. */
const SMALL = { cores: 2, memory: 4 };
const PRIMARY = { cores: 4, memory: 8 };
/** Larger days are not copied (src/cluster/open/copy-rows.ts). */
const MOST_COPIED = 10_000_000;

type Machines = { count: number; cores: number; memory: number };

/** Adds up what machines cost in a month, with `disk` GB of data in all. */
const addPrices = (all: readonly Machines[], disk: number, incoming: number, assumed: Assumptions): number =>
  all.reduce((sum, { count, cores, memory }) => sum + count * (cores * assumed.core + memory * assumed.gb), 0) +
  disk * assumed.disk +
  incoming * assumed.traffic;

/** Computes for a number of hits a month: machines, bytes, prices and the times of the slowest queries. */
function computeSizes(costs: Costs, monthly: number, assumed: Assumptions = DEFAULTS) {
  const { peak: times, busy, largest, replicas, cores, memory, diskSize, years, message } = assumed;
  const peak = (monthly / SECONDS_A_MONTH) * times;
  const ofCollectors = (peak * costs.collector) / 1e6 / busy;
  const collectors = { ...SMALL, count: Math.max(1, Math.ceil(ofCollectors / SMALL.cores)) + 1 };
  const month = (monthly * costs.sealed) / 1e9;
  const open = (2 * (monthly / DAYS_A_MONTH) * costs.open) / 1e9;
  const shards = Math.max(
    1,
    Math.ceil((month * 12 * years + open) / (diskSize * FULL)),
    Math.ceil((peak * costs.clickhouse) / 1e6 / (cores * busy)),
  );
  const servers = { count: shards * replicas, cores, memory };
  const seconds = (hits: number) => costs.least + ((hits / 1e6) * costs.filtered) / shards / cores;
  const price = (months: number) =>
    addPrices(
      [collectors, servers, { ...PRIMARY, count: 1 }],
      (month * months + open) * replicas,
      (monthly * message) / 1e9,
      assumed,
    );
  const day = (monthly * largest) / DAYS_A_MONTH;
  return {
    peak,
    collectors: collectors.count,
    shards,
    servers: servers.count,
    /** GB a month, and GB of open days, on one replica of each shard. */
    month,
    open,
    /** Megabits a second at a peak: from browsers, and from all collectors to all replicas. */
    browsers: (peak * message * 8) / 1e6,
    replicas: (peak * costs.sent * replicas * 8) / 1e6,
    firstMonth: price(1),
    afterAYear: price(12),
    /** Seconds of a filtered query of the largest site, for a day and for a month. */
    filteredDay: seconds(day),
    filteredMonth: seconds(monthly * largest),
    /** The hits of the largest site on a day, and how today is counted. */
    day,
    isCopied: day <= MOST_COPIED,
    copySeconds: day / COPIES.rate,
    copyGigabytes: (day * COPIES.bytes) / 1e9,
    uncopied: ((day / 1e6) * COPIES.visits) / shards / Math.max(1, cores * busy),
  };
}

const MONTHLY = [1e7, 1e8, 1e9, 1e10];

type Sizes = ReturnType<typeof computeSizes>;

const gigabytes = (n: number): string => (n < 10 ? n.toFixed(1) : n.toFixed(0));
const time = (seconds: number): string => (seconds < 0.01 ? 'below 0.01 s' : `${seconds.toFixed(2)} s`);

/** The lines of the table. Each has a name, and writes one cell for a number of hits. */
const LINES: readonly [name: string, cell: (sizes: Sizes) => string][] = [
  ['hits a second at a peak', ({ peak }) => peak.toFixed(0)],
  [`collectors (${SMALL.cores} cores, ${SMALL.memory} GB)`, ({ collectors }) => String(collectors)],
  ['shards', ({ shards }) => String(shards)],
  ['ClickHouse servers', ({ servers }) => String(servers)],
  ['GB of sealed days a month, on a replica', ({ month }) => gigabytes(month)],
  ['GB of open days, on a replica', ({ open }) => gigabytes(open)],
  ['Mbit/s from browsers at a peak', ({ browsers }) => browsers.toFixed(1)],
  ['Mbit/s to all replicas at a peak', ({ replicas }) => replicas.toFixed(1)],
  ['price of the first month', ({ firstMonth }) => firstMonth.toFixed(0)],
  ['price of a month after a year', ({ afterAYear }) => afterAYear.toFixed(0)],
  ['largest site: filtered day', ({ filteredDay }) => time(filteredDay)],
  ['largest site: filtered month', ({ filteredMonth }) => time(filteredMonth)],
  ['largest site: million hits today', ({ day }) => gigabytes(day / 1e6)],
  [
    'largest site: today is counted',
    ({ isCopied, uncopied }) => (isCopied ? 'from a copy' : `by ClickHouse, at least ${uncopied.toFixed(1)} s`),
  ],
  ['largest site: making the copy', ({ isCopied, copySeconds }) => (isCopied ? `${copySeconds.toFixed(0)} s` : 'none')],
  ['largest site: GB of the copy', ({ isCopied, copyGigabytes }) => (isCopied ? copyGigabytes.toFixed(2) : 'none')],
];

export function printSizes(costs: Costs, assumed: Assumptions = DEFAULTS): void {
  const all = MONTHLY.map((monthly) => computeSizes(costs, monthly, assumed));
  console.log(`costs: ${JSON.stringify(costs, (_, n) => (typeof n === 'number' ? Number(n.toPrecision(3)) : n))}`);
  console.log(`assumptions: ${JSON.stringify(assumed)}`);
  console.log(`| hits a month | ${MONTHLY.map((n) => n.toLocaleString('en')).join(' | ')} |`);
  console.log(`|---|${MONTHLY.map(() => '---:|').join('')}`);
  for (const [name, cell] of LINES) console.log(`| ${name} | ${all.map(cell).join(' | ')} |`);
}

if (import.meta.main) {
  const names = Object.keys(ASSUMED) as (keyof Assumptions)[];
  const { values } = parseArgs({
    options: Object.fromEntries(
      [...names, 'help'].map((name) => [name, { type: name === 'help' ? 'boolean' : 'string' }]),
    ),
  });
  if (values.help)
    for (const [name, [value, meaning]] of Object.entries(ASSUMED)) console.log(`--${name} ${value}: ${meaning}`);
  else
    printSizes(MEASURED, {
      ...DEFAULTS,
      ...Object.fromEntries(
        names.flatMap((name) => (values[name] === undefined ? [] : [[name, Number(values[name])]])),
      ),
    });
}

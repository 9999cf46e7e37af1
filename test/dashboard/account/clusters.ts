import type { Cluster } from '../../../src/api/cluster.ts';

type Server = Cluster['servers'][number];
type Sender = Cluster['senders'][number];

const server = (change: Partial<Server>): Server => ({
  ...{ url: 'http://one.example:8123/', shard: 1, replica: 2, state: 'complete', answers: true, lag: 0 },
  figures: {
    ...{ parts: 40, partition_parts: 6, mutations: 3, failed_mutations: 0, queries: 2 },
    ...{ disk_free: 60e9, disk_total: 100e9, memory: 2e9, memory_limit: 16e9 },
  },
  finding: { name: 'cluster', fine: true, says: 'complete', says_codes: [{ code: 'server_complete', values: {} }] },
  ...change,
});
const bad = (code: string) => ({
  ...{ name: 'cluster', fine: false, says: 'x', says_codes: [{ code, values: {} }], remedy: 'y' },
});
const { figures } = server({});

/** A server in each state, and servers that give few figures. */
export const SERVERS: Server[] = [
  server({}),
  server({ lag: 61 }),
  server({ answers: false, lag: null, figures: null, finding: bad('server_silent') }),
  server({ state: 'filling', finding: bad('server_leaves') }),
  server({ state: 'lacking', lag: null, finding: bad('server_leaves') }),
  server({
    figures: figures && { ...figures, failed_mutations: 1, disk_free: null, disk_total: null, memory_limit: null },
  }),
];

const sender = (change: Partial<Sender>): Sender => ({
  ...{ name: 'one', silence: 1, lag: 0, bytes: 40_000_000, closed: null },
  ...change,
});

/** A sender in each state. */
export const SENDERS: Sender[] = [
  sender({ name: null, silence: 0 }),
  sender({ lag: 300 }),
  sender({ silence: 61 }),
  ...(['refused', 'retiring', 'disk', 'clock'] as const).map((closed) => sender({ closed })),
  sender({ silence: null, lag: null, bytes: null }),
];

/** A copy in each state. */
export const COPIES: Cluster['copies'] = (['current', 'copying', 'behind', 'too_large'] as const).map((state, i) => ({
  ...{ site: 'a.example', day: `2026-03-0${i + 1}`, rows: 12_345, state },
}));

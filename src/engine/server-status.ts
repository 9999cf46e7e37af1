// The state of ClickHouse servers, for the people who run them. The cluster engine writes it, and `daybook doctor`,
// /metrics and the page "Cluster" show it. The types are here because these three never import an engine.
//
// Example: a server is 3 s behind a collector. It has 40 parts (files of its tables), and 12 GB of its disk are free. A
// server that hangs does not answer within two seconds, so its `load` is undefined.

import type { CLOSINGS } from '../store/cluster/sender-status.ts';

/**
 * What a ClickHouse server says about itself. `null` means that it has no such figure. For example, a server in a cloud
 * has no local disk.
 */
export type ServerLoad = Readonly<{
  /** How long the server took to give these figures. */
  seconds: number;
  /**
   * The number of parts (files of rows) of all tables. ClickHouse merges parts. If a partition has too many parts,
   * ClickHouse refuses inserts.
   */
  parts: number;
  /** The largest number of parts in one partition of one table. */
  partitionParts: number;
  /** Deletions that are not done, and how many of them fail. */
  mutations: number;
  failedMutations: number;
  /** The free bytes and the size of one local disk: the disk with the smallest share of free space. */
  diskFree: number | null;
  diskTotal: number | null;
  memory: number;
  memoryLimit: number | null;
  /** Statements that run now, also of other programs. */
  queries: number;
}>;

export type ServerStatus = Readonly<{
  url: string;
  /** Whether the server answered within two seconds. */
  answers: boolean;
  /**
   * True if daybook does not use this ClickHouse server now. Examples: the server did not respond, or the host name in
   * its URL leads to another server.
   */
  isAway: boolean;
  /** Undefined if the server does not answer, or refuses to give its figures. */
  load: ServerLoad | undefined;
  /** By how many seconds the server is behind its senders. Undefined if no sender has reported about the server. */
  lag: number | undefined;
}>;

/**
 * A process that sends hits to the servers: the primary, without a name, or a collector. `lag` is the age of its oldest
 * waiting hit in seconds, and `bytes` is the size of its outbox. Until a collector has reported, all fields except the
 * name are null.
 */
export type SenderStatus = Readonly<{
  name: string | null;
  /** For how many seconds the primary has heard nothing from the collector. */
  silence: number | null;
  lag: number | null;
  bytes: number | null;
  closed: (typeof CLOSINGS)[number] | null;
}>;

/**
 * The states of a copy. The primary copies rows of open days from ClickHouse servers, to answer queries faster. During
 * the first copying of a day, its state is `copying`. A `current` copy answers queries. A copy that is `behind` answers
 * no query until newer hits are copied. A day that is `too_large` is never copied.
 */
export const COPY_STATES = ['copying', 'current', 'behind', 'too_large'] as const;

/** The copy of an open day, in a local file of the primary. `rows` counts the copied hits and heartbeats. */
export type DayCopyStatus = { siteId: number; day: number; rows: number; state: (typeof COPY_STATES)[number] };

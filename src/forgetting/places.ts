// The places that a proof searches, on each server that has data of a visitor. A proof shows that the program forgets a
// visitor (prove.ts). A trace is something that identifies the visitor, such as the IP address.
//
// Invariant: the last search of a proof leaves out no place. If a place cannot be read, its result says so
// (`isUnread`).
//
// Example: on a cluster, the primary has a database file, and a collector has an outbox. What a ClickHouse server has
// is copied into files first (read-clickhouse.ts). So one search, `searchAll`, finds a trace on every server. prove.ts
// calls it. Test: test/forgetting/search.test.ts.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Needle, type Searched, searchPlace } from './search.ts';

/** The places, each with a pattern for the names of its files. */
const PLACES = {
  file: /^daybook\.db$/,
  wal: /^daybook\.db-(wal|shm)$/,
  backups: /^daybook\.db\.backups/,
  outbox: /^daybook\.db\.outbox(-wal|-shm)?$/,
  open_days: /^daybook\.db\.open-days/,
  log: /^log$/,
  memory: /^memory-/,
  threads: /^thread-/,
  tables: /^table-/,
  system_logs: /^system-/,
} as const;
export type Place = keyof typeof PLACES;

const FILE_PLACES: Place[] = ['file', 'wal', 'backups', 'log', 'memory', 'threads'];

/**
 * Places that have bytes whenever they can be searched. If the search found no bytes in such a place, the result says
 * that the place could not be read. For example, threads that have ended cannot write their memory into files.
 */
const NEVER_EMPTY: Place[] = ['memory', 'threads', 'tables', 'outbox'];

/** The places of each kind of server. `alone` is a server without a cluster. */
const PLACES_OF = {
  alone: FILE_PLACES,
  primary: [...FILE_PLACES, 'outbox', 'open_days'],
  collector: ['outbox', 'log', 'memory'],
  clickhouse: ['tables', 'system_logs'],
} as const satisfies Record<string, readonly Place[]>;
export type ServerKind = keyof typeof PLACES_OF;

/**
 * A server of the proof, with the folder of its files. `unread` has the places that could not be read. `skipped` has
 * the places that this search leaves out.
 */
export type ProofServer = {
  kind: ServerKind;
  number: number;
  folder: string;
  unread?: readonly Place[];
  skipped?: readonly Place[];
};

export type SearchedPlace = Searched<Place> & Pick<ProofServer, 'kind' | 'number'> & { isUnread?: boolean };

export const searchAll = (servers: readonly ProofServer[], needles: readonly Needle[]): SearchedPlace[] =>
  servers.flatMap((server) =>
    PLACES_OF[server.kind]
      .filter((place) => !server.skipped?.includes(place))
      .map((place) => search(server, place, needles)),
  );

function search(
  { kind, number, folder, unread = [] }: ProofServer,
  place: Place,
  needles: readonly Needle[],
): SearchedPlace {
  const searched = { ...searchPlace(place, listFiles(folder, place), needles), kind, number };
  const isUnread = unread.includes(place) || (searched.bytes === 0 && NEVER_EMPTY.includes(place));
  return { ...searched, ...(isUnread ? { isUnread } : {}) };
}

export function listFiles(folder: string, place: Place): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => PLACES[place].test(path.slice(folder.length + 1)));
}

// Searches the server's files for removed salts, in a thread of low priority. No file should contain a removed salt,
// because somebody could use the salt to match visitor codes to IP addresses. jobs/forgetting.ts starts a search once a
// day.
//
// A place is a kind of file: the database file, the write-ahead log, the backups or the outbox.
//
// Invariant: a salt is found in each place, wherever in a file the salt begins (test/jobs/forgetting.test.ts). If a
// file grows during the search, only the size that it had at first is read. So the search ends.
//
// Example: for five salts, a file of 1 GB with its write-ahead log and two backups are read once. The report says how
// much of each place was searched, and that no place has a salt.

import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { SoughtSalt } from '../collect/removed-salts.ts';
import { type FingerprintKey, makeScanner, WINDOW } from '../lib/fingerprint.ts';
import { DAY } from '../lib/time.ts';
import type { SearchedPlace } from '../store/cluster/sender-status.ts';
import { listBackupsSince } from './backup.ts';

/** A file to search, and its place. `file` is a path, or the descriptor of an open file. */
export type SearchedFile = { place: SearchedPlace; file: string | number };

export type SearchOrder = {
  key: FingerprintKey;
  sought: readonly SoughtSalt[];
  files: readonly SearchedFile[];
  /** A collector has no backups. */
  backups?: { folder: string; server: string } | undefined;
};

/** The result of a search. `found` has the indexes of the salts that were found in a place. */
export type SearchReport = { places: { place: SearchedPlace; bytes: number; found: number[] }[] };

const PIECE = 1024 * 1024;

/** How long the thread pauses after each MB. In the pause, queries and hits can use the disk. */
const PAUSE_MS = 2;

export async function searchForSalts({ key, sought, files, backups }: SearchOrder): Promise<SearchReport> {
  // The salt of a day may be made on the day before. A site's day may begin up to 14 hours before the day in UTC. So
  // all backups are searched that were made since two days before the earliest day of these salts.
  const since = (Math.min(...sought.map(({ day }) => day)) - 2) * DAY;
  const copies = (backups ? listBackupsSince(backups, since) : []).map((file) => ({ place: 'backups' as const, file }));
  const all = [...files, ...copies].filter(({ file }) => typeof file === 'number' || existsSync(file));
  const places = new Map<SearchedPlace, { bytes: number; found: Set<number> }>();
  const fingerprints = sought.map(({ fingerprint }) => fingerprint);
  for (const { place, file } of all) {
    const searched = places.get(place) ?? { bytes: 0, found: new Set() };
    places.set(place, searched);
    const scanner = makeScanner(key, fingerprints, searched.found);
    for (const size of readPieces(file, scanner.scan)) {
      searched.bytes += size;
      await pause(PAUSE_MS);
    }
  }
  return { places: [...places].map(([place, { bytes, found }]) => ({ place, bytes, found: [...found] })) };
}

/** Reads a file, at most 1 MB at a time. Yields the number of bytes after `take` has got them. */
function* readPieces(file: string | number, take: (buffer: Buffer, bytes: number) => void): Generator<number> {
  const buffer = Buffer.alloc(WINDOW + PIECE);
  const descriptor = typeof file === 'number' ? file : openSync(file, 'r');
  try {
    const end = fstatSync(descriptor).size;
    for (let at = 0; at < end; ) {
      const bytes = readSync(descriptor, buffer, WINDOW, Math.min(PIECE, end - at), at);
      // The write-ahead log may have become shorter during the search.
      if (bytes === 0) return;
      at += bytes;
      take(buffer, bytes);
      yield bytes;
    }
  } finally {
    if (typeof file === 'string') closeSync(descriptor);
  }
}

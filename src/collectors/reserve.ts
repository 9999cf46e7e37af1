// Manages the reserve of a collector: a file that only takes up disk space. When the disk is nearly full, this file is
// deleted. This makes space for sending, because the outbox writes to the disk when it sends and deletes rows.
//
// Invariant: hits are accepted only while the reserve exists. So new hits never use the space that sending needs.
//
// Example: 15 MB of the disk are free, which is less than 16. The collector refuses hits and deletes its reserve of 32
// MB, so that 47 MB are free. After everything is sent, the outbox file shrinks. When 64 MB are free, the reserve is
// made again, and hits are accepted. compose-collector.ts calls `watchReserve`. Tests: test/collectors/reserve.test.ts,
// test/cluster/disk.test.ts.
import { closeSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { freeBytes } from '../lib/disk.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import type { Outbox } from '../store/cluster/outbox.ts';
import { findFirstWaiting } from '../store/cluster/outbox-pieces.ts';
import type { Gate } from './gate.ts';

const MIB = 1024 * 1024;

/**
 * The size of the reserve. Rows are sent in parcels of 16 MB. Deleting a sent parcel takes 16 MB of disk in SQLite's
 * write-ahead log. The next parcel takes another 16 MB.
 */
const RESERVE_BYTES = 32 * MIB;

/**
 * With less free disk space than this, hits are refused. The space is checked once a second, and a collector writes at
 * most 16 MB in a second. The disk is therefore never completely full.
 */
const LOW_BYTES = 16 * MIB;

/**
 * With this much free space, the reserve is made again and hits are accepted. With less, the collector might soon have
 * to refuse hits again.
 */
const ROOM_BYTES = RESERVE_BYTES + 2 * LOW_BYTES;

type Deps = { gate: Gate; intake: { countWaiting(): number }; log: Log; random: Random };

/**
 * Builds a function that checks the free disk space, and that must be called each second. With too little space, the
 * function refuses hits and deletes the reserve. So waiting hits can still be sent. The function never throws.
 */
export function watchReserve({ db, path }: Outbox, { gate, intake, log, random }: Deps): () => void {
  const free = (): number => freeBytes(dirname(path));

  function close(): void {
    const event = gate.shut('disk');
    if (event !== undefined) log(event, { free: free() });
    removeReserve(path);
  }

  const hasMade = (): boolean => free() >= ROOM_BYTES && db.isWritable() && writeReserve(path, random);

  function tryToOpen(): void {
    if (intake.countWaiting() === 0 && findFirstWaiting(db) === undefined) db.shrink();
    if (hasMade() && gate.open('disk')) log('there is space on the disk of the outbox again. The collector takes hits');
  }

  return () => {
    try {
      if (gate.isShut('disk')) tryToOpen();
      else if (free() < LOW_BYTES || !db.isWritable() || !(isThere(path) || hasMade())) close();
    } catch (error) {
      const event = gate.shut('disk');
      if (event !== undefined) log(event, { message: (error as Error).message });
    }
  };
}

/**
 * Deletes the reserve if the disk is nearly full. Must be called before the outbox is opened, because opening an SQLite
 * file on a full disk fails.
 */
export function makeRoomToOpen(path: string): void {
  if (existsSync(findReservePath(path)) && freeBytes(dirname(path)) < LOW_BYTES) removeReserve(path);
}

const findReservePath = (path: string): string => `${path}.reserve`;

const removeReserve = (path: string): void => rmSync(findReservePath(path), { force: true });

const isThere = (path: string): boolean =>
  statSync(findReservePath(path), { throwIfNoEntry: false })?.size === RESERVE_BYTES;

/**
 * Writes the reserve. Returns false if there is no room. The bytes are random, because a file system that compresses
 * would store zeros in almost no space.
 */
function writeReserve(path: string, random: Random): boolean {
  const file = openSync(findReservePath(path), 'w', 0o600);
  try {
    for (let written = 0; written < RESERVE_BYTES; written += MIB)
      if (writeSync(file, random(MIB)) < MIB) throw new Error('there is no room');
    return true;
  } catch {
    removeReserve(path);
    return false;
  } finally {
    closeSync(file);
  }
}

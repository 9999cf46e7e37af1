// The reserve of a collector is a file beside its outbox that is given up when the disk is full. Sending needs room on the disk
// too: a parcel is written down first, and removed pieces are overwritten in the WAL. Without a reserve a full disk would never
// drain, even when the cluster is back.
//
// Invariant: hits are taken only while the reserve is there. So without it only sending writes to the disk.
//
// Example: 15 MB of the disk are free, which is less than 16. The collector takes no more hits and gives up its 32 MB, so 47 MB
// are free for sending. When everything is sent, the outbox shrinks. With 64 MB free the reserve is made again, and hits are
// taken.
//
// Called by compose-collector.ts. Tests: test/collectors/reserve.test.ts, test/cluster/disk.test.ts.
import { closeSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { freeBytes } from '../lib/disk.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { findFirstWaiting, type Outbox } from '../store/cluster/outbox.ts';
import type { Gate } from './gate.ts';

const MIB = 1024 * 1024;

/** Removing a parcel of 16 MB takes as much room in the WAL, and the next one as much again. */
const RESERVE_BYTES = 32 * MIB;

/** With less free space no hits are taken. A collector writes at most that much in a second, which is the time between two looks. */
const LOW_BYTES = 16 * MIB;

/** With this much free space hits are taken again. */
const ROOM_BYTES = RESERVE_BYTES + 2 * LOW_BYTES;

type Deps = { gate: Gate; intake: { countWaiting(): number }; log: Log; random: Random };

/** Builds a function, called each second, that looks whether there is room for hits. The function never throws. */
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
    if (hasMade() && gate.open('disk')) log('there is room on the disk of the outbox again; hits are taken');
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

/** Gives up the reserve if the disk is full. Opening an outbox takes room too, so call this before. */
export function makeRoomToOpen(path: string): void {
  if (existsSync(findReservePath(path)) && freeBytes(dirname(path)) < LOW_BYTES) removeReserve(path);
}

const findReservePath = (path: string): string => `${path}.reserve`;

const removeReserve = (path: string): void => rmSync(findReservePath(path), { force: true });

const isThere = (path: string): boolean =>
  statSync(findReservePath(path), { throwIfNoEntry: false })?.size === RESERVE_BYTES;

/** Writes the reserve; gives false if there is no room. Random bytes take their room even on a disk that compresses. */
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

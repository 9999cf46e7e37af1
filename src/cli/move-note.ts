// The note of a move in the database file. It has the name of the target while hits are moved. After the switch it says
// which place is emptied. Without a move it is empty.
//
// Invariant: an interrupted move leaves its note. So the next run knows where to go on.
//
// move-days.ts begins a move. move-rest.ts changes the note at the switch and at the end.

import type { Db } from '../store/db.ts';
import { findUpkeep, noteUpkeep } from '../store/server/upkeep.ts';
import { now } from './command.ts';

export const noteMoving = (db: Db, words: string): void => noteUpkeep(db, 'moving', { at: now(), fine: true, words });

/** Says that the old place is emptied. If the command is interrupted, the next run finds the note and goes on. */
export const noteEmptying = (db: Db, source: string): void => noteMoving(db, writeEmptying(source));

export const isMovingTo = (db: Db, name: string): boolean => findNote(db) === name;
export const isEmptying = (db: Db, source: string): boolean => findNote(db) === writeEmptying(source);

const writeEmptying = (source: string): string => `emptying ${source}`;
const findNote = (db: Db): string | undefined => findUpkeep(db, 'moving')?.words;

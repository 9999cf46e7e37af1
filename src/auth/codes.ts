/*
 * Codes in place of a second factor: those of an authenticator app, which have six digits, and recovery codes. Wrong ones are counted
 * in the file until a right one, because six digits are soon guessed by a person who has the password:
 *
 *   up to 9 wrong codes    no wait but that of the limits in memory (src/auth/sign-in.ts)
 *   the 10th               the owner gets a mail; the next code has to wait for 15 minutes
 *   the 11th, 12th, …      30 minutes, 1 hour, … up to a day
 *
 * So there is about one try a day, of which three codes in a million are right: 0.1 % a year. The wait does not keep the owner out:
 * a recovery code (80 bits), a passkey and a browser that has signed in before have none, and another password ends the wait.
 */
import { type Random, randomText } from '../lib/secrets.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { listFactors, takeRecoveryCode, touchFactor } from '../store/people/second-factors.ts';
import { addWrongCode, findWrongCodes, removeWrongCodes } from '../store/people/wrong-codes.ts';
import { stepOf } from './totp.ts';

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 16;
/** Without letters and digits that look alike; sixteen of them have 80 bits, so that a plain hash is enough. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

export const recoveryCodes = (random: Random): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => randomText(random, RECOVERY_LENGTH, LETTERS));

/** As people read and type it. */
export const inGroups = (code: string, between = '-'): string => code.replaceAll(/.{4}(?=.)/g, `$&${between}`);

/** With this one the owner is told. */
export const TOLD_TRIES = 10;
const LONGEST_WAIT = DAY;

const waitAfter = (tries: number): number =>
  tries < TOLD_TRIES ? 0 : Math.min(15 * MINUTE * 2 ** (tries - TOLD_TRIES), LONGEST_WAIT);

/** When the next code may be tried; undefined for now. A clock that was wrong makes nobody wait for longer than a day. */
function nextTryAt(db: Db, userId: number, now: number): number | undefined {
  const { tries, lastAt } = findWrongCodes(db, userId) ?? { tries: 0, lastAt: 0 };
  const at = lastAt + waitAfter(tries);
  return lastAt <= now && now < at ? at : undefined;
}

const plain = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase();

export const isRecoveryCode = (typed: string): boolean => plain(typed).length === RECOVERY_LENGTH;

export type Tried = { isRight: true } | { isRight: false; tries: number } | { isRight: false; waitUntil: number };

/**
 * Tries a code, which counts once if it is right and is counted if it is wrong. `mayWait` is false where the wait does not apply. Call
 * it inside a transaction. Held by test/forms/factors.test.ts and test/forms/wrong-codes.test.ts.
 */
export function tryCode(
  db: Db,
  { userId, typed, mayWait }: { userId: number; typed: string; mayWait: boolean },
  now: number,
): Tried {
  const waitUntil = mayWait ? nextTryAt(db, userId, now) : undefined;
  if (waitUntil !== undefined) return { isRight: false, waitUntil };
  if (!takeCode(db, userId, plain(typed), now)) return { isRight: false, tries: addWrongCode(db, userId, now) };
  removeWrongCodes(db, userId);
  return { isRight: true };
}

function takeCode(db: Db, userId: number, code: string, now: number): boolean {
  for (const { id, kind, key, used } of listFactors(db, userId)) {
    const step = kind === 'app' ? stepOf(key, code, now, used) : undefined;
    if (step === undefined) continue;
    touchFactor(db, id, step);
    return true;
  }
  return takeRecoveryCode(db, userId, code);
}

// Codes of a second factor: six digits from an authenticator app, or a recovery code.
//
// A password thief could soon guess six digits. So wrong codes are counted in the file until a right one:
//
//   up to 9 wrong codes    only the limits in memory apply (src/auth/sign-in.ts)
//   the 10th               the owner gets a mail; the next code has to wait for 15 minutes
//   the 11th, 12th, …      30 minutes, 1 hour, … up to a day
//
// That leaves about one try a day. Three codes in a million are right, so a thief has a chance of 0.1 % a year. The
// owner is not kept out: recovery codes (80 bits), passkeys and known browsers never wait, and a new password ends
// the wait. `second-factor.ts` of `src/forms` calls `tryCode`.

import { makeRandomText, type Random } from '../lib/secrets.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { listFactors, takeRecoveryCode, touchFactor } from '../store/people/second-factors.ts';
import { addWrongCode, findWrongCodes, removeWrongCodes } from '../store/people/wrong-codes.ts';
import { findStep } from './totp.ts';

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 16;
/** These letters cannot be confused. Sixteen of them have 80 bits, so a plain hash protects them. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** The number of wrong codes at which the owner gets a mail. */
export const WARNED_TRIES = 10;
const LONGEST_WAIT = DAY;

export type Tried = { isRight: true } | { isRight: false; tries: number } | { isRight: false; waitUntil: number };

/**
 * Tries a code inside a transaction. A right code works once, a wrong one is counted. `mayWait` is false for recovery
 * codes and known browsers. Held by test/forms/factors.test.ts and test/forms/wrong-codes.test.ts.
 */
export function tryCode(
  db: Db,
  { userId, typed, mayWait }: { userId: number; typed: string; mayWait: boolean },
  now: number,
): Tried {
  const waitUntil = mayWait ? findNextTry(db, userId, now) : undefined;
  if (waitUntil !== undefined) return { isRight: false, waitUntil };
  if (!takeCode(db, userId, normalize(typed), now)) return { isRight: false, tries: addWrongCode(db, userId, now) };
  removeWrongCodes(db, userId);
  return { isRight: true };
}

function takeCode(db: Db, userId: number, code: string, now: number): boolean {
  for (const { id, kind, key, used } of listFactors(db, userId)) {
    const step = kind === 'app' ? findStep(key, code, now, used) : undefined;
    if (step === undefined) continue;
    touchFactor(db, id, step);
    return true;
  }
  return takeRecoveryCode(db, userId, code);
}

/** Finds when the next code may be tried; undefined for now. A wrong clock delays nobody for more than a day. */
function findNextTry(db: Db, userId: number, now: number): number | undefined {
  const { tries, lastAt } = findWrongCodes(db, userId) ?? { tries: 0, lastAt: 0 };
  const at = lastAt + findWait(tries);
  return lastAt <= now && now < at ? at : undefined;
}

const findWait = (tries: number): number =>
  tries < WARNED_TRIES ? 0 : Math.min(15 * MINUTE * 2 ** (tries - WARNED_TRIES), LONGEST_WAIT);

export const isRecoveryCode = (typed: string): boolean => normalize(typed).length === RECOVERY_LENGTH;

const normalize = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase();

export const makeRecoveryCodes = (random: Random): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => makeRandomText(random, RECOVERY_LENGTH, LETTERS));

/** Writes a code in groups of four letters, for people. */
export const groupLetters = (code: string, between = '-'): string => code.replaceAll(/.{4}(?=.)/g, `$&${between}`);

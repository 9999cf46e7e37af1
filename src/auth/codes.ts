// Codes of a second factor: six digits from an authenticator app, or a recovery code. `second-factor.ts` of `src/forms`
// calls `tryCode`.
//
// Invariant: somebody with a stolen password has about one try a day. A phone's clock may be 30 s behind or ahead
// (totp.ts). So at any time, three of a million codes are right. With these tries, the chance of a right guess is 0.1 %
// a year. The database counts the wrong codes since the last right code. The owner can still sign in: recovery codes
// (80 bits), passkeys, and browsers that signed in before never wait. Setting a new password ends the wait.
//
// Example: up to 9 wrong codes, only the limits in memory apply (src/auth/sign-in.ts). After the 10th wrong code, the
// owner gets an e-mail, and the next code has to wait for 15 minutes. After each further wrong code the wait doubles,
// up to a day.

import { makeRandomText, type Random } from '../lib/secrets.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { listFactors, takeRecoveryCode, touchFactor } from '../store/people/second-factors.ts';
import { addWrongCode, findWrongCodes, removeWrongCodes } from '../store/people/wrong-codes.ts';
import { findStep } from './totp.ts';

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 16;
/**
 * The characters of a recovery code. People cannot confuse them, because l, o, 0 and 1 are missing. 16 characters have
 * 80 random bits, so nobody can find a code by trying.
 */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** After this number of wrong codes, the owner gets an e-mail, and the next code has to wait. */
export const WARNED_TRIES = 10;
const LONGEST_WAIT = DAY;

export type Tried = { isRight: true } | { isRight: false; tries: number } | { isRight: false; waitUntil: number };

/**
 * Checks a code. A right code works once, and a wrong code is counted. `mayWait` is false for recovery codes, and for
 * browsers that signed in before. They never have to wait. Call this function inside a transaction. Tested by
 * test/forms/factors.test.ts and test/forms/wrong-codes.test.ts.
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

/**
 * Finds when the next code may be tried. Returns undefined if it may be tried now. If the last wrong code is in the
 * future, the clock was set back. Then there is no wait, because it might last for years.
 */
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

/** Puts a separator after every four letters, because such groups are easier to read and type. */
export const groupLetters = (code: string, between = '-'): string => code.replaceAll(/.{4}(?=.)/g, `$&${between}`);

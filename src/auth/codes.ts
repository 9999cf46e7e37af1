import { type Random, randomText } from '../lib/secrets.ts';
import { listFactors, takeRecoveryCode, touchFactor } from '../store/factors.ts';
import type { Db } from '../store/statements.ts';
import { stepOf } from './totp.ts';

const RECOVERY_CODES = 10;
/** Without letters and digits that look alike; sixteen of them have 80 bits, so that a plain hash is enough. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

export const recoveryCodes = (random: Random): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => randomText(random, 16, LETTERS));

/** As people read and type it. */
export const inGroups = (code: string, between = '-'): string => code.replaceAll(/.{4}(?=.)/g, `$&${between}`);

/**
 * Whether a code of an authenticator app, or a recovery code, is right; either counts once. Call it inside a transaction. Held by
 * test/pages/factors.test.ts.
 */
export function takeCode(db: Db, userId: number, typed: string, now: number): boolean {
  const code = typed.replaceAll(/[\s-]/g, '').toLowerCase();
  for (const { id, kind, key, used } of listFactors(db, userId)) {
    const step = kind === 'app' ? stepOf(key, code, now, used) : undefined;
    if (step === undefined) continue;
    touchFactor(db, id, step);
    return true;
  }
  return takeRecoveryCode(db, userId, code);
}

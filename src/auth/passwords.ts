import { hash, verify } from '@node-rs/argon2';
import * as v from 'valibot';
import { limitAtOnce } from '../lib/at-once.ts';
import { fault } from '../lib/http/fault.ts';

export const Password = v.pipe(
  v.string(fault('no_text')),
  v.check((text) => text.isWellFormed(), fault('no_unicode')),
  v.check((text) => characters(text) >= 10, fault('too_short', { least: 10 })),
  v.check((text) => characters(text) <= 1024, fault('password_too_long')),
);

/**
 * What a hash of a password costs. One hash takes about 8 ms and 19 MiB, as OWASP recommends, which makes guessing
 * expensive. Tests use less.
 */
export type Cost = { memoryCost: number; timeCost: number; parallelism: number };
export const COST: Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const AT_ONCE = 2;
const MOST_WAITING = 32;

export type Passwords = ReturnType<typeof makePasswords>;

/**
 * Hashes and compares passwords with argon2id. Only two hashes are made at a time, because each takes 19 MiB and a
 * thread. Up to 32 more requests wait in lines, which take turns. If one more comes, the last request of the longest
 * line gets 503. If no line would be longer than the new request's own line, the new request itself gets 503. So an
 * attacker cannot fill the memory.
 *
 * Each account has a line for the passwords of its share links. The passwords of users wait in line 0. So an account
 * that sets passwords of links again and again keeps nobody from signing in.
 */
export function makePasswords(cost: Cost = COST) {
  const turn = limitAtOnce(AT_ONCE, MOST_WAITING);
  return {
    hash: (password: string, line = 0): Promise<string> => turn(() => hash(password, cost), line),
    matches: (stored: string, password: string, line = 0): Promise<boolean> =>
      turn(() => verify(stored, password), line),
  };
}

const characters = (text: string): number => [...text].length;

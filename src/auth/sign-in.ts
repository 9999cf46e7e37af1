import { addressKey } from '../lib/address.ts';
import { plural } from '../lib/plural.ts';
import type { Clock } from '../lib/time.ts';
import { MINUTE } from '../lib/time.ts';
import { tooMany } from './identity.ts';
import { type Taken, windowLimit } from './limits.ts';

const FREE_TRIES = 5;
const LONGEST_MS = 15 * MINUTE * 1000;
const MOST_PAIRS = 50_000;

/** An attacker often has a whole block of addresses, so that 256 of IPv4 count as one network. */
const networkOf = (address: string): string => addressKey(address).replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1');

const words = (seconds: number): string =>
  seconds < MINUTE ? plural(seconds, 'second') : plural(Math.ceil(seconds / MINUTE), 'minute');

/**
 * How often a password may be tried. After five tries for one account from one network each next one has to wait, twice as
 * long every time, up to a quarter of an hour; an account has 30 tries in five minutes and an address 20 a minute. Nobody is
 * locked out for good, and whoever is signed in does not notice. Whether the account exists makes no difference.
 */
export function signInLimits(clock: Clock) {
  const ofAccount = windowLimit(30, 5 * MINUTE, clock);
  const ofAddress = windowLimit(20, MINUTE, clock);
  const pairs = new Map<string, { tries: number; until: number }>();
  const keyOf = (email: string, address: string): string => `${networkOf(address)} ${email}`;

  function refuse(resetSeconds: number): never {
    const message = `Too many tries; come back in ${words(resetSeconds)}.`;
    throw tooMany(clock, { allowed: false, remaining: 0, resetSeconds }, {}, message);
  }

  function assertTaken({ allowed, resetSeconds }: Taken): void {
    if (!allowed) refuse(resetSeconds);
  }

  function nextTry(key: string): { tries: number; until: number } {
    const now = clock.tick();
    const { tries: before, until } = pairs.get(key) ?? { tries: 0, until: 0 };
    if (now < until) refuse(Math.ceil((until - now) / 1000));
    const tries = now - until > LONGEST_MS ? 1 : before + 1;
    const wait = tries < FREE_TRIES ? 0 : Math.min(1000 * 2 ** (tries - FREE_TRIES), LONGEST_MS);
    return { tries, until: now + wait };
  }

  return {
    /** Counts a try before its outcome is known, so that parallel tries count as many. */
    take(email: string, address: string): void {
      const key = keyOf(email, address);
      const next = nextTry(key);
      // In this order, so that one network alone cannot use up an account's tries. The pair is noted last, so that a try that
      // was refused because of others prolongs nobody's wait.
      assertTaken(ofAddress.take(addressKey(address)));
      assertTaken(ofAccount.take(email));
      pairs.delete(key);
      pairs.set(key, next);
      // The pair that was not used for longest comes first.
      if (pairs.size > MOST_PAIRS) pairs.delete(pairs.keys().next().value as string);
    },
    succeeded(email: string, address: string): void {
      pairs.delete(keyOf(email, address));
    },
  };
}

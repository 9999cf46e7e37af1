import { type Coded, coded } from '../lang/coded.ts';
import { addressKey } from '../lib/http/address.ts';
import type { Clock } from '../lib/time.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import { tooMany } from './identity.ts';
import { memory, type Taken, windowLimit } from './limits.ts';

const FREE_TRIES = 5;
const LONGEST_MS = 15 * MINUTE * 1000;
const MOST_PLACES = 50_000;

const KNOWN_MS = 30 * DAY * 1000;
const MOST_NETWORKS = 20;

/** An attacker often has a whole block of addresses, so that 256 of IPv4 count as one network. */
const networkOf = (address: string): string => addressKey(address).replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1');

const comeBackIn = (seconds: number): Coded =>
  seconds < MINUTE
    ? coded('too_many_tries_seconds', { count: seconds })
    : coded('too_many_tries_minutes', { count: Math.ceil(seconds / MINUTE) });

/**
 * Who tries, for which account and from where; or apart from all others, such as a browser that has signed in before. `isStranger`: one
 * person may have many such places, which are kept with those of strangers, so that they fill none of the room of known ones.
 */
export type Attempt = { email: string; address: string; apart?: string | undefined; isStranger?: boolean };

/**
 * The networks from which accounts have signed in within a month, by the process's own time. Only a right password adds one, and
 * each account has its own few, so that nobody can push out those of others.
 */
function knownNetworks(clock: Clock) {
  const ofAccounts = new Map<string, Map<string, number>>();
  return {
    has({ email, address }: Attempt): boolean {
      const at = ofAccounts.get(email)?.get(networkOf(address));
      return at !== undefined && clock.tick() - at < KNOWN_MS;
    },
    add({ email, address }: Attempt): void {
      const networks = ofAccounts.get(email) ?? new Map<string, number>();
      ofAccounts.set(email, networks);
      networks.delete(networkOf(address));
      networks.set(networkOf(address), clock.tick());
      if (networks.size > MOST_NETWORKS) networks.delete(networks.keys().next().value as string);
    },
  };
}

/**
 * How often a password may be tried. After five tries for one account from one network each next one has to wait, twice as
 * long every time, up to a quarter of an hour; an account has 30 tries in five minutes and an address 20 a minute. Nobody is
 * locked out for good, and whoever is signed in does not notice. Whether the account exists makes no difference.
 *
 * What strangers try is not counted where somebody has signed in before: a known network does not take part in the limit of
 * its account, and a known browser has its own tries only. Held by test/auth/attack.test.ts.
 */
export function signInLimits(clock: Clock) {
  const ofAccount = windowLimit(30, 5 * MINUTE, clock);
  const ofAddress = windowLimit(20, MINUTE, clock);
  const networks = knownNetworks(clock);
  const places = () =>
    memory<{ tries: number; until: number }>(MOST_PLACES, ({ until }, now) => now - until > LONGEST_MS);
  const [known, unknown] = [places(), places()];

  /** Where the tries of an attempt are counted. */
  function placeOf(attempt: Attempt) {
    const { email, address, apart, isStranger = false } = attempt;
    const isKnown = apart !== undefined || networks.has(attempt);
    const key = apart === undefined ? `${networkOf(address)} ${email}` : `apart ${apart}`;
    return { isKnown, key, counts: isKnown && !isStranger ? known : unknown };
  }

  function refuse(resetSeconds: number): never {
    const message = comeBackIn(resetSeconds);
    throw tooMany(clock, { allowed: false, remaining: 0, resetSeconds }, {}, message);
  }

  function assertTaken({ allowed, resetSeconds }: Taken): void {
    if (!allowed) refuse(resetSeconds);
  }

  function nextTry({ key, counts }: ReturnType<typeof placeOf>): { tries: number; until: number } {
    const now = clock.tick();
    const found = counts.find(key, now);
    const obstacle = found ? undefined : counts.findObstacle(now);
    const until = found?.until ?? (obstacle ? obstacle.until + LONGEST_MS + 1 : 0);
    if (now < until) refuse(Math.ceil((until - now) / 1000));
    const tries = (found?.tries ?? 0) + 1;
    const wait = tries < FREE_TRIES ? 0 : Math.min(1000 * 2 ** (tries - FREE_TRIES), LONGEST_MS);
    return { tries, until: now + wait };
  }

  function forgive(attempt: Attempt): void {
    const { key, counts } = placeOf(attempt);
    counts.remove(key);
  }

  return {
    /** Counts a try before its outcome is known, so that parallel tries count as many. */
    take(attempt: Attempt): void {
      const place = placeOf(attempt);
      const next = nextTry(place);
      // In this order, so that one network alone cannot use up an account's tries. The place is noted last, so that a try that
      // was refused because of others prolongs nobody's wait.
      if (attempt.apart === undefined) assertTaken(ofAddress.take(addressKey(attempt.address)));
      if (!place.isKnown) assertTaken(ofAccount.take(attempt.email));
      place.counts.add(place.key, next, next.tries >= FREE_TRIES, clock.tick());
    },
    /** Begins anew for whoever was right, though they are not signed in by that. */
    forgive,
    succeeded(attempt: Attempt): void {
      forgive(attempt);
      networks.add(attempt);
    },
  };
}

// The limits of signing in make password guessing slow, and lock nobody out for long.
//
// Tries are counted for each pair of an account and a network (256 IPv4 addresses, or 2^64 IPv6 addresses). After five
// tries, each further try has to wait: 1 s, 2 s, 4 s, up to 15 minutes. In addition, an account has 30 tries in five
// minutes, and an IP address has 20 tries a minute. An e-mail address without an account has equal limits, so an answer
// does not reveal which accounts exist.
//
// Tries of strangers do not lock out the owner. The limit of the account does not apply to a network from which the
// account signed in within a month. A browser that signed in before has its own count. Tested by
// test/auth/attack.long.test.ts. The pages of `src/forms` call `take` before each try.

import { type Coded, coded } from '../lang/coded.ts';
import { makeAddressKey } from '../lib/http/address.ts';
import type { Clock } from '../lib/time.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import { makeRateProblem } from './identity.ts';
import { type LimitState, makeMemory, makeWindowLimit } from './limits.ts';

const FREE_TRIES = 5;
const LONGEST_MS = 15 * MINUTE * 1000;
const MOST_PLACES = 50_000;

const KNOWN_MS = 30 * DAY * 1000;
const MOST_NETWORKS = 20;

/**
 * A try to sign in. Usually a try is counted under a key made of its account and network. With `ownKey`, the try is
 * counted under `ownKey` instead, such as the key of a known browser. `isStranger` is true if `ownKey` contains an IP
 * address. A stranger with many IP addresses causes many keys with IP addresses. Keys with IP addresses are stored
 * apart, so they cannot push out the keys of known browsers.
 */
export type Attempt = { email: string; address: string; ownKey?: string | undefined; isStranger?: boolean };

export function makeSignInLimits(clock: Clock) {
  const ofAccount = makeWindowLimit(30, 5 * MINUTE, clock);
  const ofAddress = makeWindowLimit(20, MINUTE, clock);
  const networks = rememberNetworks(clock);
  const places = () =>
    makeMemory<{ tries: number; until: number }>(MOST_PLACES, ({ until }, now) => now - until > LONGEST_MS);
  const [known, unknown] = [places(), places()];

  /**
   * Finds the key that a try counts under, and the memory that has its count. Known browsers and networks have a memory
   * of their own, which strangers cannot fill.
   */
  function findPlace(attempt: Attempt) {
    const { email, address, ownKey, isStranger = false } = attempt;
    const isKnown = ownKey !== undefined || networks.has(attempt);
    const key = ownKey === undefined ? `${findNetwork(address)} ${email}` : `own ${ownKey}`;
    return { isKnown, key, counts: isKnown && !isStranger ? known : unknown };
  }

  function refuse(resetSeconds: number): never {
    const message = sayWait(resetSeconds);
    throw makeRateProblem(clock, { allowed: false, remaining: 0, resetSeconds }, {}, message);
  }

  function assertTaken({ allowed, resetSeconds }: LimitState): void {
    if (!allowed) refuse(resetSeconds);
  }

  function countTry({ key, counts }: ReturnType<typeof findPlace>): { tries: number; until: number } {
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
    const { key, counts } = findPlace(attempt);
    counts.remove(key);
  }

  return {
    /** Counts a try before the password is checked. Otherwise many simultaneous tries would all be allowed. */
    take(attempt: Attempt): void {
      const place = findPlace(attempt);
      const next = countTry(place);
      // The limit of the IP address comes first, so that one network cannot use up the tries of an account. The counter
      // that makes the next wait longer comes last. So a try that another limit refuses does not make the wait longer.
      if (attempt.ownKey === undefined) assertTaken(ofAddress.take(makeAddressKey(attempt.address)));
      if (!place.isKnown) assertTaken(ofAccount.take(attempt.email));
      place.counts.add(place.key, next, next.tries >= FREE_TRIES, clock.tick());
    },
    /** Forgets earlier wrong tries after a right password or a right code. The user may still need a second factor. */
    forgive,
    succeeded(attempt: Attempt): void {
      forgive(attempt);
      networks.add(attempt);
    },
  };
}

/**
 * Remembers the networks from which each account signed in during the last 30 days, up to 20 for each account. Only a
 * complete sign-in adds a network. So a stranger cannot push out the networks of an account.
 */
function rememberNetworks(clock: Clock) {
  const ofAccounts = new Map<string, Map<string, number>>();
  return {
    has({ email, address }: Attempt): boolean {
      const at = ofAccounts.get(email)?.get(findNetwork(address));
      return at !== undefined && clock.tick() - at < KNOWN_MS;
    },
    add({ email, address }: Attempt): void {
      const networks = ofAccounts.get(email) ?? new Map<string, number>();
      ofAccounts.set(email, networks);
      networks.delete(findNetwork(address));
      networks.set(findNetwork(address), clock.tick());
      if (networks.size > MOST_NETWORKS) networks.delete(networks.keys().next().value as string);
    },
  };
}

const sayWait = (seconds: number): Coded =>
  seconds < MINUTE
    ? coded('too_many_tries_seconds', { count: seconds })
    : coded('too_many_tries_minutes', { count: Math.ceil(seconds / MINUTE) });

/**
 * Finds the network of an IP address. A network is 256 IPv4 addresses, or 2^64 IPv6 addresses. An attacker often has a
 * whole network, so its tries are counted together.
 */
const findNetwork = (address: string): string => makeAddressKey(address).replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1');

import { timingSafeEqual } from 'node:crypto';
import { hashSecret, makeLinkSecret, type Random } from '../lib/secrets.ts';
import { type Clock, HOUR } from '../lib/time.ts';

const LIFETIME_MS = HOUR * 1000;

export type Setup = ReturnType<typeof makeSetupLink>;

/**
 * Makes the link for creating the first user. The secret of the link is only in memory and valid for an hour. So each
 * start of a server without users makes a new link.
 */
export function makeSetupLink(random: Random, clock: Clock) {
  const secret = makeLinkSecret(random);
  const hash = hashSecret(secret);
  const end = clock.tick() + LIFETIME_MS;
  return {
    secret,
    admits: (given: string): boolean => clock.tick() < end && timingSafeEqual(hashSecret(given), hash),
  };
}

import { addressKey, isPrivate } from '../lib/address.ts';
import { plural } from '../lib/plural.ts';
import type { Clock } from '../lib/time.ts';
import type { Noted } from '../store/upkeep.ts';

const HOUR_MS = 3_600_000;
/** Beyond these nobody needs to know how many there are. */
const MOST = 1_000;

type Arrival = { at: number; isPrivate: boolean; isUnheeded: boolean };

/**
 * From how many networks visitors came within the last hour, and whether they came through a proxy that hides them. Kept in
 * memory like everything about addresses; what leaves here is a count. isLocal: the server is for nobody else.
 */
export function arrivals(clock: Clock, isLocal: boolean) {
  const networks = new Map<string, Arrival>();

  return {
    /** isUnheeded: there was an X-Forwarded-For, of a sender who is not trusted. */
    saw(address: string, isUnheeded: boolean): void {
      const key = addressKey(address);
      const known = networks.get(key);
      if (known) {
        known.at = clock.tick();
        known.isUnheeded = isUnheeded;
      } else if (networks.size < MOST) {
        networks.set(key, { at: clock.tick(), isPrivate: isPrivate(address), isUnheeded });
      }
    },

    /** What is to be said about them; undefined when nobody came. */
    told(): Omit<Noted, 'at'> | undefined {
      for (const [key, { at }] of networks) if (at < clock.tick() - HOUR_MS) networks.delete(key);
      const all = [...networks.values()];
      if (all.length === 0) return undefined;
      const count = plural(all.length, 'network', (networks) =>
        networks === MOST ? `${MOST} or more` : `${networks}`,
      );
      const unheeded = all.filter((one) => one.isUnheeded).length;
      if (unheeded * 2 > all.length) {
        return { fine: false, words: `visitors from ${count}, through a proxy whose X-Forwarded-For is not believed` };
      }
      if (all.length === 1 && all[0]?.isPrivate) {
        return { fine: isLocal, words: 'all visitors came from one private address' };
      }
      return { fine: true, words: `visitors from ${count}` };
    },
  };
}

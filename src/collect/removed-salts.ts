// Remembers fingerprints of removed salts. Once a day, the server searches its files for these salts, to check that no
// file still contains one. With a salt, somebody could match visitor codes to IP addresses.
//
// Invariant: the bytes of a removed salt are overwritten in memory. Nobody can compute a salt from its fingerprint
// (lib/fingerprint.ts). Fingerprints are only in memory, so a restart forgets them.
//
// Example: at 00:00, the salts of five sites are removed. The search at 00:01 looks for these five fingerprints and
// finds none of them. Then the fingerprints are forgotten. visitor.ts adds salts, and jobs/forgetting.ts searches.

import { computeFingerprint, type Fingerprint, type FingerprintKey, makeFingerprintKey } from '../lib/fingerprint.ts';
import type { Random } from '../lib/secrets.ts';

/** A removed salt. `day` is its day in the site's time zone. */
export type RemovedSalt = { bytes: Buffer; day: number };

export type SoughtSalt = { fingerprint: Fingerprint; day: number };

export type RemovedSalts = ReturnType<typeof rememberRemoved>;

export function rememberRemoved(random: Random) {
  let key: FingerprintKey | undefined;
  let sought: SoughtSalt[] = [];
  return {
    add({ bytes, day }: RemovedSalt): void {
      key ??= makeFingerprintKey(random);
      if (sought.length < MOST) sought.push({ fingerprint: computeFingerprint(key, bytes), day });
      bytes.fill(0);
    },
    /** Lists the fingerprints. Returns undefined if there is no salt to search for. */
    list: (): { key: FingerprintKey; sought: readonly SoughtSalt[] } | undefined =>
      key && sought.length > 0 ? { key, sought: [...sought] } : undefined,
    /** Forgets the fingerprints of salts that were searched for and not found. */
    drop(done: readonly SoughtSalt[]): void {
      const gone = new Set(done);
      sought = sought.filter((one) => !gone.has(one));
    },
  };
}

/**
 * The most salts that one search looks for. Further removed salts are not searched for. With this limit, a clock that
 * jumps often cannot fill the memory.
 */
const MOST = 100_000;

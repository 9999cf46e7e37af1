import type { LackReason } from '../../store/cluster/cluster-servers.ts';
import { judgeBeat } from './ownership.ts';

type Seen = { newest: number; refused?: number };

/**
 * Builds a function for a collector, which has no list of the beats. The function gives the reason why a server lacks
 * rows, or undefined. A beat that is lower than before shows an older disk. The primary may not have noticed it yet.
 * Once the primary raises that beat, it uses the disk, and the collector does so too.
 */
export function watchBeats() {
  const known = new Map<string, Seen>();
  return function judge(url: string, beat: number): LackReason | undefined {
    const { newest, refused = beat }: Seen = known.get(url) ?? { newest: 1 };
    const reason = beat > refused ? undefined : judgeBeat(beat, newest);
    known.set(url, reason ? { newest, refused } : { newest: beat });
    return reason;
  };
}

// Once a day, a collector searches its outbox for the salts that it deleted. The search checks that the outbox file
// really contains none of these salts any more.
//
// Invariant: `run` never throws. A failure is logged, and the search runs again an hour later.
//
// Example: at 00:01 the primary deletes the salts of yesterday, and the collector deletes its copies of them. At 00:02
// the collector searches its outbox for these salts. The collector's next report tells the primary that no salt was
// found (touch.ts). compose-collector.ts calls `run` each minute. Test: test/cluster/searches.test.ts.
import type { Collector } from '../collect/collector.ts';
import { makeForgettingSearch } from '../jobs/forgetting.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import { watchTrouble } from '../lib/trouble.ts';
import type { Outbox } from '../store/cluster/outbox.ts';
import { noteOwnSearch } from '../store/server/collector-searches.ts';
import type { PrimaryClock } from './clock.ts';

type Deps = { code: string; random: Random; clock: PrimaryClock; log: Log; collector: Collector };

export function makeOwnSearch({ db, path }: Pick<Outbox, 'db' | 'path'>, deps: Deps) {
  const { clock, log } = deps;
  const failures = watchTrouble(log, clock, 'searches for salts failed, in all');
  const search = makeForgettingSearch({ ...deps, db, path, note: (result) => noteOwnSearch(db, result) });
  return {
    async run(): Promise<void> {
      try {
        if (clock.isKnown()) await search.run();
        failures.worked();
      } catch (error) {
        const { message } = error as Error;
        failures.failed(message, 'the search for salts failed. The collector tries again in an hour', { message });
      }
    },
    stop: search.stop,
    /** Closes the outbox files that were searched. This ends SQLite's locks on them, so close the outbox before. */
    release(): void {
      failures.settle();
      search.release();
    },
  };
}

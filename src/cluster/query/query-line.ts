// Lets some queries run on the ClickHouse servers, and others wait. Many large queries at once would fill the memory of
// the servers. Then none of the queries would be answered in time.
//
// Invariant: a query runs, or it fails with status 503 and the header `Retry-After`. Queries wait in lines, one for
// each site, and the lines take turns.
//
// Example: 8 queries run. Site 1 has 50 queries in its line, and site 2 has one. The query of site 2 is the second one
// that gets a turn. queries.ts calls `run`. Test: test/cluster/query/query-line.test.ts.
import { Problem } from '../../lib/errors.ts';
import { makeLines } from '../../lib/lines.ts';

/** A large query uses all cores of a server. More queries at once would only make each of them slower. */
const AT_ONCE = 8;
/**
 * How many queries may wait in all, and in one line. Further queries fail at once. One page of the dashboard sends
 * about twelve queries.
 */
const MOST_WAITING = 1_000;
const MOST_IN_LINE = 250;
/**
 * A query that waits longer than this is refused. It would hardly be answered within the 25 s that a request may take.
 */
const LONGEST_MS = 15_000;

type Waiting = { begin(): void };

export type QueryLine = ReturnType<typeof makeQueryLine>;

export function makeQueryLine({ atOnce = AT_ONCE, longestMs = LONGEST_MS } = {}) {
  const lines = makeLines<Waiting>();
  let running = 0;

  function wait(line: number, signal: AbortSignal | undefined): Promise<void> {
    if (lines.count() >= MOST_WAITING || lines.countIn(line) >= MOST_IN_LINE || signal?.aborted)
      return Promise.reject(makeBusy('too many queries wait'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      lines.remove(line, own);
      end();
      reject(makeBusy('a query waited for too long'));
    };
    const timer = setTimeout(leave, longestMs);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    }
    const own = {
      begin() {
        end();
        resolve();
      },
    };
    signal?.addEventListener('abort', leave);
    lines.add(line, own);
    return promise;
  }

  return {
    /**
     * Runs a query when it has its turn. `line` is the id of a site. For a query about all sites of a user, `line` is
     * minus the id of the user.
     */
    async run<Answer>(line: number, signal: AbortSignal | undefined, query: () => Promise<Answer>): Promise<Answer> {
      if (running >= atOnce) await wait(line, signal);
      else running++;
      try {
        return await query();
      } finally {
        // The next query runs in place of this one, so the number of running queries does not change.
        const next = lines.next();
        if (next) next.begin();
        else running--;
      }
    },
  };
}

const makeBusy = (reason: string): Problem =>
  new Problem('unavailable', { headers: { 'Retry-After': '1' }, cause: new Error(reason) });

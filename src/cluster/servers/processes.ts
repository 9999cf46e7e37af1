// Notices that a ClickHouse server was restarted. The server may have an older disk now, which lacks rows. Figures in
// reports would go down. So the server is checked before it answers the next query.
//
// Invariant: only a process that was running at the last check of a server answers a query. The query itself has this
// condition. So no further statement is needed. Neither a proxy nor an idle connection can hide a restart.
//
// Example: a server started at 1,764,000,000 and was checked. It is killed, gets a disk of yesterday, and starts at
// 1,764,003,600. No statement was sent meanwhile. The next query fails there, because the process is another one. The
// check finds the old mark, and the query goes to a replica. ask.ts uses this file.
// Test: test/cluster/servers/processes.test.ts.
import { endWith } from './end-with.ts';
import { parseRows, Refused } from './send.ts';

/** When the process of a server started, in seconds since 1970. Two readings may differ by a second. */
const START = 'toInt64(toUnixTimestamp(now())) - uptime()';
/**
 * Two readings of `START` from one process may differ. ClickHouse reads `now()` before `uptime()`. On a busy server,
 * some seconds may pass in between. Then `START` is too low, so a value up to 60 s lower is accepted. Both figures are
 * rounded, so a value 1 s higher is accepted too. Therefore a restart less than two seconds after the last start may
 * not be noticed.
 */
const EARLIER_SECONDS = 60;
const LATER_SECONDS = 1;
/** The text of the error if another process answers. */
const IS_NEW = 'daybook: the server was restarted';

type Deps = {
  /** Runs a short statement on a server, and gives the answer. */
  ask: (url: string, sql: string) => Promise<string>;
  /** Checks a server. Rejects if the server must not be used. */
  check: (url: string) => Promise<void>;
};

/**
 * Builds a function that runs a query on a server. The query is sent with a setting (`requireStart`). With this
 * setting, the query fails if the server's process started after the last check. Then the server is checked, and the
 * query is sent once more.
 */
export function buildProcessCheck({ ask, check }: Deps) {
  const starts = new Map<string, number>();
  const running = new Map<string, Promise<void>>();

  async function read(url: string): Promise<void> {
    const [found] = parseRows<{ start: number }>(await ask(url, `SELECT ${START} AS start FORMAT JSONEachRow`));
    // The server may start anew during the check. So its start is read before the check, and noted after it.
    await check(url);
    if (found) starts.set(url, found.start);
  }

  async function findStart(url: string, signal: AbortSignal): Promise<number> {
    const known = starts.get(url);
    if (known !== undefined) return known;
    const own = running.get(url) ?? read(url).finally(() => running.delete(url));
    running.set(url, own);
    await endWith(own, signal);
    return starts.get(url) ?? 0;
  }

  return async function askChecked<Result>(
    url: string,
    signal: AbortSignal,
    query: (settings: Record<string, string>) => Promise<Result>,
  ): Promise<Result> {
    const start = await findStart(url, signal);
    try {
      return await query(requireStart(start));
    } catch (error) {
      if (!(error instanceof Refused && error.message.includes(IS_NEW))) throw error;
      if (starts.get(url) === start) starts.delete(url);
      return await query(requireStart(await findStart(url, signal)));
    }
  };
}

/**
 * Makes a filter that ClickHouse applies to the rows of the answer. If the process started at `start`, the filter is 1,
 * so it keeps each row. Otherwise the filter tries to read the text `IS_NEW` as a number. So the query fails.
 * ClickHouse computes the filter before it reads rows. So a query fails even if its answer has no rows. The filter
 * takes about 0.3 ms of processor time.
 */
const requireStart = (start: number): Record<string, string> => ({
  additional_result_filter: `toUInt8(if(${START} BETWEEN ${start - EARLIER_SECONDS} AND ${start + LATER_SECONDS}, '1', '${IS_NEW}'))`,
});

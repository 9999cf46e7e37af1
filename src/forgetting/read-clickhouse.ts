// Copies what the ClickHouse servers have of a proof into files, so that the proof can search it.
//
// Invariant: no statement has a trace of the visitor, because ClickHouse may log statements. So whole tables are read
// into files, and the proof searches the files. The proof has a database of its own, and never reads or changes the
// tables of the operator.
//
// Example: with the engine `…/daybook?cluster=main`, the proof uses the database `daybook_proof`. The file
// `clickhouse-1/table-activity` has all rows of that table on the first server. `clickhouse-1/system-query_log` has the
// statements that the server logged since the proof began. prove.ts uses this file. Test:
// test/cluster/forgetting.test.ts.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseAddress } from '../cluster/servers/address.ts';
import { buildDownload, buildSend, parseRows } from '../cluster/servers/send.ts';
import type { Random } from '../lib/secrets.ts';
import type { Clock } from '../lib/time.ts';
import type { ProofServer } from './places.ts';
import { openProofDatabase } from './proof-database.ts';

/** ClickHouse's own logs that may have the text of a statement. Each is searched if it is switched on. */
const LOGS = ['query_log', 'query_thread_log', 'query_views_log', 'text_log', 'asynchronous_insert_log'];

/** A log is switched off if its table does not exist. */
const IS_OFF = /UNKNOWN_TABLE|UNKNOWN_DATABASE/;
const IS_DENIED = /ACCESS_DENIED/;

/** Names the engine of the proof: the operator's servers, with a database of the proof. */
export const nameProofEngine = (engine: string): string => engine.replace(/\/(\w+)(?=\?|$)/, '/$1_proof');

type Deps = { folder: string; clock: Pick<Clock, 'tick'>; random: Random };

export function openProofCluster(operatorEngine: string, { folder, clock, random }: Deps) {
  const engine = nameProofEngine(operatorEngine);
  const address = parseAddress(engine);
  // The database may not exist yet, and a statement in a database that does not exist fails.
  const send = buildSend({ ...address, database: 'system' });
  const download = buildDownload({ ...address, database: 'system' });
  const begun = clock.tick();
  async function readServer(url: string, index: number, withLogs: boolean): Promise<ProofServer> {
    const number = index + 1;
    const own = join(folder, `clickhouse-${number}`);
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own);
    const names = `SELECT name FROM system.tables WHERE database = '${address.database}' FORMAT JSONEachRow`;
    for (const { name } of parseRows<{ name: string }>(await send(url, names)))
      await download(url, `SELECT * FROM ${address.database}.${name} FORMAT RowBinary`, join(own, `table-${name}`));
    if (!withLogs) return { kind: 'clickhouse', number, folder: own, skipped: ['system_logs'] };
    let isDenied = false;
    const passed = Math.ceil((clock.tick() - begun) / 1000) + MARGIN_SECONDS;
    for (const log of LOGS) {
      const rows = `SELECT * FROM system.${log} WHERE event_time >= now() - ${passed} FORMAT RowBinary`;
      await download(url, rows, join(own, `system-${log}`)).catch((error: Error) => {
        if (!IS_OFF.test(error.message) && !IS_DENIED.test(error.message)) throw error;
        isDenied ||= IS_DENIED.test(error.message);
      });
    }
    return { kind: 'clickhouse', number, folder: own, ...(isDenied ? { unread: ['system_logs'] } : {}) };
  }

  return {
    engine,
    /**
     * Reads all servers, at each call anew. The logs of ClickHouse also have statements of other programs, and may be
     * large. So the proof reads these logs only once, at its end (`withLogs`).
     */
    read: ({ withLogs }: { withLogs: boolean }): Promise<ProofServer[]> =>
      Promise.all(address.urls.map((url, index) => readServer(url, index, withLogs))),
    ...openProofDatabase(address, send, random),
  };
}

export type ProofCluster = ReturnType<typeof openProofCluster>;

/** Statements up to a minute older than the proof are read too. The clock of a ClickHouse server may be behind. */
const MARGIN_SECONDS = 60;

/** After this time, all statements are in ClickHouse's log tables. ClickHouse writes to these tables every 7.5 s. */
export const LOGGED_MS = 10_000;

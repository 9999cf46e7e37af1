import { createHash, timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Hono } from 'hono';
import { publicAnswer } from '../lib/answer.ts';
import { Problem } from '../lib/errors.ts';
import { type Env, mountPath, patternOf } from '../lib/paths.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';
import { findUpkeep } from '../store/upkeep.ts';
import type { Meters } from './meters.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Adds the gauges. */
export function addGauges({ gauge }: Meters, at: { db: Db; path: string; clock: Clock; waiting: () => number }): void {
  const { db, path, clock, waiting } = at;
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const lag = monitorEventLoopDelay();
  lag.enable();
  gauge('daybook_queue_hits', 'Hits that wait to be written.', waiting);
  gauge('daybook_file_bytes', 'Size of the file.', () => sizeOf(path));
  gauge('daybook_wal_bytes', 'Size of the WAL beside the file.', () => sizeOf(`${path}-wal`));
  gauge(
    'daybook_backup_age_seconds',
    'Since the last copy; missing where none was made or the last one failed.',
    () => {
      const last = findUpkeep(db, 'backup');
      return last?.fine ? seconds(clock) - last.at : undefined;
    },
  );
  gauge('daybook_event_loop_lag_p99_seconds', 'How late the event loop was, since this was last asked.', () => {
    const late = lag.percentile(99) / 1e9;
    lag.reset();
    return late;
  });
  gauge('process_resident_memory_bytes', 'Memory in use.', () => process.memoryUsage.rss());
}

/** Mounts /metrics, for those who have the token. */
export function mountMetrics(app: Hono<Env>, token: string, { text }: Meters): void {
  const expected = digest(`Bearer ${token}`);
  mountPath(app, '/metrics', {
    GET(c) {
      // Hashed, so that both are of the same length and the time that it takes to compare them tells nothing.
      const given = digest(c.env.incoming.headers.authorization ?? '');
      if (!timingSafeEqual(given, expected)) throw new Problem('unauthenticated');
      return publicAnswer(text(), 'text/plain; version=0.0.4; charset=utf-8', { 'Cache-Control': 'no-store' });
    },
  });
}

/** Counts an answer by the pattern of its path, because anybody can request any number of paths. */
export function countAnswer({ answers }: Meters, incoming: IncomingMessage, status: number): void {
  const { method = '' } = incoming;
  const route = patternOf(incoming) ?? 'none';
  answers.add([route, METHODS.includes(method) ? method : 'other', `${Math.floor(status / 100)}xx`]);
}

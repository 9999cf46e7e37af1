import { statSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Clock, seconds } from '../lib/time.ts';
import type { Db } from '../store/statements.ts';
import { findUpkeep } from '../store/upkeep.ts';
import type { Meters } from './meters.ts';

/** What is not counted but read when somebody asks. */
export function addGauges({ gauge }: Meters, at: { db: Db; path: string; clock: Clock; waiting: () => number }): void {
  const { db, path, clock, waiting } = at;
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const lag = monitorEventLoopDelay();
  lag.enable();
  gauge('daybook_queue_hits', 'Hits that wait to be written.', waiting);
  gauge('daybook_file_bytes', 'Size of the file.', () => sizeOf(path));
  gauge('daybook_wal_bytes', 'Size of the WAL beside the file.', () => sizeOf(`${path}-wal`));
  gauge('daybook_outbox_bytes', 'Size of what waits to be sent to a cluster, with its file.', () =>
    sizeOf(`${path}.outbox`),
  );
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

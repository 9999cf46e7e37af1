// Leaves the IP address of a made-up visitor in the programs of a proof of forgetting, so that a test sees where the proof finds it.
import type { Random } from '../../src/lib/secrets.ts';

/** The code of the IP address. The parts are joined when it runs, so that no code has a trace. */
export const ADDRESS_CODE = `['198', '51', '100', '8'].join('.')`;

/** With these bytes, the made-up visitor has the IP address 198.51.100.8. */
export const random: Random = (bytes) => Buffer.alloc(bytes, 7);

/**
 * Adds a row to the write-ahead log, and keeps a reader of what was before. So the row stays in the log until the pipe to the process
 * closes. The code needs a process of its own: if a process closes a file, SQLite loses the locks that this process has on it.
 */
export const INTO_WAL = `
const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const [reader, writer] = [1, 2].map(() => new DatabaseSync(process.env.DAYBOOK_DB));
for (const one of [reader, writer]) one.exec('PRAGMA busy_timeout = 10000');
reader.exec('BEGIN');
reader.prepare('SELECT count(*) FROM planted').get();
writer.prepare('INSERT INTO planted VALUES (?)').run(${ADDRESS_CODE});
process.stdin.on('end', () => process.exit()).resume();`;

/** Leaves the IP address in the log, in the memory, and in the memory of each thread that starts later. */
export const IN_PROCESS = `
console.error(${ADDRESS_CODE});
globalThis.planted = new Map([[${ADDRESS_CODE}, 1]]);
const threads = process.getBuiltinModule('node:worker_threads');
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(code, how) {
    super(${JSON.stringify(`globalThis.planted = new Map([[${ADDRESS_CODE}, 1]]);`)} + code, how);
  }
};
process.getBuiltinModule('node:module').syncBuiltinESMExports();`;

/** Gives options of Node that run code in each program of a proof, before its own code. Processes that a program starts do not run it. */
export const hook = (code: string): { NODE_OPTIONS: string } => {
  const text = `if (process.argv.includes('--serve')) { ${code} }`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(text)}` };
};

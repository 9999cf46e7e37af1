// Checks at the start whether the ClickHouse user of daybook has the rights that it needs. Otherwise a missing right
// would be noticed late, for example at night, when a day is sealed.
//
// Invariant: a user with these rights can do everything that daybook does, and little else. docs/cluster.md has the
// statement that gives these rights, and a test runs daybook with exactly this statement.
//
// Example: the user lacks ALTER DELETE. The error names this right and the statement that gives it, in one line.
// found-server.ts calls `checkRights`. Test: test/cluster/servers/rights.test.ts.
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Address } from './address.ts';
import { LOAD_TABLES } from './loads.ts';
import { type Send, SHORT_ANSWER } from './send.ts';

/** A right on a database or a table, such as SELECT ON system.parts. */
type Right = { right: string; on: string };

const ON_DATABASE = [
  ...['CREATE DATABASE', 'CREATE TABLE', 'DROP TABLE', 'TRUNCATE', 'SELECT', 'INSERT'],
  ...['ALTER ADD COLUMN', 'ALTER DELETE'],
];
const ENGINES = ['MergeTree', 'SummingMergeTree', 'ReplacingMergeTree'];
/** ClickHouse's own tables that daybook cannot work without. */
const NEEDED_TABLES = ['clusters', 'parts', 'processes'];

const listNeeded = ({ database }: Address): Right[] => [
  ...ON_DATABASE.map((right) => ({ right, on: `${database}.*` })),
  ...ENGINES.map((on) => ({ right: 'TABLE ENGINE', on })),
  ...NEEDED_TABLES.map((table) => ({ right: 'SELECT', on: `system.${table}` })),
];

/**
 * The rights to read ClickHouse's figures about itself. Without these rights, `daybook doctor` and /metrics lack some
 * figures. Everything else works.
 */
const HELPFUL = LOAD_TABLES.map((table) => ({ right: 'SELECT', on: `system.${table}` })).filter(
  ({ on }) => !NEEDED_TABLES.some((table) => on === `system.${table}`),
);

const writeRights = (rights: readonly Right[]): string => rights.map(({ right, on }) => `${right} ON ${on}`).join(', ');

type Asking = { send: Send; address: Address; url: string; log: Log; signal: AbortSignal };

/** Refuses a user that lacks a needed right. Names all missing rights, and the statement that gives them. */
export async function checkRights({ send, address, url, log, signal }: Asking): Promise<void> {
  const has = async (rights: readonly Right[]): Promise<boolean> =>
    (await send(url, `CHECK GRANT ${writeRights(rights)}`, { signal, longest: SHORT_ANSWER })).trim() === '1';
  const findMissing = async (rights: readonly Right[]): Promise<Right[]> => {
    if (await has(rights)) return [];
    const each = await Promise.all(rights.map((one) => has([one])));
    return rights.filter((_, i) => !each[i]);
  };
  const [needed, helpful] = await Promise.all([findMissing(listNeeded(address)), findMissing(HELPFUL)]);
  const user = address.user === '' ? 'default' : address.user;
  const grant = `GRANT ${writeRights([...needed, ...helpful])} TO ${user}`;
  if (needed.length > 0) throw new Refusal(`${url}: the user ${user} lacks rights. Run there: ${grant}`);
  if (helpful.length > 0) log('the ClickHouse user lacks rights, so some figures are missing', { url, run: grant });
}

// Puts all ClickHouse servers of a cluster into one object. Its functions send queries to shards, and run statements on
// servers.
//
// Invariant: the result of a query has the rows of every shard, or the query fails. All hits of a visitor on a day are
// on one shard. So the numbers of visitors on the shards can be added up.
//
// Example: a cluster of two shards with two replicas each has four nodes. `ask` sends a query to two servers, one of
// each shard. `everywhere` sends a DELETE to all four servers. connect.ts and outbox/reach.ts call `buildNodes`.
import { takeInTurns } from '../../lib/turns.ts';
import type { LackReason } from '../../store/cluster/cluster-servers.ts';
import type { Address } from './address.ts';
import { buildAsker, type ReplicaChoice } from './ask.ts';
import { type Breaking, buildBreaker, type Returning } from './breaker.ts';
import { groupServers, type States } from './complete.ts';
import { REASONS } from './lack-reasons.ts';
import { WrongPlace } from './places.ts';
import {
  buildCopy,
  buildSend,
  MOST_TEXT,
  parseRows,
  ROWS_A_TURN,
  type Send,
  type SendOptions,
  type TextValues,
} from './send.ts';

/** A ClickHouse server. */
export type Node = { url: string; shard: number; replica: number };

export type Nodes = ReturnType<typeof buildNodes>;

/**
 * Runs before each statement. Checks a server that was not checked at the start. Throws if the server must not be used.
 */
type Admitting = { admit: (url: string, signal?: AbortSignal) => Promise<void> };

type Checking = {
  /**
   * Runs before each statement that writes. Throws `WrongPlace` if the name of a server leads to another server. Gives
   * a reason if the mark of the server is missing or older than before. Then the server lacks rows.
   */
  checkMark: (node: Node) => Promise<LackReason | undefined>;
};

type NodeOptions = Partial<States<Node> & Returning & ReplicaChoice<Node> & Admitting & Checking>;

/** Time limits: 2 minutes for an insert, and 15 minutes for other statements, which may read or delete whole days. */
const INSERT_MS = 120_000;
const STATEMENT_MS = 900_000;

/** Builds the functions that send queries and statements to a cluster. */
export function buildNodes(address: Address, all: Node[], options: NodeOptions = {}) {
  const { admit = async () => {} } = options;
  const [sendNow, copyNow] = [buildSend(address), buildCopy(address)];
  const send: Send = async (url, sql, sending) => {
    await admit(url, sending?.signal);
    return await sendNow(url, sql, sending);
  };
  const copy: typeof copyNow = async (copying) => {
    for (const url of [copying.from, copying.to]) await admit(url, copying.signal);
    await copyNow(copying);
  };
  const breaking = buildBreaker(send, options);
  const { assertPlace, assertUsable } = buildChecks(breaking, options);
  const each = groupServers(all, { ...options, isAway: breaking.isAway });
  const countShards = () => new Set(all.map(({ shard }) => shard)).size;
  const { ask, askShards, listFirst } = buildAsker(
    { countShards, send, breaking, listComplete: each.listComplete },
    options,
  );

  const sendGuarded = ({ url }: Node, sql: string, options: SendOptions) =>
    breaking.guard(url, (signal) => send(url, sql, { ...options, signal }), AbortSignal.timeout(STATEMENT_MS));

  async function run(
    node: Node,
    sql: string,
    values: TextValues = {},
    settings: Record<string, string> = {},
  ): Promise<string> {
    await assertUsable(node);
    return await sendGuarded(node, sql, { values, settings });
  }

  return {
    /** The servers. The list changes when `follow` is called. */
    all: all as readonly Node[],
    get shards(): number {
      return countShards();
    },
    /**
     * Begins to use servers that were added to the cluster, and forgets servers that were removed. Gives false if
     * nothing has changed.
     */
    follow: (servers: readonly Node[]): boolean => changeList(all, servers),
    /**
     * Sends a query to one server of each shard. Gives a list of rows for each shard. Exports read all visits of a day
     * in this way, so a query may take 15 minutes.
     */
    askShards,
    /** Sends a query to one server of each shard. Gives all rows in one list. Takes at most 25 s. */
    ask,
    /**
     * For each shard, the server that answered last. Queries that read only sealed days (`isSealed`) do not count here.
     * If this server still responds, it usually gets the next query that is not `isSealed`.
     */
    listFirst,
    ...each,
    /** True if a server stopped responding and has not answered a probe since. Such a server gets no queries. */
    isAway: breaking.isAway,
    answers: ({ url }: Node): Promise<boolean> => breaking.probe(url),
    assertPlace,
    assertUsable,
    /** Sends a query to one server. Some queries list all sealed days of all sites, so the answer may be long. */
    askOne: async <Row>(node: Node, sql: string): Promise<Row[]> =>
      parseRows<Row>(await sendGuarded(node, `${sql} FORMAT JSONEachRow`, { longest: MOST_TEXT })),
    run,
    /**
     * Runs a statement that deletes rows on every complete server, and on servers that are being filled. Otherwise
     * deleted rows would stay there and count again.
     */
    everywhere: (sql: string, settings: Record<string, string> = {}): Promise<void> =>
      each.removeOnEach((node) => run(node, sql, {}, settings)),
    /** Inserts lines of JSON. ClickHouse ignores an insert with a token that was used before, so a retry is safe. */
    insert: buildInsert(send, { ...breaking, assertUsable }),
    /**
     * Copies the rows that `select` gives into a table of another server. The copy is aborted if either server hangs.
     */
    copy: buildGuardedCopy(copy, { ...breaking, assertUsable }),
    close: breaking.close,
  };
}

type Checks = ReturnType<typeof buildChecks>;

/**
 * Builds functions that check a server before a statement writes there. The host name of a server may have come to lead
 * to another replica. Then the statement would run twice on that replica, and never on the server.
 */
function buildChecks(
  breaking: Breaking,
  { isComplete = () => true, isFilling = () => false, checkMark = async () => undefined }: NodeOptions,
) {
  /**
   * Throws if the host name of a server leads to another server. The server then counts as away, as if it did not
   * respond, until its name is right. A lacking server is not checked, because nothing is written there before it is
   * filled. Gives the reason why a server lacks rows, if its mark shows this.
   */
  async function assertPlace(node: Node): Promise<LackReason | undefined> {
    if (!isComplete(node) && !isFilling(node)) return undefined;
    return await checkMark(node).catch((error: Error) => {
      if (error instanceof WrongPlace) breaking.leave(node.url);
      throw error;
    });
  }
  return {
    assertPlace,
    /**
     * Throws if the name of a server leads to another server (`assertPlace`), or if a complete server has an empty or
     * older disk. Hits on that disk would be lost once the right disk is back. Also throws if a server stopped
     * responding, and the check after its return (`returned`) has not succeeded yet.
     */
    async assertUsable(node: Node): Promise<void> {
      const { url } = node;
      if (breaking.isAway({ url }) && !(await breaking.isBack(url))) throw new Error(`${url} does not answer`);
      const reason = await assertPlace(node);
      if (reason && isComplete(node)) throw new Error(`${url} ${REASONS[reason]}`);
    },
  };
}

/**
 * ClickHouse may send status 200 and fail after that. Then the answer has the text of an error. So any text in the
 * answer counts as an error. Otherwise the outbox would delete rows that the server has not stored.
 */
const buildInsert =
  (send: Send, { guard, assertUsable }: Pick<Breaking, 'guard'> & Pick<Checks, 'assertUsable'>) =>
  async (node: Node, table: string, lines: string, token: string): Promise<void> => {
    await assertUsable(node);
    const { url } = node;
    const settings = { insert_deduplication_token: token, query_id: token };
    const sql = `INSERT INTO ${table} FORMAT JSONEachRow`;
    const work = (signal: AbortSignal) => send(url, sql, { body: lines, settings, signal });
    const answer = await guard(url, work, AbortSignal.timeout(INSERT_MS));
    if (answer !== '') throw new Error(`${url}: ${answer.slice(0, 300)}`);
  };

/**
 * Makes the list `all` equal to the list `servers`. A server that stays keeps its object, because other files compare
 * these objects.
 */
function changeList(all: Node[], servers: readonly Node[]): boolean {
  const isOne = (one: Node) => (other: Node) =>
    one.url === other.url && one.shard === other.shard && one.replica === other.replica;
  const stay = all.filter((node) => servers.some(isOne(node)));
  const come = servers.filter((one) => !all.some(isOne(one)));
  if (stay.length === all.length && come.length === 0) return false;
  const added = come.map(({ url, shard, replica }) => ({ url, shard, replica }));
  all.splice(0, all.length, ...[...stay, ...added].sort((one, other) => one.shard - other.shard));
  return true;
}

const buildGuardedCopy =
  (
    copy: ReturnType<typeof buildCopy>,
    { guard, assertUsable }: Pick<Breaking, 'guard'> & Pick<Checks, 'assertUsable'>,
  ) =>
  async (source: Node, select: string, target: Node, table: string): Promise<void> => {
    const [from, to] = [source.url, target.url];
    for (const node of [source, target]) await assertUsable(node);
    await guard(
      from,
      (end) => guard(to, (signal) => copy({ from, select, to, table, signal }), end),
      AbortSignal.timeout(STATEMENT_MS),
    );
  };

type Sum<Row> = { [Name in keyof Row]: number };

/**
 * Adds up the rows of several shards that have equal keys, such as one country. Numbers of visitors can be added up
 * too, because one shard has all hits of a visitor on a day.
 */
export function sumRows<Row extends object>(rows: readonly Row[], keys: readonly (keyof Row)[]): Row[] {
  const { add, list } = makeSums(keys);
  add(rows);
  return list();
}

/** Adds up rows like `sumRows`, for a long answer. Other requests get a turn meanwhile. */
export async function sumManyRows<Row extends object>(
  rows: readonly Row[],
  keys: readonly (keyof Row)[],
): Promise<Row[]> {
  const { add, list } = makeSums(keys);
  await takeInTurns(rows, ROWS_A_TURN, add);
  return list();
}

function makeSums<Row extends object>(keys: readonly (keyof Row)[]) {
  const sums = new Map<string, Row>();
  return {
    add(rows: readonly Row[]): void {
      for (const row of rows) {
        const key = keys.map((name) => String(row[name])).join('\0');
        const sum = sums.get(key) as Sum<Row> | undefined;
        if (!sum) {
          sums.set(key, row);
          continue;
        }
        for (const name of Object.keys(row) as (keyof Row)[])
          if (!keys.includes(name)) sum[name] = (sum[name] + Number(row[name])) as Sum<Row>[keyof Row];
      }
    },
    list: (): Row[] => [...sums.values()],
  };
}

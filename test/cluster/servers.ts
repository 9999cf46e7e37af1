import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LIBRARY = join(import.meta.dirname, 'node_modules/@chdb/lib-linux-x64-gnu/libchdb.so');
/** The name of the cluster in the configuration of its servers. */
export const CLUSTER = 'day';
/** The same servers as an operator may write them later: without the first replicas, with the replicas or the shards the other way round. */
export const LATER = { rest: 'rest', turned: 'turned', crossed: 'crossed' };

type Place = { shard: number; replica: number; http: number; tcp: number; folder: string };

export type Server = Place & { pid(): number; start(): Promise<void>; kill(signal?: NodeJS.Signals): Promise<void> };

/** Ports that nobody has at the moment. All are taken before one is given back, so that none comes twice. */
async function freePorts(count: number): Promise<number[]> {
  const taken = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return server;
    }),
  );
  const ports = taken.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(taken.map((server) => once(server.close(), 'close')));
  return ports;
}

const FROM_HERE = '<networks><ip>::/0</ip></networks>';

const element = (name: string, ...content: (string | number)[]): string => `<${name}>${content.join('')}</${name}>`;

/** Users beside the one without a name, each with its password and rights, such as `GRANT SELECT ON daybook.*`. */
export type Users = Record<string, { password: string; grants: readonly string[] }>;

function usersOf(users: Users): string {
  const own = Object.entries(users).map(([name, { password, grants }]) => {
    const rights = element('grants', ...grants.map((grant) => element('query', grant)));
    return element(name, element('password', password), FROM_HERE, rights);
  });
  const free = element('default', element('password'), FROM_HERE);
  return element('clickhouse', element('profiles', element('default')), element('users', free, ...own));
}

/** The logs of statements, as an operator may have them on. */
export const SYSTEM_LOGS = ['query_log', 'text_log']
  .map((name) =>
    element(name, element('database', 'system'), element('table', name), element('flush_interval_milliseconds', 1_000)),
  )
  .join('');

function configOf(own: Place, places: readonly Place[], more: string): string {
  const shards = [...Map.groupBy(places, ({ shard }) => shard).values()];
  const replica = ({ tcp }: Place) => element('replica', element('host', '127.0.0.1'), element('port', tcp));
  const shard = (replicas: readonly Place[]) =>
    element('shard', element('internal_replication', 'true'), ...replicas.map(replica));
  return element(
    'clickhouse',
    element('path', `${own.folder}/data/`),
    element('user_files_path', `${own.folder}/`),
    element('users_config', `${own.folder}/users.xml`),
    element('backups', element('allowed_path', `${own.folder}/backups/`)),
    element('http_port', own.http),
    element('tcp_port', own.tcp),
    element('listen_host', '127.0.0.1'),
    element('logger', element('level', 'fatal')),
    more,
    element(
      'remote_servers',
      element(CLUSTER, ...shards.map(shard)),
      // ClickHouse cannot read a cluster that has a shard without a server.
      ...(shards.every((own) => own.length > 1)
        ? [element(LATER.rest, ...shards.map((own) => shard(own.slice(1))))]
        : []),
      element(LATER.turned, ...shards.map((own) => shard(own.toReversed()))),
      element(LATER.crossed, ...shards.toReversed().map(shard)),
    ),
  );
}

const answers = (http: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${http}/ping`).then(
    ({ ok }) => ok,
    () => false,
  );

function serverAt(place: Place): Server {
  let child: ChildProcess | undefined;
  return {
    ...place,
    pid: () => child?.pid ?? 0,
    async start() {
      const { folder, http } = place;
      const log = openSync(join(folder, 'log'), 'a');
      const words = [join(import.meta.dirname, 'server.py'), LIBRARY, join(folder, 'config.xml'), join(folder, 'fifo')];
      const own = spawn('python3', words, { stdio: ['ignore', log, log], cwd: folder });
      child = own;
      while (!(await answers(http))) {
        if (own.exitCode !== null)
          throw new Error(`a ClickHouse server ended: ${readFileSync(join(folder, 'log'), 'utf8')}`);
        await pause(50);
      }
    },
    async kill(signal = 'SIGKILL') {
      const own = child;
      if (!own || own.exitCode !== null || own.signalCode !== null) return;
      const ended = new Promise((resolve) => own.once('exit', resolve));
      own.kill(signal);
      await ended;
    },
  };
}

/** So often a cluster is started anew, because another program may take a port before its server does. */
const MOST_STARTS = 3;

/** A cluster of so many shards with so many replicas each, all on this machine; the data are in a folder. `more` is configuration. */
export async function startCluster(
  folder: string,
  shards: number,
  replicas: number,
  users: Users = {},
  { more = '', starts = 1 }: { more?: string; starts?: number } = {},
): Promise<Server[]> {
  const ports = await freePorts(2 * shards * replicas);
  const places = Array.from({ length: shards * replicas }, (_, i): Place => {
    const [http = 0, tcp = 0] = ports.slice(2 * i);
    return { shard: Math.floor(i / replicas), replica: i % replicas, http, tcp, folder: join(folder, `server${i}`) };
  });
  for (const place of places) {
    mkdirSync(place.folder, { recursive: true });
    writeFileSync(join(place.folder, 'config.xml'), configOf(place, places, more));
    writeFileSync(join(place.folder, 'users.xml'), usersOf(users));
  }
  const servers = places.map(serverAt);
  const started = await Promise.allSettled(servers.map(({ start }) => start()));
  const failed = started.find((one) => one.status === 'rejected');
  if (!failed) return servers;
  // A server that was left would keep its test from ending.
  await Promise.all(servers.map(({ kill }) => kill()));
  if (starts === MOST_STARTS) throw failed.reason;
  for (const place of places) rmSync(place.folder, { recursive: true });
  return await startCluster(folder, shards, replicas, users, { more, starts: starts + 1 });
}

/** Where the servers are, as the tests' applications are told. */
export const hostsOf = (servers: readonly { http: number }[]): string =>
  servers.map(({ http }) => `127.0.0.1:${http}`).join(',');

/** A server that was stopped says nothing at all. */
const PATIENCE_MS = 30_000;

/** The rows that one server has, whatever the program thinks of it. */
export async function rowsOn<Row>({ http }: { http: number }, database: string, sql: string): Promise<Row[]> {
  const url = `http://127.0.0.1:${http}/?database=${database}&output_format_json_quote_64bit_integers=0`;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(url, { method: 'POST', body: `${sql} FORMAT JSONEachRow`, signal });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text.slice(0, 500));
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Row);
}

/** Sends a statement to a server as its user without a name, which may do everything. */
export async function ask(server: { http: number } | undefined, sql: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${server?.http}/`, { method: 'POST', body: sql });
  if (!answer.ok) throw new Error(await answer.text());
}

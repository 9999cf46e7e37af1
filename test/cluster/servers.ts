import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LIBRARY = join(import.meta.dirname, 'node_modules/@chdb/lib-linux-x64-gnu/libchdb.so');
/** The name of the cluster in the configuration of its servers. */
export const CLUSTER = 'day';
/** The same servers as an operator may write them later: without the first replicas, with the replicas or the shards the other way round. */
export const LATER = { rest: 'rest', turned: 'turned', crossed: 'crossed' };

type Place = { shard: number; replica: number; http: number; tcp: number; folder: string };

export type Server = Place & { pid(): number; start(): Promise<void>; kill(signal?: NodeJS.Signals): Promise<void> };

/** A port that nobody has at the moment. */
function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}

const element = (name: string, ...content: (string | number)[]): string => `<${name}>${content.join('')}</${name}>`;

function configOf(own: Place, places: readonly Place[]): string {
  const shards = [...Map.groupBy(places, ({ shard }) => shard).values()];
  const replica = ({ tcp }: Place) => element('replica', element('host', '127.0.0.1'), element('port', tcp));
  const shard = (replicas: readonly Place[]) =>
    element('shard', element('internal_replication', 'true'), ...replicas.map(replica));
  return element(
    'clickhouse',
    element('path', `${own.folder}/data/`),
    element('user_files_path', `${own.folder}/`),
    element('http_port', own.http),
    element('tcp_port', own.tcp),
    element('listen_host', '127.0.0.1'),
    element('logger', element('level', 'fatal')),
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
        if (own.exitCode !== null) throw new Error(`a ClickHouse server ended at once: see ${folder}/log`);
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

/** A cluster of so many shards with so many replicas each, all on this machine; the data are in a folder. */
export async function startCluster(folder: string, shards: number, replicas: number): Promise<Server[]> {
  const places: Place[] = [];
  for (let i = 0; i < shards * replicas; i++) {
    const own = join(folder, `server${i}`);
    mkdirSync(own, { recursive: true });
    const [http, tcp] = [await freePort(), await freePort()];
    places.push({ shard: Math.floor(i / replicas), replica: i % replicas, http, tcp, folder: own });
  }
  for (const place of places) writeFileSync(join(place.folder, 'config.xml'), configOf(place, places));
  const servers = places.map(serverAt);
  await Promise.all(servers.map(({ start }) => start()));
  return servers;
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

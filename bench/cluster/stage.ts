// Starts a cluster of ClickHouse servers, a primary and collectors on this machine, for benches.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CLUSTER, hostsOf, type Server, startCluster } from '../../test/cluster/servers.ts';
import { NODE } from '../shipped.ts';

const PROGRAM = join(import.meta.dirname, '../../dist/daybook.mjs');

type Running = { url: string; pid: number; stop(): Promise<void> };

/** Starts a daybook server and waits until it listens. If `core` is given, the server runs only on this core. */
async function start(args: readonly string[], core?: number): Promise<Running> {
  const node = [...NODE, PROGRAM, ...args, '--port', '0'];
  const [file = '', ...rest] = core === undefined ? node : ['taskset', '-c', String(core), ...node];
  const child: ChildProcess = spawn(file, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout as NodeJS.ReadableStream);
  const url = await new Promise<string>((resolve) =>
    lines.on('line', (line: string) => /^listening on /.test(line) && resolve(line.replace('listening on ', ''))),
  );
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

export type Stage = {
  folder: string;
  db: string;
  servers: Server[];
  engine: string;
  token: string;
  primary: Running;
  collector(core?: number): Promise<Running & { outbox: string }>;
  end(): Promise<void>;
};

export async function stage(shards: number, replicas: number): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
  const db = join(folder, 'daybook.db');
  const daybook = (...args: string[]): string =>
    execFileSync(process.execPath, [PROGRAM, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();
  const servers = await startCluster(folder, shards, replicas);
  const engine = `clickhouse://${hostsOf(servers)}/bench?cluster=${CLUSTER}`;
  daybook('user', 'add', 'owner@example.com');
  daybook('site', 'add', 'owner@example.com', 'example.com');
  const token = daybook('token', 'add', 'owner@example.com', '--name', 'bench', '--abilities', 'read');
  const primary = await start(['serve', '--db', db, '--engine', engine, '--rate-limit', '0']);
  const running = [primary];
  return {
    ...{ folder, db, servers, engine, token, primary },
    async collector(core) {
      const name = `c${running.length}`;
      const secret = join(folder, name);
      writeFileSync(secret, daybook('collectors', 'add', name));
      const outbox = join(folder, `${name}.db`);
      const flags = ['--primary', primary.url, '--secret-file', secret, '--outbox', outbox];
      const own = await start(['collect', ...flags, '--flood', '0', '--trusted-proxies', '127.0.0.1'], core);
      running.push(own);
      return { ...own, outbox };
    },
    async end() {
      await Promise.all(running.map(({ stop }) => stop()));
      await Promise.all(servers.map(({ kill }) => kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// The web servers that tests run: nginx with a configuration of ours, and small ones in the test itself.
//
// Example: `replaceIn(block, { 'listen 80;': 'listen 127.0.0.1:4711;' })` puts the port of a test into a block of the
// documents. `nginxCommand` writes the file, and `start` of test/integrations/crawled.ts runs the command.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Why a test of another program is skipped here, or false if the program is installed. */
export const missing = (command: string, ...args: string[]): string | false =>
  spawnSync(command, args).error ? `${command} is not installed` : false;

/** Puts in what depends on the machine. The text must have each of these. */
export function replaceIn(text: string, changes: Record<string, string>): string {
  let changed = text;
  for (const [from, to] of Object.entries(changes)) {
    if (!changed.includes(from)) throw new Error(`the text has no ${from}`);
    changed = changed.replaceAll(from, to);
  }
  return changed;
}

/** Gives the command that runs nginx with these blocks in `http`. nginx writes only into the folder. */
export function nginxCommand(folder: string, http: string): [string, ...string[]] {
  const place = mkdtempSync(join(folder, 'nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${place}/${name};`,
  );
  const file = join(place, 'nginx.conf');
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}`;
  writeFileSync(file, `${main}\nhttp { ${temporary.join(' ')} ${http} }`);
  return ['nginx', '-e', 'stderr', '-c', file];
}

/** Listens on a port of this machine until the test ends. */
export async function listenHere(t: TestContext, handle: RequestListener): Promise<number> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  t.after(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

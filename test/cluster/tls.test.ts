// A primary, a collector and a command reach ClickHouse over TLS, with a certificate authority of the operator. The
// ClickHouse of these tests cannot speak TLS itself, so a server of Node ends the TLS connection in front of it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer, type Server } from 'node:tls';
import { BROWSER } from '../collect/stage.ts';
import { startProof } from '../forgetting/proving.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';
import { program, until } from '../support/program.ts';
import { CLUSTER, rowsOn, startCluster } from './servers.ts';

/** Makes a certificate authority, and certificates that it signs. */
function makeAuthority(place: string) {
  // The programs check certificates by the clock of the machine, whatever the date of this test is.
  const env = { PATH: process.env.PATH };
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: place, env, stdio: 'pipe' });
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=An operator');
  return {
    ca: join(place, 'ca.pem'),
    /** A certificate for a name such as `IP:127.0.0.1`. */
    certify(name: string) {
      const file = name.replaceAll(/\W/g, '');
      openssl('req', ...key, '-keyout', `${file}.key`, '-out', `${file}.csr`, '-subj', '/CN=ClickHouse');
      writeFileSync(join(place, `${file}.ext`), `subjectAltName=${name}\n`);
      const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', `${file}.ext`];
      openssl('x509', '-req', '-in', `${file}.csr`, '-out', `${file}.pem`, ...by);
      const read = (end: string) => readFileSync(join(place, `${file}.${end}`));
      return { cert: read('pem'), key: read('key') };
    },
  };
}

/** Ends TLS connections in front of a ClickHouse server. Gives the port. */
async function endTls(t: TestContext, http: number, own: { cert: Buffer; key: Buffer }): Promise<number> {
  const server: Server = createServer(own, (socket) => {
    const onward = connect(http, '127.0.0.1');
    const end = () => {
      socket.destroy();
      onward.destroy();
    };
    socket.on('error', end).on('close', end).pipe(onward).on('error', end).on('close', end).pipe(socket);
  });
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return (server.address() as { port: number }).port;
}

test('tls: with the certificate authority of the operator, the primary, a collector, commands and a proof work, and not without', async (t) => {
  const [server] = await startCluster(folder(t), 1, 1);
  assert.ok(server);
  t.after(() => server.kill());
  const { ca, certify } = makeAuthority(folder(t));
  const port = await endTls(t, server.http, certify('IP:127.0.0.1'));
  const other = await endTls(t, server.http, certify('DNS:other.example'));
  const engineAt = (at: number) => `clickhouses://127.0.0.1:${at}/own?cluster=${CLUSTER}`;
  const env = { NODE_EXTRA_CA_CERTS: ca };
  const { run, print, serve, db, folder: at } = program(t);
  await furnish(db);

  const exportHits = (engine: string, own = {}) =>
    run(['export', 'example.com', '--format', 'csv', '--engine', engine], { env: own });
  const unknown = await exportHits(engineAt(port));
  assert.notEqual(unknown.code, 0);
  assert.match(unknown.stderr, /^daybook: https:\/\/127\.0\.0\.1:\d+: [^\n]*(?:certificate|issuer)[^\n]*\n$/);
  const wrong = await exportHits(engineAt(other), env);
  assert.match(wrong.stderr, /^daybook: https:\/\/127\.0\.0\.1:\d+: Hostname\/IP does not match [^\n]*\n$/);

  const primary = await serve(['--engine', engineAt(port)], { env });
  writeFileSync(join(at, 'secret'), await print(['collectors', 'add', 'one'], { env }));
  const flags = ['--primary', primary.url, '--secret-file', join(at, 'secret'), '--outbox', join(at, 'one.db')];
  const collector = await serve(flags, { command: 'collect', env });
  for (const { url } of [primary, collector]) {
    const body = JSON.stringify({ site: 'example.com', url: `https://example.com/${new URL(url).port}` });
    assert.equal((await fetch(`${url}/day`, { method: 'POST', body, headers: BROWSER })).status, 202);
  }
  await until('both hits have arrived', async () => {
    const [row] = await rowsOn<{ n: number }>(server, 'own', 'SELECT count() AS n FROM activity');
    return row?.n === 2;
  });
  const found = await exportHits(engineAt(port), env);
  assert.equal(found.code, 0, found.stderr);
  assert.equal(found.stdout.trim().split('\n').length, 3);

  const proof = await startProof(t, { words: ['--engine', engineAt(port)], last: 'collector', env });
  proof.child.kill('SIGTERM');
  assert.equal(await proof.ended, 1);
});

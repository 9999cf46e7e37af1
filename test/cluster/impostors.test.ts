import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { connect } from '../../src/cluster/servers/connect.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { folder, startApp } from '../support/helpers.ts';
import { CLUSTER, rowsOn, type Server, startCluster } from './servers.ts';

/** What another program at the place of a server answers; false where the server itself shall do it. */
type Impostor = (sql: string, answer: ServerResponse) => unknown;
const NOBODY = () => false;

/** Answers at one place: as another program would, or what a server of ClickHouse says. */
async function placeBefore(t: TestContext, server?: Server) {
  let impostor: Impostor = NOBODY;
  const place = createServer(async (incoming, answer) => {
    const { url = '/', method = 'POST', headers } = incoming;
    const body = await buffer(incoming);
    const sql = `${new URL(url, 'http://x').searchParams.get('query')} ${body}`;
    if (impostor(sql, answer) !== false) return;
    const got = await fetch(`http://127.0.0.1:${server?.http}${url}`, {
      ...{ method, body },
      headers: Object.entries(headers).filter(([name]) => /^(x-|content-type)/.test(name)) as [string, string][],
    });
    const text = await got.text();
    answer.writeHead(got.status, [...got.headers].filter(([name]) => name.startsWith('x-')).flat()).end(text);
  });
  await new Promise<void>((resolve) => place.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    place.close();
    place.closeAllConnections();
  });
  return {
    host: `127.0.0.1:${(place.address() as AddressInfo).port}`,
    answerAs(next: Impostor): void {
      impostor = next;
    },
  };
}

test('a web server that answers at the place of a server gets no hits: they wait for the server', async (t) => {
  const [server] = await startCluster(folder(t), 1, 1);
  assert.ok(server);
  t.after(() => server.kill());
  const { host, answerAs } = await placeBefore(t, server);
  const app = await startApp(t, { engine: `clickhouse://${host}/own?cluster=${CLUSTER}` });
  const { engine, siteId } = app;
  /** Answers statements with this text as `replace` says, until one of them has been answered so. */
  const untilAsked = (text: string, replace: (answer: ServerResponse) => void, others: Impostor = NOBODY) =>
    new Promise<void>((resolve) => {
      answerAs((sql, answer) => {
        if (!sql.includes(text)) return others(sql, answer);
        replace(answer);
        return resolve();
      });
    });
  const showPage = (answer: ServerResponse) =>
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works</h1>');
  const checked = untilAsked('FROM mark', showPage, (_, answer) => showPage(answer));
  await appendTo(engine, [pageview({ siteId, day: TODAY, visitor: 1 })]);
  await checked;
  assert.deepEqual(await engine.upkeep.listSilentServers(), [`http://${host}/`]);

  // Nor does it get any if it takes the place of the server after the check of the mark.
  await untilAsked('INSERT INTO activity', showPage);
  // Nor does a server that fails after it has begun to answer.
  await untilAsked('INSERT INTO activity', (answer) => {
    answer.writeHead(200, { 'x-clickhouse-query-id': 'one' });
    answer.end('Code: 241. DB::Exception: Memory limit exceeded');
  });
  answerAs(NOBODY);
  await appendTo(engine, [pageview({ siteId, day: TODAY, visitor: 2 })]);
  const visitors = async () => {
    const rows = await rowsOn<{ visitor: number }>(server, 'own', 'SELECT visitor FROM activity ORDER BY visitor');
    return rows.map(({ visitor }) => visitor);
  };
  let found = await visitors();
  while (!found.includes(2)) found = await visitors();
  assert.deepEqual(found, [1, 2]);
});

test('what is no ClickHouse server is refused with a line that says so, and gets no password by a redirection', async (t) => {
  const { db, close } = openStore(join(folder(t), 'daybook.db'));
  t.after(close);
  const { host, answerAs } = await placeBefore(t);
  const other = await placeBefore(t);
  let asked = 0;
  other.answerAs((_, answer) => {
    asked++;
    answer.end();
  });
  const clock = { now: Date.now, tick: () => performance.now() };
  const refusalOf = async (impostor: Impostor) => {
    answerAs(impostor);
    const engine = `clickhouse://user:secret@${host}/own?cluster=${CLUSTER}`;
    return await connect(engine, db, clock).then(
      () => 'none',
      ({ message }: Error) => message,
    );
  };
  const saying = (why: string) =>
    `http://${host}: ${why}. When you start daybook on a cluster for the first time, all servers must answer`;

  const page = await refusalOf((_, answer) => answer.end('<h1>It works</h1>'));
  assert.equal(page, saying('what answers (HTTP 200) is no ClickHouse server'));
  const proxy = await refusalOf((_, answer) => answer.writeHead(502).end('Bad Gateway'));
  assert.equal(proxy, saying('what answers (HTTP 502) is no ClickHouse server'));
  const away = { location: `http://${other.host}/` };
  const redirected = await refusalOf((_, answer) => answer.writeHead(307, away).end());
  assert.equal(redirected, saying('what answers (HTTP 307) is no ClickHouse server'));
  assert.equal(asked, 0);
  const endless = await refusalOf((_, answer) => {
    answer.writeHead(200, { 'x-clickhouse-query-id': 'one' });
    const more = () => {
      while (answer.write(Buffer.alloc(1 << 20)));
    };
    answer.on('drain', more);
    more();
  });
  assert.equal(endless, saying('the answer has more than 65536 bytes'));
  const odd = await refusalOf((sql, answer) => {
    answer.writeHead(200, { 'x-clickhouse-query-id': 'one' });
    answer.end(sql.includes('CHECK GRANT') ? '1' : sql.includes('version()') ? '{"version":{},"id":1}' : '');
  });
  assert.equal(odd, saying('what answers is no ClickHouse server'));
  // Here nobody speaks TLS.
  const secure = connect(`clickhouses://${host}/own?cluster=${CLUSTER}`, db, clock);
  await assert.rejects(secure, new RegExp(`^Error: https://${host}: .*(?:SSL|socket)`));
});

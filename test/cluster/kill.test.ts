import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { connect } from '../../src/cluster/connect.ts';
import { openStore } from '../../src/store/open.ts';
import { addSite } from '../../src/store/sites.ts';
import { addUser } from '../../src/store/users.ts';
import { BROWSER } from '../collect/stage.ts';
import { folder } from '../helpers.ts';
import { program, until } from '../program.ts';
import { chance } from '../random.ts';
import { CLUSTER, hostsOf, startCluster } from './servers.ts';

const ROUNDS = 6;
const CLIENTS = 20;
const MOST = 100;

/** The status that a message is answered with; undefined when the connection breaks before. */
const post = (agent: Agent, port: number, message: object): Promise<number | undefined> =>
  new Promise((resolve) => {
    const sending = request({ agent, port, method: 'POST', path: '/day', headers: BROWSER }, (answer) => {
      answer.on('error', () => resolve(undefined));
      answer.on('end', () => resolve(answer.statusCode)).resume();
    });
    sending.on('error', () => resolve(undefined));
    sending.end(JSON.stringify(message));
  });

/** Sends pageviews one after the other until the server is gone. */
async function browse(port: number, name: string, sent: Set<string>, acknowledged: Set<string>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; n < MOST; n++) {
    const page = `/${name}/${n}`;
    sent.add(page);
    const status = await post(agent, port, { site: 'example.com', url: `https://example.com${page}` });
    if (status === undefined) break;
    if (status === 202) acknowledged.add(page);
  }
  agent.destroy();
}

test('whatever is killed at whatever moment, what was acknowledged is on every replica, once', async (t) => {
  const random = chance(t);
  const servers = await startCluster(folder(t), 2, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const engine = `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}`;
  const { serve, db: path } = program(t);
  const store = openStore(path);
  store.db.write(() => {
    const { accountId } = addUser(store.db, { email: 'ann@example.com', password: null, now: 0 });
    addSite(store.db, { accountId, domain: 'example.com', now: 0 });
  });
  const [sent, acknowledged] = [new Set<string>(), new Set<string>()];
  for (let round = 1; round <= ROUNDS; round++) {
    const server = await serve(['--flood', '0', '--engine', engine]);
    const before = acknowledged.size;
    const clients = Array.from({ length: CLIENTS }, (_, n) => browse(server.port, `${round}-${n}`, sent, acknowledged));
    const enough = before + random() * CLIENTS * 20;
    await until('enough are acknowledged', () => acknowledged.size >= enough);
    const victims = servers.filter(() => random() < 0.3);
    await Promise.all(victims.map(({ kill }) => kill()));
    const more = acknowledged.size + random() * CLIENTS * 20;
    await until('more are acknowledged', () => acknowledged.size >= Math.min(more, before + CLIENTS * MOST));
    server.kill('SIGKILL');
    await Promise.all(clients);
    await Promise.all(victims.map(({ start }) => start()));
  }
  // Sends what is left.
  const last = await serve(['--engine', engine]);
  const { nodes } = await connect(engine, store.db);
  store.close();
  type Page = { page: string; n: number };
  const pagesOn = async (replica: number): Promise<Map<string, number>> => {
    const own = nodes.all.filter((node) => node.replica === replica);
    const rows = own.map((node) => nodes.askOne<Page>(node, 'SELECT page, count() AS n FROM activity GROUP BY page'));
    return new Map((await Promise.all(rows)).flat().map(({ page, n }) => [page, n]));
  };
  for (const replica of [0, 1]) {
    let pages = new Map<string, number>();
    await until('everything is there', async () => {
      pages = await pagesOn(replica);
      return [...acknowledged].every((page) => pages.has(page));
    });
    assert.deepEqual(
      [...pages].filter(([page, n]) => n !== 1 || !sent.has(page)),
      [],
    );
  }
  t.diagnostic(`${acknowledged.size} acknowledged, ${sent.size - acknowledged.size} more were sent`);
  last.kill('SIGTERM');
});

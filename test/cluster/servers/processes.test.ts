import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { date } from '../../stats/days.ts';
import { startApp } from '../../support/helpers.ts';
import { until } from '../../support/program.ts';
import { keepDisk, nameEngine, restartOn } from '../disks.ts';
import { gatesOf } from '../gates.ts';
import { nameOf } from '../growing.ts';
import { countRows, startServers } from '../names.ts';
import type { Server } from '../servers.ts';

/** Stops the looks at servers, which would notice such a server too, but later. */
function stopLooks(t: TestContext): void {
  const { setInterval } = globalThis;
  const never = 2 ** 31 - 1;
  t.mock.method(globalThis, 'setInterval', (work: () => void, ms: number) =>
    setInterval(work, ms === 60_000 || ms === 5_000 ? never : ms),
  );
}

/** An application whose queries go to the second of two replicas. The hosts are those of the servers, or of proxies. */
async function stage(t: TestContext, findHosts: (servers: readonly Server[], t: TestContext) => Promise<string>) {
  stopLooks(t);
  const servers = await startServers(t, 2);
  const [first, second] = servers as [Server, Server];
  const app = await startApp(t, { engine: nameEngine([await findHosts(servers, t)]) });
  const { siteId, owner } = app;
  const come = () => appendTo(app.engine, [pageview({ siteId })]);
  const count = async () => {
    const path = `/sites/${siteId}/stats/overview?range=${date(TODAY)}~${date(TODAY)}`;
    const { status, body } = await owner.ask('GET', path);
    return status === 200 ? body.data.pageviews : body.error.code;
  };
  await come();
  await app.engine.upkeep.checkServers();
  const older = await keepDisk(second);
  await come();
  await app.engine.upkeep.checkServers();
  await first.kill();
  await until('the second server answers', async () => (await count()) === 2);
  await first.start();
  return { ...app, first, second, older, count };
}

const HOSTS: Record<string, Parameters<typeof stage>[1]> = {
  'that is asked directly': async (servers) => servers.map(nameOf).join(),
  'behind a proxy, which keeps its connections,': async (servers, t) => (await gatesOf(t, servers)).hosts,
};

for (const [where, findHosts] of Object.entries(HOSTS))
  test(`a server ${where} and that came back with an older disk between two looks answers no query`, async (t) => {
    const { first, second, older, count } = await stage(t, findHosts);
    await restartOn(older, second);
    assert.equal((await countRows(second))[0]?.n, 1);
    assert.equal(await count(), 2);
    await first.kill();
    assert.equal(await count(), 'unavailable');
  });

test('a server that started anew with its own disk answers the next query', async (t) => {
  const { first, second, count } = await stage(t, async (servers) => servers.map(nameOf).join());
  await first.kill();
  await second.kill();
  await second.start();
  assert.equal(await count(), 2);
});

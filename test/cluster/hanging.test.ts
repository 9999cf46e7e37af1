import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examine } from '../../src/doctor/examine.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { folder, startApp } from '../support/helpers.ts';
import { CLUSTER, hostsOf, startCluster } from './servers.ts';

test('a server that hangs is named, and others answer; where all hang, people are told so', async (t) => {
  const servers = await startCluster(folder(t), 1, 2);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const app = await startApp(t, { engine: `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}` });
  const { owner, siteId, engine, db, clock, config } = app;
  await appendTo(engine, [pageview({ siteId })]);
  const visitors = async () => {
    const path = `/sites/${siteId}/stats/overview?range=${date(TODAY)}~${date(TODAY)}`;
    const { body, status } = await owner.ask('GET', path);
    return status === 200 ? body.data.visitors : `${status} ${body.error.code}`;
  };
  while ((await visitors()) !== 1);
  const said = async () => {
    const findings = await examine({ config, db, ...engine, clock, path: config.db });
    const { fine, says, remedy = '' } = findings.find(({ name }) => name === 'cluster') ?? assert.fail();
    return `${fine} ${says} ${remedy}`.trim();
  };
  assert.equal(await said(), 'true 2 servers, all complete and answering');

  const [first, second] = servers;
  process.kill(first?.pid() ?? 0, 'SIGSTOP');
  // Both were asked first by somebody: a question finds out, and those after it ask the other.
  assert.deepEqual([await visitors(), await visitors()], [1, 1]);
  assert.match(await said(), new RegExp(`^false http://127.0.0.1:${first?.http}/ does not answer Start the server`));
  process.kill(second?.pid() ?? 0, 'SIGSTOP');
  assert.equal(await visitors(), '503 unavailable');
  assert.deepEqual((await engine.upkeep.listSilentServers()).length, 2);
  for (const { pid } of servers) process.kill(pid(), 'SIGCONT');
  while ((await visitors()) !== 1);
  assert.deepEqual(await engine.upkeep.listSilentServers(), []);
  const isLogged = (event: string) =>
    app.log.some((line) => line.includes(`a server of the cluster ${event}","url":"http://127.0.0.1:${first?.http}/`));
  assert.ok(isLogged('does not answer'));
  while (!isLogged('answers again')) await visitors();
});

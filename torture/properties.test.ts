import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHROME } from '../test/collect/stage.ts';
import { type Client, clientOf, quantile } from './clients.ts';
import { scaled } from './scale.ts';
import { serving } from './serving.ts';
import { honest, NOISE, rss, told } from './watch.ts';

const BATCH = 1_000;
/** Each hit brings two new names of properties and three new values. */
const HITS = scaled(20_000, 500_000);

const name = (n: number): string => `p${n % 90}`;

/**
 * The properties of hit `n`: names that differ in case only, one value for each hit, names that no other hit has, and
 * sets that no other hit has of names that all have.
 */
const propsOf = (n: number): Record<string, unknown> => ({
  Case: 'upper',
  case: `lower${n % 3}`,
  plan: `v${n}`,
  ...Object.fromEntries(Array.from({ length: 14 }, (_, i) => [name(n * 7 + i * 5), `v${(n * (i + 3)) % 2_500}`])),
  [`bulk${n}`]: `${n}`,
  [`more${n}`]: 'plan',
});

type Served = Awaited<ReturnType<typeof serving>>;

/** Sends all hits to a server, looks at a report now and then, and gives how large the server was in MB, at most. */
async function flood(
  { server, token }: Served,
  makeMore: (n: number) => object,
  look: (client: Client) => Promise<void>,
): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const client = clientOf(server.port);
  let most = 0;
  for (let first = 0; first < HITS; first += BATCH) {
    const hits = Array.from({ length: BATCH }, (_, i) => ({
      url: 'https://flood.example/',
      ip: `85.1.${i % 250}.1`,
      agent: CHROME,
      event: 'buy',
      ...makeMore(first + i),
    }));
    const body = JSON.stringify(hits);
    const { status, text } = await client.ask('POST', '/api/v1/sites/flood.example/hits', { headers, body });
    assert.equal(status, 202, text);
    if (first % (HITS / 20) !== 0) continue;
    await look(client);
    most = Math.max(most, rss(server));
  }
  client.close();
  return most;
}

/** The texts and sets of a day are bounded, so more hits with properties take no more than this above hits without. */
const MOST_MB = 400;

test('H15 a flood of names and values of properties ends in (other), takes bounded memory, and harms no other site', async (t) => {
  const flags = ['--rate-limit', '0'];
  const sites = ['flood.example', 'quiet.example'];
  const served = await serving(t, { sites, flags });
  const { server, token } = served;
  const headers = { Authorization: `Bearer ${token}` };
  const askWith = async (client: Client, path: string) => {
    const { status, text, ms } = await client.ask('GET', `/api/v1/sites/${path}`, { headers });
    assert.equal(status, 200, `${path}: ${text}`);
    return { ...JSON.parse(text).data, ms };
  };

  let isOver = false;
  const others = honest(server, 'quiet.example', () => isOver);
  const asked: number[] = [];
  const size = await flood(
    served,
    (n) => ({ props: propsOf(n) }),
    async (client) => {
      asked.push((await askWith(client, 'flood.example/stats/breakdown/properties?range=today')).ms);
    },
  );
  isOver = true;
  const took = await others;

  const client = clientOf(server.port);
  const listValues = async (breakdown: string) => {
    const values: string[] = [];
    for (let offset = 0; ; offset += 100) {
      const path = `flood.example/stats/breakdown/${breakdown}&range=today&limit=100&offset=${offset}`;
      const { rows } = await askWith(client, path);
      values.push(...rows.map(({ value }: { value: string }) => value));
      if (rows.length < 100) return values;
    }
  };
  const names = await listValues('properties?search=');
  assert.equal(names.length, 101);
  assert.ok(names.includes('(other)') && names.includes('plan') && names.includes('case') && !names.includes('Case'));
  const cases = await listValues('property_values?property=case');
  assert.deepEqual(cases.filter((value) => value !== '(other)').sort(), ['lower0', 'lower1', 'lower2']);
  const plans = await listValues('property_values?property=plan');
  assert.deepEqual([plans.length, plans.includes('(other)')], [2_001, true]);
  assert.equal((await askWith(client, 'flood.example/stats/overview?range=today')).visitors, 250);
  assert.equal((await askWith(client, 'quiet.example/stats/overview?range=today')).pageviews, took.length);
  assert.ok(quantile(took, 0.99) < 100 * NOISE);
  client.close();

  const plain = await serving(t, { sites, flags });
  const plainSize = await flood(
    plain,
    () => ({}),
    async (one) => {
      const { status } = await one.ask('GET', '/api/v1/sites/flood.example/stats/breakdown/events?range=today', {
        headers: { Authorization: `Bearer ${plain.token}` },
      });
      assert.equal(status, 200);
    },
  );
  t.diagnostic(`${HITS} hits; names asked for: ${told(asked)}; the other site: ${told(took)}`);
  t.diagnostic(`${size.toFixed(0)} MB with properties, ${plainSize.toFixed(0)} MB without`);
  assert.ok(size < plainSize + MOST_MB);
});

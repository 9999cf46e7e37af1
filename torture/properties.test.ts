import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHROME } from '../test/collect/stage.ts';
import { clientOf, quantile } from './clients.ts';
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

test('H15 a flood of names and values of properties ends in (other), takes bounded memory, and harms no other site', async (t) => {
  const flags = ['--rate-limit', '0'];
  const { server, token } = await serving(t, { sites: ['flood.example', 'quiet.example'], flags });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const client = clientOf(server.port);
  const ask = async (path: string) => {
    const { status, text, ms } = await client.ask('GET', `/api/v1/sites/${path}`, { headers });
    assert.equal(status, 200, `${path}: ${text}`);
    return { ...JSON.parse(text).data, ms };
  };
  const rowsOf = async (breakdown: string) => {
    const rows: { value: string }[] = [];
    for (let offset = 0; ; offset += 100) {
      const page = await ask(
        `flood.example/stats/breakdown/${breakdown}${breakdown.includes('?') ? '&' : '?'}range=today&limit=100&offset=${offset}`,
      );
      rows.push(...page.rows);
      if (page.rows.length < 100) return rows;
    }
  };

  let isOver = false;
  const others = honest(server, 'quiet.example', () => isOver);
  const sizes: number[] = [];
  const asked: number[] = [];
  for (let first = 0; first < HITS; first += BATCH) {
    const hits = Array.from({ length: BATCH }, (_, i) => ({
      url: 'https://flood.example/',
      ip: `85.1.${i % 250}.1`,
      agent: CHROME,
      event: 'buy',
      props: propsOf(first + i),
    }));
    const { status, text } = await client.ask('POST', '/api/v1/sites/flood.example/hits', {
      headers,
      body: JSON.stringify(hits),
    });
    assert.equal(status, 202, text);
    if (first % (HITS / 20) !== 0) continue;
    // Whoever looks at the report meanwhile gets it.
    asked.push((await ask('flood.example/stats/breakdown/properties?range=today')).ms);
    sizes.push(rss(server));
  }
  isOver = true;
  const took = await others;
  t.diagnostic(
    `${HITS} hits; names asked for: ${told(asked)}; memory: ${sizes.map((size) => size.toFixed(0)).join(', ')} MB`,
  );
  t.diagnostic(`the other site: ${told(took)}`);

  const names = (await rowsOf('properties')).map(({ value }) => value);
  assert.equal(names.length, 101);
  assert.ok(names.includes('(other)') && names.includes('plan') && names.includes('case') && !names.includes('Case'));
  const cases = await rowsOf('property_values?property=case');
  assert.ok(cases.every(({ value }) => /^(?:lower[0-2]|upper)$/.test(value)));
  const plans = await rowsOf('property_values?property=plan');
  assert.equal(plans.length, 2_001);
  assert.ok(plans.some(({ value }) => value === '(other)'));
  assert.equal((await ask('flood.example/stats/overview?range=today')).visitors, 250);
  assert.equal((await ask('quiet.example/stats/overview?range=today')).pageviews, took.length);
  assert.ok(quantile(took, 0.99) < 100 * NOISE);
  // The texts and sets of a day are bounded, so the second half takes no more than a bounded cache does.
  const [half = 0, last = 0] = [sizes[sizes.length / 2], sizes.at(-1)];
  assert.ok(last < half + 150, `${half} and then ${last} MB`);
});

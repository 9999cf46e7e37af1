import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, HIT, outcomeOf, stage } from '../api/passed.ts';
import { CHROME, GERMAN } from './stage.ts';

const BROWSER = { 'user-agent': CHROME, 'accept-language': 'de' };

test('properties: a browser sends them with a pageview and an event, and unsound ones are left out', async (t) => {
  const { ask, held } = await stage(t);
  const send = (message: object) =>
    ask('POST', '/day', {
      body: { site: 'example.com', url: 'https://example.com/', ...message },
      headers: BROWSER,
      address: GERMAN,
    });
  await send({ props: { Plan: 'pro', rate: 0.5, 'not a name': 'x', none: null } });
  await send({ event: 'signup', props: { trial: true, mail: 'you@example.com', path: '/users/you@example.com' } });
  await send({ props: 'no object' });
  const stored = (await held.hits()).map(({ properties }) => properties);
  assert.deepEqual(stored, ['{"plan":"pro","rate":"0.5"}', '{"trial":"true"}', '']);
});

test('properties: a server learns which hit and property is wrong, and nothing is stored', async (t) => {
  const { passHits, held } = await stage(t);
  assert.deepEqual(outcomeOf(await passHits([{ ...HIT, props: { plan: 'pro' } }])), [1, 0]);
  const refused = await passHits([HIT, { ...HIT, props: { plan: ['pro'] } }]);
  assert.equal(refused.status, 422);
  assert.deepEqual(fieldsOf(refused), ['1.props.plan']);
  assert.deepEqual(
    (await held.hits()).map(({ properties }) => properties),
    ['{"plan":"pro"}'],
  );
});

test('properties: filters say which of them is wrong', async (t) => {
  const { owner } = await stage(t);
  const fields = async (query: string) =>
    (await owner.ask('GET', `/sites/example.com/stats/${query}`)).body.error?.fields ?? {};
  assert.deepEqual(Object.keys(await fields('overview?filters[property:a-b]=x')), ['filters[property:a-b]']);
  assert.deepEqual(Object.keys(await fields('overview?filters[property:plan][odd]=x')), [
    'filters[property:plan][odd]',
  ]);
  assert.deepEqual(Object.keys(await fields('overview?filters[property:plan][like]=')), [
    'filters[property:plan][like]',
  ]);
  assert.deepEqual(Object.keys(await fields('overview?filters[property]=x')), ['filters[property]']);
  assert.deepEqual(Object.keys(await fields('breakdown/property_values')), ['property']);
  assert.deepEqual(Object.keys(await fields('breakdown/pages?property=plan')), ['property']);
  assert.deepEqual(await fields('breakdown/property_values?property=Plan&event=e&filters[property:plan][not]=x'), {});
});

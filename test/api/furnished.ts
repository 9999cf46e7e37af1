/** One of everything that a site and an account can have, for tests that try every route. */
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import type { startApp } from '../support/helpers.ts';

type App = Awaited<ReturnType<typeof startApp>>;

/** What a person sends to a route, so that it is accepted. */
export const BODIES: Record<string, unknown> = {
  'PATCH /account/language': { language: 'de' },
  'POST /sites': { domain: 'another.example' },
  'PATCH /sites/{site}': { shared: true },
  'POST /sites/{site}/goals': { type: 'page', value: '/thanks' },
  'POST /sites/{site}/funnels': {
    name: 'Buy',
    steps: [
      { type: 'page', value: '/' },
      { type: 'event', value: 'buy' },
    ],
  },
  'PATCH /sites/{site}/goals/{goal}': { value: 'buy' },
  'PATCH /sites/{site}/notes/{note}': { text: 'Bought' },
  'PATCH /sites/{site}/funnels/{funnel}': { name: 'Buy more' },
  'POST /sites/{site}/notes': { date: '2026-03-01', text: 'Launch' },
  'POST /sites/{site}/exclusions': { from: '2026-03-01', filters: { country: 'DE' } },
  'POST /sites/{site}/exclusions/preview': { from: '2026-03-01', filters: { country: 'DE' } },
  'POST /sites/{site}/exclusions/suggestions/dismissals': { date: '2026-03-01' },
  'POST /sites/{site}/query': { by: ['country'] },
  'POST /sites/{site}/views': { name: 'Germany', query: 'country=DE' },
  'POST /sites/{site}/blocks': { kind: 'country', value: 'FR' },
  'POST /sites/{site}/shares': { name: 'Agency', password: 'a password of the link' },
  'PATCH /sites/{site}/shares/{share}': { name: 'Agency 2' },
  'POST /sites/{site}/alerts': { name: 'Few', metric: 'visitors', condition: 'below', threshold: 10 },
  'POST /sites/{site}/channels': {
    kind: 'slack',
    name: 'Team',
    settings: { url: 'https://hooks.slack.com/services/x' },
  },
  'PATCH /sites/{site}/channels/{channel}': { paused: true },
  'POST /sites/{site}/deletions': { from: '2026-03-01', to: '2026-03-02' },
  'POST /sites/{site}/deletions/preview': { from: '2026-03-01', to: '2026-03-02' },
  'POST /sites/{site}/uploads': { name: 'hits.ndjson', bytes: 10 },
  'POST /sites/{site}/uploads/{upload}/bytes': '{',
  'POST /sites/{site}/uploads/{upload}/confirmation': {},
  'POST /sites/{site}/embeds': { origin: 'https://www.example.com' },
  'POST /sites/{site}/hits': [{ url: 'https://example.com/', ip: '192.0.2.7', agent: 'a browser of somebody' }],
  'POST /sites/{site}/crawls': [{ url: 'https://example.com/', agent: 'GPTBot/1.2' }],
  'POST /team': { email: 'new@example.com', role: 'viewer' },
  'PATCH /team/{member}': { role: 'manager' },
  'POST /sql': { sql: 'SELECT 1' },
  'POST /tokens': { name: 'New', abilities: ['read'] },
};

/** What the path needs behind it. */
export const QUERIES: Record<string, string> = {
  'GET /sites/{site}/domain': '?domain=new.example',
  'GET /sites/{site}/export': '?format=ndjson',
  'POST /sites/{site}/uploads/{upload}/bytes': '?offset=0',
};

/** A route that takes bytes and no JSON. */
export const BYTES = { 'content-type': 'application/octet-stream' };

/** An import of daily totals without any day. */
const EMPTY = { today: TODAY, texts: [''], days: [] };

/** Puts one of everything into the owner's account and says by which ids it is reached. */
export async function furnish(
  { db, engine, owner, siteId, tokenOf, signIn }: App,
  path: string,
): Promise<Record<string, number | string>> {
  await appendTo(engine, [pageview({ siteId })]);
  const add = async (path: string, body: unknown): Promise<number> =>
    (await owner.ask('POST', path, body)).body.data.id;
  return {
    site: siteId,
    breakdown: 'referrers',
    goal: await add(`/sites/${siteId}/goals`, { type: 'event', value: 'signup' }),
    funnel: await add(`/sites/${siteId}/funnels`, BODIES['POST /sites/{site}/funnels']),
    note: await add(`/sites/${siteId}/notes`, BODIES['POST /sites/{site}/notes']),
    exclusion: await add(`/sites/${siteId}/exclusions`, BODIES['POST /sites/{site}/exclusions']),
    view: await add(`/sites/${siteId}/views`, BODIES['POST /sites/{site}/views']),
    block: await add(`/sites/${siteId}/blocks`, { kind: 'country', value: 'DE' }),
    share: await add(`/sites/${siteId}/shares`, { name: 'Customer' }),
    alert: await add(`/sites/${siteId}/alerts`, { name: 'Odd', metric: 'visits', condition: 'unusual' }),
    channel: await add(`/sites/${siteId}/channels`, {
      kind: 'gotify',
      name: 'Phone',
      settings: { url: 'https://gotify.invalid', token: 'x' },
    }),
    import_id: await engine.imports.add(siteId, EMPTY, { replace: false }),
    // An account has one upload at a time. So only routes of uploads get one.
    upload: path.includes('{upload}') ? await add(`/sites/${siteId}/uploads`, { name: 'a', bytes: 10 }) : 0,
    embed: await add(`/sites/${siteId}/embeds`, { origin: 'https://blog.example.com' }),
    member: await add('/team', { email: 'pending@example.com', role: 'viewer' }),
    token: Number(tokenOf(owner, ['read']).split('|')[0]),
    session: await signIn(owner).then(() => db.one<{ id: number }>('SELECT max(id) AS id FROM session')?.id ?? 0),
  };
}

export const filled = (path: string, ids: Record<string, number | string>): string =>
  `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))}`;

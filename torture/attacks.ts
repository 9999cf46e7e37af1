import { BROWSER, CHROME } from '../test/collect/stage.ts';

export type Slots = Record<string, string>;
/** A request with places for text, each of which has something good in it otherwise. */
export type Template = {
  method: string;
  path: string;
  slots: Slots;
  /** Which slots are parameters, fields or headers, and which stand in the path as {name}. */
  query?: readonly string[];
  body?: (slots: Slots) => unknown;
  headers?: (slots: Slots) => Record<string, string>;
  /** Sent by somebody's browser, without a token. */
  open?: true;
};

const FILTERS: Slots = {
  range: '30d',
  'filters[page]': '/a',
  'filters[entry]': '/a',
  'filters[source]': 'from.example',
  'filters[utm_source]': 'word',
  'filters[utm_medium]': 'word',
  'filters[utm_campaign]': 'word',
  'filters[country]': 'DE',
  'filters[device]': 'Desktop',
  'filters[browser]': 'Chrome',
  'filters[os]': 'Windows',
  'filters[event]': 'signup',
  'filters[goal]': '1',
  'filters[exit][is]': '/a',
  'filters[exit][like]': '/*',
};
const query = Object.keys(FILTERS);
const report = (name: string, more: Slots = {}): Template => ({
  method: 'GET',
  path: `/api/v1/sites/{site}/stats/${name}`,
  slots: { site: 'example.com', ...FILTERS, ...more },
  query: [...query, ...Object.keys(more).filter((slot) => !name.includes(`{${slot}}`))],
});
/** The slots that do not stand in the path. */
const fieldsOf =
  (path: string) =>
  (slots: Slots): Slots =>
    Object.fromEntries(Object.entries(slots).filter(([slot]) => !path.includes(`{${slot}}`)));

const change = (method: string, path: string, slots: Slots, body: Template['body'] = fieldsOf(path)): Template => ({
  method,
  path: `/api/v1${path}`,
  slots,
  body,
});
const OURS = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const own = (path: string, slots: Slots): Template => ({
  method: 'POST',
  path,
  slots,
  body: fieldsOf(path),
  headers: () => OURS,
  open: true,
});
const onSite = (name: string, slots: Slots, body?: Template['body']): Template =>
  change('POST', `/sites/{site}/${name}`, { site: 'example.com', ...slots }, body);

export const TEMPLATES: Template[] = [
  report('overview', { compare: 'previous' }),
  report('timeseries', { interval: 'day' }),
  ...['goals', 'realtime', 'assistants', 'drops'].map((name) => report(name)),
  report('breakdown/{breakdown}', {
    ...{ breakdown: 'pages', limit: '10', offset: '0' },
    ...{ metrics: 'visits', sort: 'visits', search: 'a' },
  }),
  report('breakdown/event_labels', { event: 'signup' }),
  report('bots', { limit: '10', crawler: 'gptbot' }),
  report('funnels/{funnel}', { funnel: '1' }),
  report('journeys', { from: '/a', direction: 'after', steps: '2', limit: '10' }),
  report('explain', { compare: 'previous', by: 'visitors' }),
  { method: 'GET', path: '/api/v1/sites/{site}', slots: { site: 'example.com' } },
  {
    method: 'GET',
    path: '/api/v1/sites/{site}/notes',
    slots: { site: 'example.com', from: '2026-01-01', to: '2026-12-31' },
    query: ['from', 'to'],
  },
  ...['goals', 'funnels', 'embeds'].map((name) => ({
    method: 'GET',
    path: `/api/v1/sites/{site}/${name}`,
    slots: { site: 'example.com' },
  })),
  ...['goals', 'funnels', 'notes', 'embeds'].map((name) => ({
    method: 'DELETE',
    path: `/api/v1/sites/{site}/${name}/{id}`,
    slots: { site: 'example.com', id: '999' },
  })),
  ...['tokens', 'team', 'sessions'].map((name) => ({
    method: 'DELETE',
    path: `/api/v1/${name}/{id}`,
    slots: { id: '999' },
  })),
  { method: 'DELETE', path: '/api/v1/sites/{site}', slots: { site: 'none.example' } },
  change('POST', '/sites', { domain: 'example.com' }),
  change('PATCH', '/sites/{site}', { site: 'example.com', goal: '1' }, ({ goal }) => ({
    main_goal_id: Number(goal) || goal,
  })),
  change('PATCH', '/team/{member}', { member: '1', role: 'viewer' }),
  change('POST', '/team', { email: 'eve@example.com', role: 'viewer' }),
  change('POST', '/tokens', { name: 'x', ability: 'read' }, ({ name, ability }) => ({ name, abilities: [ability] })),
  onSite('goals', { type: 'event', value: 'a' }),
  onSite('notes', { date: '2026-01-01', text: 'a' }),
  onSite('embeds', { origin: 'https://a.example' }),
  onSite('funnels', { name: 'a', type: 'page', value: '/a' }, ({ name, type, value }) => ({
    name,
    steps: [
      { type, value },
      { type: 'event', value },
    ],
  })),
  onSite(
    'hits',
    {
      page: 'a',
      referrer: 'https://from.example/',
      event: 'signup',
      label: 'pro',
      ip: '85.214.1.1',
      agent: CHROME,
      tag: 'word',
    },
    ({ site: _, page, tag, ...hit }) => [
      { url: `https://example.com/${page}?utm_source=${tag}&utm_medium=${tag}&utm_campaign=${tag}`, ...hit },
    ],
  ),
  onSite('crawls', { page: 'a', agent: 'GPTBot/1.0' }, ({ page, agent }) => [
    { url: `https://example.com/${page}`, agent },
  ]),
  {
    method: 'POST',
    path: '/day',
    slots: {
      site: 'example.com',
      page: 'a',
      referrer: 'https://from.example/',
      event: 'signup',
      label: 'pro',
      agent: CHROME,
      brands: '"Chrome";v="1"',
      forwarded: '85.214.1.1',
    },
    body: ({ site, page, referrer, event, label }) => ({
      site,
      url: `https://example.com/${page}`,
      referrer,
      event,
      label,
    }),
    headers: ({ agent = '', brands = '', forwarded = '' }) => ({
      ...BROWSER,
      'user-agent': agent,
      'sec-ch-ua': brands,
      'x-forwarded-for': forwarded,
    }),
    open: true,
  },
  {
    method: 'GET',
    path: '/day.gif',
    slots: { site: 'example.com', url: 'https://example.com/a' },
    query: ['site', 'url'],
    headers: () => BROWSER,
    open: true,
  },
  own('/sign-in', { email: 'eve@example.com', password: 'a long password', next: '/' }),
  own('/forgot', { email: 'eve@example.com' }),
  own('/password/{secret}', { secret: 'x', password: 'a long password' }),
  own('/invite/{secret}', { secret: 'x', password: 'a long password' }),
  own('/setup/{secret}', { secret: 'x', email: 'eve@example.com', password: 'a long password' }),
  ...['/share/{secret}', '/live/{secret}', '/unsubscribe/{secret}', '/assets/{secret}'].map(
    (path): Template => ({ method: 'GET', path, slots: { secret: 'example.com' }, open: true }),
  ),
  {
    method: 'GET',
    path: '/api/v1/account',
    slots: { scheme: 'Bearer', token: '1|x', cookie: 'x' },
    headers: ({ scheme, token, cookie }) => ({ authorization: `${scheme} ${token}`, cookie: `daybook=${cookie}` }),
    open: true,
  },
];

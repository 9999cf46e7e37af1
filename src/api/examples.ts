/**
 * Examples in the OpenAPI document, by the name of a schema. test/api/openapi.test.ts checks each example against its
 * schema.
 */
export const EXAMPLES: Record<string, unknown> = {
  NewSite: { domain: 'example.com', time_zone: 'Europe/Berlin' },
  SiteChange: { weekly_report: true },
  NewGoal: { type: 'page', value: '/thanks' },
  GoalChange: { value: '/order/*' },
  NewFunnel: {
    name: 'Order',
    steps: [
      { type: 'page', value: '/shop' },
      { type: 'event', value: 'order' },
    ],
  },
  NewNote: { date: '2026-03-10', text: 'New start page' },
  NoteChange: { text: 'New prices' },
  NewExclusion: {
    from: '2026-03-10',
    to: null,
    filters: { country: 'DE', entry: { like: ['/blog*'] } },
    note: 'A bot',
  },
  DeletedDays: { from: '2026-03-01', to: '2026-03-31' },
  NewView: { name: 'Mobile', query: 'range=7d&device=Mobile' },
  NewEmbed: { origin: 'https://www.example.com' },
  Hit: { url: 'https://example.com/pricing', ip: '192.0.2.7', agent: 'Mozilla/5.0', at: '2026-03-10T12:00:00Z' },
  Crawl: { url: 'https://example.com/pricing', agent: 'GPTBot/1.2', status: 200 },
  NewMember: { email: 'ann@example.com', role: 'viewer' },
  NewToken: { name: 'backup', abilities: ['read'] },
  SqlQuery: { sql: 'SELECT country, count(*) FROM visits GROUP BY country', range: '30d' },
  Goal: { id: 1, type: 'page', value: '/thanks', created_at: '2026-03-10T12:00:00Z' },
  Row: { value: '/pricing', visitors: 29, pageviews: 31 },
  Point: { date: '2026-03-10', visitors: 29, pageviews: 57 },
  Filters: { country: 'DE', page: { like: ['/blog/*'] } },
};

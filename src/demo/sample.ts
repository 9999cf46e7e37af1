// The sample site of the documents: example.com with 40 days of 12 visitors each. `daybook demo --docs` makes it, and
// test/documents/examples.program.test.ts runs the examples of the documents on it.
//
// Nothing is random, therefore every reader gets the same figures. Of three visitors, two read a second page. The first
// visitor of each day signs up, for 9.00 euros.
//
// Example: a day has 12 visitors, 20 pageviews and 1 event.

import { orderTexts, type ParsedHit } from '../exchange/reading/file-hits.ts';
import { DAY, HOUR, MINUTE } from '../lib/time.ts';
import { writeRevenue } from '../stats/revenue.ts';
import type { Db } from '../store/db.ts';
import { addUser } from '../store/people/users.ts';
import { changeCurrency } from '../store/sites/currency.ts';
import { addSite } from '../store/sites/sites.ts';

const DAYS = 40;
const VISITORS = 12;
const CURRENCY = 'EUR';

/** Adds the user and the site of the documents, but no visits. */
export const furnishSample = (db: Db, now: number): { userId: number; siteId: number } =>
  db.write(() => {
    const { id: userId, accountId } = addUser(db, { email: 'you@example.com', password: null, now });
    const siteId = addSite(db, { accountId, domain: 'example.com', now });
    changeCurrency(db, siteId, CURRENCY);
    return { userId, siteId };
  });

/** Makes the hits of the days before today. */
export function* makeSampleHits(now: number): Generator<ParsedHit> {
  const today = Math.floor(now / DAY);
  for (let day = today - DAYS; day < today; day++) {
    for (let visitor = 0; visitor < VISITORS; visitor++) yield* makeVisit(day, visitor);
  }
}

function* makeVisit(day: number, visitor: number): Generator<ParsedHit> {
  const source = visitor % 2 === 0 ? 'search.example' : '';
  const country = visitor % 3 === 0 ? 'DE' : 'US';
  const hit = (minute: number, page: string, event = '', label = '', revenue = ''): ParsedHit => ({
    visitor: visitor + 1,
    day,
    second: 12 * HOUR + (visitor * 5 + minute) * MINUTE,
    texts: orderTexts({
      page,
      hostname: 'example.com',
      event,
      label,
      revenue,
      source,
      country,
      device: 'Desktop',
      browser: 'Firefox',
    }),
  });
  yield hit(0, '/');
  if (visitor % 3 < 2) yield hit(1, `/blog/${visitor % 4}`);
  if (visitor === 0) yield hit(2, '/', 'signup', 'pro', writeRevenue({ currency: CURRENCY, amount: 900 }));
}

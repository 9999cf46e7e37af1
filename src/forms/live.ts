// The public number of visitors in the last five minutes, as a page, as JSON, and as a badge. A badge is an SVG image
// that other websites can show.
//
// The owner of a site turns this live count on. Then /live/example.com, /live/example.com.json and
// /live/example.com.svg show one number to anybody, such as "12 visitors now". If the account is blocked, nothing is
// shown. The server keeps the number in memory for 10 s. So a badge that is often loaded costs only one query in 10 s.
// `mount.ts` calls `mountLive`.

import { domainToASCII } from 'node:url';
import type { Hono } from 'hono';
import { dark, light } from '../embedded/palette.ts';
import { Problem } from '../lib/errors.ts';
import { answerPublic } from '../lib/http/answer.ts';
import { LONGEST_DOMAIN } from '../lib/http/fields.ts';
import { type Env, mountPath } from '../lib/http/paths.ts';
import { plural } from '../lib/plural.ts';
import { seconds } from '../lib/time.ts';
import type { SiteZone } from '../lib/zone.ts';
import { listLiveDays } from '../stats/calendar.ts';
import { findStanding, isBlocked } from '../store/people/accounts.ts';
import { findLiveSite } from '../store/sites/sites.ts';
import { type Html, html, writePage } from './html.ts';
import { chooseSay } from './language.ts';
import type { Pages } from './link.ts';

/** For this number of seconds, the server and browsers may show a count again without a new query. */
const FRESH = 10;
const MOST_SITES = 1_000;

/**
 * The mean width of a letter on the badge, in pixels. The server cannot measure a text, so it computes the width of the
 * badge from this number.
 */
const LETTER = 6.6;

export function mountLive(app: Hono<Env>, pages: Pages): void {
  const { db, clock, ask } = pages;
  const counts = new Map<number, { at: number; visitors: Promise<number> }>();

  async function countNow(site: { id: number } & SiteZone): Promise<number> {
    const siteId = site.id;
    const now = seconds(clock);
    // The time comes from the clock's ticks, because the wall clock may be set back.
    const at = clock.tick();
    const kept = counts.get(siteId);
    if (kept && at - kept.at < FRESH * 1000) return kept.visitors;
    const asked = { report: 'realtime', now, siteId, range: listLiveDays(site, now), filters: {} } as const;
    const visitors = ask(asked).then((found) => found.visitors);
    // A failed query is not stored, so the next request asks again.
    visitors.catch(() => counts.delete(siteId));
    if (counts.size >= MOST_SITES) counts.clear();
    counts.set(siteId, { at, visitors });
    return visitors;
  }

  mountPath(app, '/live/:name', {
    async GET(c) {
      const [, domain = '', form] = /^(.*?)(\.json|\.svg)?$/.exec(c.req.param('name') ?? '') ?? [];
      const site = domain.length > LONGEST_DOMAIN ? undefined : findLiveSite(db, domainToASCII(domain));
      if (!site || isBlocked(findStanding(db, site.account_id, seconds(clock)))) throw new Problem('not_found');
      const visitors = await countNow(site);
      const fresh = { 'Cache-Control': `public, max-age=${FRESH}` };
      if (form === '.json') {
        const body = JSON.stringify({ data: { domain: site.domain, visitors } });
        return answerPublic(body, 'application/json', fresh);
      }
      if (form === '.svg') return answerPublic(writeBadge(site.domain, visitors).html, 'image/svg+xml', fresh);
      const { language, t, plural } = chooseSay(pages, c);
      const body = html`<p class="live">${plural(visitors, '{count} visitor now', '{count} visitors now')}</p>
<p class="soft">${t('This is the number of visitors in the last five minutes, counted without cookies. This page refreshes automatically.')}</p>`;
      const headers = { ...fresh, Refresh: '15', Vary: 'Accept-Language, Cookie' };
      return writePage({ language, status: 200, title: site.domain, body, headers });
    },
  });
}

function writeBadge(domain: string, visitors: number): Html {
  const text = sayVisitors(visitors);
  const width = Math.round(text.length * LETTER + 34);
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="24" role="img" aria-label="${domain}: ${text}"><rect width="${String(width)}" height="24" rx="6" fill="${light.accent}"/><circle cx="14" cy="12" r="4" fill="${dark['accent-strong']}"/><text x="25" y="16" fill="${light.on}" font-family="system-ui,sans-serif" font-size="12">${text}</text></svg>`;
}

const sayVisitors = (visitors: number): string => `${plural(visitors, 'visitor')} now`;

// A preview of the setting "private segments". It shows how patterns would change the pages of the last 30 days.
//
// A segment is a part of a path between two slashes. A pattern hides a segment before a hit is stored. With `/users/*`,
// the page `/users/ann` is stored as `/users/:id`. A hidden segment cannot be restored later, so a user sees the effect
// of the patterns before saving them.
//
// A goal or a funnel step may have a page that the patterns would change. No later hit would have this page. So the
// preview also lists the pages of goals and funnel steps that would change.
//
// The preview looks only at the 1,000 pages with the most visitors. The table in `routes.ts` calls `preview`.

import * as v from 'valibot';
import { hideInPage } from '../classify/page.ts';
import { LONGEST_PATTERN, MOST_PATTERNS } from '../classify/private.ts';
import { Time } from '../lib/http/fields.ts';
import { takeInTurns } from '../lib/turns.ts';
import { findSiteDay } from '../lib/zone.ts';
import { findDays } from '../stats/site-days.ts';
import { Count } from './answers.ts';
import { listLostTargets, PAGES_A_TURN, TargetChange } from './lost-targets.ts';
import { Patterns } from './patterns.ts';
import { readRange } from './query.ts';
import type { SiteCall } from './route.ts';

/**
 * How many pages the preview looks at: the pages with the most visitors. To compare pages takes processor time, so the
 * number has a limit.
 */
const LOOKED_AT = 1_000;
const MOST_CHANGES = 20;
const MOST_EXAMPLES = 3;

export const PrivatePaths = v.strictObject({
  from: Time,
  to: Time,
  pages: Count,
  changed: Count,
  changes: v.array(v.strictObject({ becomes: v.string(), pages: Count, examples: v.array(v.string()) })),
  targets: v.array(TargetChange),
});
export type PrivatePaths = v.InferOutput<typeof PrivatePaths>;

export const PrivatePathsQuery = v.strictObject({
  patterns: v.optional(
    v.pipe(
      v.string(),
      v.transform((lines) => lines.split('\n')),
      Patterns,
      v.metadata({
        format: 'path-patterns',
        maxLength: MOST_PATTERNS * (LONGEST_PATTERN + 1),
        description: "one pattern a line; without it, the site's own",
      }),
    ),
  ),
});

type PageChange = PrivatePaths['changes'][number];

export async function preview(
  call: SiteCall<undefined, v.InferOutput<typeof PrivatePathsQuery>>,
): Promise<PrivatePaths> {
  const { api, db, site, query, now } = call;
  const lines = query.patterns?.join('\n') ?? site.private_paths;
  const becomes = (page: string): string => hideInPage(page, lines);
  const range = readRange('30d', findSiteDay(site, now));
  const { rows } = await api.ask({
    ...{ siteId: site.id, range, filters: {} },
    ...{ report: 'breakdown', breakdown: 'pages', event: undefined, limit: LOOKED_AT },
  });
  const changes = await listChanges(
    rows.map(({ value }) => value),
    becomes,
  );
  return {
    ...(await findDays(call)).formatSpan(range),
    pages: rows.length,
    changed: changes.reduce((sum, { pages }) => sum + pages, 0),
    changes: changes.slice(0, MOST_CHANGES),
    targets: await listLostTargets(db, site.id, becomes),
  };
}

/**
 * Lists the pages that the patterns would change, in groups. All pages of a group would be stored as one new page. The
 * largest group comes first.
 */
async function listChanges(pages: readonly string[], becomes: (page: string) => string): Promise<PageChange[]> {
  const changes = new Map<string, PageChange>();
  await takeInTurns(pages, PAGES_A_TURN, (some) => {
    for (const page of some) {
      const kept = becomes(page);
      if (kept === page) continue;
      const change = changes.get(kept) ?? { becomes: kept, pages: 0, examples: [] };
      changes.set(kept, change);
      change.pages++;
      if (change.examples.length < MOST_EXAMPLES) change.examples.push(page);
    }
  });
  return [...changes.values()].sort((one, other) => other.pages - one.pages);
}

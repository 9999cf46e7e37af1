// Finds a site for storing its hits, by its domain, by a former domain, or by its id. `CollectedSite` has only the
// fields of a site that are needed for storing hits.
//
// Invariant: a former domain is found only until its time limit. A hit with a former domain counts for the site with
// the new domain.
//
// Example: old.example became new.example last week. A page with the old snippet still sends old.example.
// `findVisitedSite(db, 'old.example', now)` returns the site new.example with `former: ['old.example']`. The collecting
// code (src/collect, src/logs, api/hits.ts) and some commands call this file.

import type { SiteZone } from '../../lib/zone.ts';
import type { Db } from '../db.ts';
import type { Site } from './sites.ts';
import { ZONE } from './zones.ts';

/** The fields of a site that are needed to store its hits. */
export type CollectedSite = {
  id: number;
  domain: string;
  /**
   * The former domains of the site that are accepted in a hit. For a hit from a browser, this is only the domain that
   * the browser sent. For a hit from a server, these are all former domains that still count.
   */
  former?: readonly string[];
  tracksCrawlers: boolean;
  /** True if web vitals are stored. */
  tracksVitals: boolean;
  privatePaths: string;
  pageParameters: string;
  /**
   * The dimensions that are not kept, one name per line. Regions and cities are among them, unless the site has
   * switched `places` on.
   */
  dimensionsOff: string;
  /** The currency of the site's revenue. Empty until somebody chooses it, or the first revenue arrives. */
  currency: string;
  /**
   * The blocks of the site as JSON: rules for hits that the site does not count (collect/blocks.ts). The JSON includes
   * the key for the hashes of IP addresses. Undefined if the site has no blocks.
   */
  blocks?: string | undefined;
} & SiteZone;

const COLLECTED = `
  SELECT id, domain, track_crawlers AS tracks, private_paths AS privatePaths, page_parameters AS pageParameters,
    dimensions_off AS dimensionsOff, currency, places, track_vitals AS vitals, ${ZONE},
    (SELECT json_object('list', json_group_array(json_array(id, kind, value)), 'key', (SELECT key FROM block_key))
     FROM block WHERE site_id = site.id HAVING count(*) > 0) AS blocks
  FROM site`;

type CollectedRow = Omit<CollectedSite, 'tracksCrawlers' | 'tracksVitals' | 'former' | 'blocks'> &
  Record<'tracks' | 'places' | 'vitals', 0 | 1> & { blocks: string | null };
const readCollected = ({ tracks, places, vitals, blocks, ...row }: CollectedRow): CollectedSite => ({
  ...row,
  ...(blocks !== null && { blocks }),
  dimensionsOff: listAllOff({ dimensions_off: row.dimensionsOff, places }),
  tracksCrawlers: tracks === 1,
  tracksVitals: vitals === 1,
});

/**
 * Lists the dimensions that a site does not keep, one name per line. A site keeps regions and cities only if it has
 * switched `places` on.
 */
export const listAllOff = ({ dimensions_off: off, places }: Pick<Site, 'dimensions_off' | 'places'>): string =>
  [...(off === '' ? [] : [off]), ...(places === 1 ? [] : ['region', 'city'])].join('\n');

export function findCollectedSite(db: Db, domain: string): CollectedSite | undefined {
  const row = db.one<CollectedRow>(`${COLLECTED} WHERE domain = ?`, domain);
  return row && readCollected(row);
}

export function findCollectedSiteById(db: Db, id: number): CollectedSite | undefined {
  const row = db.one<CollectedRow>(`${COLLECTED} WHERE id = ?`, id);
  return row && readCollected(row);
}

/**
 * Finds a site by its domain or by a former domain. Pages with an old snippet still send a former domain, and old log
 * files contain it.
 */
export function findVisitedSite(db: Db, name: string, now: number): CollectedSite | undefined {
  const site = findCollectedSite(db, name);
  if (site) return site;
  const row = db.one<CollectedRow>(
    `${COLLECTED} WHERE id = (SELECT site_id FROM former_domain WHERE domain = ? AND until > ?)`,
    name,
    now,
  );
  return row && { ...readCollected(row), former: [name] };
}

// A preview of giving a site another domain. The preview shows the owner what will change, before the owner changes the
// domain.
//
// Example: `GET /sites/7/domain?domain=new.example` answers with the new snippet, and with the time until which hits of
// the former domain count. A domain that the site cannot have is refused here, and also by PATCH /sites/7, which makes
// the change. The table in `routes.ts` calls `preview`.

import * as v from 'valibot';
import { Domain, Time } from '../lib/http/fields.ts';
import { iso } from '../lib/time.ts';
import { assertFreeDomain, assertRoomForFormer, FORMER_FOR, listFormerDomains } from '../store/sites/domains.ts';
import { countReceipts } from '../store/sites/receipts.ts';
import { listShares } from '../store/sites/shares.ts';
import { Count } from './answers.ts';
import type { SiteCall } from './route.ts';
import { writeSnippets } from './sites.ts';

export const RenamingQuery = v.strictObject({ domain: Domain });

export const RenamingPreview = v.strictObject({
  /** The new domain in the form that would be stored: ASCII in lower case. */
  domain: v.string(),
  former_domain: v.string(),
  /** Until this time, hits of the former domain count, and no other site can have the former domain. */
  former_until: Time,
  /** Domains that the site had even earlier, and whose hits still count. */
  former_domains: v.array(v.string()),
  snippet: v.string(),
  vitals_snippet: v.nullable(v.string()),
  /** How many share links keep working with unchanged URLs. */
  shares: Count,
  /** How many receipts contain the former domain. Receipts do not change. */
  receipts: Count,
  /** True if the site has a public live count. The URL of the live count changes with the domain. */
  public_live: v.boolean(),
});
export type RenamingPreview = v.InferOutput<typeof RenamingPreview>;

export function preview({
  api,
  db,
  site,
  query: { domain },
  now,
}: SiteCall<undefined, v.InferOutput<typeof RenamingQuery>>): RenamingPreview {
  if (domain !== site.domain) assertRoomForFormer(db, site.id, domain, now);
  assertFreeDomain(db, domain, now, site.id);
  return {
    ...{ domain, former_domain: site.domain, former_until: iso(now + FORMER_FOR) },
    former_domains: listFormerDomains(db, site.id, now).filter((one) => one !== domain),
    ...writeSnippets({ ...site, domain }, api.config),
    shares: listShares(db, site.id).length + (site.share_slug === null ? 0 : 1),
    receipts: countReceipts(db, site.id),
    public_live: site.public_live === 1,
  };
}

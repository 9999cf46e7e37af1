// The export of a site as a download: all hits of a range, or their daily totals.
//
// The bytes equal the output of `daybook export` (src/exchange/exports.ts). A viewer may see reports but no single
// hits. So only a manager or the owner may export.
//
// Example: `GET /sites/example.com/export?format=csv&range=last-month` answers with a file. The name of the file
// contains the site and the days.

import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import { RangeName, readRange } from './query.ts';
import type { Download, SiteCall } from './route.ts';

/** Each format with the ending and the media type of its file. */
const FILES = {
  ndjson: ['ndjson', 'application/x-ndjson'],
  csv: ['csv', 'text/csv; charset=utf-8'],
  parquet: ['zip', 'application/zip'],
  plausible: ['zip', 'application/zip'],
} as const;

type FormatName = keyof typeof FILES;
const NAMES = Object.keys(FILES) as FormatName[];

const ExportFormat = v.picklist(NAMES, fault('none_of', { known: NAMES.join(', ') }));

export const ExportQuery = v.strictObject({ format: ExportFormat, range: v.optional(RangeName) });
type ExportQuery = v.InferOutput<typeof ExportQuery>;

export async function open({ api, site, query, now, signal }: SiteCall<undefined, ExportQuery>): Promise<Download> {
  api.exports.assertRoom(site.account_id);
  const range = query.range === undefined ? undefined : readRange(query.range, findSiteDay(site, now));
  const { hits } = await api.queries.listDays(site.id);
  const days = hits.filter((day) => !range || (day >= range.from && day < range.to));
  if (days.length === 0) throw invalid({ range: coded('no_hits_in_range') });
  const [first, last] = [Math.min(...days), Math.max(...days)].map((day) => formatDay(day * DAY));
  const [ending, type] = FILES[query.format];
  const order = { accountId: site.account_id, siteId: site.id, domain: site.domain, format: query.format };
  const asked = range && `${formatDay(range.from * DAY)}~${formatDay((range.to - 1) * DAY)}`;
  return {
    name: `${site.domain}-${query.format}-${first}-${last}.${ending}`,
    type,
    open: () => api.exports.open({ ...order, range: asked }, signal()),
  };
}

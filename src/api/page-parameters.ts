// A preview of the setting "page parameters". A user types a URL, and sees how its page would be stored.
//
// The setting lists the parameters of URLs that are stored with a page. With the list `p`,
// `https://example.com/?p=1&x=2` is stored as `/?p=1`. All other parameters are dropped before storing. So stored pages
// cannot show what a longer list would change. For this reason, the user must type a URL.
//
// A goal or a funnel step may have a page that the setting would change, such as `/?x=2`. No later hit would have this
// page. So the preview also lists the pages of goals and funnel steps that would change.
//
// The table in `routes.ts` calls `preview`.

import * as v from 'valibot';
import { keepPage, keepParameters } from '../classify/page.ts';
import { findNamesFault, LONGEST_NAME, MOST_NAMES } from '../classify/page-parameters.ts';
import { coded } from '../lang/coded.ts';
import { fault, writeCoded } from '../lib/http/fault.ts';
import { parseUrl } from '../lib/url.ts';
import { listLostTargets, TargetChange } from './lost-targets.ts';
import { splitLines } from './patterns.ts';
import type { SiteCall } from './route.ts';

/** Checks a list of page parameters. If one name is wrong, the whole list is refused, and the error says which name. */
export const ParameterNames = v.pipe(
  v.array(
    v.pipe(v.string(fault('no_text')), v.metadata({ pattern: '^[\\w.[\\]-]+$', maxLength: LONGEST_NAME })),
    fault('no_list'),
  ),
  v.maxLength(MOST_NAMES, fault('too_many_values', { most: MOST_NAMES })),
  v.check(
    (names) => findNamesFault(names) === undefined,
    ({ input }) => writeCoded(findNamesFault(input) ?? coded('no_text')),
  ),
);

export const PageParameters = v.strictObject({
  page: v.nullable(v.string()),
  targets: v.array(TargetChange),
});
export type PageParameters = v.InferOutput<typeof PageParameters>;

const HELP = fault('no_url');

export const PageParametersQuery = v.strictObject({
  parameters: v.optional(v.pipe(v.string(), v.transform(splitLines), ParameterNames)),
  url: v.optional(
    v.pipe(
      v.string(),
      v.check((typed) => readTypedUrl(typed) !== undefined, HELP),
    ),
  ),
});

export async function preview({
  db,
  site,
  query,
}: SiteCall<undefined, v.InferOutput<typeof PageParametersQuery>>): Promise<PageParameters> {
  const pageParameters = query.parameters?.join('\n') ?? site.page_parameters;
  const url = readTypedUrl(query.url ?? '');
  return {
    page: url ? keepPage(url, { privatePaths: site.private_paths, pageParameters }) : null,
    targets: await listLostTargets(db, site.id, (page) => keepParameters(page, pageParameters)),
  };
}

/** Reads a URL that may lack the scheme, or the scheme and the host. The host has no effect on the stored page. */
function readTypedUrl(typed: string): URL | undefined {
  const text = typed.trim();
  const whole = /^https?:\/\//i.test(text)
    ? text
    : /^[/?#]/.test(text)
      ? `http://page.invalid${text}`
      : `http://${text}`;
  return parseUrl(whole) ?? undefined;
}

// The requests about sites: listing, adding, changing and deleting them.
//
// An answer has the settings of a site, the snippet for its pages, and the caller's role on the site. With
// `account_id`, a new site belongs to that account, where the caller must be the owner or a manager. Without
// `account_id`, a new site belongs to the caller's own account.
//
// A change may have several settings of a site. One transaction changes all of them, or none. The table in `routes.ts`
// calls these functions.

import * as v from 'valibot';
import { mayActAs } from '../auth/roles.ts';
import { Currency } from '../classify/revenue.ts';
import { writeKept } from '../collect/kept-parameters.ts';
import type { Config } from '../config.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Domain, Id, PositiveId, Switch, Time, TimeZone } from '../lib/http/fields.ts';
import { makeRandomText, type Random } from '../lib/secrets.ts';
import { iso } from '../lib/time.ts';
import { completeOff, OPTIONAL_DIMENSIONS, readOff } from '../stats/dimensions-off.ts';
import { assertActive, findAccountRole, findStanding } from '../store/people/accounts.ts';
import { changeCurrency } from '../store/sites/currency.ts';
import { assertRoomForFormer, changeDomain } from '../store/sites/domains.ts';
import { addSettingChange } from '../store/sites/former-settings.ts';
import { findGoal } from '../store/sites/goals.ts';
import * as sites from '../store/sites/sites.ts';
import { assertRoomForZone, changeTimeZone } from '../store/sites/zones.ts';
import { ParameterNames } from './page-parameters.ts';
import { Patterns, splitLines } from './patterns.ts';
import type { Call, SiteCall } from './route.ts';

const switches = Object.fromEntries(sites.SWITCHES.map((name) => [name, Switch])) as Record<
  sites.Switch,
  typeof Switch
>;

/**
 * A list of dimensions that are off. `completeOff` adds the dimensions that would reveal the value of a listed one. For
 * example, a list with browsers also gets browser versions.
 */
const DimensionsOff = v.pipe(
  v.array(
    v.picklist(OPTIONAL_DIMENSIONS, fault('none_of', { known: OPTIONAL_DIMENSIONS.join(', ') })),
    fault('no_list'),
  ),
  v.maxLength(OPTIONAL_DIMENSIONS.length, fault('too_many_values', { most: OPTIONAL_DIMENSIONS.length })),
  v.transform((names) => completeOff(names)),
);

export const Role = v.picklist(['viewer', 'manager', 'owner']);

export const Site = v.strictObject({
  id: Id,
  domain: v.string(),
  account_id: Id,
  role: Role,
  created_at: Time,
  ...switches,
  shared: Switch,
  share_url: v.nullable(v.pipe(v.string(), v.url())),
  main_goal_id: v.nullable(Id),
  private_paths: v.array(v.string()),
  page_parameters: v.array(v.string()),
  dimensions_off: v.array(v.picklist(OPTIONAL_DIMENSIONS)),
  currency: v.nullable(v.string()),
  time_zone: v.string(),
  snippet: v.string(),
  vitals_snippet: v.nullable(v.string()),
  has_searches: v.boolean(),
});
export type Site = v.InferOutput<typeof Site>;

export const NewSite = v.strictObject({
  domain: Domain,
  account_id: v.optional(PositiveId),
  time_zone: v.optional(TimeZone),
});

export const SiteChange = v.partial(
  v.strictObject({
    ...switches,
    domain: Domain,
    shared: Switch,
    main_goal_id: v.nullable(PositiveId),
    private_paths: Patterns,
    page_parameters: ParameterNames,
    dimensions_off: DimensionsOff,
    currency: v.nullable(Currency),
    time_zone: TimeZone,
  }),
);

export const list = ({ db, caller, api }: Call): Site[] =>
  sites.listSites(db, caller.userId).map((site) => answer(site, api.config));

export const show = ({ site, api }: SiteCall): Site => answer(site, api.config);

export function add(call: Call<v.InferOutput<typeof NewSite>>): Site {
  const { db, caller, body, now } = call;
  const accountId = body.account_id ?? caller.accountId;
  const role = findAccountRole(db, accountId, caller.userId);
  if (!role) throw new Problem('not_found');
  assertActive(findStanding(db, accountId, now));
  if (!mayActAs(role, 'manager')) throw new Problem('role_forbidden');
  if (role !== 'owner') sites.assertRoomForManager(db, accountId);
  return showAgain(call, sites.addSite(db, { accountId, domain: body.domain, timeZone: body.time_zone, now }));
}

/**
 * The length of the random part of a share link. 22 random letters and digits have more than 128 bits, so nobody can
 * guess a link.
 */
const SLUG_LENGTH = 22;
export const makeSlug = (random: Random): string => makeRandomText(random, SLUG_LENGTH);

export function change(call: SiteCall<v.InferOutput<typeof SiteChange>>): Site {
  const { db, site, body, api, now } = call;
  const { domain, shared, main_goal_id: goal, time_zone: timeZone, ...settings } = body;
  const { private_paths: patterns, page_parameters: names, dimensions_off: off, currency } = body;
  if (typeof goal === 'number' && !findGoal(db, site.id, goal)) {
    throw invalid({ main_goal_id: coded('no_goal_of_site') });
  }
  if (domain !== undefined && domain !== site.domain) {
    assertRoomForFormer(db, site.id, domain, now);
    changeDomain(db, site.id, domain, now);
  }
  if (goal !== undefined && goal !== site.main_goal_id) addSettingChange(db, site.id, 'main_goal_id', now);
  if (goal !== undefined) sites.changeMainGoal(db, site.id, goal);
  if (patterns !== undefined) sites.changePrivatePaths(db, site.id, patterns.join('\n'));
  if (names !== undefined && names.join('\n') !== site.page_parameters)
    addSettingChange(db, site.id, 'page_parameters', now);
  if (names !== undefined) sites.changePageParameters(db, site.id, names.join('\n'));
  if (off !== undefined) sites.changeDimensionsOff(db, site.id, off.join('\n'));
  if (currency !== undefined && (currency ?? '') !== site.currency) addSettingChange(db, site.id, 'currency', now);
  if (currency !== undefined) changeCurrency(db, site.id, currency ?? '');
  if (timeZone !== undefined && timeZone !== site.timeZone) {
    assertRoomForZone(db, site.id, now);
    changeTimeZone(db, site.id, timeZone, now);
  }
  for (const name of sites.SWITCHES) {
    const on = settings[name];
    if (on !== undefined) sites.changeSwitch(db, site.id, name, on);
  }
  if (shared !== undefined && shared !== (site.share_slug !== null)) {
    sites.changeShareSlug(db, site.id, shared ? makeSlug(api.random) : null);
  }
  return showAgain(call, site.id);
}

export const remove = ({ db, site }: SiteCall): void => sites.removeSite(db, site.id);

/**
 * Writes the lines of HTML for the pages of a site, with the script. The script for web vitals has a line of its own.
 */
export function writeSnippets(
  { domain, page_parameters: parameters, track_vitals: vitals }: sites.Site,
  { baseUrl, script }: Config,
): Pick<Site, 'snippet' | 'vitals_snippet'> {
  const kept = writeKept(splitLines(parameters));
  const write = (file: string): string =>
    `<script defer src="${baseUrl}${script}${file}${kept}" data-site="${domain}"></script>`;
  return { snippet: write('.js'), vitals_snippet: vitals === 1 ? write('-vitals.js') : null };
}

function answer(site: sites.Site, config: Config): Site {
  const { baseUrl } = config;
  const { id, domain, account_id, role, created_at, share_slug, main_goal_id, timeZone } = site;
  return {
    id,
    domain,
    account_id,
    role,
    created_at: iso(created_at),
    ...readSwitches(site),
    shared: share_slug !== null,
    share_url: share_slug === null ? null : `${baseUrl}/share/${share_slug}`,
    main_goal_id,
    private_paths: splitLines(site.private_paths),
    page_parameters: splitLines(site.page_parameters),
    dimensions_off: readOff(site.dimensions_off),
    currency: site.currency || null,
    time_zone: timeZone,
    ...writeSnippets(site, config),
    has_searches: site.has_searches === 1,
  };
}

const showAgain = ({ db, caller, api }: Call<unknown>, id: number): Site => {
  const site = sites.findSite(db, caller.userId, id);
  if (!site) throw new Problem('not_found');
  return answer(site, api.config);
};

const readSwitches = (site: sites.Site) =>
  Object.fromEntries(sites.SWITCHES.map((name) => [name, site[name] === 1])) as Record<sites.Switch, boolean>;

import * as v from 'valibot';
import { LANGUAGES } from '../lang/languages.ts';
import { Id } from '../lib/fields.ts';
import { findStanding } from '../store/accounts.ts';
import { FUNNELS_PER_SITE } from '../store/funnels.ts';
import { ABILITIES, TOKENS_PER_ACCOUNT } from '../store/tokens.ts';
import { changeLanguage, findLanguage } from '../store/users.ts';
import type { Call } from './route.ts';

const Limit = v.nullable(v.pipe(v.number(), v.integer()));

export const Account = v.strictObject({
  id: Id,
  email: v.string(),
  plan: v.nullable(v.string()),
  events_used: v.pipe(v.number(), v.integer()),
  events_included: Limit,
  limits: v.strictObject({ sites: Limit, members: Limit, tokens: v.number(), funnels_per_site: v.number() }),
  abilities: v.array(v.picklist(ABILITIES)),
});
export type Account = v.InferOutput<typeof Account>;

export const AccountLanguage = v.strictObject({
  language: v.nullable(
    v.picklist(LANGUAGES, `Must be one of ${LANGUAGES.join(', ')}, or null for the language of the browser.`),
  ),
});
export type AccountLanguage = v.InferOutput<typeof AccountLanguage>;

export const showLanguage = ({ db, caller }: Call): AccountLanguage => ({
  language: findLanguage(db, caller.userId) ?? null,
});

export function chooseLanguage({ db, caller, body }: Call<AccountLanguage>): AccountLanguage {
  changeLanguage(db, caller.userId, body.language);
  return body;
}

export function show({ db, caller, now }: Call): Account {
  const { plan, eventsUsed, eventsIncluded, sites, members } = findStanding(db, caller.accountId, now);
  return {
    id: caller.accountId,
    email: caller.email,
    plan,
    events_used: eventsUsed,
    events_included: eventsIncluded,
    limits: { sites, members, tokens: TOKENS_PER_ACCOUNT, funnels_per_site: FUNNELS_PER_SITE },
    abilities: caller.abilities,
  };
}

import * as v from 'valibot';
import { LANGUAGES } from '../lang/languages.ts';
import { fault } from '../lib/http/fault.ts';
import { Id } from '../lib/http/fields.ts';
import { findStanding } from '../store/people/accounts.ts';
import { TOKENS_PER_ACCOUNT } from '../store/people/tokens.ts';
import { changeLanguage, findLanguage } from '../store/people/users.ts';
import { FUNNELS_PER_SITE } from '../store/sites/funnels.ts';
import { Ability } from './input.ts';
import type { Call } from './route.ts';

const Whole = v.pipe(v.number(), v.integer());
const Limit = v.nullable(Whole);

export const Account = v.strictObject({
  id: Id,
  email: v.string(),
  plan: v.nullable(v.string()),
  events_used: Whole,
  events_included: Limit,
  limits: v.strictObject({ sites: Limit, members: Limit, tokens: Whole, funnels_per_site: Whole }),
  abilities: v.array(Ability),
});
export type Account = v.InferOutput<typeof Account>;

export const AccountLanguage = v.strictObject({
  language: v.nullable(v.picklist(LANGUAGES, fault('no_language', { known: LANGUAGES.join(', ') }))),
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

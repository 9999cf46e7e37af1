// The audit log in the API. Each change adds an entry, and the owner of an account can read the entries.
//
// Invariant: every request that changes a setting, or deletes or imports data, adds one entry (test/api/matrix.test.ts
// checks all routes). The noun of an entry says what was changed, such as `goals`. The path ends with this noun, or
// with the noun and an id.
//
// Example: PATCH /sites/7/goals/3 with `{ "value": "/thanks" }` adds an entry with the action `change` and the noun
// `goals`. The entry names the goal by its old value, and lists the changed field `value`. mount.ts calls
// `recordChange` in the transaction of a change.
import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { Id, Time } from '../lib/http/fields.ts';
import { iso, seconds } from '../lib/time.ts';
import {
  ACTIONS,
  AUDITED_NOUNS,
  type AuditedNoun,
  addAuditEntry,
  listAuditEntries,
  type NewAuditEntry,
  WAYS,
} from '../store/people/audit-entries.ts';
import { findSession } from '../store/people/sessions.ts';
import { findToken } from '../store/people/tokens.ts';
import { linkChanges } from '../store/sites/changes.ts';
import { findSiteAccount } from '../store/sites/sites.ts';
import { LARGEST_ID, whole } from './input.ts';
import type { AnyCall, Call, Route } from './route.ts';

const USUAL_ENTRIES = 100;
const MOST_ENTRIES = 1_000;

export const AuditQuery = v.strictObject({
  before: v.optional(whole(1, LARGEST_ID, fault('no_id'))),
  limit: v.optional(
    whole(1, MOST_ENTRIES, fault('out_of_bounds', { least: 1, most: MOST_ENTRIES })),
    String(USUAL_ENTRIES),
  ),
});

export const AuditEntry = v.strictObject({
  id: Id,
  at: Time,
  email: v.nullable(v.string()),
  way: v.picklist(WAYS),
  way_name: v.nullable(v.string()),
  site: v.nullable(v.string()),
  action: v.picklist(ACTIONS),
  noun: v.picklist(AUDITED_NOUNS),
  name: v.nullable(v.string()),
  fields: v.array(v.string()),
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;

export const list = ({ db, caller, query }: Call<undefined, v.InferOutput<typeof AuditQuery>>): AuditEntry[] =>
  listAuditEntries(db, { accountId: caller.accountId, ...query }).map(
    ({ at, email, way_name, site, name, ...entry }) => ({
      ...entry,
      at: iso(at),
      ...{ email: email || null, way_name: way_name || null, site: site || null, name: name || null },
    }),
  );

const OF_METHODS = { POST: 'add', PATCH: 'change', DELETE: 'remove' } as const;

/** The last word of a path, apart from ids: `goals` of /sites/{site}/goals/{goal}. */
const readNoun = (path: string): AuditedNoun =>
  path
    .split('/')
    .filter((word) => word !== '' && !word.startsWith('{'))
    .at(-1) as AuditedNoun;

/**
 * Adds the audit entry of a request that changed something. `thing` is what the path named, as it was before the
 * change. `answered` is the answer to the request. `last` is the latest number in the journal before the change. So the
 * change's own entries in the journal have higher numbers.
 */
export function recordChange(
  { method, path }: Route,
  call: Omit<AnyCall, 'body'> & { body: object | undefined; thing: unknown },
  answered: unknown,
  last: number,
): void {
  const { db, caller, site, body, thing, now } = call;
  const noun = readNoun(path);
  const added = noun === 'sites' && answered ? (answered as { id: number }).id : undefined;
  const entry = addAuditEntry(db, {
    at: now,
    accountId: site?.account_id ?? (added === undefined ? undefined : findSiteAccount(db, added)) ?? caller.accountId,
    email: caller.email,
    ...findWay(call),
    site: site?.domain ?? '',
    action: OF_METHODS[method as keyof typeof OF_METHODS],
    noun,
    // A new thing gets its name from the answer, if there is one, and not from the body. The body may contain a secret
    // that the answer leaves out, such as an IP address.
    name: findName(thing) ?? findName(answered ?? body) ?? '',
    fields: method === 'PATCH' ? Object.keys(body ?? {}).sort() : [],
  });
  linkChanges(db, entry, last, site?.id);
}

/**
 * Prepares the audit entry of a change that is made only after the response, such as an import. The returned function
 * adds the entry when the change is made.
 */
export function recordLater(
  call: Pick<AnyCall, 'api' | 'db' | 'caller' | 'site'>,
  { action, noun, name }: Pick<NewAuditEntry, 'action' | 'noun' | 'name'>,
): (last: number) => void {
  const { api, db, caller, site } = call;
  const entry = {
    ...{ accountId: site?.account_id ?? caller.accountId, email: caller.email, ...findWay(call) },
    ...{ site: site?.domain ?? '', action, noun, name, fields: [] },
  };
  return (last) =>
    db.write(() => linkChanges(db, addAuditEntry(db, { ...entry, at: seconds(api.clock) }), last, site?.id));
}

function findWay({ db, caller: { by, id, userId } }: Pick<AnyCall, 'db' | 'caller'>) {
  if (by === 'token') return { way: by, way_name: findToken(db, userId, id)?.name ?? '' };
  if (by === 'session') return { way: by, way_name: findSession(db, userId, id)?.browser ?? '' };
  return { way: 'guest', way_name: '' } as const;
}

/**
 * The fields that can name a thing, such as the `domain` of a site. The first of these fields that the thing has is its
 * name in the audit log.
 */
const NAMES = ['name', 'value', 'domain', 'email', 'origin', 'text', 'browser', 'from', 'day', 'language', 'kind'];

function findName(thing: unknown): string | undefined {
  const members = (typeof thing === 'object' ? thing : {}) as Record<string, unknown>;
  const key = NAMES.find((name) => typeof members?.[name] === 'string' && members[name] !== '');
  return key === undefined ? undefined : (members[key] as string);
}

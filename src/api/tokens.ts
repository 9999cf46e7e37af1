// The requests about API tokens: listing, adding and revoking them.
//
// A token has a name and abilities. The database stores only a hash of a token. So only the answer that adds a token
// contains its plain text. A token cannot add another token with more abilities than its own. The user gets an e-mail
// when a token of theirs is added or revoked. The table in `routes.ts` calls these functions.

import * as v from 'valibot';
import { hasAbility } from '../auth/roles.ts';
import { Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Id, Time, text } from '../lib/http/fields.ts';
import { LONGEST_LIST } from '../lib/http/input.ts';
import { makeTokenSecret } from '../lib/secrets.ts';
import { iso } from '../lib/time.ts';
import { tellOwner } from '../mail/notice.ts';
import * as tokens from '../store/people/tokens.ts';
import { Ability } from './input.ts';
import type { Call } from './route.ts';

export const Token = v.strictObject({
  id: Id,
  name: v.string(),
  abilities: v.array(Ability),
  created_at: Time,
  last_used_at: v.nullable(Time),
});
export type Token = v.InferOutput<typeof Token>;

/**
 * A token with its plain text. Only the answer that adds a token has the plain text, because the database stores only a
 * hash.
 */
export const PlainToken = v.strictObject({ ...Token.entries, token: v.string() });
export type PlainToken = v.InferOutput<typeof PlainToken>;

const ABILITIES_HELP = fault('no_abilities');

export const Abilities = v.pipe(
  v.array(Ability, ABILITIES_HELP),
  v.minLength(1, ABILITIES_HELP),
  v.maxLength(LONGEST_LIST, ABILITIES_HELP),
  v.transform((given) => tokens.ABILITIES.filter((ability) => given.includes(ability))),
);

export const TokenName = text(100);

export const NewToken = v.strictObject({ name: TokenName, abilities: Abilities });

export const list = ({ db, caller }: Call): Token[] => tokens.listTokens(db, caller.userId).map(answer);

export const assertRoom = ({ db, caller }: Call): void => tokens.assertRoomForToken(db, caller.userId);

export function add(call: Call<v.InferOutput<typeof NewToken>>): PlainToken {
  const { api, db, caller, body, now } = call;
  // A token cannot add another token that may do more.
  if (!body.abilities.every((ability) => hasAbility(caller.abilities, ability))) throw new Problem('read_only_token');
  const secret = makeTokenSecret(api.random);
  const token = tokens.addToken(db, { userId: caller.userId, ...body, secret, now });
  call.afterCommit(() => tellOwner(api, caller.email, 'tokenAdded'));
  return { ...answer(token), token: `${token.id}|${secret}` };
}

export function remove(call: Call): void {
  const { api, db, caller, id } = call;
  tokens.removeToken(db, caller.userId, id);
  call.afterCommit(() => tellOwner(api, caller.email, 'tokenRemoved'));
}

const answer = (token: tokens.Token): Token => ({
  ...token,
  created_at: iso(token.created_at),
  last_used_at: token.last_used_at === null ? null : iso(token.last_used_at),
});

// Signing in with a provider by OpenID Connect, such as Keycloak: the authorization code flow with PKCE.
//
// The settings of the provider are fetched when somebody first signs in, and then at most once an hour. So a provider
// that is down neither delays nor stops the start of the server. Each request to the provider ends after 5 s, and an
// answer has at most 1 MB.
//
// The server stores nothing while a sign-in is running. The browser gets a cookie with a random secret. The provider
// gets a `state`, which the server has signed, and sends this `state` back. The `state` contains the path to return to,
// the time at which it expires, and the hash of the cookie. The nonce and the PKCE verifier are hashes of the cookie
// and the `state`. So several tabs can sign in at once, and a restart of the server disturbs nobody.
//
// Invariant: a `state` works for 10 minutes, and only in the browser that has its cookie. The provider accepts an
// authorization code for one sign-in, and not again. forms/oidc.ts calls these functions.

import { readFileSync } from 'node:fs';
import type { Configuration } from 'openid-client';
import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import type { ClaimRoles, OidcSettings } from '../lib/config-values.ts';
import { Problem, Refusal, USAGE } from '../lib/errors.ts';
import { Email } from '../lib/http/fields.ts';
import { readText } from '../lib/http/response.ts';
import { once } from '../lib/once.ts';
import { hashSecret, makeLinkSecret, type Random } from '../lib/secrets.ts';
import { type Clock, HOUR, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { readSignedWords, signWords } from '../store/people/signed-cookies.ts';
import type { MemberRole } from '../store/people/team.ts';
import { HALF_SECONDS } from './session.ts';

const PATIENCE_SECONDS = 5;
/** Answers have some kilobytes. In 5 s, a provider with a fault could send more than the server has memory for. */
const MOST_BYTES = 1_000_000;

/** The path to which the provider sends the browser back. The provider must be configured with this path. */
export const CALLBACK = '/sign-in/oidc/callback';

/** A person for whom the provider vouches. The e-mail address is verified. */
export type Vouched = {
  email: string;
  /**
   * The role that the provider gives to the person in a claim. The role is undefined if the claim is missing, or if no
   * value of the claim stands for a role.
   */
  role: MemberRole | undefined;
  /**
   * How long before this sign-in the person typed a password at the provider, in seconds. The age is undefined if the
   * provider does not say when.
   */
  age: number | undefined;
};

export type Begun = {
  /** The secret of the browser's cookie. A browser without the cookie gets a new secret. */
  secret: string;
  url: string;
};

export type Oidc = ReturnType<typeof makeOidc>;

type OidcDeps = { db: Db; clock: Clock; random: Random };

type Beginning = { baseUrl: string; known: string | undefined; next: string; again: boolean };

type Finishing = { baseUrl: string; query: string; secret: string | undefined };

export function makeOidc(settings: OidcSettings, { db, clock, random }: OidcDeps) {
  const { name, claim } = settings;
  const clientSecret = readClientSecret(settings);
  const find = makeFinder(() => discover(settings, clientSecret), clock);

  async function findProvider(): Promise<Configuration> {
    try {
      return await find();
    } catch (cause) {
      throw new Problem('unavailable', { message: coded('oidc_unreachable', { name }), cause });
    }
  }

  return {
    name,

    /**
     * Begins a sign-in. With `again`, the provider asks for the password even if the person is already signed in there.
     */
    async begin({ baseUrl, known, next, again }: Beginning): Promise<Begun> {
      const provider = await findProvider();
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await load();
      const secret = known ?? makeLinkSecret(random);
      const state = signWords(db, random, [
        'oidc',
        seconds(clock) + HALF_SECONDS,
        again ? 'again' : 'once',
        makeLinkSecret(random),
        hashSecret(secret).toString('base64url'),
        Buffer.from(next).toString('base64url'),
      ]);
      const url = buildAuthorizationUrl(provider, {
        redirect_uri: baseUrl + CALLBACK,
        scope: listScopes(provider, claim).join(' '),
        state,
        nonce: derive('nonce', secret, state),
        code_challenge: await calculatePKCECodeChallenge(derive('verifier', secret, state)),
        code_challenge_method: 'S256',
        ...(again && { prompt: 'login', max_age: '0' }),
      });
      return { secret, url: url.href };
    },

    /**
     * Checks the answer of the provider. The provider has put its answer into the query of the URL to which it sends
     * the browser.
     */
    async finish({ baseUrl, query, secret }: Finishing): Promise<Vouched & { next: string }> {
      const sent = new URLSearchParams(query);
      const state = sent.get('state') ?? '';
      const [kind, end, way, , owner, next = ''] = readSignedWords(db, state) ?? [];
      const isOwn = secret !== undefined && owner === hashSecret(secret).toString('base64url');
      if (kind !== 'oidc' || !isOwn || Number(end) <= seconds(clock)) {
        throw new Problem('bad_request', { message: coded('oidc_lapsed') });
      }
      const provider = await findProvider();
      const { authorizationCodeGrant } = await load();
      const checks = {
        expectedState: state,
        expectedNonce: derive('nonce', secret, state),
        pkceCodeVerifier: derive('verifier', secret, state),
        ...(way === 'again' && { maxAge: HALF_SECONDS }),
      };
      const person = await authorizationCodeGrant(provider, new URL(`${baseUrl}${CALLBACK}?${query}`), checks)
        .then((tokens) => readPerson(provider, tokens, claim))
        .catch((cause: unknown) => {
          throw new Problem('bad_request', { message: coded('oidc_failed', { name }), cause });
        });
      if (!person) throw new Problem('role_forbidden', { message: coded('oidc_unverified', { name }) });
      return { ...person, next: Buffer.from(next, 'base64url').toString() };
    },
  };
}

function readClientSecret({ secretFile }: OidcSettings): string | undefined {
  if (secretFile === undefined) return undefined;
  try {
    const secret = readFileSync(secretFile, 'utf8').trim();
    if (secret !== '') return secret;
  } catch (error) {
    throw new Refusal(`--oidc-secret-file: ${(error as NodeJS.ErrnoException).code}: ${secretFile}`, USAGE);
  }
  throw new Refusal(`--oidc-secret-file: ${secretFile} is empty`, USAGE);
}

/** The library is loaded at the first sign-in, because most servers never need it. */
const load = once(() => import('openid-client'));

/**
 * Loads the settings of a provider. A provider on this machine may use plain http. Any other provider needs https,
 * which config.ts checks.
 */
async function discover({ issuer, client }: OidcSettings, clientSecret: string | undefined): Promise<Configuration> {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks, None } = await load();
  const url = new URL(issuer);
  return await discovery(url, client, clientSecret, clientSecret === undefined ? None() : undefined, {
    timeout: PATIENCE_SECONDS,
    [customFetch]: fetchSmall,
    // The signature of each ID token is checked, although https alone already proves its sender.
    execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
  });
}

/**
 * Fetches an answer, and throws if the answer has more bytes than `MOST_BYTES`. The library itself would read an answer
 * of any size.
 */
async function fetchSmall(url: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(url, options);
  const text = await readText(answer, MOST_BYTES);
  return new Response(answer.body && text, { status: answer.status, headers: answer.headers });
}

/**
 * Lists the scopes to ask for. Authelia sends the claim `groups` only if the request names a scope `groups`. Other
 * providers refuse a scope that they do not know.
 */
function listScopes(provider: Configuration, claim: ClaimRoles | undefined): string[] {
  const usual = ['openid', 'email', 'profile'];
  const known = provider.serverMetadata().scopes_supported ?? [];
  return claim && known.includes(claim.name) ? [...usual, claim.name] : usual;
}

/**
 * Makes a function that returns the result of `search`, and keeps this result for an hour. Calls during a search share
 * its result. A failed search is forgotten, so the next sign-in searches again.
 */
function makeFinder<Found>(search: () => Promise<Found>, clock: Clock): () => Promise<Found> {
  let kept: { at: number; found: Promise<Found> } | undefined;
  return () => {
    if (kept && clock.tick() - kept.at < HOUR * 1000) return kept.found;
    const found = search();
    kept = { at: clock.tick(), found };
    found.catch(() => {
      if (kept?.found === found) kept = undefined;
    });
    return found;
  };
}

const derive = (purpose: string, secret: string, state: string): string =>
  hashSecret(`${purpose} ${secret} ${state}`).toString('base64url');

type Tokens = Awaited<ReturnType<typeof import('openid-client').authorizationCodeGrant>>;

/**
 * Reads from the claims of the ID token who the person is. If a claim is missing there, the provider is asked for the
 * person's user information. Some providers, such as Authelia, send the e-mail address and the groups only in this
 * second answer. Returns undefined without a verified e-mail address.
 */
async function readPerson(
  provider: Configuration,
  tokens: Tokens,
  claim: ClaimRoles | undefined,
): Promise<Vouched | undefined> {
  const inToken = tokens.claims();
  if (!inToken) return undefined;
  const wanted = ['email', 'email_verified', ...(claim ? [claim.name] : [])];
  const isComplete = wanted.every((name) => name in inToken);
  const { fetchUserInfo } = await load();
  const more =
    isComplete || provider.serverMetadata().userinfo_endpoint === undefined
      ? ({} as Record<string, unknown>)
      : await fetchUserInfo(provider, tokens.access_token, inToken.sub);
  const claims = { ...more, ...inToken } as Record<string, unknown>;
  // The claim `email_verified` may come from the user information. Then it says that the e-mail address in the user
  // information is verified. So the ID token must not have another e-mail address.
  if (more.email !== undefined && more.email !== claims.email) return undefined;
  // `email_verified` must be true. The text "true" does not count: a provider that sends it does not follow the
  // standard.
  if (claims.email_verified !== true || !v.is(Email, claims.email)) return undefined;
  const { auth_time: time, iat } = inToken;
  return {
    email: v.parse(Email, claims.email),
    role: claim && findRole(claims[claim.name], claim),
    age: typeof time === 'number' ? Math.max(0, iat - time) : undefined,
  };
}

/**
 * Finds the role that a claim stands for. The claim is a text or a list of texts. If several values stand for a role,
 * manager wins.
 */
function findRole(values: unknown, { roles }: ClaimRoles): MemberRole | undefined {
  const found = [values].flat().map((value) => (typeof value === 'string' ? roles.get(value) : undefined));
  return (['manager', 'viewer'] as const).find((role) => found.includes(role));
}

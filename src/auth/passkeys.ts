import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { hashSecret, linkSecret, type Random } from '../lib/secrets.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import type { Factor } from '../store/people/second-factors.ts';
import { signed, wordsIn } from '../store/people/signed-cookies.ts';
import type { Quotas } from './quotas.ts';
import { HALF_SECONDS } from './session.ts';

type PasskeyDeps = { db: Db; clock: Clock; random: Random; config: { baseUrl: string }; limits: Quotas };

/** Browsers have passkeys over https, and on the machine itself by its name. */
export function mayHavePasskeys(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || hostname === 'localhost';
}

type Purpose = 'add' | 'sign-in';

/**
 * What a passkey signs: it names its purpose, its end and its asker, and is signed itself, so that nothing is kept of those never used.
 * The asker is a session, a user whose password was right, or nobody that is known yet.
 */
export const challengeFor = ({ db, clock, random }: PasskeyDeps, purpose: Purpose, asker: string): string =>
  signed(db, random, [
    purpose,
    seconds(clock) + HALF_SECONDS,
    linkSecret(random),
    hashSecret(asker).toString('base64url'),
  ]);

/** Whether a challenge was made here for this purpose and asker, lately. */
function isOurs({ db, clock }: PasskeyDeps, sent: string, purpose: Purpose, asker: string): boolean {
  const [made, end, , hash] = wordsIn(db, Buffer.from(sent, 'base64url').toString()) ?? [];
  return made === purpose && Number(end) > seconds(clock) && hash === hashSecret(asker).toString('base64url');
}

/** Each challenge counts once. Only what a passkey has signed uses one up, so that nobody fills the limit with others. */
function assertUnused({ limits }: PasskeyDeps, clientDataJSON: string): void {
  const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge: string };
  if (!limits.challenges.take(challenge).allowed) throw wrong();
}

const Text = v.pipe(v.string(), v.maxLength(16_384));
const common = { id: Text, rawId: Text, type: v.literal('public-key'), clientExtensionResults: v.object({}) };
const Registration = v.object({
  ...common,
  response: v.object({ clientDataJSON: Text, attestationObject: Text }),
});
const Authentication = v.object({
  ...common,
  response: v.object({ clientDataJSON: Text, authenticatorData: Text, signature: Text }),
});

const WRONG = coded('passkey_not_good');
const wrong = (): Error => invalid({ passkey: WRONG });

function answerIn<S extends v.GenericSchema>(schema: S, sent: string): v.InferOutput<S> {
  try {
    return v.parse(schema, JSON.parse(sent));
  } catch {
    throw wrong();
  }
}

/** What both checks expect. The package is run on first use, because most servers never need it. */
async function checks(deps: PasskeyDeps, purpose: Purpose, asker: string) {
  const { origin, hostname } = new URL(deps.config.baseUrl);
  return {
    ...(await import('@simplewebauthn/server')),
    expected: {
      expectedChallenge: (challenge: string) => isOurs(deps, challenge, purpose, asker),
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
    },
  };
}

/** A passkey as it is kept; throws a 422 where it was not made for this server just now. Who made the device is not asked. */
export async function checkNewPasskey(
  deps: PasskeyDeps,
  sent: string,
  asker: string,
): Promise<{ credential: string; key: Buffer; used: number }> {
  const response = answerIn(Registration, sent) as RegistrationResponseJSON;
  const { verifyRegistrationResponse, expected } = await checks(deps, 'add', asker);
  const result = await verifyRegistrationResponse({ ...expected, response }).catch(() => undefined);
  if (!result?.verified) throw wrong();
  assertUnused(deps, response.response.clientDataJSON);
  const { id, publicKey, counter } = result.registrationInfo.credential;
  return { credential: id, key: Buffer.from(publicKey), used: counter };
}

/** The passkey that has signed, and its new counter; throws a 422 where there is none. */
export async function checkPasskey<Found extends Factor>(
  deps: PasskeyDeps,
  sent: string,
  asker: string,
  find: (credential: string) => Found | undefined,
): Promise<{ factor: Found; used: number }> {
  const response = answerIn(Authentication, sent) as AuthenticationResponseJSON;
  const factor = find(response.id);
  if (!factor) throw wrong();
  const { verifyAuthenticationResponse, expected } = await checks(deps, 'sign-in', asker);
  const credential = { id: response.id, publicKey: new Uint8Array(factor.key), counter: factor.used };
  const result = await verifyAuthenticationResponse({ ...expected, response, credential }).catch(() => undefined);
  if (!result?.verified) throw wrong();
  assertUnused(deps, response.response.clientDataJSON);
  return { factor, used: result.authenticationInfo.newCounter };
}

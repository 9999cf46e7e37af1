// Passkeys by WebAuthn: adding a passkey, and checking a passkey that signs in.
//
// The server sends a random text, the challenge. The device signs it, and the server checks that signature. Each
// challenge works once, within 10 minutes. A challenge may belong to a session, or to a user who gave the right
// password. Then it does not work for another person. For a sign-in without a password, the challenge belongs to
// nobody, and any user may sign it.
//
// A challenge contains its purpose, its end, a hash of its owner, and a signature of the server. So the server
// recognizes its own challenges without storing them. `src/forms/add-passkey.ts` and `src/forms/passkey-sign-in.ts`
// call these functions.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { hashSecret, makeLinkSecret, type Random } from '../lib/secrets.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import type { Factor } from '../store/people/second-factors.ts';
import { readSignedWords, signWords } from '../store/people/signed-cookies.ts';
import type { Quotas } from './quotas.ts';
import { HALF_SECONDS } from './session.ts';

type PasskeyDeps = { db: Db; clock: Clock; random: Random; config: { baseUrl: string }; limits: Quotas };

/** Browsers allow passkeys only over https, or on localhost. */
export function mayHavePasskeys(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' || hostname === 'localhost';
}

type Purpose = 'add' | 'sign-in';

/**
 * Makes the challenge, the text that a passkey must sign. `asker` is a session, or a user who has given the right
 * password. The challenge works only for this asker. If `asker` is empty, any user may sign it.
 */
export const makeChallenge = ({ db, clock, random }: PasskeyDeps, purpose: Purpose, asker: string): string =>
  signWords(db, random, [
    purpose,
    seconds(clock) + HALF_SECONDS,
    makeLinkSecret(random),
    hashSecret(asker).toString('base64url'),
  ]);

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
/**
 * Checks a new passkey. Throws 422 if it was not made for this server in the last 10 minutes. A passkey with a
 * certificate of its device is refused too (see `isUncertified`). So the maker of a device is unknown, and devices of
 * every maker are allowed.
 */
export async function checkNewPasskey(
  deps: PasskeyDeps,
  sent: string,
  asker: string,
): Promise<{ credential: string; key: Buffer; used: number }> {
  const response = parseAnswer(Registration, sent) as RegistrationResponseJSON;
  const { verifyRegistrationResponse, expected } = await prepareCheck(deps, 'add', asker);
  if (!(await isUncertified(response))) throw makeRefusal();
  const result = await verifyRegistrationResponse({ ...expected, response }).catch(() => undefined);
  if (!result?.verified) throw makeRefusal();
  assertUnused(deps, response.response.clientDataJSON);
  const { id, publicKey, counter } = result.registrationInfo.credential;
  return { credential: id, key: Buffer.from(publicKey), used: counter };
}

/**
 * Tells whether a new passkey comes without a certificate of its device. The page asks for no certificate, so browsers
 * send none. If there were one, the WebAuthn package would load the list of revoked certificates from a URL in it. So
 * anybody with an account could make this server load any URL (test/forms/passkeys.test.ts).
 */
async function isUncertified({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    return ['none', 'packed'].includes(attestation.get('fmt')) && attestation.get('attStmt').get('x5c') === undefined;
  } catch {
    return false;
  }
}

/**
 * Finds the passkey that signed a challenge, and its new use counter. Throws 422 if no passkey fits. If a passkey has a
 * counter, but this counter did not grow, the passkey was copied. So it is refused too.
 */
export async function checkPasskey<Found extends Factor>(
  deps: PasskeyDeps,
  sent: string,
  asker: string,
  find: (credential: string) => Found | undefined,
): Promise<{ factor: Found; used: number }> {
  const response = parseAnswer(Authentication, sent) as AuthenticationResponseJSON;
  const factor = find(response.id);
  if (!factor) throw makeRefusal();
  const { verifyAuthenticationResponse, expected } = await prepareCheck(deps, 'sign-in', asker);
  const credential = { id: response.id, publicKey: new Uint8Array(factor.key), counter: factor.used };
  const result = await verifyAuthenticationResponse({ ...expected, response, credential }).catch(() => undefined);
  if (!result?.verified) throw makeRefusal();
  assertUnused(deps, response.response.clientDataJSON);
  return { factor, used: result.authenticationInfo.newCounter };
}

function isOurs({ db, clock }: PasskeyDeps, sent: string, purpose: Purpose, asker: string): boolean {
  const [made, end, , hash] = readSignedWords(db, Buffer.from(sent, 'base64url').toString()) ?? [];
  return made === purpose && Number(end) > seconds(clock) && hash === hashSecret(asker).toString('base64url');
}

/**
 * Refuses a challenge that was used before, so that nobody can send a recorded answer again. The caller has already
 * checked that this server made the challenge. Otherwise invented challenges could fill the memory of the limit.
 */
function assertUnused({ limits }: PasskeyDeps, clientDataJSON: string): void {
  const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge: string };
  if (!limits.challenges.take(challenge).allowed) throw makeRefusal();
}

function parseAnswer<S extends v.GenericSchema>(schema: S, sent: string): v.InferOutput<S> {
  try {
    return v.parse(schema, JSON.parse(sent));
  } catch {
    throw makeRefusal();
  }
}

/**
 * Prepares the check of a passkey. The WebAuthn package is loaded at its first use, because most servers never need it.
 */
async function prepareCheck(deps: PasskeyDeps, purpose: Purpose, asker: string) {
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

const makeRefusal = (): Error => invalid({ passkey: WRONG });

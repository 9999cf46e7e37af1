// A form of the server asks for a passkey, and this script talks to the browser about it. The form has options in
// `data-passkey`. On submit, the browser asks its user. The signed answer goes into the field `passkey`, and the form is sent.
// Without scripts or passkeys, the form stays hidden, and the password works as before.
// src/forms makes the form.

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The options that the server writes into the form. */
type PasskeyOptions = {
  challenge: string;
  /** The user for a new passkey. Absent to sign in with one that exists. */
  user?: { id: string; name: string };
  /** The ids of the user's passkeys, so that no device gets a second one. */
  known?: string[];
};

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

/** ES256, EdDSA and RS256. Every device knows at least one of these algorithms. */
const ALGORITHMS = [-7, -8, -257];

async function made({ challenge, user, known = [] }: PasskeyOptions): Promise<Credential | null> {
  const common = { challenge: utf8(challenge) };
  if (!user) return navigator.credentials.get({ publicKey: { ...common, userVerification: 'required' } });
  return navigator.credentials.create({
    publicKey: {
      ...common,
      rp: { name: 'daybook' },
      user: { id: utf8(user.id), name: user.name, displayName: user.name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: known.map((id) => ({ type: 'public-key', id: bytesOf(id) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  });
}

function jsonOf({ id, rawId, response }: PublicKeyCredential): string {
  const signed = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature']
    .map((name) => [name, response[name as keyof typeof response] as ArrayBuffer | undefined] as const)
    .flatMap(([name, bytes]) => (bytes ? [[name, textOf(bytes)] as const] : []));
  return JSON.stringify({
    id,
    rawId: textOf(rawId),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(signed),
  });
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  const options = JSON.parse(form.dataset.passkey ?? '') as PasskeyOptions;
  form.hidden = typeof PublicKeyCredential === 'undefined';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // The user may close the browser's dialog. That means no, and needs no message.
    const credential = await made(options).catch(() => null);
    const field = form.elements.namedItem('passkey') as HTMLInputElement;
    if (!credential) return;
    field.value = jsonOf(credential as PublicKeyCredential);
    form.submit();
  });
}

// Some forms of src/forms need a passkey, such as the form with the button "Use a passkey". Each of these forms has an
// attribute `data-passkey` with the options for the browser. When the user submits the form, the browser asks for a
// fingerprint or a PIN, for example. The script puts the signed answer into the field `passkey`, and sends the form.
//
// Each of these forms is hidden at first. The script shows the form if the browser supports passkeys. A user without a
// passkey signs in with the form for the password, which needs no script.
//
// Each form also has a hidden sentence. The script shows it if the browser cannot use or make a passkey.

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** The options for the browser, which the server writes into the form. */
type PasskeyOptions = {
  challenge: string;
  /** The user who gets a new passkey. The field is undefined when a user signs in with an existing passkey. */
  user?: { id: string; name: string };
  /** The ids of the user's passkeys. A device that already has one of these passkeys makes no second one. */
  known?: string[];
};

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;

/**
 * The algorithms for signatures, ES256, EdDSA and RS256, by their numbers. Every device supports at least one of these.
 */
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

/**
 * The names of the browser's errors after the user has closed its dialog. The user has decided this, so nothing
 * happens.
 */
const CANCELLED: ReadonlySet<string> = new Set(['NotAllowedError', 'AbortError']);

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  const options = JSON.parse(form.dataset.passkey ?? '') as PasskeyOptions;
  form.hidden = typeof PublicKeyCredential === 'undefined';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const alert = form.querySelector('[role=alert]') as HTMLElement;
    alert.hidden = true;
    const credential = await made(options).catch(({ name }: Error) => {
      alert.hidden = CANCELLED.has(name);
      return null;
    });
    const field = form.elements.namedItem('passkey') as HTMLInputElement;
    if (!credential) return;
    field.value = jsonOf(credential as PublicKeyCredential);
    form.submit();
  });
}

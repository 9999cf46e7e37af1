import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Attestation, cborBytes, cborText } from './device.ts';

const [INTEGER, BITS, BYTES, OID, ENUMERATED, TEXT, TIME, SEQUENCE, SET] = [2, 3, 4, 6, 10, 12, 24, 0x30, 0x31];

/** A value in DER. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const hex = (tag: number, digits: string): Buffer => der(tag, Buffer.from(digits, 'hex'));
const written = (tag: number, text: string): Buffer => der(tag, Buffer.from(text));
const nameOf = (name: string): Buffer =>
  der(SEQUENCE, der(SET, der(SEQUENCE, hex(OID, '550403'), written(TEXT, name))));
const extension = (id: string, content: Buffer): Buffer => der(SEQUENCE, hex(OID, id), der(BYTES, content));

const ECDSA = der(SEQUENCE, hex(OID, '2a8648ce3d040302'));
const VALID = der(SEQUENCE, written(TIME, '20000101000000Z'), written(TIME, '99991231235959Z'));

/** Where the list of revoked certificates is. */
const listAt = (url: string): Buffer =>
  extension('551d1f', der(SEQUENCE, der(SEQUENCE, der(0xa0, der(0xa0, written(0x86, url))))));

/** What an Android device says of a key. */
function describeKey(client: Buffer): Buffer {
  const [version, level] = [hex(INTEGER, '01'), hex(ENUMERATED, '01')];
  const description = [version, level, version, level, der(BYTES, client), der(BYTES), der(SEQUENCE), der(SEQUENCE)];
  return extension('2b06010401d679020111', der(SEQUENCE, ...description));
}

/** A device of a maker that nobody knows. Its certificate names a list of revoked certificates at `url`. */
export function certified(publicKey: KeyObject, url: string): Attestation {
  const maker = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  function certify(subject: string, key: KeyObject, ...extensions: Buffer[]): Buffer {
    const content = der(
      SEQUENCE,
      ...[der(0xa0, hex(INTEGER, '02')), hex(INTEGER, '01'), ECDSA, nameOf('maker'), VALID, nameOf(subject)],
      ...[key.export({ type: 'spki', format: 'der' }), der(0xa3, der(SEQUENCE, ...extensions))],
    );
    const signature = sign('sha256', content, maker.privateKey);
    return der(SEQUENCE, content, ECDSA, der(BITS, Buffer.concat([Buffer.from([0]), signature])));
  }

  return {
    format: 'android-key',
    statement: (client) =>
      Buffer.concat([
        Buffer.from([0xa3]),
        ...[cborText('alg'), Buffer.from([0x26]), cborText('sig'), cborBytes(Buffer.alloc(64))],
        ...[cborText('x5c'), Buffer.from([0x82])],
        cborBytes(certify('device', publicKey, describeKey(client), listAt(url))),
        cborBytes(certify('maker', maker.publicKey, listAt(url))),
      ]),
  };
}

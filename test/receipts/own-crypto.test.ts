import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, randomBytes, randomInt, sign } from 'node:crypto';
import { test } from 'node:test';
import { readBase64Url, writeBase64Url } from '../../src/receipts/crypto.ts';
import { NODE_CRYPTO } from '../../src/receipts/node-crypto.ts';
import { beginOwnHash, isSignedOwn } from '../../src/receipts/own-crypto.ts';

test('own SHA-256: gives what Node gives, in whatever pieces the input comes', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1_000, 70_001]) {
    const bytes = randomBytes(length);
    const hashing = beginOwnHash();
    for (let at = 0; at < length; ) {
      const end = at + randomInt(1, 200);
      hashing.update(bytes.subarray(at, end));
      at = end;
    }
    assert.equal(hashing.end(), createHash('sha256').update(bytes).digest('binary'), `${length} bytes`);
  }
  const hashing = beginOwnHash();
  hashing.update('é € 😀');
  assert.equal(hashing.end(), createHash('sha256').update('é € 😀').digest('binary'));
});

test('own Ed25519: takes what Node signs, and nothing with one bit changed', () => {
  for (let n = 0; n < 12; n++) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
    const data = randomBytes(randomInt(0, 300) + 1);
    const signature = sign(null, data, privateKey);
    assert.ok(isSignedOwn(key, data, signature));
    for (const part of [key, data, signature]) {
      const at = randomInt(part.length);
      const bit = 1 << randomInt(8);
      part[at] = (part[at] as number) ^ bit;
      assert.equal(isSignedOwn(key, data, signature), false);
      assert.equal(NODE_CRYPTO.isSigned(key, data, signature), false);
      part[at] = (part[at] as number) ^ bit;
    }
  }
});

test('own Ed25519: knows the vectors of RFC 8032, and refuses a second spelling of a signature', () => {
  const read = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
  const key = read('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  const signature = read(
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  );
  assert.ok(isSignedOwn(key, new Uint8Array(), signature));
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  let s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order;
  const other = Uint8Array.from(signature);
  for (let i = 32; i < 64; i++, s >>= 8n) other[i] = Number(s & 255n);
  assert.equal(isSignedOwn(key, new Uint8Array(), other), false);
  assert.equal(NODE_CRYPTO.isSigned(key, new Uint8Array(), other), false);
  assert.equal(isSignedOwn(key.subarray(1), new Uint8Array(), signature), false);
});

test('base64url: only one spelling is read', () => {
  const bytes = randomBytes(32);
  assert.deepEqual(readBase64Url(writeBase64Url(bytes)), Uint8Array.from(bytes));
  assert.equal(writeBase64Url(bytes), bytes.toString('base64url'));
  assert.equal(readBase64Url('AB'), undefined);
  assert.equal(readBase64Url('A='), undefined);
  assert.equal(readBase64Url('é'), undefined);
});

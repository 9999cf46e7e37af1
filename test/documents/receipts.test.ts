import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkChain } from '../../src/receipts/check-chain.ts';
import { findPublicKey, hashReceipt, NODE_CRYPTO, signReceipt } from '../../src/receipts/node-crypto.ts';
import { digestExport } from '../../src/receipts/read-export.ts';
import { reportDays } from '../../src/receipts/report.ts';
import { folder } from '../support/helpers.ts';

const page = readFileSync(new URL('../../docs/receipts.md', import.meta.url), 'utf8');
const lines = page.split('\n').filter((line) => line.startsWith('{"at"') && line.includes('"visitor"'));
const receipt = JSON.parse(page.split('\n').find((line) => line.startsWith('{"format"')) ?? '');
const seed = Uint8Array.from({ length: 32 }, (_, i) => i);

async function* all(): AsyncGenerator<string> {
  yield lines.map((line) => `${line}\n`).join('');
}

test('receipts: the example of the page is what the program makes', async () => {
  assert.equal(lines.length, 4);
  const found = await digestExport(NODE_CRYPTO, all());
  const { digest, figures } = found.days.get('2026-01-05') ?? {};
  assert.deepEqual({ digest, figures }, { digest: receipt.digest, figures: receipt.figures });
  assert.ok(page.includes(`digest of the day | \`${digest}\``));
  assert.equal(receipt.key, findPublicKey(seed));
  const { signature: _, former_signature: __, ...draft } = receipt;
  assert.deepEqual(signReceipt(draft, seed, null), receipt);
  assert.ok(page.includes(`hash of this receipt is \`${hashReceipt(receipt)}\``));
  assert.ok(reportDays(await checkChain(NODE_CRYPTO, [receipt]), found).holds);
});

test('receipts: a program that was written from the page alone finds the same', (t) => {
  const to = folder(t);
  const [receipts, hits] = [join(to, 'receipts.json'), join(to, 'hits.ndjson')];
  const program = new URL('../receipts/verify.py', import.meta.url).pathname;
  const run = () => execFileSync('python3', [program, receipts, hits]).toString().trim();
  writeFileSync(receipts, JSON.stringify({ receipts: [receipt] }));
  writeFileSync(hits, lines.join('\n'));
  assert.equal(run(), '2026-01-05 holds');
  writeFileSync(hits, lines.join('\n').replace('/b', '/c'));
  assert.throws(run, /Command failed/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { entriesOf, unzipped, zipped } from '../../src/lib/zip.ts';

const collected = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
};

const made = (files: Record<string, string[]>): Promise<Buffer> =>
  collected(zipped(Object.entries(files).map(([name, text]) => ({ name, text }))));

const readIn = (zip: Buffer) => (from: number, to: number) => zip.subarray(from, to);

async function filesIn(zip: Buffer): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of entriesOf(readIn(zip), zip.length)) {
    found[entry.name] = (await collected(unzipped(readIn(zip), entry))).toString();
  }
  return found;
}

/** One stored file, as Python writes it, with a remark at the end. */
const STORED = Buffer.from(
  '504b03041400000000000000210020303a360600000006000000050000006c2e74787468656c6c6f0a504b01021403140000' +
    '0000000000210020303a3606000000060000000500000000000000000000008001000000006c2e747874504b050600000000' +
    '01000100330000002900000002006869',
  'hex',
);

test('any files come back as they were written', async () => {
  const text = fc.array(fc.string({ unit: 'binary', maxLength: 50 }), { maxLength: 5 });
  const files = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }), text, {
    noNullPrototype: true,
  });
  await fc.assert(
    fc.asyncProperty(files, async (files) => {
      const expected = Object.entries(files).map(([name, text]) => [name, text.join('')]);
      assert.deepEqual(await filesIn(await made(files)), Object.fromEntries(expected));
    }),
  );
});

test('a file that is stored as it is comes out too', async () => {
  assert.deepEqual(await filesIn(STORED), { 'l.txt': 'hello\n' });
});

test('a long text takes little room', async () => {
  const text = Array.from({ length: 2_000 }, (_, i) => `line ${i}\n`.repeat(50));
  const zip = await made({ 'a.csv': text });
  assert.ok(zip.length < 100_000, `${zip.length} bytes`);
  assert.equal((await filesIn(zip))['a.csv'], text.join(''));
});

test('what is cut off or changed is refused, wherever it is', async () => {
  const zip = await made({ 'a.csv': ['some text '.repeat(20)], 'b.csv': ['more'] });
  for (let length = 0; length < zip.length; length++) {
    await assert.rejects(filesIn(zip.subarray(0, length)), /damaged/, `${length} bytes`);
  }
  const changed = Buffer.from(zip);
  changed[45] = (changed[45] ?? 0) ^ 0xff;
  await assert.rejects(filesIn(changed), /damaged/);
});

test('a file that grows beyond what the directory says is refused', async () => {
  const zip = await made({ 'a.csv': ['a'.repeat(1_000_000)] });
  const [entry] = entriesOf(readIn(zip), zip.length);
  assert.ok(entry);
  await assert.rejects(collected(unzipped(readIn(zip), { ...entry, size: 10 })), /a\.csv is not what it was/);
});

test('zip64 and what is locked are refused with a reason', async () => {
  const zip = await made({ 'a.csv': ['a'] });
  const large = Buffer.from(zip);
  large.writeUInt32LE(0xffff_ffff, zip.length - 6);
  assert.throws(() => entriesOf(readIn(large), large.length), /the form zip64, which is not understood/);
  const locked = Buffer.from(zip);
  const directory = zip.readUInt32LE(zip.length - 6);
  locked.writeUInt16LE(1, directory + 8);
  assert.throws(() => entriesOf(readIn(locked), locked.length), /a\.csv: it is locked with a password/);
});

import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import fc from 'fast-check';
import { ZipFile } from 'yazl';
import { makeZip } from '../../../src/exchange/reading/zip.ts';
import { share } from '../../support/helpers.ts';
import { anyText } from '../../support/text.ts';
import { CENTRAL, packed, stage } from './packed.ts';
import { readZip, writeZip } from './zips.ts';

/** Zips that other programs wrote, with one file of which the content is "hello" and a line feed. */
const WRITTEN = {
  'stored, with a remark at the end, by Python':
    '504b03041400000000000000210020303a360600000006000000050000006c2e74787468656c6c6f0a504b0102140314000000000000002100' +
    '20303a3606000000060000000500000000000000000000008001000000006c2e747874504b05060000000001000100330000002900000002006869',
  'deflated, with sizes in the form zip64, by Python':
    '504b03042d00000008000000210020303a36ffffffffffffffff050014006c2e7478740100100006000000000000000800000000000000cb48cd' +
    'c9c9e70200504b01022d032d00000008000000210020303a3608000000060000000500000000000000000000008001000000006c2e747874504b' +
    '05060000000001000100330000003f0000000000',
  'all of it in the form zip64, by zip -fz':
    '504b03042d0000000000411f765d20303a36ffffffffffffffff050014006c2e7478740100100006000000000000000600000000000000' +
    '68656c6c6f0a504b01021e032d0000000000411f765d20303a3606000000ffffffff05000c000000000001000000801100000000' +
    '6c2e7478740100080006000000000000' +
    '00504b06062c000000000000001e032d00000000000000000001000000000000000100000000000000' +
    '3f000000000000003d00000000000000504b0607000000007c0000000000000001000000504b0506000000000100' +
    '01003f000000ffffffff0000',
};

const CP437_NAME =
  '504b03041400000000000000210020303a3606000000060000000600000082b12e74787468656c6c6f0a504b0102140314000000000000002100' +
  '20303a36060000000600000006000000000000000000000080010000000082b12e747874504b05060000000001000100340000002a0000000000';

test('any files come back as they were written', async (t) => {
  const { path } = stage(t);
  const text = fc.array(anyText({ maxLength: 50 }), { maxLength: 5 });
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 9 })
    .filter((name) => !/[\\\p{C}]|^[a-z]:|^\/|\/$|\.\./iu.test(name));
  const files = fc.uniqueArray(fc.record({ name, text }), { selector: ({ name }) => name, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(files, async (files) => {
      await writeZip(path, files);
      assert.deepEqual(
        await readZip(path),
        files.map(({ name, text }) => [name, Buffer.from(text.join('')).toString()]),
      );
    }),
    { numRuns: share(100) },
  );
});

test('equal files make equal zips', async () => {
  const files = { 'a.csv': 'a', 'b.csv': 'b' };
  assert.deepEqual(await packed(files), await packed(files));
});

for (const [how, hex] of Object.entries(WRITTEN)) {
  test(`a file is read that is ${how}`, async (t) => {
    assert.deepEqual(await stage(t).read(Buffer.from(hex, 'hex')), [['l.txt', 'hello\n']]);
  });
}

test('names are read in UTF-8 and in the old code page of DOS', async (t) => {
  const { read } = stage(t);
  assert.deepEqual(await read(await packed({ 'é▒.txt': '' })), [['é▒.txt', '']]);
  assert.deepEqual(await read(Buffer.from(CP437_NAME, 'hex')), [['é▒.txt', 'hello\n']]);
});

/** A zip64 of one small file, its directory, and where the end record in zip64's form begins. */
async function zip64() {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('hello'), 'l.txt', { forceZip64Format: true });
  zip.end({ forceZip64Format: true, comment: '' });
  const bytes = await buffer(zip.outputStream);
  const directory = bytes.indexOf(CENTRAL);
  return { bytes, directory, end: bytes.indexOf('PK\x06\x06') };
}

test('a file is read that begins beyond 4 GB', async (t) => {
  const HOLE = 5_000_000_000n;
  const { bytes, directory, end } = await zip64();
  // The place of the file is the third number of zip64 in its entry.
  const offset = bytes.indexOf(Buffer.from('01001800', 'hex'), directory) + 4 + 16;
  for (const at of [offset, end + 48, end + 56 + 8]) bytes.writeBigUInt64LE(bytes.readBigUInt64LE(at) + HOLE, at);
  const { path } = stage(t);
  const file = openSync(path, 'w');
  // What is not written takes no room on the disk.
  writeSync(file, bytes, 0, bytes.length, Number(HOLE));
  closeSync(file);
  assert.ok(statSync(path).size > 0xffff_ffff);
  assert.deepEqual(await readZip(path), [['l.txt', 'hello']]);
});

test('a long text takes little room', async (t) => {
  const text = Array.from({ length: 2_000 }, (_, i) => `line ${i}\n`.repeat(50));
  const { path } = stage(t);
  await writeZip(path, [{ name: 'a.csv', text }]);
  assert.ok(statSync(path).size < 100_000, `${statSync(path).size} bytes`);
  assert.deepEqual(await readZip(path), [['a.csv', text.join('')]]);
});

test('what goes wrong with a text stops the zip, and the texts stop with whoever reads it', async (t) => {
  function* failing() {
    yield 'a';
    throw new Error('the text is gone');
  }
  await assert.rejects(writeZip(stage(t).path, [{ name: 'a.csv', text: failing() }]), { message: 'the text is gone' });

  const stopped = Promise.withResolvers<void>();
  function* endless() {
    try {
      for (let i = 0; ; i++) yield `line ${i}\n`;
    } finally {
      stopped.resolve();
    }
  }
  for await (const _ of makeZip([{ name: 'a.csv', text: endless() }])) break;
  await stopped.promise;
});

test('what is written can be read by other programs', async (t) => {
  const { path } = stage(t);
  await writeZip(path, [{ name: 'a.csv', text: ['a'] }]);
  // The numbers that every program looks at: version 2.0, deflated, and sizes behind the data.
  assert.deepEqual(
    [4, 6, 8].map((at) => readFileSync(path).readUInt16LE(at)),
    [20, 0x0808, 8],
  );
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listZipped } from '../../../src/exchange/reading/zip.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { folder } from '../../support/helpers.ts';
import { CENTRAL, packed, stage } from './packed.ts';
import { readZip } from './zips.ts';

/** A zip whose directory says something else of its first file: a number of two or four bytes at a place of its entry. */
async function saying(place: number, value: number): Promise<Buffer> {
  const zip = await packed({ 'a.csv': 'a'.repeat(1_000_000) });
  const at = zip.indexOf(CENTRAL) + place;
  if (value > 0xffff) zip.writeUInt32LE(value, at);
  else zip.writeUInt16LE(value, at);
  return zip;
}

test('what is cut off is refused, wherever it is', async (t) => {
  const { path, read } = stage(t);
  const zip = await packed({ 'a.csv': 'some text '.repeat(20), 'b.csv': 'more' });
  for (let length = 0; length < zip.length; length++) {
    const isRefused = (error: unknown) =>
      error instanceof Refusal && /it cannot be read as a zip \(|it is damaged \(/.test(error.message);
    await assert.rejects(read(zip.subarray(0, length)), isRefused, `${length} bytes`);
  }
  await assert.rejects(read(Buffer.from('date,visitors\n')), {
    message: `${path}: it cannot be read as a zip (End of central directory record signature not found. Either not a zip file, or file is truncated.). Download it again`,
  });
});

test('of a zip with a byte changed the files come out as they were, or it is refused', async (t) => {
  const files = { 'a.csv': 'some text '.repeat(20), 'b.csv': 'more' };
  const zip = await packed(files);
  const { read } = stage(t);
  for (let at = 0; at < zip.length; at++) {
    const changed = Buffer.from(zip);
    changed[at] = (changed[at] ?? 0) ^ 0xff;
    try {
      const texts = (await read(changed)).map(([, text]) => text);
      assert.deepEqual(texts, Object.values(files), `byte ${at}`);
    } catch (error) {
      assert.ok(error instanceof Refusal, `byte ${at}: ${error}`);
      assert.ok(!error.message.includes('\n'));
    }
  }
});

test('a file that grows beyond what the directory says is refused before more of it comes', async (t) => {
  const { path } = stage(t);
  writeFileSync(path, await saying(24, 70_000));
  let length = 0;
  const read = async () => {
    for await (const { bytes } of listZipped(path)) for await (const chunk of bytes()) length += chunk.length;
  };
  await assert.rejects(read, { message: /^it is damaged \(.*\). Download the zip again$/ });
  assert.ok(length <= 70_000);
});

test('what is locked or packed in an unknown way is refused with what to do, and the other files are read', async (t) => {
  const { path, read } = stage(t);
  for (const [place, value, message] of [
    [8, 0x0809, 'it has a password. Unpack the zip and pack it again without one'],
    [10, 14, 'it is packed by method 14, which is not known. Unpack the zip and pack it with deflate'],
    [8, 0x0849, `${path}: it cannot be read as a zip (strong encryption is not supported). Download it again`],
  ] as const) {
    await assert.rejects(read(await saying(place, value)), { message });
  }
  writeFileSync(path, await saying(8, 0x0809));
  for await (const { name } of listZipped(path)) assert.equal(name, 'a.csv');
});

test('a zip that does not exist is an error', async (t) => {
  const path = join(folder(t), 'none.zip');
  await assert.rejects(readZip(path), { message: `${path}: there is no such file` });
});

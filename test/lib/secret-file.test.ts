import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { warnOfOpenSecret } from '../../src/lib/secret-file.ts';
import { folder } from '../support/helpers.ts';

test('a secret that everybody can read is warned of, and one of its owner or of a group is not', (t) => {
  const file = join(folder(t), 'secret');
  writeFileSync(file, 'a secret of sixteen');
  const lines: object[] = [];
  for (const mode of [0o600, 0o400, 0o640, 0o644, 0o604]) {
    chmodSync(file, mode);
    warnOfOpenSecret(file, (event, details) => lines.push({ event, ...details, mode }));
  }
  const warning = { event: 'everyone on this machine can read a secret', file, remedy: `chmod 600 ${file}` };
  assert.deepEqual(lines, [
    { ...warning, mode: 0o644 },
    { ...warning, mode: 0o604 },
  ]);
  warnOfOpenSecret(undefined, () => assert.fail());
});

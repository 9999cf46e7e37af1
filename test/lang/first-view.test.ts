import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CODES } from '../../src/lang/codes.ts';
import { textsInFile } from '../../src/lang/dashboard.ts';
import { findFirstModules } from '../support/first-modules.ts';

test('texts: the first file of texts has every message that the first script says', () => {
  const modules = findFirstModules();
  assert.ok(modules.length > 60 && modules.length < 120, `${modules.length} modules`);
  const code = modules.map((module) => readFileSync(module, 'utf8')).join('\n');
  const isSaid = (text: string) =>
    [`'${text.replaceAll("'", "\\'")}'`, `"${text}"`, `\`${text}\``].some((quoted) => code.includes(quoted));
  const later = Object.keys(textsInFile('later', 'de')).filter((text) => !(text in CODES) && isSaid(text));
  assert.deepEqual(later, []);
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { CODES } from '../../src/lang/codes.ts';
import { textsInFile } from '../../src/lang/dashboard.ts';

const MAIN = join(import.meta.dirname, '../../src/dashboard/main.tsx');

/** The modules of the dashboard that the first script has: main.tsx, and all that it imports at once. */
function findFirstModules(): string[] {
  const found = new Set([MAIN]);
  for (const module of found) {
    for (const [, path = ''] of readFileSync(module, 'utf8').matchAll(
      /^(?:import|export) (?!type)[^;]*? from '(\.[^']+)'/gm,
    )) {
      const file = join(dirname(module), path);
      if (file.includes('/dashboard/') && existsSync(file)) found.add(file);
    }
  }
  return [...found];
}

test('texts: the first file of texts has every message that the first script says', () => {
  const modules = findFirstModules();
  assert.ok(modules.length > 60 && modules.length < 120, `${modules.length} modules`);
  const code = modules.map((module) => readFileSync(module, 'utf8')).join('\n');
  const isSaid = (text: string) =>
    [`'${text.replaceAll("'", "\\'")}'`, `"${text}"`, `\`${text}\``].some((quoted) => code.includes(quoted));
  const later = Object.keys(textsInFile('later', 'de')).filter((text) => !(text in CODES) && isSaid(text));
  assert.deepEqual(later, []);
});

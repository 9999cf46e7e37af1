import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../src/dashboard/main.tsx');

/** The modules of the dashboard that the first script has: main.tsx, and all that it imports at once. */
export function findFirstModules(): string[] {
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

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { folder } from './helpers.ts';

/** Starts this script of a shell wherever the server would start a command of its own. Gives the folder it runs for. */
export function standIn(t: TestContext, makeScript: (folder: string) => string): string {
  const place = folder(t);
  const path = join(place, 'stand-in');
  writeFileSync(path, `#!/bin/sh\n${makeScript(place)}\n`, { mode: 0o700 });
  startInstead(t, path);
  return place;
}

/** Starts this file in place of the program, until the end of the test. */
export function startInstead(t: TestContext, path: string): void {
  const { execPath } = process;
  process.execPath = path;
  t.after(() => {
    process.execPath = execPath;
  });
}

export const NOWHERE = '/nowhere/daybook';

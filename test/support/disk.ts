import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A disk of its own, which goes with the test; undefined where none may be mounted. */
export function smallDisk(t: TestContext, kib: number): string | undefined {
  const path = mkdtempSync(join(tmpdir(), 'daybook-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k,mode=700`, 'tmpfs', path], { stdio: 'pipe' });
  } catch {
    rmdirSync(path);
    return undefined;
  }
  t.after(() => {
    // Whatever is still open in it when the test fails goes with the process.
    execFileSync('umount', ['-l', path]);
    rmdirSync(path);
  });
  return path;
}

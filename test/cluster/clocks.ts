import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Clocks = ReturnType<typeof clocksIn>;

/** Clocks of programs, each in a file of a folder: all are set forward together, and each may be wrong by something of its own. */
export function clocksIn(folder: string, moment: number) {
  const tick = (): number => Number(process.hrtime.bigint() / 1_000_000n);
  const skews = new Map<string, number>();
  let lead = moment - tick();
  const fileOf = (name: string): string => join(folder, `clock-${name}`);

  function write(name: string): void {
    // At once, because a program may read it at any moment.
    writeFileSync(`${fileOf(name)}.new`, String(lead + (skews.get(name) ?? 0)));
    renameSync(`${fileOf(name)}.new`, fileOf(name));
  }

  return {
    now: (): number => tick() + lead,
    /** The file of a clock, which is right at first. */
    file(name: string): string {
      skews.set(name, 0);
      write(name);
      return fileOf(name);
    },
    /** Sets all of them forward. */
    leap(ms: number): void {
      lead += ms;
      for (const name of skews.keys()) write(name);
    },
    /** Makes one wrong by so much; right again with 0. */
    skew(name: string, ms: number): void {
      skews.set(name, ms);
      write(name);
    },
  };
}

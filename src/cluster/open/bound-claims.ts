// Makes a hit or a heartbeat from each row of an open day. A heartbeat has visible seconds. If only a browser reported
// them, and the sender could not check them, they are a claim (`CLAIMED`). A claim is limited to the time since the
// visitor's previous row.
//
// Invariant: the limited seconds equal the seconds that SQL gives when it makes visits (query/visits.ts). For this, the
// rows of one visitor must come in the order of their row numbers.
//
// Example: a heartbeat at second 500 reports 40 s. The visitor's previous row was at second 488. Then 12 + 1 = 13 s
// count, because times are rounded to seconds.
import type { Activity, Hit } from '../../engine/activity.ts';
import { unpackScroll } from '../../engine/import-content.ts';
import { VISIT_GAP } from '../../stats/definitions.ts';
import { TEXT_FIELDS, type TextField } from '../../stats/dimensions.ts';
import { CLAIMED } from '../servers/row-numbers.ts';

/** A row of the table `activity`: a hit or a heartbeat. `texts` has its texts in the order of `TEXT_FIELDS`. */
export type CopiedRow = {
  texts: readonly string[];
  second: number;
  seq: number;
  visitor: number;
  engaged: number;
  scroll: number;
  vitals: number;
};

const PAGE = TEXT_FIELDS.indexOf('page');

/**
 * A hit without texts. V8 needs 0.1 µs to copy an object of JSON.parse, because the object has a fixed shape. To copy
 * an object of Object.fromEntries takes 3 µs, and leaves 4 kB of garbage.
 */
const EMPTY_HIT = JSON.parse(
  JSON.stringify({
    ...{ siteId: 0, day: 0, second: 0, visitor: 0 },
    ...Object.fromEntries(TEXT_FIELDS.map((field) => [field, ''])),
  }),
) as Hit;

function nameTexts(hit: Hit, texts: readonly string[]): Hit {
  // A loop over entries() would make a list for each text, which takes time.
  for (let i = 0; i < TEXT_FIELDS.length; i++) hit[TEXT_FIELDS[i] as TextField] = texts[i] ?? '';
  return hit;
}

export type ClaimBounds = ReturnType<typeof makeClaimBounds>;

/**
 * The times of a visitor's rows are remembered for 60 minutes. A heartbeat needs only the last 30 minutes, because
 * after a longer gap it belongs to no visit. The other 30 minutes are for rows that are received late.
 */
const KEPT_SECONDS = 2 * VISIT_GAP;
/**
 * The times of old rows are removed only after at least this many times have been noted. For example, if 30,000 times
 * stay after a removal, the next removal waits until 30,000 more are noted. Each removal reads all times, so it must be
 * rare.
 */
const LEAST_NOTED = 10_000;

/**
 * Remembers the times of each visitor's rows. The claim of a visitor's next heartbeat is limited by the latest of these
 * times.
 */
export function makeClaimBounds({ siteId, day }: { siteId: number; day: number }) {
  const times = new Map<number, number[]>();
  let [noted, most] = [0, LEAST_NOTED];

  /** Notes the time of a row. Gives the time of the visitor's latest earlier row, or undefined if there is none. */
  function note(visitor: number, second: number): number | undefined {
    const own = times.get(visitor) ?? [];
    times.set(visitor, own);
    let place = own.length;
    while (place > 0 && (own[place - 1] as number) > second) place--;
    own.splice(place, 0, second);
    noted++;
    return own[place - 1];
  }

  return {
    makeActivity(row: CopiedRow): Activity {
      const { second, visitor, engaged: kept, scroll, vitals, texts } = row;
      const before = note(visitor, second) ?? second;
      if (kept === 0) return nameTexts({ ...EMPTY_HIT, siteId, day, second, visitor }, texts);
      const page = texts[PAGE] ?? '';
      const engaged = kept > CLAIMED ? Math.min(kept - CLAIMED - 1, second - before + 1) : kept - 1;
      return {
        siteId,
        day,
        second,
        visitor,
        page,
        engaged,
        scroll: unpackScroll(scroll),
        ...(vitals === 0 ? {} : { vitals }),
      };
    },
    /** If there are many times, forgets the times that no heartbeat at `second` or later needs. */
    forgetBefore(second: number): void {
      if (noted < most) return;
      const least = second - KEPT_SECONDS;
      let left = 0;
      for (const [visitor, own] of times) {
        const kept = own.filter((time) => time >= least);
        left += kept.length;
        if (kept.length === 0) times.delete(visitor);
        else if (kept.length < own.length) times.set(visitor, kept);
      }
      [noted, most] = [0, Math.max(LEAST_NOTED, left)];
    },
  };
}

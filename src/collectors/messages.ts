import * as v from 'valibot';
import { isAddress } from '../cluster/servers/address.ts';
import { findLowestNumber } from '../cluster/servers/row-numbers.ts';
import { REASONS, type Reason } from '../collect/outcome.ts';
import { Count, MOST_COLLECTORS, Moment, Status, Text } from '../store/cluster/collectors.ts';
import { faultOfRow, MIRRORED_TABLES, type Mirrored } from '../store/cluster/copied-tables.ts';

/** Where a primary listens for its collectors. The number goes up when what they say to each other changes. */
export const PATH = '/collectors/2';

/** How much of each list one report has. What is beyond is told by the next report. */
export const MOST_TOLD = { taken: 1_000, outages: 100, seen: 1_000 } as const;

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** What a collector says each second. The primary believes what is plausible (src/collectors/note.ts). */
export const Report = v.strictObject({
  status: Status,
  /** The name of its outbox. */
  outbox: Text,
  /** How many hits that has ever taken, by site and month. */
  taken: v.pipe(
    v.array(
      v.strictObject({ siteId: Id, month: v.pipe(v.string(), v.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)), hits: Count }),
    ),
    v.maxLength(MOST_TOLD.taken),
  ),
  /** When it refused hits; those that it has told it forgets. */
  outages: v.pipe(
    v.array(v.strictObject({ from: Moment, to: Moment, reason: v.picklist(['down', 'refused']) })),
    v.maxLength(MOST_TOLD.outages),
  ),
  /** What browsers sent last for sites since it told so last, and why that was not counted. */
  seen: v.pipe(
    v.array(
      v.strictObject({
        siteId: Id,
        at: Moment,
        dropped: v.optional(v.picklist<readonly Reason[]>(REASONS)),
        host: Text,
      }),
    ),
    v.maxLength(MOST_TOLD.seen),
  ),
  /** Whether it takes no hits any more, as it was asked, and everything that it took is on the cluster and told. */
  isDrained: v.boolean(),
  /** Stands for the settings that it has. */
  tag: Text,
});
export type Report = v.InferOutput<typeof Report>;

const rowsOf = (table: Mirrored) =>
  v.array(
    v.pipe(
      v.array(v.union([v.string(), v.number()])),
      v.rawCheck(({ dataset, addIssue }) => {
        const message = dataset.typed ? faultOfRow(table, dataset.value) : undefined;
        if (message !== undefined) addIssue({ message });
      }),
    ),
  );

/** In milliseconds: before the first and after the second no clock is right, and numbers of rows could not be told apart. */
const [EARLIEST, LATEST] = [Date.UTC(2001), Date.UTC(2200)];

/** What a collector knows of the primary: where the cluster is, as its --engine says, and tables of its file. */
export const Settings = v.strictObject({
  engine: v.pipe(v.string(), v.check(isAddress, 'the engine is no URL of a cluster')),
  mirror: v.pipe(
    v.strictObject(
      Object.fromEntries(MIRRORED_TABLES.map((table) => [table, rowsOf(table)])) as Record<
        Mirrored,
        ReturnType<typeof rowsOf>
      >,
    ),
    v.check((mirror) => mirror.cluster_server.length > 0, 'there is no server of the cluster'),
  ),
});
export type Settings = v.InferOutput<typeof Settings>;

/** What the primary answers. The settings are left out where the collector has them. */
export const Answer = v.strictObject({
  number: v.pipe(Count, v.minValue(1), v.maxValue(MOST_COLLECTORS)),
  name: Text,
  /** What its clock says, in milliseconds. */
  now: v.pipe(v.number(), v.minValue(EARLIEST), v.maxValue(LATEST)),
  /** Rows of an outbox that is new get numbers above this one: none of a sealed day has a higher one. */
  least: v.pipe(Count, v.maxValue(findLowestNumber(LATEST))),
  /** Whether the collector shall send what it has and take no more, because it is to be retired. */
  isRetiring: v.boolean(),
  tag: Text,
  settings: v.optional(Settings),
});
export type Answer = v.InferOutput<typeof Answer>;

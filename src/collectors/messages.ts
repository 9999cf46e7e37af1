import * as v from 'valibot';
import { Status } from '../store/collectors.ts';
import { isRowOf, MIRRORED_TABLES, type Mirrored } from '../store/mirror.ts';

/** Where a primary listens for its collectors. The number goes up when what they say to each other changes. */
export const PATH = '/collectors/2';

const Whole = v.pipe(v.number(), v.safeInteger());
const Name = v.pipe(v.string(), v.maxLength(300));

/** What a collector says each second. */
export const Report = v.strictObject({
  status: Status,
  /** The name of its outbox. */
  outbox: Name,
  /** How many hits that has ever taken, by site and month. */
  taken: v.array(
    v.strictObject({
      siteId: Whole,
      month: v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/)),
      hits: v.pipe(Whole, v.minValue(0)),
    }),
  ),
  /** When it refused hits; those that it has told it forgets. */
  outages: v.array(v.strictObject({ from: Whole, to: Whole, reason: v.picklist(['down', 'refused']) })),
  /** What browsers sent last for sites since it told so last, and why that was not counted. */
  seen: v.array(v.strictObject({ siteId: Whole, at: Whole, dropped: v.optional(Name), host: Name })),
  /** Stands for the settings that it has. */
  tag: Name,
});
export type Report = v.InferOutput<typeof Report>;

const rowsOf = (table: Mirrored) =>
  v.array(
    v.pipe(
      v.array(v.union([v.string(), v.number()])),
      v.check((row) => isRowOf(table, row)),
    ),
  );

/** What a collector knows of the primary: where the cluster is, as its --engine says, and tables of its file. */
export const Settings = v.strictObject({
  engine: v.string(),
  mirror: v.strictObject(
    Object.fromEntries(MIRRORED_TABLES.map((table) => [table, rowsOf(table)])) as Record<
      Mirrored,
      ReturnType<typeof rowsOf>
    >,
  ),
});
export type Settings = v.InferOutput<typeof Settings>;

/** What the primary answers. The settings are left out where the collector has them. */
export const Answer = v.strictObject({
  number: Whole,
  name: v.string(),
  /** What its clock says. */
  now: Whole,
  tag: v.string(),
  settings: v.optional(Settings),
});
export type Answer = v.InferOutput<typeof Answer>;

// Reads the properties of a message: `props`, an object with a value for each name.
//
// Invariant: a server that sends a message gets an error that names what is wrong. A browser gets no error, because
// nobody would read it. Of the properties in a browser's message, only the valid ones are stored.
//
// Example: `{ "Plan": "pro", "count": 3, "trial": true }` gives the properties plan = pro, count = 3 and trial = true.
// collect/payload.ts and exchange/reading/file-hits.ts read properties with these functions. Test:
// test/classify/props.test.ts.
import * as v from 'valibot';
import { inEnglish } from '../lang/sentences.ts';
import { fault, readCoded } from '../lib/http/fault.ts';
import { OTHER } from '../stats/dimensions.ts';
import {
  LONGEST_PROPERTY_NAME,
  LONGEST_PROPERTY_VALUE,
  MOST_PROPERTIES,
  PROPERTY_NAME,
  type Property,
} from '../stats/properties.ts';
import { describeIssue, isObject, parseObject } from './json-object.ts';

export const PropertyName = v.pipe(
  v.string(fault('no_text')),
  v.toLowerCase(),
  v.regex(PROPERTY_NAME, fault('no_property_name')),
  v.maxLength(LONGEST_PROPERTY_NAME, fault('too_long', { most: LONGEST_PROPERTY_NAME })),
);

const Value = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.finite()), v.boolean()], fault('no_property_value')),
  v.transform(String),
  v.check((value) => value.isWellFormed(), fault('no_unicode')),
  v.check(
    (value) => value.length <= LONGEST_PROPERTY_VALUE || [...value].length <= LONGEST_PROPERTY_VALUE,
    fault('too_long', { most: LONGEST_PROPERTY_VALUE }),
  ),
);

const NamedValue = v.tuple([PropertyName, Value]);

/**
 * Checks all properties of a server's message. The schema `v.record` is not used here, because it would drop the names
 * `constructor` and `prototype` without an error.
 */
export const Props = v.pipe(
  v.custom<Record<string, unknown>>(isObject, fault('no_properties')),
  v.metadata({
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
    maxProperties: MOST_PROPERTIES,
  }),
  v.check(
    (props) => Object.keys(props).length <= MOST_PROPERTIES,
    fault('too_many_properties', { most: MOST_PROPERTIES }),
  ),
  v.rawTransform(({ dataset, addIssue, NEVER }): readonly Property[] => {
    const input = dataset.value;
    const sound = new Map<string, string>();
    for (const [key, value] of Object.entries(input)) {
      const read = v.safeParse(NamedValue, [key, value]);
      if (!read.success) {
        addIssue({ message: read.issues[0].message, path: [{ type: 'object', origin: 'value', input, key, value }] });
        return NEVER;
      }
      sound.set(...read.output);
    }
    return [...sound];
  }),
);

/** Returns the first 20 valid properties of a browser's message. Returns undefined if `props` is not an object. */
export function readSoundProps(props: unknown): readonly Property[] | undefined {
  if (!isObject(props)) return undefined;
  const sound = new Map<string, string>();
  for (const entry of Object.entries(props)) {
    const read = v.safeParse(NamedValue, entry);
    if (!read.success) continue;
    sound.set(...read.output);
    if (sound.size === MOST_PROPERTIES) break;
  }
  return [...sound];
}

/**
 * Reads the properties of a hit in a file. If they cannot be read, returns a text that says what is wrong. An export
 * may contain the name `(other)`. It stands for new names on a day with too many different names.
 */
export function readFileProps(json: string): readonly Property[] | string {
  const all = parseObject(json);
  if (all === undefined) return inEnglish(readCoded(fault('no_properties')));
  const { [OTHER]: others, ...props } = all;
  const read = v.safeParse(Props, props);
  if (!read.success) return describeIssue(read.issues[0]);
  return others === undefined ? read.output : [...read.output, [OTHER, OTHER]];
}

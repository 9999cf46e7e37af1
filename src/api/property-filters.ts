// Filters by properties of hits, such as `filters[property:plan][is]=pro`.
//
// Invariant: each site chooses the names of its properties. The schema of a route cannot list these names, so this file
// checks the parameters. A route without filters refuses them as unknown parameters.
//
// Example: the parameters `filters[property:plan]` and `filters[property:theme][like]` become the filters
// `property:plan` and `property:theme`. endpoint.ts checks the parameters, and filters.ts turns them into conditions
// for the engine.
import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { checked, type Schema } from '../lib/http/input.ts';
import { OPERATORS, type Operator, OTHER } from '../stats/dimensions.ts';
import { LONGEST_PROPERTY_NAME, PROPERTY_NAME } from '../stats/properties.ts';
import type { Condition } from '../stats/query.ts';
import { Pattern } from './input.ts';

/**
 * In the schemas of routes, this name stands for all filters by properties. A schema cannot list them, because each
 * site chooses the names of its properties.
 */
export const PROPERTY_PARAMETER = 'filters[property]';
export const PROPERTY_PARAMETERS = { [PROPERTY_PARAMETER]: v.optional(v.never()) };

const takesProperties = (schema: Schema): boolean =>
  'entries' in schema && PROPERTY_PARAMETER in (schema.entries as object);

const PREFIX = 'property:';
const FORM = /^filters\[property:([^\]]*)\](?:\[(\w+)\])?$/;

const isName = (name: string): boolean =>
  name === OTHER || (name.length <= LONGEST_PROPERTY_NAME && PROPERTY_NAME.test(name));

/** Tells whether a filter is by a property, such as `property:plan`. */
export const isPropertyFilter = (filter: string): boolean =>
  filter.startsWith(PREFIX) && isName(filter.slice(PREFIX.length));

export const isPropertyList = (parameter: string): boolean => FORM.exec(parameter)?.[2] !== undefined;

type Given = Readonly<Record<string, string | string[] | undefined>>;

/** Checks the parameters of a request or of the command line. An error names the wrong parameter. */
export function checkParameters<S extends Schema>(schema: S, given: Given): v.InferOutput<S> {
  const { own, ofProperties } = takesProperties(schema) ? splitProperties(given) : { own: given, ofProperties: {} };
  return { ...(checked(schema, own, 1) as object), ...checkProperties(ofProperties) } as v.InferOutput<S>;
}

function splitProperties(given: Given): { own: Given; ofProperties: Given } {
  const [ofProperties, own] = [true, false].map((isOfProperty) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => FORM.test(name) === isOfProperty)),
  );
  return { own: own as Given, ofProperties: ofProperties as Given };
}

/**
 * The schema of a property's name in a report. `(other)` is allowed too. On a day with too many different names, it
 * replaces further names.
 */
export const AskedProperty = v.pipe(v.string(), v.toLowerCase(), v.check(isName, fault('no_property_name')));

const MOST_VALUES = 20;
const list = (value: Schema) =>
  v.pipe(v.array(value), v.maxLength(MOST_VALUES, fault('too_many_values', { most: MOST_VALUES })));
const Name = v.pipe(v.string(), v.check(isName, fault('no_property_name')));
const OperatorName = v.picklist(OPERATORS, fault('none_of', { known: OPERATORS.join(', ') }));
const SCHEMAS: Record<Operator, Schema> = {
  ...{ is: list(v.string()), not: list(v.string()) },
  ...{ like: list(Pattern), unlike: list(Pattern) },
};

/** Checks filters by properties: the property's name, the operator and the values. An error names the parameter. */
function checkProperties(given: Given): Given {
  for (const [parameter, value] of Object.entries(given)) {
    const [, name = '', operator] = FORM.exec(parameter) ?? [];
    checked(v.object({ [parameter]: Name }), { [parameter]: name }, 1);
    if (operator !== undefined) checked(v.object({ [parameter]: OperatorName }), { [parameter]: operator }, 1);
    const schema = operator === undefined ? v.string() : SCHEMAS[operator as Operator];
    checked(v.object({ [parameter]: schema }), { [parameter]: value }, 1);
  }
  return given;
}

/**
 * Moves the conditions on properties into the field `property`, as the engine expects. For example, the condition of
 * `property:plan` becomes `property.plan`. All other conditions stay as they are.
 */
export function readPropertyFilters(conditions: Record<string, unknown>): Record<string, unknown> {
  const own = Object.entries(conditions).filter(([name]) => !name.startsWith(PREFIX));
  const ofProperties = Object.entries(conditions).filter(([name]) => name.startsWith(PREFIX));
  if (ofProperties.length === 0) return conditions;
  const property = ofProperties.map(
    ([name, condition]) => [name.slice(PREFIX.length), condition as Condition] as const,
  );
  return { ...Object.fromEntries(own), property: Object.fromEntries(property) };
}

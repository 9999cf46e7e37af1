export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

/**
 * Writes JSON in the only form that is hashed and signed: members are sorted by name, nothing is between them, and all
 * numbers are whole. Members without a value are left out. Test: test/receipts/canonical.test.ts.
 */
export function writeCanonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(writeCanonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const own = (value as Record<string, Json | undefined>)[name];
    if (own !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${writeCanonical(own)}`;
  }
  return `{${text}}`;
}

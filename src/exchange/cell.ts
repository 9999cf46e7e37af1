/** Spreadsheets would run such a text as a formula, and anybody can send one as an event. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell of CSV, in quotes where RFC 4180 asks for them. */
export const cell = (value: string | number): string => {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

import { type Code, type Coded, coded } from '../../lang/coded.ts';

/**
 * A code with its values as text, where only text is taken: as the message of a schema, and in what the server notes. `readCoded` makes
 * data of it again.
 */
export const writeCoded = (one: Coded): string => JSON.stringify(one);

/** The message of a schema. */
export const fault = <One extends Code>(...one: Parameters<typeof coded<One>>): string => writeCoded(coded(...one));

/** Other text is English: of the command line, of errors, and valibot's own. */
export const readCoded = (text: string): Coded =>
  text.startsWith('{"code":') ? (JSON.parse(text) as Coded) : coded('other_text', { text });

import { type Code, type Coded, coded } from '../../lang/coded.ts';

/** A fault as text, because valibot takes nothing else for the message of a schema. `readFault` makes data of it again. */
export const writeFault = (fault: Coded): string => JSON.stringify(fault);

export const fault = <One extends Code>(...one: Parameters<typeof coded<One>>): string => writeFault(coded(...one));

/** What is wrong by a message of a schema. Messages of the command line are English, and so are those of valibot's own. */
export const readFault = (message: string): Coded =>
  message.startsWith('{"code":') ? (JSON.parse(message) as Coded) : coded('other_fault', { text: message });

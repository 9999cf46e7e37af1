// Makes SQL for the channel of a visit. The channel is not stored, but follows from four columns of the visit.
//
// Invariant: the result is the channel that findChannel gives (test/cluster/query/channel.test.ts). So the SQL is made
// of the tables in src/classify/channel.ts.
//
// Example: the value of each column has a class, such as "search engine" for google.de. The classes of the four columns
// give one number, such as 137. The SQL has a text with a letter for each number. The letter with the index 137 in this
// text stands for the channel.
import { ADS, CHANNELS, MEDIA, ORIGINS } from '../../classify/channel.ts';
import { makeChannelTable, STEPS } from '../../classify/channel-table.ts';
import { once } from '../../lib/once.ts';

export const writeChannel = (): string => makeExpression().sql;

const makeExpression = once(() => {
  const place = [
    writePlace('utm_source', ORIGINS),
    writePlace('source', ORIGINS),
    writePlace('utm_medium', MEDIA),
    writePlace('ad', ADS),
  ].join(' + ');
  const letters = Array.from(makeChannelTable(), nameLetter).join('');
  const names = CHANNELS.map((_, i) => `'${nameLetter(i)}'`).join();
  const channels = CHANNELS.map((channel) => `'${channel}'`).join();
  return { sql: `transform(substring('${letters}', ${place} + 1, 1), [${names}], [${channels}], '')` };
});

const nameLetter = (place: number): string => String.fromCharCode('a'.charCodeAt(0) + place);

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/**
 * In a pattern of ClickHouse, these flags mean what `isu` means in JavaScript. Upper and lower case are equal, and a
 * dot also matches the end of a line.
 */
const FLAGS = '(?is)';

function writePlace(
  column: keyof typeof STEPS,
  classes: readonly (readonly [name: string, expression: string])[],
): string {
  const places = classes.map(
    ([, expression], i) => `match(${column}, ${quote(FLAGS + expression)}), ${i * STEPS[column]}`,
  );
  const [other, none] = [classes.length, classes.length + 1].map((number) => number * STEPS[column]);
  return `multiIf(${column} = '', ${none}, ${places.join(', ')}, ${other})`;
}

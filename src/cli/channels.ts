import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { type Destination, listAllDestinations } from '../store/sites/destinations.ts';
import { type Command, withStore } from './command.ts';
import { LIST_FLAGS, printTable } from './table.ts';

/**
 * Finds why messages to a channel fail. Backups do not contain the settings of channels, such as URLs and tokens. So
 * after a restore, messages fail until somebody enters the settings again.
 */
const findReason = ({ has_settings, failure }: Destination): string | undefined => {
  const reason = has_settings ? failure : coded('settings_missing');
  return reason ? inEnglish(reason) : undefined;
};

function writeState(channel: Destination): string {
  if (channel.paused) return 'paused';
  if (findReason(channel)) return 'failing';
  return channel.sent_at === null ? 'new' : 'working';
}

export const channelCommands: Command[] = [
  {
    name: 'channels',
    args: [],
    summary: 'List the notification channels of all sites, and why the last message of each one failed',
    settings: ['db'],
    flags: LIST_FLAGS,
    async run(invocation) {
      await withStore(invocation.config, (db) => {
        const rows = listAllDestinations(db).map(({ site, ...channel }) => {
          const reason = findReason(channel);
          const name = reason === undefined ? channel.name : `${channel.name}: ${reason}`;
          return [site, channel.id, channel.kind, writeState(channel), name];
        });
        printTable(invocation, ['SITE', 'ID', 'KIND', 'STATE', 'NAME'], rows, { none: 'no notification channels' });
      });
    },
  },
];

// Lists all commands, in groups. The help, the completion of the shell and the documents are generated from this list.
//
// Example: `daybook help` shows the group "Data" with `daybook import`. run.ts finds commands here.

import { auditCommands } from './audit.ts';
import { backupCommands } from './backup.ts';
import { changesCommands } from './changes.ts';
import { channelCommands } from './channels.ts';
import { checkCommands } from './check.ts';
import { clusterCommands } from './cluster.ts';
import { clusterGrowCommands } from './cluster-grow.ts';
import { collectCommands } from './collect.ts';
import { collectorsCommands } from './collectors.ts';
import type { Command, CommandGroup } from './command.ts';
import { makeCompletion } from './completion.ts';
import { deleteCommands } from './delete.ts';
import { demoCommands } from './demo.ts';
import { doctorCommands } from './doctor.ts';
import { exclusionCommands } from './exclusions.ts';
import { explainCommands } from './explain.ts';
import { exportCommands } from './export.ts';
import { healthCommands } from './health.ts';
import { importCommands } from './import.ts';
import { searchCommands } from './import-searches.ts';
import { importsCommands } from './imports.ts';
import { licencesCommands } from './licences.ts';
import { logsCommands } from './logs.ts';
import { mailCommands } from './mail.ts';
import { moveCommands } from './move.ts';
import { noteCommands } from './note.ts';
import { outagesCommands } from './outages.ts';
import { planCommands } from './plan.ts';
import { forgettingCommands } from './prove-forgetting.ts';
import { queryCommands } from './query.ts';
import { receiptCommands } from './receipts.ts';
import { sealCommands } from './seal.ts';
import { serveCommands } from './serve.ts';
import { siteCommands } from './site.ts';
import { sqlCommands } from './sql.ts';
import { tokenCommands } from './token.ts';
import { userCommands } from './user.ts';
import { removal } from './user-removal.ts';
import { verifyCommands } from './verify.ts';

/**
 * All commands, in the groups and in the order of the help. "import list" comes before "import". Otherwise, "import
 * list" would import a file with the name list.
 */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Server',
    commands: [
      ...[...serveCommands, ...demoCommands, ...doctorCommands, ...healthCommands, ...backupCommands],
      ...[...sealCommands, ...checkCommands, ...outagesCommands, ...forgettingCommands],
      ...licencesCommands,
      makeCompletion(() => commands),
    ],
  },
  { title: 'People', commands: [...userCommands, removal, ...tokenCommands, ...planCommands, ...auditCommands] },
  {
    title: 'Sites',
    commands: [
      ...[...siteCommands, ...noteCommands, ...exclusionCommands],
      ...[...logsCommands, ...mailCommands, ...channelCommands],
    ],
  },
  {
    title: 'Data',
    commands: [
      ...[
        ...importsCommands,
        ...searchCommands,
        ...importCommands,
        ...deleteCommands,
        ...exportCommands,
        ...queryCommands,
        ...sqlCommands,
      ],
      ...[...explainCommands, ...changesCommands],
      ...[...receiptCommands, ...verifyCommands],
    ],
  },
  {
    title: 'Cluster',
    commands: [...collectCommands, ...collectorsCommands, ...clusterGrowCommands, ...clusterCommands, ...moveCommands],
  },
];

export const commands: readonly Command[] = COMMAND_GROUPS.flatMap((group) => group.commands);

import { backupCommands } from './backup.ts';
import { checkCommands } from './check.ts';
import { clusterCommands } from './cluster.ts';
import { collectCommands } from './collect.ts';
import { collectorsCommands } from './collectors.ts';
import type { Command } from './command.ts';
import { demoCommands } from './demo.ts';
import { doctorCommands } from './doctor.ts';
import { exclusionCommands } from './exclusions.ts';
import { exportCommands } from './export.ts';
import { healthCommands } from './health.ts';
import { importCommands } from './import.ts';
import { importsCommands } from './imports.ts';
import { licencesCommands } from './licences.ts';
import { logsCommands } from './logs.ts';
import { mailCommands } from './mail.ts';
import { moveCommands } from './move.ts';
import { outagesCommands } from './outages.ts';
import { planCommands } from './plan.ts';
import { sealCommands } from './seal.ts';
import { serveCommands } from './serve.ts';
import { siteCommands } from './site.ts';
import { tokenCommands } from './token.ts';
import { userCommands } from './user.ts';
import { removal } from './user-removal.ts';

export const commands: Command[] = [
  ...serveCommands,
  ...userCommands,
  removal,
  ...siteCommands,
  ...tokenCommands,
  ...planCommands,
  ...collectCommands,
  ...collectorsCommands,
  ...clusterCommands,
  ...outagesCommands,
  ...logsCommands,
  // These commands, such as "import list", stand before "import". Otherwise "import list" would import a file named
  // list.
  ...importsCommands,
  ...importCommands,
  ...exportCommands,
  ...moveCommands,
  ...exclusionCommands,
  ...sealCommands,
  ...checkCommands,
  ...backupCommands,
  ...doctorCommands,
  ...healthCommands,
  ...mailCommands,
  ...demoCommands,
  ...licencesCommands,
];

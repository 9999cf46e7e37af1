import { type Countries, openCountries } from '../classify/country.ts';
import { openSpamList, type SpamList } from '../classify/spam.ts';
import type { Config } from '../config.ts';
import type { Intake } from '../engine/engine.ts';
import type { AddressList } from '../lib/http/address.ts';
import type { Log } from '../lib/log.ts';
import type { Random } from '../lib/secrets.ts';
import type { Clock } from '../lib/time.ts';
import type { Db } from '../store/db.ts';
import { makeVisitors, type Visitors } from './visitor.ts';

export type Classifiers = { visitors: Visitors; countries: Countries; spam: SpamList; isExcluded: AddressList };

type Deps = {
  config: Config;
  db: Db;
  intake: Pick<Intake, 'isShared'>;
  clock: Clock;
  random: Random;
  log: Log;
};

export const makeClassifiers = ({ config, db, intake, clock, random, log }: Deps): Classifiers => ({
  visitors: makeVisitors(db, random, clock, intake.isShared),
  countries: openCountries(config.geoip, clock, log),
  spam: openSpamList(config.spamList, clock, log),
  isExcluded: config.excluded,
});

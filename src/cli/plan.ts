// Commands for plans, which limit the sites, people and events of an account. The operator sets the plans. daybook has
// no payments.
//
// Example: `daybook plan set small --sites 3` allows three sites to each account with the plan "small". commands.ts
// lists these commands.

import { Refusal, USAGE } from '../lib/errors.ts';
import { Email, text } from '../lib/http/fields.ts';
import { formatMonth } from '../lib/time.ts';
import { changePlan, findOwnAccount, findStanding, setUsage } from '../store/people/accounts.ts';
import { BUILT_IN, findPlan, setPlan } from '../store/people/plans.ts';
import { type Command, type Invocation, now, validated, withStore } from './command.ts';
import { existingUser } from './user.ts';

function limit({ flags }: Invocation, name: string): number | null {
  const typed = flags[name];
  if (typed === undefined) return null;
  if (!/^\d{1,15}$/.test(typed)) throw new Refusal(`--${name} takes a whole number, not "${typed}"`, USAGE);
  return Number(typed);
}

const set: Command = {
  name: 'plan set',
  args: ['NAME'],
  summary: 'Add a plan, or change it for all its accounts. A flag that you leave out means no limit',
  settings: ['db'],
  flags: {
    sites: { value: 'N', help: 'how many sites' },
    members: { value: 'N', help: 'how many people in the team, including open invitations' },
    events: { value: 'N', help: 'how many events a month' },
  },
  async run(invocation) {
    const name = validated(text(100), 'NAME', invocation.args[0]);
    if (BUILT_IN.includes(name)) throw new Refusal(`${name} is built in and cannot change. Choose another name`);
    const [sites, members, events] = ['sites', 'members', 'events'].map((flag) => limit(invocation, flag));
    const limits = { sites: sites ?? null, members: members ?? null, events: events ?? null };
    await withStore(invocation.config, (db) => setPlan(db, name, limits), { create: true });
  },
};

const use: Command = {
  name: 'plan use',
  args: ['EMAIL', 'NAME'],
  summary: "Assign a plan to a user's account",
  settings: ['db'],
  async run({ args, config }) {
    const email = validated(Email, 'EMAIL', args[0]);
    await withStore(config, (db) => {
      const plan = findPlan(db, args[1] ?? '');
      if (!plan) throw new Refusal(`there is no plan ${args[1]}. To add it, run daybook plan set ${args[1]}`);
      changePlan(db, existingUser(db, email).id, plan.id);
    });
  },
};

const end: Command = {
  name: 'plan end',
  args: ['EMAIL'],
  summary: "End the plan of a user's account and block the account. Nothing is deleted",
  settings: ['db'],
  async run({ args, config }) {
    const email = validated(Email, 'EMAIL', args[0]);
    await withStore(config, (db) => changePlan(db, existingUser(db, email).id, null));
  },
};

/** A number of events, with at most 15 digits. JavaScript stores such numbers exactly. */
const EVENTS = /^\d{1,15}$/;

const usage: Command = {
  name: 'plan usage',
  args: ['EMAIL', '[EVENTS]'],
  summary: "Show how many events a user's account used this month, or correct that number",
  settings: ['db'],
  async run({ args: [typed, events], config, io }) {
    const email = validated(Email, 'EMAIL', typed);
    if (events !== undefined && !EVENTS.test(events))
      throw new Refusal(`EVENTS takes a whole number, not "${events}"`, USAGE);
    await withStore(config, (db) => {
      const accountId = findOwnAccount(db, existingUser(db, email).id);
      if (accountId === undefined) throw new Refusal(`${email} has no account`);
      if (events !== undefined) setUsage(db, accountId, formatMonth(now()), Number(events));
      io.print(`${findStanding(db, accountId, now()).eventsUsed}`);
    });
  },
};

export const planCommands = [set, use, end, usage];

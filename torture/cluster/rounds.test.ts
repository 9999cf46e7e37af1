import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/program.ts';
import { scaled } from '../scale.ts';
import { assertAlike, assertEnd, secretsOf } from './ends.ts';
import { assertRefused } from './foreign.ts';
import { guestsOf } from './guests.ts';
import { type Kills, killInQuietNight, killWhileSealing } from './sealing.ts';
import { TROUBLES, twinOf } from './troubles.ts';
import { buildWorld, type World } from './world.ts';

const ROUNDS = Number(process.env.ROUNDS ?? scaled(2, 60));
/** The clocks begin in the evening, and go on by so much in all: two midnights pass. */
const HOURS = 40;
/** What may happen, by names with commas between them; everything, if none is named. */
const ONLY = process.env.TROUBLE?.split(',');
const mayBe = (name: string): boolean => ONLY === undefined || ONLY.includes(name);
/** Each round begins one trouble, and another one with this chance, and so on. */
const MORE = 0.5;
/** So often everybody rests until all servers have the same. */
const REST_ROUNDS = scaled(4, 10);

/** The primary is killed at the steps of sealing also while other troubles last; in the short form only in a quiet night. */
const KILLS_IN_ROUNDS = scaled(false, true);

type Running = { name: string; place: readonly string[]; roundsLeft: number; logged: Map<object, number> };

/** What the programs have logged since then, each line after the name of its machine. */
function linesSince({ own }: World, logged: Map<object, number>): string[] {
  const programs = [['p0', own.primary()] as const, ...own.numbers.map((i) => [`c${i}`, own.collector(i)] as const)];
  return programs.flatMap(([name, one]) =>
    (one?.stderr ?? []).slice(one ? (logged.get(one) ?? 0) : 0).map((line) => `${name} ${line}`),
  );
}

const logOf = ({ own }: World): Map<object, number> =>
  new Map(
    [own.primary(), ...own.numbers.map(own.collector)].flatMap((one) =>
      one ? [[one, one.stderr.length] as const] : [],
    ),
  );

/** Waits until doctor or a log says what is wrong. */
async function assertNamed(world: World, { name, place, logged }: Running): Promise<void> {
  const { says } = TROUBLES[name] ?? {};
  const { daybook, engine } = world;
  for (const machine of says ? place : []) {
    const pattern = says?.(world, machine) ?? /$^/;
    let said: string[] = [];
    await until(`${name} of ${machine} is named`, async () => {
      const { stdout } = await daybook.run(['doctor', '--engine', engine, '--db', daybook.db]);
      said = [
        ...stdout.split(/^(?=OK|ATTENTION)/m).filter((one) => one.startsWith('ATTENTION')),
        ...linesSince(world, logged),
      ];
      return said.some((one) => pattern.test(one));
    }).catch((error: Error) => {
      throw new Error(`${error.message}:\n${said.join('\n')}`);
    });
  }
}

/** Where a trouble may begin: all its machines have none, nor the twins of those that it would take for good. */
function placesOf(world: World, name: string, running: readonly Running[]): string[][] {
  const { places, isLoss } = TROUBLES[name] ?? { places: () => [] };
  const busy = new Set(running.flatMap(({ place }) => place));
  const losing = new Set(running.filter((one) => TROUBLES[one.name]?.isLoss).flatMap(({ place }) => place.map(twinOf)));
  const states = world.statesOf();
  const isWhole = (machine: string) => {
    const { http } = world.servers[Number(machine.slice(1))] ?? {};
    const server = world.servers.find((one) => one.http === http);
    return server !== undefined && states.get(world.gates.hostOf(server)) === 'complete';
  };
  const isFree = (machine: string) => !busy.has(machine) && !losing.has(machine);
  return places(world).filter((place) =>
    place.every((one) => isFree(one) && (!isLoss || (!busy.has(twinOf(one)) && isWhole(one) && isWhole(twinOf(one))))),
  );
}

/** Begins some troubles, and gives their names. */
async function begin(world: World, running: Running[]): Promise<string[]> {
  const { random } = world;
  const begun: string[] = [];
  do {
    const names = Object.keys(TROUBLES).filter(mayBe);
    const name = names[Math.floor(random() * names.length)] ?? '';
    const places = placesOf(world, name, running);
    const place = places[Math.floor(random() * places.length)];
    const trouble = TROUBLES[name];
    if (!place || !trouble) continue;
    const one = { name, place, roundsLeft: trouble.rounds, logged: logOf(world) };
    running.push(one);
    begun.push(name);
    await trouble.begin(world, place);
  } while (random() < MORE);
  return begun;
}

async function endSome(world: World, running: Running[]): Promise<void> {
  const over = running.filter((one) => --one.roundsLeft <= 0);
  // The primary first, because it has to be there where a server is filled; servers that are there again next.
  const turnOf = ({ name }: Running) => (name === 'primary' ? 0 : TROUBLES[name]?.isLoss ? 2 : 1);
  for (const one of over.toSorted((a, b) => turnOf(a) - turnOf(b))) {
    await TROUBLES[one.name]?.end(world, one.place);
    running.splice(running.indexOf(one), 1);
  }
}

/** Lets hits come in, where a collector can take some: without the primary, one whose clock leapt does not know the time. */
function goesOn({ own, more }: World, running: readonly Running[]) {
  let isTimeKnown = true;
  const isOfClock = ({ name }: Running) => TROUBLES[name]?.isOfClock;
  return async (least: number): Promise<void> => {
    isTimeKnown &&= !running.some(isOfClock);
    if (own.ports().length === 0 || !(own.state().isUp || isTimeKnown)) return;
    await more(least);
    isTimeKnown ||= own.state().isUp && !running.some(isOfClock);
  };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

test('C1 whatever befalls machines of a cluster over two nights, nothing is lost, counted twice, shown wrongly or left', async (t) => {
  const world = await buildWorld(t);
  const { random, own, clocks, people, reader, today } = world;
  const running: Running[] = [];
  const guests = guestsOf(world);
  const secrets = secretsOf(world);
  const kills: Kills = new Map();
  /** How often each trouble began. */
  const counts = new Map<string, number>();
  /** What the clocks have still to go on by. */
  let owed = 0;
  let isOver = false;
  const goOn = goesOn(world, running);
  t.after(() => {
    if (isOver) return;
    for (const line of linesSince(world, new Map())) say(line);
  });
  for (let n = 1; n <= ROUNDS; n++) {
    const start = performance.now();
    for (const name of await begin(world, running)) counts.set(name, (counts.get(name) ?? 0) + 1);
    await guests.round(random);
    const told = running.map(({ name, place }) => `${name} ${place.join(' and ')}`).join(', ');
    say(`round ${n}, ${new Date(clocks.now()).toISOString()}: ${told}`);
    const least = Math.ceil(random() * 400);
    await goOn(least);
    await secrets.note(world.servers.filter((_, i) => !running.some(({ place }) => place.includes(`s${i}`))));
    const before = today();
    owed += (HOURS * 3_600_000) / ROUNDS;
    // A collector that cannot ask the primary takes no hits at a time that it cannot know.
    if (own.state().isUp) {
      clocks.leap(owed);
      owed = 0;
    }
    if (own.state().isUp) for (const one of running) await assertNamed(world, one);
    const isKilled = KILLS_IN_ROUNDS && mayBe('sealing');
    if (today() > before && own.state().isUp && isKilled) await killWhileSealing(world, kills);
    if (n === Math.ceil(ROUNDS / 2) && mayBe('foreign')) await assertRefused(world);
    await goOn(least);
    await endSome(world, running);
    if (n % REST_ROUNDS === 0 && running.length === 0) {
      people.rest(true);
      await assertAlike(world);
      people.rest(false);
    }
    say(`  ${((performance.now() - start) / 1000).toFixed(0)} s, ${people.acknowledged.size} acknowledged`);
    assert.deepEqual(reader.faults, []);
  }
  for (const one of running) one.roundsLeft = 0;
  await endSome(world, running);
  await guests.leave();
  await assertEnd(world, guests, secrets, async () => {
    if (mayBe('sealing')) await killInQuietNight(world, kills);
  });
  isOver = true;
  const { acknowledged, sent, crawls } = people;
  t.diagnostic(
    `${ROUNDS} rounds: ${acknowledged.size} acknowledged and ${sent.size - acknowledged.size} more sent, ${crawls.acknowledged.size} requests of crawlers, ${guests.gone.length} sites deleted`,
  );
  t.diagnostic(`troubles: ${JSON.stringify(Object.fromEntries(counts))}`);
  t.diagnostic(`primary killed while it sealed: ${JSON.stringify(Object.fromEntries(kills))}`);
  t.diagnostic(`${reader.told()}; ${secrets.told()}`);
});

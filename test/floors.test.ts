import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/**
 * What each floor may import besides itself, `lang`, `lib`, node and packages; of the top level the files that are named. `dashboard`
 * runs in browsers, so that of the others it may have types and what is pure.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lang: [],
  lib: [],
  embedded: ['threads'],
  threads: [],
  store: ['embedded'],
  classify: ['embedded', 'stats/dimensions.ts', 'stats/properties.ts', 'stats/revenue.ts'],
  metrics: ['store', 'engine'],
  auth: ['store', 'config.ts'],
  engine: ['stats', 'store'],
  stats: ['store', 'engine'],
  logs: ['classify', 'store', 'engine'],
  collect: ['embedded', 'classify', 'metrics', 'stats', 'store', 'config.ts', 'engine'],
  catalog: ['receipts', 'stats', 'store'],
  receipts: [],
  commit: ['metrics', 'store', 'engine'],
  ledger: ['classify', 'catalog', 'commit', 'metrics', 'stats', 'store', 'threads', 'engine'],
  cluster: ['classify', 'catalog', 'commit', 'metrics', 'stats', 'store', 'engine'],
  collectors: ['embedded', 'auth', 'cluster', 'collect', 'commit', 'jobs', 'metrics', 'store', 'config.ts', 'engine'],
  exchange: ['classify', 'embedded', 'logs', 'stats', 'store/sites/searches.ts', 'config.ts', 'engine'],
  sql: ['embedded', 'classify', 'stats', 'engine'],
  forgetting: ['cluster', 'collect', 'embedded', 'store'],
  demo: ['classify', 'collect', 'exchange', 'stats/properties.ts', 'stats/revenue.ts', 'stats/vitals.ts', 'store'],
  destinations: ['mail', 'store', 'config.ts'],
  mail: ['embedded', 'engine', 'auth', 'stats', 'store', 'config.ts'],
  doctor: ['embedded', 'classify', 'mail', 'store', 'config.ts', 'engine'],
  jobs: [
    'catalog',
    'collect',
    'destinations',
    'exchange',
    'mail',
    'receipts',
    'stats',
    'store',
    'threads',
    'config.ts',
    'engine',
  ],
  forms: ['embedded', 'auth', 'classify', 'collect', 'mail', 'stats', 'store', 'config.ts'],
  api: [
    'auth',
    'catalog',
    'classify',
    'collect',
    'destinations',
    'doctor',
    'exchange',
    'mail',
    'receipts',
    'sql',
    'stats',
    'store',
    'config.ts',
    'engine',
  ],
  mcp: ['api', 'embedded', 'auth', 'stats/dimensions.ts'],
  http: ['collect', 'app.ts'],
  tracker: [],
  verify: ['receipts'],
  dashboard: [
    'stats/dimensions.ts',
    'stats/dimensions-off.ts',
    'stats/left-out.ts',
    'stats/metrics.ts',
    'stats/properties.ts',
    'stats/revenue.ts',
    'stats/table-keys.ts',
    'stats/unusual.ts',
  ],
  cli: [
    ...[
      'embedded',
      'api',
      'auth',
      'catalog',
      'cluster',
      'collect',
      'demo',
      'doctor',
      'exchange',
      'forgetting',
      'http',
      'jobs',
      'ledger',
      'logs',
      'classify',
      'mail',
      'receipts',
      'sql',
      'threads',
    ],
    ...['stats', 'store', 'config.ts', 'options.ts', 'compose.ts', 'compose-collector.ts', 'engine'],
  ],
};

/** The same for the files of the top level. */
const TOP_MAY_IMPORT: Record<string, readonly string[]> = {
  'options.ts': [],
  'config.ts': ['options.ts'],
  'app.ts': ['embedded', 'api', 'collect', 'collectors', 'mcp', 'metrics', 'forms', 'store', 'config.ts'],
  'worker.ts': ['cluster', 'forgetting', 'jobs', 'ledger', 'store', 'threads'],
  'compose.ts': [
    ...[
      'embedded',
      'auth',
      'catalog',
      'cluster',
      'collect',
      'destinations',
      'doctor',
      'exchange',
      'jobs',
      'ledger',
      'mail',
      'metrics',
      'sql',
      'stats',
      'store',
      'threads',
    ],
    ...['api/event-streams.ts', 'app.ts', 'config.ts', 'engine', 'http'],
  ],
  'compose-collector.ts': [
    ...['embedded', 'cluster', 'collect', 'collectors', 'commit', 'metrics', 'store'],
    ...['app.ts', 'compose.ts', 'config.ts', 'engine', 'http'],
  ],
  'main.ts': ['embedded', 'cli', 'store'],
};

/** The same inside large floors: what each of their folders may import of the others. Files beside the folders may import all. */
const INSIDE: Record<string, Record<string, readonly string[]>> = {
  ledger: {
    column: [],
    rows: ['column'],
    day: ['column'],
    count: ['column', 'day', 'rows'],
    sealed: ['column', 'count', 'day'],
    open: ['column', 'count', 'day', 'rows'],
    query: ['column', 'count', 'day', 'open', 'rows', 'sealed'],
    upkeep: ['column', 'count', 'day', 'open', 'rows', 'sealed'],
    work: ['column', 'open', 'query', 'rows', 'sealed', 'upkeep'],
  },
  cluster: {
    servers: [],
    query: ['servers'],
    outbox: ['servers'],
    fill: ['servers', 'outbox'],
    grow: ['servers', 'outbox', 'fill'],
    open: ['servers', 'query'],
    upkeep: ['servers', 'query', 'outbox'],
  },
  store: {
    file: ['db.ts'],
    cluster: ['db.ts', 'file'],
    server: ['db.ts', 'cluster'],
    people: ['db.ts'],
    sites: ['db.ts', 'people', 'server'],
    mail: ['db.ts', 'people', 'sites'],
  },
  exchange: {
    reading: [],
    products: ['format.ts', 'reading'],
    parquet: [],
  },
  dashboard: {
    core: [],
    ui: ['core'],
    dates: ['core', 'ui'],
    report: ['core', 'dates', 'ui'],
    explore: ['core', 'dates', 'report', 'ui'],
    exclusions: ['core', 'dates', 'ui'],
    settings: ['exclusions', 'core', 'dates', 'ui'],
    account: ['core', 'ui'],
    sites: ['core', 'ui'],
    pages: ['account', 'core', 'dates', 'exclusions', 'explore', 'report', 'settings', 'sites', 'ui'],
  },
};

/** The doors of a floor: its files that others may import. */
const DOORS: Record<string, readonly string[]> = {
  ledger: ['in-process.ts', 'in-threads.ts', 'open-days.ts', 'own-hits.ts', 'thread.ts'],
  cluster: [
    ...['engine.ts', 'outbox/intake.ts', 'outbox/reach.ts', 'servers/address.ts', 'servers/row-numbers.ts'],
    'servers/send.ts',
    ...['upkeep/accept.ts', 'upkeep/adopt.ts', 'grow/divide.ts', 'grow/leave.ts', 'grow/new-servers.ts'],
  ],
};

const source = new URL('../src/', import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
const textOf = (file: string): string => readFileSync(new URL(file, source), 'utf8');
const withoutComments = (text: string): string => text.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '');

type Import = { path: string; isType: boolean };

/** What a text imports from other files of ours, as paths below src. */
const importsIn = (text: string, file: string): Import[] =>
  [...withoutComments(text).matchAll(/(?:(import|export)( type)?[^;'"`]*? from |import\()'(\.[^']+)'/g)].map(
    ([, , type, path = '']) => ({
      path: new URL(path, new URL(file, source)).pathname.slice(source.pathname.length),
      isType: type !== undefined,
    }),
  );
const importsOf = (file: string): Import[] => importsIn(textOf(file), file);

const floorOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : '');

/** The folder of a file inside its floor, or its name beside the folders. */
const folderOf = (file: string): string => file.split('/')[1] ?? '';
const isBeside = (file: string): boolean => file.split('/').length < 3;

/** Why a file must not import another of its floor; undefined where it may. */
function faultInside(file: string, path: string): string | undefined {
  const floor = floorOf(file);
  const folders = INSIDE[floor];
  if (!folders || floorOf(path) !== floor || folderOf(file) === folderOf(path) || isBeside(file)) return undefined;
  const isAllowed = folders[folderOf(file)]?.includes(folderOf(path)) ?? false;
  return isAllowed ? undefined : `${file} must not import ${path}`;
}

/** Why a file must not import another past the doors of its floor; undefined where it may. */
function faultAtDoor(file: string, path: string): string | undefined {
  const [floor, ...within] = path.split('/');
  const doors = DOORS[floor ?? ''];
  if (!doors || floorOf(file) === floor || doors.includes(within.join('/'))) return undefined;
  return `${file} must not import ${path}, which is no door`;
}

/** Why a file must not import another; undefined where it may. */
function faultOf(file: string, { path, isType }: Import): string | undefined {
  const [floor, other] = [floorOf(file), floorOf(path)];
  const allowed = floor === '' ? TOP_MAY_IMPORT[file] : MAY_IMPORT[floor];
  if (!allowed) return `${file} stands on no floor`;
  const isOwn = floor !== '' && other === floor;
  const isAllowed =
    isOwn || ['lang', 'lib'].includes(other) || allowed.includes(path) || (other !== '' && allowed.includes(other));
  return isAllowed || (floor === 'dashboard' && isType) ? undefined : `${file} must not import ${path}`;
}

test('a floor imports only what its row allows', () => {
  assert.ok(files.length > 300);
  const faults = files.flatMap((file) => importsOf(file).flatMap((one) => faultOf(file, one) ?? []));
  assert.deepEqual(faults, []);
});

test('a folder of a large floor imports only what its row allows, and no floor has a folder without a row', () => {
  const faults = files.flatMap((file) => importsOf(file).flatMap(({ path }) => faultInside(file, path) ?? []));
  assert.deepEqual(faults, []);
  for (const [floor, folders] of Object.entries(INSIDE)) {
    const found = new Set(files.filter((file) => floorOf(file) === floor && !isBeside(file)).map(folderOf));
    assert.deepEqual([...found].sort(), Object.keys(folders).sort(), floor);
    for (const folder of Object.keys(folders))
      assert.ok(faultInside(`${floor}/${folder}/new.ts`, `${floor}/nowhere/new.ts`), folder);
  }
});

test('an engine is imported through its doors only, and each door is used', () => {
  const imports = files.flatMap((file) => importsOf(file).map(({ path }) => ({ file, path })));
  const faults = imports.flatMap(({ file, path }) => faultAtDoor(file, path) ?? []);
  assert.deepEqual(faults, []);
  for (const [floor, doors] of Object.entries(DOORS)) {
    assert.ok(faultAtDoor('cli/new.ts', `${floor}/inside.ts`), floor);
    for (const door of doors)
      assert.ok(
        imports.some(({ file, path }) => path === `${floor}/${door}` && floorOf(file) !== floor),
        `${floor}/${door}`,
      );
  }
});

test('an import that its row does not allow is found on every floor, however it is written', () => {
  for (const floor of [...Object.keys(MAY_IMPORT), ...Object.keys(TOP_MAY_IMPORT)]) {
    const file = floor.endsWith('.ts') ? floor : `${floor}/new.tsx`;
    const up = floor.endsWith('.ts') ? './' : '../';
    for (const text of [
      `import { x } from '${up}nowhere/new.ts';`,
      `import {\n  x,\n} from '${up}nowhere/new.ts';`,
      `export { x } from '${up}nowhere/new.ts';`,
      `const x = await import('${up}nowhere/new.ts');`,
    ]) {
      const [found] = importsIn(text, file);
      assert.ok(found && faultOf(file, found), `${file}: ${text}`);
    }
  }
});

test('no file imports itself by way of others, and be it for types', () => {
  const state = new Map<string, 'open' | 'done'>();
  const walk = (file: string, way: readonly string[]): void => {
    assert.notEqual(state.get(file), 'open', [...way, file].join(' -> '));
    if (state.has(file)) return;
    state.set(file, 'open');
    for (const { path } of importsOf(file)) if (files.includes(path)) walk(path, [...way, file]);
    state.set(file, 'done');
  };
  for (const file of files) walk(file, []);
});

test('no noun of the API imports another', () => {
  const nouns = files.filter((file) =>
    /^api\/(account|sites|goals|funnels|notes|embeds|team|tokens|sessions|server)\.ts$/.test(file),
  );
  assert.equal(nouns.length, 10);
  for (const file of nouns)
    assert.deepEqual(
      importsOf(file).filter(({ path }) => nouns.includes(path)),
      [],
      file,
    );
});

/** The tables of the embedded engine, each with the file in which its statements stand. */
const HOMES: Record<string, string> = {
  hit: 'ledger/rows/hits.ts',
  sealed_day: 'catalog/sealed-days.ts',
  open_shard: 'ledger/open/shard-table.ts',
  open_blob: 'ledger/column/blobs.ts',
  sealed_blob: 'ledger/column/blobs.ts',
  rollup: 'ledger/column/blobs.ts',
  excluded_sum: 'catalog/reduced-days.ts',
  excluded_rollup: 'ledger/column/blobs.ts',
  month_rollup: 'ledger/sealed/month.ts',
  import: 'catalog/imports.ts',
  crawl_day: 'ledger/rows/crawls.ts',
  packed_crawl: 'ledger/rows/packed-crawls.ts',
  drop_day: 'ledger/rows/drops.ts',
  term: 'ledger/rows/terms.ts',
  day_term: 'ledger/rows/terms.ts',
};

/**
 * Other files that name a table: for the states, ids and sweep of sealed days, and to say which table a blob goes to or
 * comes from.
 */
const BESIDE: Record<string, readonly string[]> = {
  sealed_day: ['catalog/day-ids.ts', 'catalog/day-states.ts', 'catalog/swept-days.ts', 'ledger/column/blobs.ts'],
  sealed_blob: ['ledger/transfer.ts', 'ledger/upkeep/retention.ts', 'ledger/upkeep/seal.ts'],
  open_shard: ['ledger/column/blobs.ts'],
};

test('what an engine keeps is named by its own files only, each table in one', () => {
  for (const [table, home] of Object.entries(HOMES)) {
    // A name with a line in it is nothing but a table where it stands in a list too.
    const listed = table.includes('_') ? `|[:[] ?'${table}'` : '';
    const named = new RegExp(`\\b(?:FROM|INTO|UPDATE|JOIN|TABLE)\\s+${table}\\b(?!\\.)${listed}`);
    const found = files.filter((file) => named.test(withoutComments(textOf(file))));
    assert.deepEqual(found.filter((file) => file !== home).sort(), BESIDE[table] ?? [], table);
    assert.ok(files.includes(home), home);
  }
});

const MOST_LINES_WITHOUT_HEAD = 60;
/** Tables of sentences say what they are in a line or two. */
const WITHOUT_HEAD = /^lang\//;

test('a file of more than 60 lines begins with 3 to 15 lines that say what it is', () => {
  const faults = files.flatMap((file) => {
    const lines = textOf(file).trimEnd().split('\n');
    const head = lines.findIndex((line) => !line.startsWith('//'));
    const isFine = lines.length <= MOST_LINES_WITHOUT_HEAD || (head >= 3 && head <= 15);
    return isFine || WITHOUT_HEAD.test(file) ? [] : [`${file}: ${head}`];
  });
  assert.deepEqual(faults, []);
});

test('a test that a comment names is there', () => {
  const missing = files.flatMap((file) =>
    [...textOf(file).matchAll(/\btest\/[\w/.-]+\.test\.tsx?\b/g)]
      .map(([name]) => name)
      .filter((name) => !existsSync(name))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

test('no test of a cluster or of a browser has the name of those that need neither', () => {
  // Otherwise `npm run test:long` and `npm run test:program` would run it where no server or browser is.
  const names = ['cluster', 'browser'].flatMap((folder) =>
    readdirSync(`test/${folder}`, { recursive: true }).map(String),
  );
  assert.ok(names.length > 0);
  assert.deepEqual(
    names.filter((name) => !name.startsWith('node_modules') && /\.(long|program)\.test\.tsx?$/.test(name)),
    [],
  );
});

test('SQL is prepared, the clock is read and the environment is looked at only where that belongs', () => {
  const places: [RegExp, RegExp][] = [
    [/\.prepare\(|\bfrom '(?:better-sqlite3|node:sqlite)'/, /^(store|sql)\//],
    [/process\.env/, /^main\.ts$/],
    [/process\.exit/, /^(main|threads\/thread)\.ts$/],
    [/Date\.now\(\)|new Date\(\)|performance\.now\(\)/, /^(main\.ts|worker\.ts|cli\/|dashboard\/|tracker\/)/],
    [/Math\.random\(|\brandomBytes\b/, /^(embedded\/native\.ts|cli\/)/],
  ];
  for (const file of files) {
    const text = withoutComments(textOf(file));
    for (const [what, where] of places) assert.ok(where.test(file) || !what.test(text), `${file} has ${what}`);
  }
});

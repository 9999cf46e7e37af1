// Reads the files of deploy/catalogues as each catalogue does. Their formats are written down here as valibot schemas, from what
// the catalogues publish. The chart is also checked by helm, and the flake by Nix, where these are installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as toml from 'smol-toml';
import * as v from 'valibot';
import * as yaml from 'yaml';

type Catalogues = { NAMES: Record<string, string | number>; makeCatalogues(): Record<string, string> };

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'deploy/catalogues');
const { NAMES, makeCatalogues } = (await import(join(ROOT, 'scripts/release/catalogues.mjs'))) as Catalogues;
const { image, imageName, digest, version, port, data, repository } = NAMES;
const imageOfChart = digest ? `${imageName}@${digest}` : image;

const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');
const missing = (command: string): string | false =>
  spawnSync(command, ['--version']).error ? `${command} is not installed` : false;

const text = v.pipe(v.string(), v.minLength(1));
const short = v.pipe(text, v.maxLength(80));
const url = v.pipe(v.string(), v.url());
const exact = (value: string | number | undefined) => v.literal(value ?? '');
const languages = v.objectWithRest({ en_US: text }, text);
const environment = v.record(v.pipe(v.string(), v.regex(/^[A-Z_]+$/)), text);
const architectures = v.array(v.picklist(['amd64', 'arm64']));

/** The files of each catalogue with its format, and with what must be the same in all of them. */
const FORMATS: Record<string, v.GenericSchema> = {
  'coolify/daybook.yaml': v.strictObject({
    services: v.strictObject({
      daybook: v.strictObject({
        image: exact(image),
        environment: v.array(text),
        volumes: v.tuple([exact(`daybook-data:${data}`)]),
        healthcheck: v.strictObject({ test: v.array(text), interval: text, timeout: text, retries: v.number() }),
      }),
    }),
  }),
  'casaos/docker-compose.yml': v.object({
    name: v.literal('daybook'),
    services: v.object({
      daybook: v.object({
        image: exact(image),
        container_name: v.literal('daybook'),
        volumes: v.tuple([v.object({ target: exact(data), type: v.literal('volume') })]),
        ports: v.tuple([v.object({ target: exact(port), published: exact(`${port}`) })]),
        environment,
      }),
    }),
    'x-casaos': v.strictObject({
      id: v.pipe(v.string(), v.regex(/^[\w-]+(\.[\w-]+)+$/)),
      main: v.literal('daybook'),
      index: text,
      port_map: exact(`${port}`),
      scheme: v.picklist(['http', 'https']),
      title: languages,
      icon: url,
      tagline: languages,
      description: languages,
      tips: v.strictObject({ before_install: languages }),
      author: text,
      developer: text,
      category: v.picklist([
        'Media',
        'Productivity',
        'Home',
        'Networking',
        'AI',
        'Finance',
        'Social',
        'Developer',
        'Others',
      ]),
      architectures,
      version: exact(version),
      ...{ website: url, repo: url, support: url, docs: url },
    }),
  }),
  'umbrel/daybook/umbrel-app.yml': v.strictObject({
    manifestVersion: v.picklist([1, 1.1]),
    id: v.literal('daybook'),
    name: text,
    tagline: short,
    category: v.picklist([
      'files',
      'bitcoin',
      'media',
      'networking',
      'social',
      'automation',
      'finance',
      'ai',
      'developer',
    ]),
    version: exact(version),
    port: exact(port),
    description: text,
    developer: text,
    ...{ website: url, repo: url, support: url, submission: url },
    submitter: text,
    gallery: v.pipe(v.array(v.pipe(v.string(), v.regex(/^\d\.jpg$/))), v.minLength(3)),
    dependencies: v.array(text),
    ...{ releaseNotes: v.string(), path: v.string(), defaultUsername: v.string(), defaultPassword: v.string() },
  }),
  'umbrel/daybook/docker-compose.yml': v.strictObject({
    version: v.literal('3.7'),
    services: v.strictObject({
      app_proxy: v.object({
        environment: v.object({ APP_HOST: v.literal('daybook_server_1'), APP_PORT: exact(port) }),
      }),
      server: v.object({
        image: exact(image),
        environment,
        volumes: v.tuple([exact(`\${APP_DATA_DIR}/data:${data}`)]),
      }),
    }),
  }),
  'yunohost/manifest.toml': v.strictObject({
    packaging_format: v.literal(2),
    id: v.literal('daybook'),
    name: text,
    description: v.objectWithRest({ en: text }, text),
    version: exact(`${version}~ynh1`),
    maintainers: v.array(text),
    upstream: v.strictObject({ license: v.literal('MIT'), website: url, userdoc: url, code: exact(repository) }),
    integration: v.strictObject({
      yunohost: v.pipe(v.string(), v.regex(/^>= ?\d{1,2}(\.\d{1,2}){0,2}$/)),
      architectures,
      ...{ multi_instance: v.boolean(), ldap: v.boolean(), sso: v.boolean() },
      disk: v.pipe(v.string(), v.regex(/^\d+[MG]$/)),
      ram: v.strictObject({ build: text, runtime: text }),
    }),
    install: v.record(v.string(), v.object({ type: text })),
    resources: v.strictObject({
      sources: v.strictObject({
        main: v.strictObject({
          format: v.literal('whatever'),
          extract: v.literal(false),
          rename: text,
          ...Object.fromEntries(
            ['amd64', 'arm64'].map((name) => [
              name,
              v.strictObject({ url, sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
            ]),
          ),
        }),
      }),
      ...{ system_user: v.object({}), install_dir: v.object({}), data_dir: v.object({}) },
      permissions: v.strictObject({ main: v.strictObject({ url: v.literal('/') }) }),
      ports: v.strictObject({ main: v.strictObject({ default: exact(port) }) }),
    }),
  }),
  'yunohost/tests.toml': v.strictObject({ test_format: v.literal(1), default: v.object({}) }),
  'runtipi/config.json': v.strictObject({
    $schema: text,
    id: v.literal('daybook'),
    ...{ name: text, short_desc: short, description: text, author: text, source: url, website: url },
    ...{ available: v.boolean(), exposable: v.boolean(), dynamic_config: v.literal(true) },
    port: exact(port),
    tipi_version: v.pipe(v.number(), v.integer()),
    min_tipi_version: text,
    version: exact(version),
    categories: v.array(v.picklist(['network', 'development', 'utilities', 'data'])),
    supported_architectures: architectures,
    ...{ uid: exact(NAMES.user), gid: exact(NAMES.user) },
    form_fields: v.array(v.object({})),
  }),
  'runtipi/docker-compose.json': v.strictObject({
    $schema: url,
    schemaVersion: v.literal(2),
    services: v.tuple([
      v.strictObject({
        name: v.literal('daybook'),
        image: exact(image),
        isMain: v.literal(true),
        internalPort: exact(port),
        environment: v.array(v.strictObject({ key: v.pipe(v.string(), v.regex(/^[A-Z_]+$/)), value: text })),
        volumes: v.tuple([v.strictObject({ hostPath: text, containerPath: exact(data) })]),
        ...{ capDrop: v.array(text), securityOpt: v.array(text) },
      }),
    ]),
  }),
  'truenas/app.yaml': v.object({
    app_version: exact(version),
    ...{ name: v.literal('daybook'), title: text, train: v.literal('community'), icon: url, home: url },
    version: v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+$/)),
    lib_version: v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+$/)),
    lib_version_hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    run_as_context: v.tuple([v.object({ uid: v.number(), gid: v.number() })]),
  }),
  'truenas/ix_values.yaml': v.strictObject({
    images: v.strictObject({ image: v.strictObject({ repository: exact(imageName), tag: exact(version) }) }),
    consts: v.object({ port: exact(port), data_path: exact(data) }),
  }),
  'truenas/questions.yaml': v.strictObject({
    groups: v.array(v.strictObject({ name: text, description: text })),
    questions: v.array(v.object({ variable: text, label: v.string(), group: text, schema: v.object({ type: text }) })),
  }),
  'truenas/templates/test_values/basic-values.yaml': v.object({
    network: v.object({ web_port: v.object({ port_number: exact(port) }) }),
  }),
  'cosmos/cosmos-compose.json': v.object({
    services: v.object({
      '{ServiceName}': v.object({
        image: exact(image),
        volumes: v.tuple([v.object({ target: exact(data), type: v.literal('volume') })]),
        routes: v.tuple([v.object({ target: exact(`http://{ServiceName}:${port}`), mode: v.literal('SERVAPP') })]),
      }),
    }),
  }),
  'cosmos/description.json': v.strictObject({
    ...{ name: text, description: text, longDescription: text, repository: url, image: url },
    tags: v.array(text),
    supported_architectures: architectures,
  }),
  'helm/Chart.yaml': v.object({
    ...{ apiVersion: v.literal('v2'), name: v.literal('daybook'), type: v.literal('application'), icon: url },
    ...{ version: exact(version), appVersion: exact(version) },
  }),
  'helm/values.yaml': v.object({
    image: v.object({ repository: exact(imageName), tag: v.literal(''), digest: exact(digest) }),
    service: v.object({ port: exact(port) }),
  }),
};

/** Texts, scripts and templates, which have no format here. */
const WITHOUT_FORMAT = [
  'README.md',
  'helm/templates/NOTES.txt',
  'helm/templates/ingress.yaml',
  'helm/templates/service.yaml',
  'helm/templates/statefulset.yaml',
  'helm/values.schema.json',
  'nix/flake.nix',
  'runtipi/metadata/description.md',
  'truenas/templates/docker-compose.yaml',
  'unraid/daybook.xml',
  'yunohost/conf/nginx.conf',
  'yunohost/conf/systemd.service',
  'yunohost/doc/DESCRIPTION.md',
  'yunohost/doc/POST_INSTALL.md',
  ...['_common.sh', 'backup', 'install', 'remove', 'restore', 'upgrade'].map((name) => `yunohost/scripts/${name}`),
];

const parsed = (path: string): unknown =>
  path.endsWith('.json')
    ? JSON.parse(read(path))
    : path.endsWith('.toml')
      ? toml.parse(read(path))
      : yaml.parse(read(path));

test('catalogues: the files are those that npm run catalogues writes', () => {
  const committed = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(FOLDER, path)).isFile())
    .sort();
  const made = makeCatalogues();
  assert.deepEqual(committed, Object.keys(made).sort());
  for (const [path, content] of Object.entries(made)) {
    assert.equal(read(path), content, `${path}: run npm run catalogues`);
    assert.doesNotMatch(content, new RegExp(`@(?:${Object.keys(NAMES).join('|')})@`), path);
  }
});

test('catalogues: each file has the format of its catalogue, and the one version, image, port and folder', () => {
  assert.deepEqual([...Object.keys(FORMATS), ...WITHOUT_FORMAT].sort(), Object.keys(makeCatalogues()).sort());
  for (const [path, format] of Object.entries(FORMATS)) {
    const { issues } = v.safeParse(format, parsed(path));
    assert.deepEqual(
      issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`),
      undefined,
      path,
    );
  }
});

test('catalogues: no file names another version, image or port', () => {
  for (const [path, content] of Object.entries(makeCatalogues())) {
    const name = `${imageName}`.replaceAll('.', '\\.');
    for (const [, tag] of content.matchAll(new RegExp(`${name}:([\\w.-]+)`, 'g'))) assert.equal(tag, version, path);
    for (const [number] of content.matchAll(/(?<![\d.])8\d{3}(?!\d)/g)) assert.equal(number, `${port}`, path);
  }
});

test('catalogues: the template of Unraid is XML, and names the image, the port and the folder', {
  skip: missing('python3'),
}, () => {
  const script = `import sys, json, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
print(json.dumps([root.tag, root.get('version'), root.findtext('Repository'), [[c.get('Type'), c.get('Target')] for c in root.iter('Config')]]))`;
  const { stdout } = spawnSync('python3', ['-c', script, join(FOLDER, 'unraid/daybook.xml')], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(stdout), [
    'Container',
    '2',
    image,
    [
      ['Port', `${port}`],
      ['Path', data],
      ['Variable', 'DAYBOOK_BASE_URL'],
      ['Variable', 'DAYBOOK_TRUSTED_PROXIES'],
    ],
  ]);
});

test('catalogues: the scripts of YunoHost are those of bash', { skip: missing('bash') }, () => {
  for (const name of readdirSync(join(FOLDER, 'yunohost/scripts'))) {
    const { status, stderr } = spawnSync('bash', ['-n', join(FOLDER, 'yunohost/scripts', name)], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, ''], name);
  }
});

test('catalogues: helm finds nothing wrong with the chart, and makes one pod of it that is not root', {
  skip: missing('helm'),
}, () => {
  const chart = join(FOLDER, 'helm');
  const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' });
  const lint = helm('lint', '--strict', chart);
  assert.equal(lint.status, 0, lint.stdout);
  const { stdout } = helm('template', 'stats', chart, '--set', 'ingress.enabled=true');
  const made = stdout.split(/^---$/m).flatMap((part) => (yaml.parse(part) ? [yaml.parse(part)] : []));
  const kinds = v.parse(v.array(v.object({ kind: v.string() })), made).map(({ kind }) => kind);
  assert.deepEqual(kinds.sort(), ['Ingress', 'Service', 'StatefulSet']);
  for (const part of [
    `image: ${imageOfChart}\n`,
    `containerPort: ${port}`,
    `mountPath: ${data}`,
    'runAsNonRoot: true',
    'host: stats.example.com',
  ])
    assert.ok(stdout.includes(part), part);
  assert.notEqual(helm('template', 'stats', chart, '--set', 'baseUrl=stats.example.com').status, 0);
});

test('catalogues: Nix reads the flake', { skip: missing('nix-instantiate') }, () => {
  const { status, stderr } = spawnSync('nix-instantiate', ['--parse', join(FOLDER, 'nix/flake.nix')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

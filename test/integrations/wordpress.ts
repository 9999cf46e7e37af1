// Runs WordPress for the test of the plugin: real WordPress 6.5 with its integration of SQLite, in PHP's own web server.
//
// The files are those of a package of test/integrations/wordpress. Only WooCommerce is a stand-in
// (test/integrations/wordpress/shop.php), because no registry has it.
//
// Example: `const wordpress = await startWordPress(t, folder)` installs a website, and
// `wordpress.run('echo home_url();')` runs PHP within it.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort, type Running, start, untilListening } from './crawled.ts';

const HERE = fileURLToPath(new URL('./wordpress/', import.meta.url));
const BUILDS = join(HERE, 'node_modules/@wp-playground/wordpress-builds/src');
const PLUGIN = fileURLToPath(new URL('../../integrations/wordpress/', import.meta.url));

const hasSqlite = (): boolean => /^pdo_sqlite$/m.test(spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout ?? '');

/** Why WordPress cannot run here, or false. */
export const skip = !hasSqlite()
  ? 'PHP with SQLite is not installed: apt-get install php-cli php-sqlite3'
  : !existsSync(BUILDS) && 'WordPress is not installed: npm ci --ignore-scripts --prefix test/integrations/wordpress';

const CONFIG = `<?php
define('DB_NAME', 'wordpress');
define('DB_USER', '');
define('DB_PASSWORD', '');
define('DB_HOST', '');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $name) define($name, md5($name));
$table_prefix = 'wp_';
define('WP_DEBUG', true);
define('WP_DEBUG_DISPLAY', false);
define('WP_DEBUG_LOG', __DIR__ . '/debug.log');
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('FS_METHOD', 'direct');
if (is_file(__DIR__ . '/network.php')) require __DIR__ . '/network.php';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

/** Without these, WordPress asks wordpress.org for updates and translations. */
const OFFLINE = `<?php
add_filter('pre_http_request', fn($given, $args, $url) => str_contains($url, 'wordpress.org') ? new WP_Error('offline', 'offline') : $given, 10, 3);
add_filter('pre_wp_mail', '__return_true');
`;

const unzip = (file: string, into: string): void => {
  execFileSync('python3', ['-m', 'zipfile', '-e', file, into]);
};

function putFiles(root: string): void {
  unzip(join(BUILDS, 'wordpress/wp-6.5.zip'), root);
  const content = join(root, 'wp-content');
  // The package comes with a website that is installed already, under another URL.
  rmSync(join(content, 'database'), { recursive: true });
  mkdirSync(join(content, 'mu-plugins'), { recursive: true });
  unzip(join(BUILDS, 'sqlite-database-integration/sqlite-database-integration.zip'), content);
  const sqlite = join(content, 'mu-plugins/sqlite-database-integration');
  renameSync(join(content, 'sqlite-database-integration-main'), sqlite);
  const db = readFileSync(join(sqlite, 'db.copy'), 'utf8')
    .replace("'{SQLITE_IMPLEMENTATION_FOLDER_PATH}'", `'${sqlite}'`)
    .replace('{SQLITE_PLUGIN}', 'sqlite-database-integration/load.php');
  writeFileSync(join(content, 'db.php'), db);
  writeFileSync(join(content, 'mu-plugins/offline.php'), OFFLINE);
  cpSync(join(HERE, 'shop.php'), join(content, 'mu-plugins/shop.php'));
  cpSync(PLUGIN, join(content, 'plugins/daybook'), { recursive: true });
  writeFileSync(join(root, 'wp-config.php'), CONFIG);
}

export type WordPress = {
  url: string;
  port: number;
  /** The folder in which crawler requests wait. */
  temporary: string;
  /** Runs PHP within WordPress, and gives what it prints. */
  run(code: string): string;
  stop: Running['stop'];
  /** Lines of PHP's log about the plugin: warnings, errors and deprecated calls. */
  faults(): string[];
};

/** Installs WordPress, or a network of websites, and activates the plugin. */
export async function startWordPress(t: TestContext, folder: string, isNetwork = false): Promise<WordPress> {
  const root = join(folder, 'wordpress');
  const temporary = join(folder, 'tmp');
  mkdirSync(root);
  mkdirSync(temporary);
  putFiles(root);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const php = ['-d', `sys_temp_dir=${temporary}`, '-d', 'opcache.enable=0'];
  execFileSync('php', [...php, join(HERE, 'install.php'), root, url, ...(isNetwork ? ['network'] : [])], {
    stdio: 'pipe',
  });

  const run = (code: string): string => {
    const before = `define('WP_ADMIN', true); $_SERVER['HTTP_HOST'] = '127.0.0.1:${port}'; $_SERVER['REQUEST_URI'] = '/'; $_SERVER['REQUEST_METHOD'] = 'GET'; $_SERVER['REMOTE_ADDR'] = '127.0.0.1';
      require '${root}/wp-load.php'; require_once ABSPATH . 'wp-admin/includes/admin.php'; ob_start();`;
    return execFileSync('php', [...php, '-r', `${before} ${code}`], { encoding: 'utf8' });
  };
  run(
    `$error = activate_plugin('daybook/daybook.php', '', ${isNetwork}); if ($error) throw new Exception($error->get_error_message());`,
  );
  const { stop } = start(t, ['php', ...php, '-S', `127.0.0.1:${port}`, '-t', root, join(HERE, 'router.php')], folder);
  await untilListening(port);
  const faults = () =>
    readFileSync(join(root, 'debug.log'), { encoding: 'utf8', flag: 'a+' })
      .split('\n')
      .filter((line) => line.includes('plugins/daybook'));
  return { url, port, temporary, run, stop, faults };
}

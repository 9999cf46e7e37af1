<?php
// Stands for the web server in front of WordPress: files are served as they are, and all other paths are pages.
$real = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$file = $_SERVER['DOCUMENT_ROOT'] . $real;
if (is_dir($file) && $real !== '/') {
    $file = rtrim($file, '/') . '/index.php';
    $real = rtrim($real, '/') . '/index.php';
}
if ($real !== '/' && is_file($file)) {
    if (!str_ends_with($file, '.php')) {
        return false;
    }
} else {
    [$real, $file] = ['/index.php', $_SERVER['DOCUMENT_ROOT'] . '/index.php'];
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $real;
$_SERVER['SCRIPT_FILENAME'] = $file;
chdir(dirname($file));
require $file;

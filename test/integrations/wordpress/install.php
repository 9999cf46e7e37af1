<?php
// Installs WordPress from the command line: php install.php FOLDER URL [network]
[, $folder, $url, $network] = [...$argv, ''];
$_SERVER['HTTP_HOST'] = parse_url($url, PHP_URL_HOST) . ':' . parse_url($url, PHP_URL_PORT);
$_SERVER['REQUEST_URI'] = '/';
define('WP_INSTALLING', true);
require "$folder/wp-load.php";
require ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_wp_mail', '__return_true');
wp_install('Example', 'ann', 'ann@example.com', true, '', 'a password of ann');
update_option('permalink_structure', '/%postname%/');
update_option('page_on_front', 0);
wp_insert_user(['user_login' => 'ben', 'user_pass' => 'a password of ben', 'user_email' => 'ben@example.com', 'role' => 'subscriber']);
if ($network !== '') {
    require ABSPATH . 'wp-admin/includes/network.php';
    foreach ($wpdb->tables('ms_global') as $name => $table) {
        $wpdb->$name = $table;
    }
    install_network();
    populate_network(1, $_SERVER['HTTP_HOST'], 'ann@example.com', 'Examples', '/', false);
    file_put_contents("$folder/network.php", "<?php
define('MULTISITE', true);
define('SUBDOMAIN_INSTALL', false);
define('DOMAIN_CURRENT_SITE', '{$_SERVER['HTTP_HOST']}');
define('PATH_CURRENT_SITE', '/');
define('SITE_ID_CURRENT_SITE', 1);
define('BLOG_ID_CURRENT_SITE', 1);
");
}

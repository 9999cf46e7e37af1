<?php
/**
 * The texts in German.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

return array(
	'domain'       => 'daybook',
	'language'     => 'de_DE',
	'plural-forms' => 'nplurals=2; plural=n != 1;',
	'messages'     => array(
		'Statistics' => 'Statistik',
		'Open the reports in a new tab' => 'Die Berichte in einem neuen Tab öffnen',
		'Server' => 'Server',
		'Domain' => 'Domain',
		'Token' => 'Token',
		'Share link' => 'Freigabelink',
		'Do not count' => 'Nicht zählen',
		'IP address of visitors' => 'IP-Adresse der Besucher',
		'What to count' => 'Was gezählt wird',
		'Count clicks on links to other websites' => 'Klicks auf Links zu anderen Websites zählen',
		'Count clicks on links to files' => 'Klicks auf Links zu Dateien zählen',
		'Count orders of WooCommerce with their revenue' => 'Bestellungen von WooCommerce mit ihrem Umsatz zählen',
		'Count AI crawlers. Switch this off if daybook reads the log of your web server' => 'KI-Crawler zählen. Schalte dies aus, wenn daybook das Log deines Webservers liest',
		'Do not count browsers that send Do Not Track or Global Privacy Control' => 'Browser nicht zählen, die Do Not Track oder Global Privacy Control senden',
		'Server: enter a URL that begins with https://, such as https://stats.example.com.' => 'Server: Gib eine URL ein, die mit https:// beginnt, zum Beispiel https://stats.example.com.',
		'Share link: enter the whole link from daybook, beginning with https://.' => 'Freigabelink: Gib den ganzen Link aus daybook ein, beginnend mit https://.',
		'Domain: enter a domain without https://, such as example.com.' => 'Domain: Gib eine Domain ohne https:// ein, zum Beispiel example.com.',
		'Nothing is counted yet. Enter the server, the domain and a token.' => 'Es wird noch nichts gezählt. Gib den Server, die Domain und ein Token ein.',
		'The server has no script at this URL. Check the URL of the server.' => 'Der Server hat unter dieser URL kein Script. Prüfe die URL des Servers.',
		'Connected. Visits are counted.' => 'Verbunden. Besuche werden gezählt.',
		'daybook does not know this token. Create a new one with the permission "collect".' => 'daybook kennt dieses Token nicht. Erstelle ein neues mit der Berechtigung „collect“.',
		'This token cannot count for this domain. It needs the permission "collect", and its owner must manage the site.' => 'Dieses Token darf für diese Domain nicht zählen. Es braucht die Berechtigung „collect“, und sein Besitzer muss die Website verwalten.',
		'daybook has no site with this domain that the owner of the token can see.' => 'daybook hat keine Website mit dieser Domain, die der Besitzer des Tokens sehen kann.',
		'The server does not answer: %s' => 'Der Server antwortet nicht: %s',
		'The server answers with status %d.' => 'Der Server antwortet mit dem Status %d.',
		'The file daybook-crawls.php already counts AI crawlers, so the plugin does not. Remove the file to use the plugin instead.' => 'Die Datei daybook-crawls.php zählt schon KI-Crawler, darum zählt das Plugin keine. Entferne die Datei, damit das Plugin sie zählt.',
		'The URL of your daybook server. If its script has another name than day.js, enter the URL of the script.' => 'Die URL deines daybook-Servers. Wenn sein Script anders heißt als day.js, gib die URL des Scripts ein.',
		'The domain of the site in daybook.' => 'Die Domain der Website in daybook.',
		'wp-config.php sets the token.' => 'wp-config.php legt das Token fest.',
		'A token is stored. Leave the field empty to keep it.' => 'Ein Token ist gespeichert. Lass das Feld leer, um es zu behalten.',
		'A token with the permission "collect". In daybook, you create it under Account, Tokens.' => 'Ein Token mit der Berechtigung „collect“. In daybook erstellst du es unter Konto, Tokens.',
		'Optional. Shows the reports here in WordPress. In daybook, under Sharing, allow the website %s to embed them.' => 'Freiwillig. Zeigt die Berichte hier in WordPress. Erlaube der Website %s in daybook unter Teilen, sie einzubetten.',
		'Signed-in members of these roles are not counted.' => 'Angemeldete Mitglieder dieser Rollen werden nicht gezählt.',
		'From the connection' => 'Aus der Verbindung',
		'From the header %s' => 'Aus dem Header %s',
		'Choose a header only if a proxy, such as Cloudflare, always sets it. Otherwise visitors can make up their IP address.' => 'Wähle einen Header nur, wenn ihn ein Proxy wie Cloudflare immer setzt. Sonst können Besucher ihre IP-Adresse erfinden.',
		'Settings' => 'Einstellungen',
		'This website counts visits with daybook, on a server of its own. daybook uses no cookies and stores no IP addresses. It cannot recognise a visitor on another day.' => 'Diese Website zählt Besuche mit daybook, auf einem eigenen Server. daybook verwendet keine Cookies und speichert keine IP-Adressen. Es kann einen Besucher an einem anderen Tag nicht wiedererkennen.',
	),
);

<?php
/**
 * The texts in Spanish.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

return array(
	'domain'       => 'daybook',
	'language'     => 'es_ES',
	'plural-forms' => 'nplurals=2; plural=n != 1;',
	'messages'     => array(
		'Statistics' => 'Estadísticas',
		'Open the reports in a new tab' => 'Abrir los informes en una pestaña nueva',
		'Server' => 'Servidor',
		'Domain' => 'Dominio',
		'Token' => 'Token',
		'Share link' => 'Enlace para compartir',
		'Do not count' => 'No contar',
		'IP address of visitors' => 'Dirección IP de los visitantes',
		'What to count' => 'Qué se cuenta',
		'Count clicks on links to other websites' => 'Contar los clics en enlaces a otros sitios',
		'Count clicks on links to files' => 'Contar los clics en enlaces a archivos',
		'Count orders of WooCommerce with their revenue' => 'Contar los pedidos de WooCommerce con sus ingresos',
		'Count AI crawlers. Switch this off if daybook reads the log of your web server' => 'Contar los rastreadores de IA. Desactívalo si daybook lee el registro de tu servidor web',
		'Do not count browsers that send Do Not Track or Global Privacy Control' => 'No contar los navegadores que envían Do Not Track o Global Privacy Control',
		'Server: enter a URL that begins with https://, such as https://stats.example.com.' => 'Servidor: introduce una URL que empiece por https://, por ejemplo https://stats.example.com.',
		'Share link: enter the whole link from daybook, beginning with https://.' => 'Enlace para compartir: introduce el enlace completo de daybook, desde https://.',
		'Domain: enter a domain without https://, such as example.com.' => 'Dominio: introduce un dominio sin https://, por ejemplo example.com.',
		'Nothing is counted yet. Enter the server, the domain and a token.' => 'Todavía no se cuenta nada. Introduce el servidor, el dominio y un token.',
		'The server has no script at this URL. Check the URL of the server.' => 'El servidor no tiene ningún script en esta URL. Comprueba la URL del servidor.',
		'Connected. Visits are counted.' => 'Conectado. Las visitas se cuentan.',
		'daybook does not know this token. Create a new one with the permission "collect".' => 'daybook no conoce este token. Crea uno nuevo con el permiso «collect».',
		'This token cannot count for this domain. It needs the permission "collect", and its owner must manage the site.' => 'Este token no puede contar para este dominio. Necesita el permiso «collect», y su propietario debe administrar el sitio.',
		'daybook has no site with this domain that the owner of the token can see.' => 'daybook no tiene ningún sitio con este dominio que pueda ver el propietario del token.',
		'The server does not answer: %s' => 'El servidor no responde: %s',
		'The server answers with status %d.' => 'El servidor responde con el estado %d.',
		'The file daybook-crawls.php already counts AI crawlers, so the plugin does not. Remove the file to use the plugin instead.' => 'El archivo daybook-crawls.php ya cuenta los rastreadores de IA, por eso el plugin no lo hace. Elimina el archivo para usar el plugin en su lugar.',
		'The URL of your daybook server. If its script has another name than day.js, enter the URL of the script.' => 'La URL de tu servidor daybook. Si su script no se llama day.js, introduce la URL del script.',
		'The domain of the site in daybook.' => 'El dominio del sitio en daybook.',
		'wp-config.php sets the token.' => 'wp-config.php define el token.',
		'A token is stored. Leave the field empty to keep it.' => 'Hay un token guardado. Deja el campo vacío para conservarlo.',
		'A token with the permission "collect". In daybook, you create it under Account, Tokens.' => 'Un token con el permiso «collect». En daybook lo creas en Cuenta, Tokens.',
		'Optional. Shows the reports here in WordPress. In daybook, under Sharing, allow the website %s to embed them.' => 'Opcional. Muestra los informes aquí en WordPress. En daybook, en Compartir, permite que el sitio %s los inserte.',
		'Signed-in members of these roles are not counted.' => 'Los miembros conectados de estos roles no se cuentan.',
		'From the connection' => 'De la conexión',
		'From the header %s' => 'De la cabecera %s',
		'Choose a header only if a proxy, such as Cloudflare, always sets it. Otherwise visitors can make up their IP address.' => 'Elige una cabecera solo si un proxy, como Cloudflare, la pone siempre. De lo contrario, los visitantes pueden inventar su dirección IP.',
		'Settings' => 'Ajustes',
		'This website counts visits with daybook, on a server of its own. daybook uses no cookies and stores no IP addresses. It cannot recognise a visitor on another day.' => 'Este sitio cuenta las visitas con daybook, en un servidor propio. daybook no usa cookies ni guarda direcciones IP. No puede reconocer a un visitante otro día.',
	),
);

<?php
/**
 * The texts in French.
 *
 * @package daybook
 */

defined( 'ABSPATH' ) || exit;

return array(
	'domain'       => 'daybook',
	'language'     => 'fr_FR',
	'plural-forms' => 'nplurals=2; plural=n > 1;',
	'messages'     => array(
		'Statistics' => 'Statistiques',
		'Open the reports in a new tab' => 'Ouvrir les rapports dans un nouvel onglet',
		'Server' => 'Serveur',
		'Domain' => 'Domaine',
		'Token' => 'Jeton',
		'Share link' => 'Lien de partage',
		'Do not count' => 'Ne pas compter',
		'IP address of visitors' => 'Adresse IP des visiteurs',
		'What to count' => 'Ce qui est compté',
		'Count clicks on links to other websites' => 'Compter les clics sur les liens vers d’autres sites',
		'Count clicks on links to files' => 'Compter les clics sur les liens vers des fichiers',
		'Count orders of WooCommerce with their revenue' => 'Compter les commandes de WooCommerce avec leur chiffre d’affaires',
		'Count AI crawlers. Switch this off if daybook reads the log of your web server' => 'Compter les robots d’IA. Désactivez ceci si daybook lit le journal de votre serveur web',
		'Do not count browsers that send Do Not Track or Global Privacy Control' => 'Ne pas compter les navigateurs qui envoient Do Not Track ou Global Privacy Control',
		'Server: enter a URL that begins with https://, such as https://stats.example.com.' => 'Serveur : saisissez une URL qui commence par https://, par exemple https://stats.example.com.',
		'Share link: enter the whole link from daybook, beginning with https://.' => 'Lien de partage : saisissez le lien complet de daybook, à partir de https://.',
		'Domain: enter a domain without https://, such as example.com.' => 'Domaine : saisissez un domaine sans https://, par exemple example.com.',
		'Nothing is counted yet. Enter the server, the domain and a token.' => 'Rien n’est encore compté. Saisissez le serveur, le domaine et un jeton.',
		'The server has no script at this URL. Check the URL of the server.' => 'Le serveur n’a pas de script à cette URL. Vérifiez l’URL du serveur.',
		'Connected. Visits are counted.' => 'Connecté. Les visites sont comptées.',
		'daybook does not know this token. Create a new one with the permission "collect".' => 'daybook ne connaît pas ce jeton. Créez-en un nouveau avec l’autorisation « collect ».',
		'This token cannot count for this domain. It needs the permission "collect", and its owner must manage the site.' => 'Ce jeton ne peut pas compter pour ce domaine. Il lui faut l’autorisation « collect », et son propriétaire doit gérer le site.',
		'daybook has no site with this domain that the owner of the token can see.' => 'daybook n’a aucun site avec ce domaine que le propriétaire du jeton puisse voir.',
		'The server does not answer: %s' => 'Le serveur ne répond pas : %s',
		'The server answers with status %d.' => 'Le serveur répond avec le statut %d.',
		'The file daybook-crawls.php already counts AI crawlers, so the plugin does not. Remove the file to use the plugin instead.' => 'Le fichier daybook-crawls.php compte déjà les robots d’IA ; l’extension ne le fait donc pas. Supprimez le fichier pour utiliser l’extension à la place.',
		'The URL of your daybook server. If its script has another name than day.js, enter the URL of the script.' => 'L’URL de votre serveur daybook. Si son script ne s’appelle pas day.js, saisissez l’URL du script.',
		'The domain of the site in daybook.' => 'Le domaine du site dans daybook.',
		'wp-config.php sets the token.' => 'wp-config.php définit le jeton.',
		'A token is stored. Leave the field empty to keep it.' => 'Un jeton est enregistré. Laissez le champ vide pour le garder.',
		'A token with the permission "collect". In daybook, you create it under Account, Tokens.' => 'Un jeton avec l’autorisation « collect ». Dans daybook, créez-le sous Compte, Jetons.',
		'Optional. Shows the reports here in WordPress. In daybook, under Sharing, allow the website %s to embed them.' => 'Facultatif. Affiche les rapports ici dans WordPress. Dans daybook, sous Partage, autorisez le site %s à les intégrer.',
		'Signed-in members of these roles are not counted.' => 'Les membres connectés de ces rôles ne sont pas comptés.',
		'From the connection' => 'De la connexion',
		'From the header %s' => 'De l’en-tête %s',
		'Choose a header only if a proxy, such as Cloudflare, always sets it. Otherwise visitors can make up their IP address.' => 'Choisissez un en-tête seulement si un proxy, comme Cloudflare, le définit toujours. Sinon, les visiteurs peuvent inventer leur adresse IP.',
		'Settings' => 'Réglages',
		'This website counts visits with daybook, on a server of its own. daybook uses no cookies and stores no IP addresses. It cannot recognise a visitor on another day.' => 'Ce site compte les visites avec daybook, sur son propre serveur. daybook n’utilise pas de cookies et n’enregistre aucune adresse IP. Il ne peut pas reconnaître un visiteur un autre jour.',
	),
);

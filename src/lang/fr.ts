// All texts in French, by area. An area is a group of texts, such as `sites`. The keys are the same as in de.ts: codes
// in areas of codes, and English texts in all other areas. The texts address people as "vous". The space before : ; ! ?
// % and inside « » is narrow and never breaks (U+202F).

export const FR = {
  // Texts that the dashboard, the pages without scripts, the mails and verify.html share.
  common: {
    Limit: 'Limite',
    Conversions: 'Conversions',
    'Page not found': 'Page introuvable',
    Code: 'Code',
    Continue: 'Continuer',
    '{count} visitors now': { one: '{count} visiteur en ce moment', other: '{count} visiteurs en ce moment' },
    Today: 'Aujourd’hui',
    '7 days': '7 jours',
    'Visitors per day': 'Visiteurs par jour',
    Week: 'Semaine',
    Month: 'Mois',
    Direct: 'Direct',
    Unknown: 'Inconnu',
    Visitors: 'Visiteurs',
    Visits: 'Visites',
    Pageviews: 'Pages vues',
    Events: 'Événements',
    'Bounce rate': 'Taux de rebond',
    'Visit duration': 'Durée des visites',
    Goals: 'Objectifs',
    Change: 'Évolution',
    Rate: 'Taux',
    '{target} with {name} = {value}': '{target} avec {name} = {value}',
    '{target} scrolled to {percent}': '{target} défilé jusqu’à {percent}',
    Remove: 'Supprimer',
    Copy: 'Copier',
    Copied: 'Copié',
    Name: 'Nom',
    Hits: 'Hits',
    'E-mail': 'E-mail',
    'Change e-mail address': 'Changer d’adresse e-mail',
    Password: 'Mot de passe',
    'Change password': 'Changer de mot de passe',
    'Two-factor authentication': 'Authentification à deux facteurs',
    viewer: 'lecteur',
    manager: 'gestionnaire',
    Unsubscribe: 'Se désabonner',
  },

  // The frame around every page of the dashboard.
  frame: {
    Account: 'Compte',
    'Sign out': 'Se déconnecter',
    'Public demo: read-only, resets each hour': 'Démo publique : lecture seule, réinitialisée chaque heure',
    'Skip to the content': 'Aller au contenu',
  },

  // Texts that several pages use: names of pages of the settings, dialogs, errors, and buttons that copy a text.
  parts: {
    You: 'Vous',
    Team: 'Équipe',
    Tokens: 'Jetons',
    General: 'Général',
    Collection: 'Collecte',
    Sharing: 'Partage',
    Deletion: 'Suppression',
    Reports: 'Rapports',
    'You have read-only access. A manager or the owner can make changes.':
      'Vous avez un accès en lecture seule. Un gestionnaire ou le propriétaire peut effectuer des modifications.',
    'This page does not exist': 'Cette page n’existe pas',
    'The URL may be wrong, or the page may have been removed.':
      'L’URL est peut-être incorrecte, ou la page a été supprimée.',
    'Try again': 'Réessayer',
    'Copy {what}': 'Copier {what}',
    'The text is selected. Press Ctrl+C, or ⌘C on a Mac.':
      'Le texte est sélectionné. Appuyez sur Ctrl+C, ou ⌘C sur un Mac.',
    Close: 'Fermer',
    'Not loaded': 'Non chargé',
    'Not updated since {time}': 'Non actualisé depuis {time}',
    '{name} asks for your password. You then come back here and repeat the change.':
      '{name} demande votre mot de passe. Vous revenez ensuite ici et refaites la modification.',
    'Continue with {name}': 'Continuer avec {name}',
    'Confirm it’s you': 'Confirmez votre identité',
    'Enter your password or a code from your phone. This protects your account if you leave your browser open.':
      'Saisissez votre mot de passe ou un code de votre téléphone. Cela protège votre compte si vous laissez votre navigateur ouvert.',
    'Enter your password again. This protects your account if you leave your browser open.':
      'Saisissez de nouveau votre mot de passe. Cela protège votre compte si vous laissez votre navigateur ouvert.',
    'Theme: system': 'Thème : système',
    'Theme: light': 'Thème : clair',
    'Theme: dark': 'Thème : sombre',
    'Cannot reach the server. Check that it is running and that you are online.':
      'Le serveur est injoignable. Vérifiez qu’il fonctionne et que vous êtes en ligne.',
    'The server did not answer correctly (status {status}). It may be restarting.':
      'Le serveur n’a pas répondu correctement (statut {status}). Il redémarre peut-être.',
    'This part could not be displayed. The server may have been updated after you loaded the page.':
      'Cette section n’a pas pu être affichée. Le serveur a peut-être été mis à jour après le chargement de la page.',
    'Made with': 'Réalisé avec',
    Save: 'Enregistrer',
    'Time zone': 'Fuseau horaire',
    Path: 'Chemin',
    Domain: 'Domaine',
    yes: 'oui',
  },

  // The list of sites, and the form that adds a site.
  sites: {
    'Add a site': 'Ajouter un site',
    'Add site': 'Ajouter le site',
    'Add your first site': 'Ajoutez votre premier site',
    'Next, you get one line of HTML for your pages. daybook then counts visitors, without cookies and without identifying anyone.':
      'Vous obtiendrez ensuite une ligne de HTML à ajouter à vos pages. daybook compte alors les visiteurs, sans cookies et sans identifier personne.',
    'Last 30 days': '30 derniers jours',
    'All sites': 'Tous les sites',
    'All sites combined': 'Tous les sites réunis',
    'For example, example.com. Its subdomains count too.': 'Par exemple example.com. Ses sous-domaines comptent aussi.',
    'Reports for this site use this time zone. You can change it later.':
      'Les rapports de ce site utilisent ce fuseau horaire. Vous pourrez le changer plus tard.',
    'With your plan, you cannot add sites. Ask the person who runs this server for another plan.':
      'Avec votre forfait, vous ne pouvez pas ajouter de sites. Demandez un autre forfait à l’exploitant de ce serveur.',
    'Your account ({email})': 'Votre compte ({email})',
    'Your sites': 'Vos sites',
    'compared with the previous 30 days, up to the same time of day':
      'par rapport aux 30 jours précédents, jusqu’à la même heure',
    'No recent hits.': 'Aucun hit récent.',
    'Check the snippet': 'Vérifier l’extrait de code',
    'Why?': 'Pourquoi ?',
    'Why did the visitors change?': 'Pourquoi le nombre de visiteurs a-t-il changé ?',
    '{visitors} now': '{visitors} en ce moment',
    'You are a viewer': 'Vous êtes lecteur',
    'You are a manager': 'Vous êtes gestionnaire',
    'Find a site': 'Rechercher un site',
    'Sort by': 'Trier par',
    'By visitors': 'Par visiteurs',
    'By change': 'Par évolution',
    'By name': 'Par nom',
    'No sites match.': 'Aucun site ne correspond.',
    'No visitors on the days before today. Visitors today so far: {today}':
      'Aucun visiteur les jours avant aujourd’hui. Visiteurs aujourd’hui, pour l’instant : {today}',
    'Visitors per day over 30 days. Highest: {most} on {day}. Today so far: {today}':
      'Visiteurs par jour sur 30 jours, maximum le {day} : {most}. Aujourd’hui, pour l’instant : {today}',
  },

  // A report: header, figures and chart.
  site: {
    Explore: 'Explorer',
    Settings: 'Réglages',
    'Only some of the visits': 'Une partie des visites seulement',
    'Time zone of this site': 'Fuseau horaire de ce site',
    'Visitors in the last five minutes': 'Visiteurs des cinq dernières minutes',
    'Keyboard shortcuts': 'Raccourcis clavier',
    Period: 'Période',
    '30 days': '30 jours',
    '12 months': '12 mois',
    'Choose days': 'Choisir les dates',
    'Previous period': 'Période précédente',
    'Next period': 'Période suivante',
    'All time': 'Depuis le début',
    'at most two years': 'deux ans au plus',
    Yesterday: 'Hier',
    'This month': 'Ce mois-ci',
    'Last month': 'Le mois dernier',
    'This year': 'Cette année',
    'Last year': 'L’année dernière',
    'Choose the first day.': 'Choisissez le premier jour.',
    'From {day}. Now choose the last day.': 'À partir du {day}. Choisissez maintenant le dernier jour.',
    'Previous year': 'Année précédente',
    'Previous month': 'Mois précédent',
    'Next month': 'Mois suivant',
    'Next year': 'Année suivante',
    'What is a pageview?': 'Qu’est-ce qu’une page vue ?',
    'Each time a visitor opens a page, this counts as one pageview. If you open a page twice, it counts twice.':
      'Chaque ouverture d’une page compte comme une page vue. Si vous ouvrez deux fois la même page, elle compte deux fois.',
    'What is a visit?': 'Qu’est-ce qu’une visite ?',
    'A visit is everything that a visitor does without a break of more than 30 minutes. A visit also ends at midnight.':
      'Une visite est tout ce que fait un visiteur sans interruption de plus de 30 minutes. Elle se termine aussi à minuit.',
    'What is the bounce rate?': 'Qu’est-ce que le taux de rebond ?',
    'The share of visits with one pageview and no event.':
      'La part des visites avec une seule page vue et sans événement.',
    'What is the visit duration?': 'Qu’est-ce que la durée des visites ?',
    'The average time from the first to the last activity in a visit. A visit continues while a page is visible.':
      'La durée moyenne entre le premier et le dernier signal d’une visite. Tant qu’une page est visible, la visite se poursuit.',
    'What is the conversion rate?': 'Qu’est-ce que le taux de conversion ?',
    'The share of visitors that reached the goal.': 'La part des visiteurs qui ont atteint l’objectif.',
    'What is the revenue?': 'Qu’est-ce que le chiffre d’affaires ?',
    'The sum of the amounts that your pages and servers sent with their hits.':
      'La somme des montants que vos pages et vos serveurs ont envoyés avec leurs hits.',
    'What is a visitor?': 'Qu’est-ce qu’un visiteur ?',
    'daybook counts each visitor once a day. It does not recognise visitors on another day. If you visit on three days, you count as three visitors.':
      'daybook compte chaque visiteur une fois par jour. Il ne le reconnaît pas d’un jour à l’autre. Si vous venez trois jours différents, vous comptez pour trois visiteurs.',
    'Share of visitors that reached the goal {goal}': 'Part des visiteurs qui ont atteint l’objectif {goal}',
    'Not compared, because an import does not include this figure.':
      'Non comparé, car une importation ne contient pas ce chiffre.',
    'Not compared, because only daily totals are stored for some days.':
      'Non comparé, car seuls les totaux quotidiens sont conservés pour certains jours.',
    'Not compared with {when}, because nothing was counted in the first half of that period.':
      'Pas de comparaison avec {when}, car rien n’a été compté dans la première moitié de cette période.',
    'The change cannot be calculated. Previous value: {previous} ({when}).':
      'L’évolution ne peut pas être calculée. Valeur précédente : {previous} ({when}).',
    'No change from {previous} ({when}).': 'Aucun changement par rapport à {previous} ({when}).',
    'Up {change} from {previous} ({when}).': 'En hausse de {change} par rapport à {previous} ({when}).',
    'Down {change} from {previous} ({when}).': 'En baisse de {change} par rapport à {previous} ({when}).',
    '{days}, up to the same time of day': '{days}, jusqu’à la même heure',
    '{figure} per hour': '{figure} par heure',
    '{figure} per day': '{figure} par jour',
    '{figure} per week': '{figure} par semaine',
    '{figure} per month': '{figure} par mois',
    Hour: 'Heure',
    Day: 'Jour',
    Hours: 'Heures',
    Days: 'Jours',
    Weeks: 'Semaines',
    Months: 'Mois',
    '{title}, partial hour': '{title}, heure partielle',
    '{title}, partial day': '{title}, jour partiel',
    '{title}, partial week': '{title}, semaine partielle',
    '{title}, partial month': '{title}, mois partiel',
    '{title} so far': '{title} pour l’instant',
    'Bounce rate {value}': 'Taux de rebond {value}',
    'Conversion rate {value}': 'Taux de conversion {value}',
    'Visit duration {value}': 'Durée des visites {value}',
    'Revenue {value}': 'Chiffre d’affaires {value}',
    'in the future': 'à venir',
    'Some hits are missing in one of the periods.': 'Des hits manquent dans l’une des périodes.',
    'incomplete: some hits are missing': 'incomplet : des hits manquent',
    'not available: an import does not include this figure':
      'non disponible : une importation ne contient pas ce chiffre',
    'no value: deleted': 'pas de valeur : supprimé',
    'no value: only daily totals are stored': 'pas de valeur : seuls les totaux quotidiens sont conservés',
    'incomplete: only daily totals are stored for some days':
      'incomplet : seuls les totaux quotidiens sont conservés pour certains jours',
    'note: {text}': 'note : {text}',
    'Comparison period': 'Période de comparaison',
    'Click to show single days': 'Cliquez pour afficher chaque jour',
    'Click to show the notes': 'Cliquez pour afficher les notes',
    'Click to add a note': 'Cliquez pour ajouter une note',
    'and {count} more': { one: 'et {count} autre', other: 'et {count} autres' },
    'Chart interval': 'Intervalle du graphique',
    Table: 'Tableau',
    'Compared with': 'Comparé à',
    'Not compared': 'Sans comparaison',
    'Compare with': 'Comparer à',
    'Same number of days just before': 'Même nombre de jours juste avant',
    'Same dates one year earlier': 'Mêmes dates un an plus tôt',
    'Same weekdays one year earlier': 'Mêmes jours de la semaine un an plus tôt',
    'No comparison': 'Aucune comparaison',
    '{count} visits excluded': { one: '{count} visite exclue', other: '{count} visites exclues' },
    '{count} visits': { one: '{count} visite', other: '{count} visites' },
    '{count} visitors': { one: '{count} visiteur', other: '{count} visiteurs' },
    '{count} pageviews': { one: '{count} page vue', other: '{count} pages vues' },
    '{days}: {count} visits excluded ({what})': {
      one: '{days} : {count} visite exclue ({what})',
      other: '{days} : {count} visites exclues ({what})',
    },
    'Compare the two weeks before and after the note': 'Comparer les deux semaines avant et après la note',
    'Figure to compare': 'Chiffre à comparer',
    'Conversions of the main goal': 'Conversions de l’objectif principal',
    'Before: {before} over {count} days. After: {after} over the same number of days, with the same weekdays.': {
      one: 'Avant : {before} sur {count} jour. Après : {after} le même jour de la semaine.',
      other:
        'Avant : {before} sur {count} jours. Après : {after} sur autant de jours, pris aux mêmes jours de la semaine.',
    },
  },

  // Dialogs and menus over a report: filters, notes, current visitors, saved views, keyboard help.
  dialogs: {
    'Break down the selected row': 'Ventiler la ligne sélectionnée',
    'Explain the change of the selected row': 'Expliquer le changement de la ligne sélectionnée',
    '{name} {condition}': '{name} {condition}',
    'unknown goal (ID {id})': 'objectif inconnu (ID {id})',
    Filters: 'Filtres',
    or: 'ou',
    'Add a filter': 'Ajouter un filtre',
    'Change the filter {filter}': 'Modifier le filtre : {filter}',
    'Remove the filter {filter}': 'Supprimer le filtre : {filter}',
    'Clear all': 'Tout effacer',
    'A filter can have at most {most} values.': 'Un filtre peut avoir au plus {most} valeurs.',
    'All filters together can have at most {most} values.': 'Les filtres peuvent avoir au plus {most} valeurs en tout.',
    'Switch to another site': 'Passer à un autre site',
    'No match.': 'Aucun résultat.',
    'Show only this day': 'Afficher seulement ce jour',
    'No notes on this day.': 'Aucune note ce jour-là.',
    'Remove the note: {text}': 'Supprimer la note : {text}',
    'New note': 'Nouvelle note',
    'Describe what happened on this day, for example a release or a newsletter. The chart shows your note.':
      'Décrivez ce qui s’est passé ce jour-là, par exemple une nouvelle version ou une newsletter. Le graphique affiche votre note.',
    'Add note': 'Ajouter la note',
    now: 'maintenant',
    'Saved views': 'Vues enregistrées',
    'Remove the view {name}': 'Supprimer la vue {name}',
    'No saved views yet.': 'Pas encore de vue enregistrée.',
    'Save this view as': 'Enregistrer cette vue sous',
    'The last 7 days': 'Les 7 derniers jours',
    'The last 30 days': 'Les 30 derniers jours',
    'The last 12 months': 'Les 12 derniers mois',
    'Previous period, next period': 'Période précédente, période suivante',
    'Clear all filters': 'Effacer tous les filtres',
    'Ctrl+click': 'Ctrl+clic',
    'Shift+Enter': 'Maj+Entrée',
    'Filter out the selected row': 'Écarter la ligne sélectionnée',
    'Add the selected row to the filter': 'Ajouter la ligne sélectionnée au filtre',
    'Show these shortcuts': 'Afficher ces raccourcis',
    'Enable these shortcuts in this browser': 'Activer ces raccourcis dans ce navigateur',
    'The goal in this filter no longer exists.': 'L’objectif de ce filtre n’existe plus.',
    'This period is longer than two years.': 'Cette période dépasse deux ans.',
    'This period is not valid.': 'Cette période n’est pas valide.',
    'One of the filters is not valid: {reason}': 'L’un des filtres n’est pas valide : {reason}',
    'This report cannot be displayed': 'Ce rapport ne peut pas être affiché',
    'Show the last 30 days': 'Afficher les 30 derniers jours',
    'There is no site {domain}': 'Le site {domain} n’existe pas',
    'The site does not exist, or you do not have access.': 'Le site n’existe pas, ou vous n’y avez pas accès.',
    'All your sites': 'Tous vos sites',
    Goal: 'Objectif',
    is: 'est',
    'is not': 'n’est pas',
    contains: 'contient',
    'does not contain': 'ne contient pas',
    '{name} is {values}': '{name} est {values}',
    '{name} is not {values}': '{name} n’est pas {values}',
    '{name} matches {values}': '{name} correspond à {values}',
    '{name} does not match {values}': '{name} ne correspond pas à {values}',
    '{name} contains {values}': '{name} contient {values}',
    '{name} does not contain {values}': '{name} ne contient pas {values}',
    '{values} or {value}': '{values} ou {value}',
  },

  // The panels below the chart, with the names of all dimensions.
  panels: {
    'Break down by …': 'Ventiler par …',
    Pages: 'Pages',
    Sources: 'Sources',
    Places: 'Lieux',
    Devices: 'Appareils',
    Sites: 'Sites',
    Site: 'Site',
    All: 'Toutes',
    Page: 'Page',
    Event: 'Événement',
    Labels: 'Libellés',
    Values: 'Valeurs',
    Property: 'Propriété',
    Properties: 'Propriétés',
    'Property {name}': 'Propriété {name}',
    'All properties': 'Toutes les propriétés',
    Label: 'Libellé',
    Entry: 'Entrée',
    'Pages per visit': 'Pages par visite',
    'Entry page': 'Page d’entrée',
    Exit: 'Sortie',
    'Exit page': 'Page de sortie',
    'Host name': 'Nom d’hôte',
    Referrer: 'Référent',
    Source: 'Source',
    none: '(vide)',
    'UTM source': 'Source UTM',
    'Campaign source': 'Source de campagne',
    Medium: 'Support',
    'Campaign medium': 'Support de campagne',
    Campaign: 'Campagne',
    'Campaign name': 'Nom de campagne',
    Term: 'Terme',
    'Campaign term': 'Terme de campagne',
    Content: 'Contenu',
    'Campaign content': 'Contenu de campagne',
    Country: 'Pays',
    Region: 'Région',
    City: 'Ville',
    Device: 'Appareil',
    Browser: 'Navigateur',
    System: 'Système',
    'Operating system': 'Système d’exploitation',
    'Browser version': 'Version du navigateur',
    'System version': 'Version du système',
    Channel: 'Canal',
    Screen: 'Écran',
    'Organic Search': 'Recherche naturelle',
    'Paid Search': 'Recherche payante',
    'Organic Social': 'Réseaux sociaux',
    'Paid Social': 'Réseaux sociaux payants',
    'Organic Video': 'Vidéo',
    Email: 'E-mail',
    'AI Assistants': 'Assistants IA',
    Referral: 'Site référent',
    Display: 'Display',
    Affiliates: 'Affiliation',
    Audio: 'Audio',
    SMS: 'SMS',
    'Mobile Push': 'Notifications push',
    Language: 'Langue',
    '{panel}: {tab}': '{panel} : {tab}',
    visitors: { one: 'visiteur', other: 'visiteurs' },
    conversions: { one: 'conversion', other: 'conversions' },
    requests: { one: 'requête', other: 'requêtes' },
    'Time on page': 'Temps sur la page',
    'Scroll depth': 'Profondeur de défilement',
    Occurrences: 'Occurrences',
    Revenue: 'Chiffre d’affaires',
    'Revenue per visitor': 'Chiffre d’affaires par visiteur',
    'Conversion rate': 'Taux de conversion',
    Share: 'Part',
    Requests: 'Requêtes',
    'Not available for these days': 'Non disponible pour ces jours',
    'No visits match these filters': 'Aucune visite ne correspond à ces filtres',
    'The filter “{name}” does not apply to this list.': 'Le filtre « {name} » ne s’applique pas à cette liste.',
    'Journeys from here': 'Parcours d’ici',
    'Filter out': 'Écarter',
    'Filter out {name}': 'Écarter {name}',
    new: 'nouveau',
    'No visitors in the comparison period ({when}).': 'Aucun visiteur auparavant ({when}).',
    'This period is too short for this interval.': 'Cette période est trop courte pour cela.',
    'This period is too long for this interval.': 'Cette période est trop longue pour cela.',
    'Not available by hour, because a visit may last longer than an hour.':
      'Non disponible par heure, car une visite peut durer plus d’une heure.',
    'Revenue is not available by hour.': 'Le chiffre d’affaires n’est pas disponible par heure.',
    'No visitors on these days': 'Aucun visiteur ces jours-là',
    'No visits with this UTM tag': 'Aucune visite avec cette balise UTM',
    'Add tags to links you share, such as ?utm_source=newsletter.':
      'Ajoutez des balises aux liens que vous partagez, par exemple ?utm_source=newsletter.',
    'No events on these days': 'Aucun événement ces jours-là',
    "Call daybook('signup') in your pages, or add data-daybook-event to a link or button.":
      "Appelez daybook('signup') dans vos pages, ou ajoutez data-daybook-event à un lien ou un bouton.",
    'No labels on these days': 'Aucun libellé ces jours-là',
    "To add a label to an event, pass it as the second argument: daybook('signup', 'pro').":
      "La deuxième valeur d’un événement est son libellé : daybook('signup', 'pro').",
    'No properties on these days': 'Aucune propriété ces jours-là',
    'No values on these days': 'Aucune valeur ces jours-là',
    'To see figures by plan or author, send properties with your hits.':
      'Pour voir les chiffres par forfait ou par auteur, envoyez des propriétés avec vos hits.',
    'Show labels of the event': 'Libellés de l’événement',
    Search: 'Rechercher',
    'Search {title}': 'Rechercher dans {title}',
    'Rows in {title}': 'Lignes : {title}',
    'No results for “{search}”': 'Aucun résultat pour « {search} »',
    'Only the first {count} rows are shown.': 'Seules les {count} premières lignes sont affichées.',
    Details: 'Détails',
    'Details of {title}': 'Détails : {title}',
    More: 'Plus',
    'More rows of {title}': 'Plus : {title}',
    Open: 'Ouvrir',
    'Open {name}': 'Ouvrir {name}',
    'Download {title} as CSV': 'Télécharger {title} en CSV',
    'Try the CSV again': 'Réessayer le fichier CSV',
    'Goal for the conversions': 'Objectif pour les conversions',
    '{count} rows': { one: '{count} ligne', other: '{count} lignes' },
    '{count} rows are shown. There are more.': {
      one: '{count} ligne affichée. Il y en a d’autres.',
      other: '{count} lignes affichées. Il y en a d’autres.',
    },
    'Map of visitors by country': 'Carte des visiteurs par pays',
    '{country}: {count} visitors': { one: '{country} : {count} visiteur', other: '{country} : {count} visiteurs' },
    search: 'recherche',
    other: 'autre',
  },

  // The lower panels, such as goals, funnels, speed, searches and dropped hits, and the choice of filter values.
  lowerPanels: {
    'main goal': 'objectif principal',
    'Conversions: how often visitors reached the goal':
      'Conversions : combien de fois les visiteurs ont atteint l’objectif',
    'Conversion rate: share of all visitors that reached the goal':
      'Taux de conversion : part des visiteurs qui ont atteint l’objectif',
    'Revenue: sum of the hits that reached the goal': 'Chiffre d’affaires : somme des hits qui ont atteint l’objectif',
    'No goals yet': 'Pas encore d’objectif',
    'A goal is a page or an event that you want visitors to reach.':
      'Un objectif est une page ou un événement que vos visiteurs devraient atteindre.',
    'Add a goal': 'Ajouter un objectif',
    Funnels: 'Entonnoirs',
    Funnel: 'Entonnoir',
    'Funnel {name}': 'Entonnoir {name}',
    'No funnels yet': 'Pas encore d’entonnoir',
    'A funnel shows where visitors drop out. It has two to eight steps.':
      'Un entonnoir montre où les visiteurs abandonnent. Il compte de deux à huit étapes.',
    'Add a funnel': 'Ajouter un entonnoir',
    'No visitors dropped out': 'Aucun visiteur n’a abandonné',
    '{count} visitors ({share}) dropped out': {
      one: '{count} visiteur ({share}) a abandonné',
      other: '{count} visiteurs ({share}) ont abandonné',
    },
    'Revenue of the last step: {revenue}.': 'Chiffre d’affaires de la dernière étape : {revenue}.',
    '{share} of {count} visitors completed all steps.': {
      one: 'Sur {count} visiteur, {share} a terminé toutes les étapes.',
      other: 'Sur {count} visiteurs, {share} ont terminé toutes les étapes.',
    },
    'No visitors reached the first step on these days.': 'Aucun visiteur n’a atteint la première étape ces jours-là.',
    Journeys: 'Parcours',
    'Start at': 'Départ',
    'Entry pages': 'Pages d’entrée',
    'A page': 'Une page',
    'Goal {name}': 'Objectif {name}',
    'Page or pattern': 'Page ou motif',
    'A page such as /pricing, or a pattern such as /guide/*': 'Une page comme /pricing, ou un motif comme /guide/*',
    Direction: 'Sens',
    'Next pages': 'Pages suivantes',
    'Pages before': 'Pages précédentes',
    'All visits': 'Toutes les visites',
    'Pages by step': 'Pages par étape',
    'Other pages': 'Autres pages',
    'Ended here': 'Terminées ici',
    'Began here': 'Commencées ici',
    'Journeys from {page}': 'Parcours à partir de {page}',
    'Choose a page to follow its visits.': 'Choisissez une page pour suivre ses visites.',
    'No visits start here on these days.': 'Aucune visite ne part d’ici ces jours-là.',
    'Choose a page or a goal. You then see where its visits went, or where they came from.':
      'Choisissez une page ou un objectif. Vous voyez alors où sont allées ses visites, ou d’où elles venaient.',
    '{count} visits began on these pages.': {
      one: '{count} visite a commencé sur une de ces pages.',
      other: '{count} visites ont commencé sur ces pages.',
    },
    '{count} visits reached this goal: {share} of all visits.': {
      one: '{count} visite a atteint cet objectif : {share} de toutes les visites.',
      other: '{count} visites ont atteint cet objectif : {share} de toutes les visites.',
    },
    '{count} visits saw this page: {share} of all visits.': {
      one: '{count} visite a vu cette page : {share} de toutes les visites.',
      other: '{count} visites ont vu cette page : {share} de toutes les visites.',
    },
    Start: 'Départ',
    Show: 'Afficher',
    Step: 'Étape',
    'Show another step': 'Afficher une étape de plus',
    'AI crawlers and assistants': 'Robots et assistants d’IA',
    'AI crawlers': 'Robots d’IA',
    'Group AI crawlers by': 'Regrouper les robots d’IA par',
    Crawler: 'Robot',
    Operator: 'Exploitant',
    Purpose: 'Finalité',
    Training: 'Entraînement',
    'Search index': 'Index de recherche',
    training: 'entraînement',
    'User request': 'Demande d’un utilisateur',
    'user request': 'demande d’un utilisateur',
    Other: 'Autre',
    '{count} requests. By purpose: {purposes}.': {
      one: '{count} requête. Par finalité : {purposes}.',
      other: '{count} requêtes. Par finalité : {purposes}.',
    },
    'No requests from AI crawlers on these days': 'Aucune requête de robots d’IA ces jours-là',
    'Pages that {crawler} requests most': 'Pages les plus demandées par {crawler}',
    'Most requested pages': 'Pages les plus demandées',
    'Filters do not apply to crawlers.': 'Les filtres ne s’appliquent pas aux robots.',
    'This site does not count AI crawlers': 'Ce site ne compte pas les robots d’IA',
    'Searches on Google': 'Recherches sur Google',
    'Search query': 'Requête',
    'Group searches by': 'Regrouper les recherches par',
    'No imported searches on these days': 'Aucune recherche importée pour ces jours',
    'All searches from {first} to {last}: {clicks} clicks, {impressions} impressions. Google hides rare queries, so the rows add up to less.':
      'Toutes les recherches du {first} au {last} : {clicks} clics, {impressions} impressions. Google masque les requêtes rares ; la somme des lignes est donc plus petite.',
    'Some imported files also cover days outside this range. Their rows are left out. Choose a longer range.':
      'Certains fichiers importés contiennent aussi des jours hors de cette période. Leurs lignes sont omises. Choisissez une période plus longue.',
    Clicks: 'Clics',
    Impressions: 'Impressions',
    'Click rate': 'Taux de clics',
    Position: 'Position',
    'Group speed by': 'Regrouper la vitesse par',
    'No measurements on these days. Your pages need the second line of the snippet.':
      'Aucune mesure ces jours-là. Vos pages doivent contenir la seconde ligne de l’extrait de code.',
    'Show the snippet': 'Afficher l’extrait de code',
    'Three out of four pageviews had this value or better. Values are accurate to 2%.':
      'Trois pages vues sur quatre ont eu cette valeur ou une meilleure. Les valeurs sont exactes à 2 % près.',
    '{count} pageviews measured': { one: '{count} page vue mesurée', other: '{count} pages vues mesurées' },
    '{share} good': '{share} bonnes',
    'Change the settings': 'Modifier les réglages',
    'Visitors from AI assistants': 'Visiteurs venus d’assistants d’IA',
    Assistant: 'Assistant',
    'No visitors from AI assistants': 'Aucun visiteur venu d’un assistant d’IA',
    'Not counted': 'Non comptés',
    'All hits were counted': 'Tous les hits ont été comptés',
    'Ignored hits, such as bots and spam, appear here with the reason.':
      'Les hits ignorés, comme les robots et le spam, apparaissent ici avec la raison.',
    Bots: 'Robots',
    'Declared bots and automated browsers.': 'Robots déclarés et navigateurs automatisés.',
    'Requests by AI crawlers that ran the script. The panel above shows all requests by AI crawlers.':
      'Seulement ceux qui ont exécuté le script. Le bloc ci-dessus compte toutes leurs requêtes.',
    'Other hosts': 'Autres hôtes',
    'Pages on other domains that use this site’s script.':
      'Pages d’autres domaines qui utilisent le script de ce site.',
    'Unknown sites': 'Sites inconnus',
    'Hits for a site that does not exist on this server.': 'Envoyés pour un site qui n’existe pas sur ce serveur.',
    Spam: 'Spam',
    'Visits from known spam referrers.': 'Visites venant de référents connus pour leur spam.',
    'Excluded IP addresses': 'Adresses IP exclues',
    'Hits from IP addresses that this server does not count, such as your own.':
      'Hits depuis des adresses IP que ce serveur ne compte pas, comme la vôtre.',
    'Prefetched pages': 'Pages préchargées',
    'Pages that a browser loaded in advance, before anyone opened them.':
      'Pages chargées à l’avance par un navigateur, avant que quelqu’un ne les ouvre.',
    'Too many requests at once': 'Trop de requêtes à la fois',
    'One IP address sent more requests per second than a person can.':
      'Une adresse IP a envoyé plus de requêtes par seconde qu’une personne ne le peut.',
    'Daily limit reached': 'Limite quotidienne atteinte',
    'Hits above the daily limit of the site.': 'Au-delà de la limite quotidienne d’un site.',
    'Late time-on-page messages': 'Messages tardifs sur le temps passé',
    'Messages that say how long a page was visible, for visits that had already ended or were not counted.':
      'Messages indiquant combien de temps une page était visible, pour des visites terminées ou non comptées.',
    'Late hits': 'Hits tardifs',
    'Hits that a server sent after the figures of that day became final.':
      'Hits envoyés par un serveur alors que les chiffres du jour étaient déjà définitifs.',
    'Filter by': 'Filtrer par',
    'If you add another value, visits with either value match.':
      'Si vous ajoutez une autre valeur, une visite avec l’une ou l’autre correspond.',
    'Tick several values, or click one to use it immediately.':
      'Cochez plusieurs valeurs, ou cliquez sur une seule pour l’appliquer aussitôt.',
    'Values in this period that contain your text:': 'Valeurs de cette période qui contiennent ce texte :',
    'No value in this period contains this text.': 'Aucune valeur de cette période ne contient ce texte.',
    Apply: 'Appliquer',
    'Type part of the value': 'Saisissez une partie de la valeur',
    'Type to search': 'Saisissez un texte à rechercher',
    'No values in this period.': 'Aucune valeur dans cette période.',
    'Current visitors on {domain}': 'Visiteurs actuels sur {domain}',
    Countries: 'Pays',
    'Visitors per minute over the last {minutes} minutes. Highest: {count} at {time}':
      'Visiteurs par minute sur les {minutes} dernières minutes. Maximum : {count} à {time}',
    'No visitors in the last {minutes} minutes': 'Aucun visiteur ces {minutes} dernières minutes',
    'visitors per minute': 'visiteurs par minute',
    'The number is for the last five minutes, the chart for the last 30 minutes.':
      'Le nombre porte sur les cinq dernières minutes, le graphique sur les 30 dernières.',
    'No data yet': 'Aucune donnée pour l’instant',
    Blocked: 'Bloqués',
    'Hits that match a block in the settings of this site.':
      'Hits qui correspondent à un blocage dans les réglages de ce site.',
  },

  // The page "Explore", which answers questions of the user.
  explore: {
    Metrics: 'Indicateurs',
    'Break down by': 'Ventiler par',
    'Then by': 'Puis par',
    'Finally by': 'Enfin par',
    Columns: 'Colonnes',
    'Show {name} as columns': 'Afficher {name} en colonnes',
    'Figure in the table': 'Indicateur du tableau',
    Nothing: 'Rien',
    'Show a chart': 'Afficher un graphique',
    Time: 'Temps',
    Weekday: 'Jour de la semaine',
    'Hour of the day': 'Heure de la journée',
    Answer: 'Réponse',
    Total: 'Total',
    'Not known': 'Inconnu',
    '{figure} by {name}': '{figure} par {name}',
    '{figure} of the first rows': '{figure} des premières lignes',
    '{count} of {total} rows': '{count} lignes sur {total}',
    'What do you want to break these visits down by?': 'Par quoi voulez-vous ventiler ces visites ?',
    'Rows by time and columns cannot be compared with another period.':
      'Les lignes par date et les colonnes ne peuvent pas être comparées à une autre période.',
    'Groups of filters, joined by “or”': 'Groupes de filtres, reliés par « ou »',
    'A visit must match one of these groups, and the filters above.':
      'Une visite doit correspondre à l’un de ces groupes et aux filtres ci-dessus.',
    'Group {number}': 'Groupe {number}',
    'Remove group {number}': 'Supprimer le groupe {number}',
    'A group without filters is ignored.': 'Un groupe sans filtre est ignoré.',
    'Add groups joined by “or”': 'Ajouter des groupes reliés par « ou »',
    'Add a group': 'Ajouter un groupe',
    'This question cannot be answered': 'Il n’est pas possible de répondre à cette question',
    'Start again': 'Recommencer',
    'The last {count} of {total} columns are shown.': 'Les {count} dernières colonnes sur {total} sont affichées.',
    '{name}: the first {count} of {total} values. “Other” counts the visits with all other values.':
      '{name} : les {count} premières valeurs sur {total}. « Autre » compte les visites avec toutes les autres valeurs.',
    '{name}: the first {count} of {total} values. The other values cannot be counted together.':
      '{name} : les {count} premières valeurs sur {total}. Les autres valeurs ne peuvent pas être comptées ensemble.',
    'Some cells are not known, because there are too many. Use filters or a shorter period.':
      'Certaines cellules sont inconnues, car il y en a trop. Utilisez des filtres ou une période plus courte.',
  },

  // Changes of past days, exclusions, suggested exclusions, why figures changed, and how a day was counted.
  exclusions: {
    'What changed?': 'Qu’est-ce qui a changé ?',
    'Changes of past days': 'Changements de jours passés',
    'Past days have changed since you last looked.': 'Des jours passés ont changé depuis votre dernière consultation.',
    'Past days have changed since you last looked: {figures}.':
      'Des jours passés ont changé depuis votre dernière consultation : {figures}.',
    'Visits were excluded': 'Des visites ont été exclues',
    'Excluded visits count again': 'Des visites exclues comptent à nouveau',
    'Hits were imported': 'Des hits ont été importés',
    'An import was removed': 'Une importation a été supprimée',
    'Days were deleted': 'Des jours ont été supprimés',
    'Hits came late': 'Des hits sont arrivés en retard',
    'Hits were deleted after their retention': 'Des hits ont été supprimés après leur durée de conservation',
    'A goal was added': 'Un objectif a été ajouté',
    'A goal was changed': 'Un objectif a été modifié',
    'A goal was deleted': 'Un objectif a été supprimé',
    'A setting was changed': 'Un réglage a été modifié',
    'Command on the server': 'Commande sur le serveur',
    'It is not known by how much.': 'On ne sait pas de combien.',
    'No figure of these days has changed.': 'Aucun chiffre de ces jours n’a changé.',
    '{count} days: {figures}': { one: '{count} jour : {figures}', other: '{count} jours : {figures}' },
    'Exclude visits': 'Exclure les visites',
    'Excluded visits': 'Visites exclues',
    'Reports leave out these visits, such as bot traffic. Nothing is deleted, and you can undo this at any time.':
      'Les rapports ne comptent pas ces visites, par exemple le trafic de robots. Rien n’est supprimé, et vous pouvez revenir en arrière à tout moment.',
    'No exclusions yet': 'Pas encore d’exclusion',
    'Reports count every visit to this site.': 'Les rapports comptent toutes les visites de ce site.',
    Undo: 'Annuler l’exclusion',
    '{count} visits will count again, exactly as before.': {
      one: '{count} visite sera de nouveau comptée, exactement comme avant.',
      other: '{count} visites seront de nouveau comptées, exactement comme avant.',
    },
    'Since {day}, including future visits': 'Depuis le {day}, visites futures comprises',
    'New exclusion': 'Nouvelle exclusion',
    'You see a preview before anything changes.': 'Vous voyez un aperçu avant tout changement.',
    'Visits that match all of these conditions': 'Visites qui remplissent toutes ces conditions',
    'Remove condition {number}': 'Supprimer la condition {number}',
    'Add a condition': 'Ajouter une condition',
    Condition: 'Condition',
    Value: 'Valeur',
    'Leave empty for “{value}”': 'Laissez vide pour « {value} »',
    'First day': 'Premier jour',
    'Last day': 'Dernier jour',
    'Leave empty to keep excluding future visits.': 'Laissez vide pour exclure aussi les visites futures.',
    Note: 'Note',
    'Optional: why these visits are excluded.': 'Facultatif : pourquoi ces visites sont exclues.',
    'Bots from one data centre': 'Robots d’un centre de données',
    Preview: 'Aperçu',
    'Exclude {count} visits': { one: 'Exclure {count} visite', other: 'Exclure {count} visites' },
    '{count} visits excluded.': { one: '{count} visite exclue.', other: '{count} visites exclues.' },
    'No visits match on these days.': 'Aucune visite ne correspond ces jours-là.',
    '{visits} would be excluded, including {counts}.': {
      one: '{visits} serait exclue, avec {counts}.',
      other: '{visits} seraient exclues, avec {counts}.',
    },
    '{count} events': { one: '{count} événement', other: '{count} événements' },
    '{count} hits': { one: '{count} hit', other: '{count} hits' },
    'Visits per day. Highest: {visits} on {day}': 'Visites par jour, maximum le {day} : {visits}',
    '{day}: {count} visits': { one: '{day} : {count} visite', other: '{day} : {count} visites' },
    'Why did the visits change?': 'Pourquoi le nombre de visites a-t-il changé ?',
    'Why did the pageviews change?': 'Pourquoi le nombre de pages vues a-t-il changé ?',
    'Why did the conversions change?': 'Pourquoi le nombre de conversions a-t-il changé ?',
    'Most of the difference comes from:': 'La plus grande partie de la différence vient de :',
    'One group of visitors stands out. But chance alone can cause such a difference:':
      'Un groupe de visiteurs se distingue. Mais le hasard seul peut causer une telle différence :',
    'All groups of visitors changed by about the same share. So no group explains the difference.':
      'Tous les groupes de visiteurs ont changé à peu près dans la même proportion. Aucun groupe n’explique la différence.',
    'No group of visitors stands out. The difference may be chance.':
      'Aucun groupe de visiteurs ne se distingue. La différence peut être due au hasard.',
    '{share} of the difference': '{share} de la différence',
    '{count} properties that are used less were not tried.': {
      one: '{count} propriété moins utilisée n’a pas été examinée.',
      other: '{count} propriétés moins utilisées n’ont pas été examinées.',
    },
    'Filter the report by this group': 'Filtrer le rapport par ce groupe',
    'Unusual traffic on {day}': 'Trafic inhabituel le {day}',
    '{count} visits match these conditions:': {
      one: '{count} visite correspond à ces conditions :',
      other: '{count} visites correspondent à ces conditions :',
    },
    'This removes {visitors} and {pageviews} from all reports. You can undo it at any time.':
      'Cela retire {visitors} et {pageviews} de tous les rapports. Vous pouvez revenir en arrière à tout moment.',
    Dismiss: 'Ignorer',
    'Visitors per day. Visitors on {day} that would be excluded: {visitors}':
      'Visiteurs par jour. Exclus le {day} : {visitors}',
    'Signed receipt': 'Reçu signé',
    'Check the receipts of all days': 'Vérifier les reçus de tous les jours',
    'How this day was counted': 'Comment ce jour a été compté',
    State: 'État',
    'The day is still in progress.': 'Le jour est encore en cours.',
    'The figures are final.': 'Les chiffres sont définitifs.',
    'Only daily totals are stored.': 'Seuls les totaux quotidiens sont conservés.',
    'The figures come from import {number}.': 'Les chiffres proviennent de l’importation {number}.',
    'Nothing was counted on this day.': 'Rien n’a été compté ce jour-là.',
    Complete: 'Complet',
    'No, some hits are missing': 'Non, des hits manquent',
    Yes: 'Oui',
    'The server was not running from {from} to {to}.': 'Le serveur ne fonctionnait pas de {from} à {to}.',
    'From {from} to {to}, the server rejected hits, because it was overloaded or could not store them.':
      'De {from} à {to}, le serveur a refusé des hits, car il était surchargé ou ne pouvait pas les enregistrer.',
    Verified: 'Vérifié',
    'Not yet': 'Pas encore',
    '{time}: no differences found': '{time} : aucune différence trouvée',
    '{count} similar visits (usually {usual}).': {
      one: '{count} visite semblable. D’habitude : {usual}.',
      other: '{count} visites semblables. D’habitude : {usual}.',
    },
  },

  // Texts that several parts of the settings use.
  settings: {
    '{verb} {name}': '{verb} {name}',
    '{name} was removed.': 'Suppression effectuée : {name}.',
    'Exclusion removed: {name}. Its visits count again.':
      'Exclusion supprimée : {name}. Ses visites comptent de nouveau.',
    'Added.': 'Ajouté.',
    Cancel: 'Annuler',
    Edit: 'Modifier',
    'Edit {name}': 'Modifier {name}',
    'Sections of {title}': 'Sections : {title}',
    Saved: 'Enregistré',
    'Saved.': 'Enregistré.',
    'Language of the browser': 'Langue du navigateur',
    'The dashboard uses this language. If you choose one, your e-mails use it too. The sign-in page uses the language of your browser.':
      'Le tableau de bord utilise cette langue. Si vous en choisissez une, vos e-mails l’utilisent aussi. La page de connexion utilise la langue de votre navigateur.',
    'None of the {count} pages from the last 30 days would change.': {
      one: 'La seule page ({count}) des 30 derniers jours ne changerait pas.',
      other: 'Aucune des {count} pages des 30 derniers jours ne changerait.',
    },
    'Pages from the last 30 days that would change: {changed} of {count}': {
      one: 'Pages des 30 derniers jours qui changeraient : {changed} sur {count}',
      other: 'Pages des 30 derniers jours qui changeraient : {changed} sur {count}',
    },
    'No pages from the last 30 days to preview.': 'Aucune page des 30 derniers jours pour un aperçu.',
  },

  // Settings of a site, such as imports, alerts, mails, goals, funnels, notes, sharing, domain and deletion.
  siteSettings: {
    Data: 'Données',
    Export: 'Export',
    'Download all hits of this site as a file.': 'Téléchargez tous les hits de ce site dans un fichier.',
    Format: 'Format',
    'CSV, for spreadsheets': 'CSV, pour les tableurs',
    'JSON Lines, for another daybook': 'JSON Lines, pour un autre daybook',
    'Parquet, for DuckDB and pandas (a zip with a file for each day)':
      'Parquet, pour DuckDB et pandas (un zip avec un fichier par jour)',
    'Daily totals in the format of Plausible (a zip)': 'Totaux par jour au format de Plausible (un zip)',
    'All days': 'Tous les jours',
    'Other days': 'Autres jours',
    Download: 'Télécharger',
    'The download has begun. Days with only daily totals are not in the file.':
      'Le téléchargement a commencé. Les jours qui n’ont que des totaux ne sont pas dans le fichier.',
    Import: 'Importer',
    'Bring in the history of another product. You see what is in the file before anything is imported.':
      'Reprenez l’historique d’un autre produit. Vous voyez ce que contient le fichier avant toute importation.',
    File: 'Fichier',
    'From Plausible, Umami, Matomo, Google Analytics 4, GoatCounter, Simple Analytics or Google’s Search Console. Access logs and the JSON Lines of daybook work too.':
      'De Plausible, Umami, Matomo, Google Analytics 4, GoatCounter, Simple Analytics ou de la Google Search Console. Les journaux d’accès et les JSON Lines de daybook conviennent aussi.',
    'More options': 'Autres options',
    'Domain in the file': 'Domaine dans le fichier',
    'Only if the site had another domain at that time.': 'Seulement si le site avait alors un autre domaine.',
    'Skip lines that cannot be read': 'Ignorer les lignes illisibles',
    Upload: 'Envoyer',
    '{name} was not imported.': '{name} n’a pas été importé.',
    'Choose another file': 'Choisir un autre fichier',
    'Uploading {name}: {done} of {total}': 'Envoi de {name} : {done} sur {total}',
    'The upload of {name} was interrupted, or continues in another window.':
      'L’envoi de {name} a été interrompu, ou continue dans une autre fenêtre.',
    'Reading {name}': 'Lecture de {name}',
    '{rows} rows, {days} days': '{rows} lignes, {days} jours',
    'Importing {name}: {done} of {total} days': 'Importation de {name} : {done} jours sur {total}',
    'In the file {name}': 'Dans le fichier {name}',
    'The first is {day}.': 'Le premier est le {day}.',
    'Only the owner of the site can replace them.': 'Seul le propriétaire du site peut les remplacer.',
    'Replace these days and import': 'Remplacer ces jours et importer',
    'The present hits of these days will be deleted permanently.':
      'Les hits actuels de ces jours seront supprimés définitivement.',
    '{name} was imported. Reports show its days now.':
      '{name} a été importé. Les rapports montrent maintenant ses jours.',
    'Import another file': 'Importer un autre fichier',
    'Remove all hits and totals of this import? Hits that it replaced do not come back.':
      'Retirer tous les hits et totaux de cette importation ? Les hits qu’elle a remplacés ne reviennent pas.',
    Imports: 'Importations',
    'Files that were imported here or in the terminal of the server.':
      'Fichiers importés ici ou dans le terminal du serveur.',
    'No imports yet': 'Aucune importation',
    'Imported days look like all other days in reports.':
      'Les jours importés apparaissent comme les autres dans les rapports.',
    'only daily totals': 'seulement des totaux par jour',
    'imported on {day}': 'importé le {day}',
    'Replaced by later imports': 'Remplacé par des importations ultérieures',
    'Delete days': 'Supprimer des jours',
    'Deletes all visits and imports of some days for good. You see a preview before anything is deleted.':
      'Supprime définitivement toutes les visites et importations de certains jours. Vous voyez un aperçu avant toute suppression.',
    'Nothing is stored for {days}.': 'Rien n’est enregistré pour {days}.',
    'This will be deleted for {days}:': 'Ceci sera supprimé pour {days} :',
    'Google searches whose period includes other days are kept.':
      'Les recherches sur Google qui concernent aussi d’autres jours restent.',
    'Goals, funnels, notes and exclusions stay. Backups and exported files still have these days.':
      'Les objectifs, entonnoirs, notes et exclusions restent. Les sauvegardes et les fichiers exportés contiennent encore ces jours.',
    '{days} deleted.': 'Supprimé : {days}.',
    'Delete {count} days': { one: 'Supprimer {count} jour', other: 'Supprimer {count} jours' },
    '{count} days with visits': { one: '{count} jour avec des visites', other: '{count} jours avec des visites' },
    '{count} of them with only daily totals': {
      one: 'dont {count} avec seulement des totaux du jour',
      other: 'dont {count} avec seulement des totaux du jour',
    },
    '{count} imports as a whole': { one: '{count} importation entière', other: '{count} importations entières' },
    'a part of {count} imports': {
      one: 'une partie de {count} importation',
      other: 'une partie de {count} importations',
    },
    '{count} rows of searches on Google': {
      one: '{count} ligne de recherches sur Google',
      other: '{count} lignes de recherches sur Google',
    },
    '{count} requests of AI crawlers': {
      one: '{count} requête de robots d’IA',
      other: '{count} requêtes de robots d’IA',
    },
    '{count} hits that were not counted': { one: '{count} hit non compté', other: '{count} hits non comptés' },
    'The site already has searches on {count} days of the file.': {
      one: 'Le site a déjà des recherches sur {count} jour du fichier.',
      other: 'Le site a déjà des recherches sur {count} jours du fichier.',
    },
    'The present searches of these days will be deleted permanently.':
      'Les recherches actuelles de ces jours seront supprimées définitivement.',
    'Export the visits first': 'Exporter d’abord les visites',
    'The site already has hits on {count} days of the file.': {
      one: 'Le site a déjà des hits pour {count} jour du fichier.',
      other: 'Le site a déjà des hits pour {count} jours du fichier.',
    },
    '{count} days': { one: '{count} jour', other: '{count} jours' },
    'Each alert is checked when a day is over.': 'Chaque alerte est vérifiée quand une journée est terminée.',
    'No custom alerts yet': 'Pas encore d’alerte personnalisée',
    'For example, fewer than 10 visitors on a day.': 'Par exemple, moins de 10 visiteurs en une journée.',
    'You will get no more messages about this.': 'Vous ne recevrez plus de messages à ce sujet.',
    'Add custom alert': 'Ajouter une alerte personnalisée',
    'On a day': 'Sur une journée',
    below: 'en dessous de',
    above: 'au-dessus de',
    'unusual for this weekday': 'inhabituel pour ce jour de la semaine',
    'Only some visits': 'Seulement certaines visites',
    Metric: 'Métrique',
    'Custom alerts': 'Alertes personnalisées',
    'Effects of notes': 'Effets des notes',
    'An e-mail two weeks after a note, if you chose this for the note. It shows how your figures changed.':
      'Un e-mail deux semaines après une note, si vous l’avez choisi pour cette note. Il montre l’évolution de vos chiffres.',
    'Send a message two weeks later, with the changes of your figures':
      'Envoyer un message deux semaines plus tard, avec l’évolution de vos chiffres',
    'An e-mail after each day on which the condition of a custom alert was met.':
      'Un e-mail après chaque jour où la condition d’une alerte personnalisée était remplie.',
    Notifications: 'Notifications',
    'Goals reached': 'Objectifs atteints',
    'Webhook URL': 'URL du webhook',
    'Add the workflow “Send webhook alerts to a channel”.': 'Ajoutez le workflow « Send webhook alerts to a channel ».',
    'Token of the bot': 'Jeton du bot',
    'You get it from @BotFather.': 'Vous l’obtenez auprès de @BotFather.',
    'ID of the chat': 'Identifiant de la discussion',
    'The bot must be a member of the chat.': 'Le bot doit être membre de la discussion.',
    Topic: 'Sujet (topic)',
    'Choose one that nobody can guess. Everybody who knows it can read the messages.':
      'Choisissez-en un que personne ne peut deviner. Toute personne qui le connaît peut lire les messages.',
    'Access token (optional)': 'Jeton d’accès (facultatif)',
    'Server (optional)': 'Serveur (facultatif)',
    'Token of the application': 'Jeton de l’application',
    Homeserver: 'Serveur d’accueil',
    'Access token': 'Jeton d’accès',
    'ID of the room': 'Identifiant du salon',
    Secret: 'Clé secrète',
    'At least 16 characters. Your program uses it to check the signature.':
      'Au moins 16 caractères. Votre programme s’en sert pour vérifier la signature.',
    'The stored settings are secret, so they are not shown. To replace them, enter all of them again.':
      'Les paramètres enregistrés sont secrets et ne sont donc pas affichés. Pour les remplacer, saisissez-les tous à nouveau.',
    Messages: 'Messages',
    'Language of the messages': 'Langue des messages',
    'Notification channels': 'Canaux de notification',
    'Send reports and alerts to a chat, to your phone or to your own program.':
      'Envoyez les rapports et les alertes dans une discussion, sur votre téléphone ou à votre propre programme.',
    'No notification channels yet': 'Pas encore de canal de notification',
    'For example, Slack, Telegram or ntfy.': 'Par exemple, Slack, Telegram ou ntfy.',
    'It will get no more messages.': 'Il ne recevra plus de messages.',
    'Add notification channel': 'Ajouter un canal de notification',
    'Added. The list shows whether the test message arrived.':
      'Ajouté. La liste indique si le message de test est arrivé.',
    paused: 'en pause',
    'Send test': 'Envoyer un test',
    Pause: 'Mettre en pause',
    Resume: 'Reprendre',
    'Failed on {time}: {reason}.': 'Échec le {time} : {reason}.',
    'Failed: {reason}.': 'Échec : {reason}.',
    'Last message accepted on {time}.': 'Dernier message accepté le {time}.',
    'No message was sent yet.': 'Aucun message n’a encore été envoyé.',
    'Weekly report': 'Rapport hebdomadaire',
    'An e-mail every Monday with the figures of the previous week.':
      'Un e-mail chaque lundi avec les chiffres de la semaine précédente.',
    'Monthly report': 'Rapport mensuel',
    'An e-mail on the first of each month with the figures of the previous month.':
      'Un e-mail le premier de chaque mois avec les chiffres du mois précédent.',
    'Traffic alert': 'Alerte de trafic',
    'An e-mail when you get far more visitors than usual.':
      'Un e-mail quand vous avez bien plus de visiteurs que d’habitude.',
    'No-traffic alert': 'Alerte d’absence de trafic',
    'An e-mail when hits stop, for example because the snippet is missing. You get another e-mail when hits arrive again.':
      'Un e-mail quand les hits s’arrêtent, par exemple si l’extrait de code manque. Vous en recevez un autre quand des hits arrivent de nouveau.',
    'Reports and alerts': 'Rapports et alertes',
    'These e-mails go to everyone with access to this site. Each e-mail has a link to unsubscribe.':
      'Ces e-mails sont envoyés à toutes les personnes ayant accès à ce site. Chaque e-mail contient un lien de désabonnement.',
    'No mail server is set up, so this server sends no e-mails. The person who runs it can set {option}.':
      'Aucun serveur de messagerie n’est configuré, ce serveur n’envoie donc pas d’e-mails. Son exploitant peut définir {option}.',
    'Count AI crawlers': 'Compter les robots d’IA',
    'AI crawlers have their own report. They never count as visitors.':
      'Les robots d’IA ont leur propre rapport. Ils ne comptent jamais comme visiteurs.',
    'Main goal': 'Objectif principal',
    'The conversion rate of the main goal is shown next to the visitors.':
      'Le taux de conversion de l’objectif principal s’affiche à côté des visiteurs.',
    None: 'Aucun',
    'Reports add up the revenue of your orders, for example by source, country and goal.':
      'Les rapports additionnent le chiffre d’affaires de vos commandes, par exemple par source, pays et objectif.',
    'No revenue has arrived yet.': 'Aucun chiffre d’affaires reçu pour l’instant.',
    'Currency: {currency}': 'Devise : {currency}',
    Currency: 'Devise',
    'The first revenue sets the currency. You can also choose it now.':
      'Le premier montant reçu fixe la devise. Vous pouvez aussi la choisir maintenant.',
    'Amounts in other currencies are stored, but not added up.':
      'Les montants dans d’autres devises sont enregistrés, mais pas additionnés.',
    'None yet': 'Pas encore',
    'Send revenue': 'Envoyer le chiffre d’affaires',
    'To send revenue, call this function in the page that follows an order, with the amount of the order:':
      'Pour envoyer le chiffre d’affaires, appelez cette fonction dans la page qui suit une commande, avec le montant de la commande :',
    'the call that sends revenue': 'l’appel qui envoie le chiffre d’affaires',
    'The reports of this site use this time zone for days, weeks and months.':
      'Les rapports de ce site utilisent ce fuseau horaire pour les jours, les semaines et les mois.',
    'Applies from now on. Past days do not change.': 'S’applique dès maintenant. Les jours passés ne changent pas.',
    'A page or an event that you want visitors to reach. Past visits count too.':
      'Une page ou un événement que vos visiteurs devraient atteindre. Les visites passées comptent aussi.',
    'For example, the page after an order, or a sign-up event.':
      'Par exemple la page après une commande, ou un événement d’inscription.',
    'Remove this goal? Your visits are kept.': 'Supprimer cet objectif ? Les visites sont conservées.',
    'Goal changed to {goal}.': 'Objectif modifié : {goal}.',
    'Add goal': 'Ajouter l’objectif',
    Type: 'Type',
    'A funnel has two to eight steps. Visitors must take them in order, within one day. The report shows where visitors drop out.':
      'Un entonnoir a de deux à huit étapes. Les visiteurs doivent les suivre dans l’ordre, le même jour. Le rapport montre où les visiteurs abandonnent.',
    'For example: price page, order form, thank-you page. See how many visitors complete all steps.':
      'Par exemple : tarifs, commande, merci. Voyez combien de visiteurs terminent toutes les étapes.',
    'Remove this funnel? Your visits are kept.': 'Supprimer cet entonnoir ? Les visites sont conservées.',
    '{name} was changed.': 'Modification enregistrée : {name}.',
    'New funnel': 'Nouvel entonnoir',
    'Add funnel': 'Ajouter l’entonnoir',
    Order: 'Commande',
    Steps: 'Étapes',
    'Step {number}': 'Étape {number}',
    'Remove step {number}': 'Supprimer l’étape {number}',
    'Move step {number} up': 'Monter l’étape {number}',
    'Move step {number} down': 'Descendre l’étape {number}',
    'Add a property': 'Ajouter une propriété',
    'Scrolled to (%)': 'Défilement jusqu’à (%)',
    'Only if visitors must see this much of the page.': 'Seulement si le visiteur doit voir cette part de la page.',
    'Remove the property': 'Retirer la propriété',
    'An asterisk stands for any text, as in pro*.': 'Un astérisque remplace n’importe quel texte, comme dans pro*.',
    'Add a step': 'Ajouter une étape',
    Notes: 'Notes',
    'The chart shows notes to everyone with access to this site.':
      'Le graphique montre les notes à toutes les personnes ayant accès à ce site.',
    'No notes yet': 'Pas encore de note',
    'Write down what may explain a change: a release, a newsletter, a talk.':
      'Notez ce qui peut expliquer une évolution : une nouvelle version, une newsletter, une conférence.',
    'Remove this note permanently?': 'Supprimer cette note définitivement ?',
    'Day ({zone})': 'Jour ({zone})',
    'What happened': 'Ce qui s’est passé',
    'Note changed.': 'Note modifiée.',
    'URL (optional)': 'URL (facultative)',
    'New homepage': 'Nouvelle page d’accueil',
    'Share link': 'Lien de partage',
    'Anyone with the link can see the reports': 'Toute personne ayant le lien peut voir les rapports',
    'The link shows all reports of this site, with goals, funnels, notes and imported searches on Google. People with the link cannot see settings or your other sites, and cannot change anything.':
      'Le lien montre tous les rapports de ce site, avec objectifs, entonnoirs, notes et recherches sur Google importées. Il ne donne accès ni aux réglages ni à vos autres sites et ne permet aucune modification.',
    'the share link': 'le lien de partage',
    'People with this link will no longer see anything.': 'Les personnes qui ont ce lien ne verront plus rien.',
    'More share links': 'Autres liens de partage',
    'No more links yet': 'Aucun autre lien pour l’instant',
    'Add a link for each group of people, such as an agency.':
      'Ajoutez un lien pour chaque groupe de personnes, par exemple une agence.',
    'Add link': 'Ajouter un lien',
    'People with the link do not see it.': 'Les personnes qui ont le lien ne le voient pas.',
    Shows: 'Montre',
    'All reports': 'Tous les rapports',
    'It needs at least 10 characters.': 'Il faut au moins 10 caractères.',
    'New password (optional)': 'Nouveau mot de passe (facultatif)',
    'Remove the password': 'Supprimer le mot de passe',
    'Websites that may embed the link (optional)': 'Sites autorisés à intégrer le lien (facultatif)',
    'One per line, such as https://www.example.com. A link with a password cannot be embedded.':
      'Un par ligne, par exemple https://www.example.com. Un lien avec mot de passe ne peut pas être intégré.',
    '{websites} may embed this link, with this code:': 'Intégration autorisée pour {websites}, avec ce code :',
    'the embed code of {name}': 'le code d’intégration de {name}',
    'Password (optional)': 'Mot de passe (facultatif)',
    'Last day (optional)': 'Dernier jour (facultatif)',
    'with a password': 'avec un mot de passe',
    'ended on {time}': 'terminé le {time}',
    'ends on {time}': 'se termine le {time}',
    'the link {name}': 'le lien {name}',
    'Each link can show only a saved view, ask for a password, and expire on a day that you choose.':
      'Chaque lien peut montrer seulement une vue enregistrée, demander un mot de passe et expirer à une date choisie.',
    'Create a new share link': 'Créer un nouveau lien',
    'The current link will stop working, including on pages that embed it.':
      'Le lien actuel ne fonctionnera plus, même sur les pages qui l’intègrent.',
    Badge: 'Badge',
    'Visitors on {domain} now': 'Visiteurs sur {domain} en ce moment',
    JSON: 'JSON',
    'Public live counter': 'Compteur public en direct',
    'Everyone can see the number of current visitors': 'Tout le monde peut voir le nombre de visiteurs actuels',
    'Only the number of visitors in the last five minutes is public.':
      'Seul le nombre de visiteurs des cinq dernières minutes est public.',
    'A badge for your page or README:': 'Un badge pour votre page ou votre README :',
    'the badge': 'le badge',
    Embedding: 'Intégration',
    'Only the websites in this list can embed the shared reports.':
      'Seuls les sites de cette liste peuvent intégrer les rapports partagés.',
    Website: 'Site web',
    'Allowed websites': 'Sites autorisés',
    'No allowed websites yet': 'Pas encore de site autorisé',
    'Add the website that should show these reports.': 'Ajoutez le site qui doit afficher ces rapports.',
    'Pages on this website will show an empty frame instead of the reports.':
      'Les pages de ce site web afficheront un cadre vide à la place des rapports.',
    'Statistics of {domain}': 'Statistiques de {domain}',
    Allow: 'Autoriser',
    'Allowed.': 'Autorisé.',
    'Paste this where the reports should appear:': 'Collez ceci là où les rapports doivent apparaître :',
    'the embed code': 'le code d’intégration',
    'Site domain': 'Domaine du site',
    'Moved to another domain? Rename the site here. Its statistics stay.':
      'Vous avez changé de domaine ? Renommez le site ici. Ses statistiques sont conservées.',
    'Rename to {domain}': 'Renommer en {domain}',
    'If you rename {from} to {to}:': 'Si vous renommez {from} en {to} :',
    'All statistics stay. Reports and settings get a new URL. Links with the old name stop working.':
      'Toutes les statistiques sont conservées. Les rapports et les réglages changent d’URL. Les liens avec l’ancien nom ne fonctionneront plus.',
    'the new snippet': 'le nouvel extrait',
    'Your pages need the new snippet. The old one counts until {day}, on both domains.':
      'Mettez le nouvel extrait dans vos pages. L’ancien compte jusqu’au {day}, sur les deux domaines.',
    'Until {day}, nobody else can use {from}. You can rename the site back.':
      'Jusqu’au {day}, personne d’autre ne peut utiliser {from}. Vous pouvez revenir à l’ancien nom.',
    'By hand, you change the name in API programs, in the URL of the public counter, and in commands.':
      'À la main, changez le nom dans les programmes qui utilisent l’API, dans l’URL du compteur public et dans les commandes.',
    'By hand, you change the name in API programs and in commands.':
      'À la main, changez le nom dans les programmes qui utilisent l’API et dans les commandes.',
    '{count} share links keep their URLs.': {
      one: '{count} lien de partage garde son URL.',
      other: '{count} liens de partage gardent leurs URL.',
    },
    '{count} receipts keep the name {from}. New ones get the new name.': {
      one: '{count} reçu garde le nom {from}. Les nouveaux auront le nouveau nom.',
      other: '{count} reçus gardent le nom {from}. Les nouveaux auront le nouveau nom.',
    },
    'Delete this site': 'Supprimer ce site',
    'Only the owner of the site can delete it.': 'Seul le propriétaire du site peut le supprimer.',
    'This permanently deletes all visits, goals, funnels and notes of the site. The pages can keep the snippet, but their visits are no longer counted.':
      'Cela supprime définitivement l’ensemble de ses visites, objectifs, entonnoirs et notes. Ses pages peuvent garder l’extrait, mais daybook ne compte plus rien.',
    'Type {domain} to confirm': 'Saisissez {domain} pour confirmer',
    'Delete {domain}': 'Supprimer {domain}',
    Blocks: 'Blocages',
    'Leave my visits out': 'Ne pas compter mes visites',
    'Hits from your present IP address are not counted. Only a hash of the IP address is stored. If your IP address changes, switch this on again.':
      'Les hits depuis votre adresse IP actuelle ne sont pas comptés. Seule une empreinte de l’adresse IP est enregistrée. Si votre adresse IP change, réactivez cette option.',
    'From now on, hits that match a block are not counted. Past hits stay.':
      'Désormais, les hits qui correspondent à un blocage ne sont plus comptés. Les hits passés restent.',
    'No blocks yet': 'Aucun blocage pour l’instant',
    'Block an IP address, a country, a host name, a page, a source or a user agent.':
      'Bloquez une adresse IP, un pays, un nom d’hôte, une page, une source ou un user-agent.',
    'Its hits will be counted again.': 'Ces hits seront de nouveau comptés.',
    Block: 'Bloquer',
    'Blocked.': 'Bloqué.',
    Kind: 'Type',
    'IP address': 'Adresse IP',
    'User agent': 'User-agent',
    'A star stands for any characters, as in /internal/*. A country is two letters, as in DE.':
      'Une étoile remplace n’importe quels caractères, comme /internal/*. Un pays a deux lettres, comme DE.',
    'Note (optional)': 'Note (facultatif)',
    'an IP address': 'une adresse IP',
    'your IP address': 'votre adresse IP',
    'Your visits': 'Vos visites',
    '{count} hits dropped in the last 30 days': {
      one: '{count} hit écarté ces 30 derniers jours',
      other: '{count} hits écartés ces 30 derniers jours',
    },
  },

  // The snippet and its options, the check whether hits arrive, and the settings for what is stored of a hit.
  snippet: {
    Snippet: 'Extrait de code',
    'Paste this into every page of {domain}. daybook then counts its visits.':
      'Collez ceci dans chaque page de {domain}. daybook compte alors les visites.',
    'the snippet': 'l’extrait de code',
    Speed: 'Vitesse',
    'Measure how fast pages are': 'Mesurer la vitesse des pages',
    'A second script measures web vitals. To use it, paste the second line of the snippet into your pages too.':
      'Un second script mesure les Web Vitals. Pour l’utiliser, collez aussi la seconde ligne de l’extrait de code dans vos pages.',
    'Paste this line below the first one. It measures how fast your pages are.':
      'Collez cette ligne sous la première. Elle mesure la vitesse de vos pages.',
    'the second snippet': 'le second extrait de code',
    Options: 'Options',
    'Outbound links': 'Liens sortants',
    'Counts clicks on links to other websites as events named Outbound link.':
      'Compte les clics sur les liens vers d’autres sites comme des événements nommés Outbound link.',
    Downloads: 'Téléchargements',
    'Counts clicks on files as events named Download.':
      'Compte les clics sur des fichiers comme des événements nommés Download.',
    'URLs with #': 'URL avec #',
    'For apps that change only the part of the URL after #/ or #!.':
      'Pour les applications qui ne changent que la partie de l’URL après #/ ou #!.',
    'Respect Do Not Track': 'Respecter Do Not Track',
    'Ignores visitors that send Do Not Track or Global Privacy Control.':
      'Ignore les visiteurs qui envoient Do Not Track ou Global Privacy Control.',
    'Automated browsers': 'Navigateurs automatisés',
    'Counts browsers that a program controls. Use it for tests.':
      'Compte les navigateurs pilotés par un programme. Pour des tests.',
    'Options change the snippet above. Copy it again and replace the old one.':
      'Les options modifient l’extrait ci-dessus. Copiez-le de nouveau et remplacez l’ancien.',
    '{origin} works only on this machine. Start daybook with {option} and its public URL first.':
      '{origin} ne fonctionne que sur cette machine. Lancez d’abord daybook avec {option} et son URL publique.',
    'Count 404 pages': 'Compter les pages 404',
    'On your 404 page, use this snippet instead. It counts an event named 404 with the path.':
      'Sur votre page 404, utilisez plutôt cet extrait. Il compte un événement nommé 404 avec le chemin.',
    'the snippet for the 404 page': 'l’extrait pour la page 404',
    'Where to paste it': 'Où le coller',
    'Static HTML': 'HTML statique',
    'Paste the snippet into the head of each page, before </head>.':
      'Collez l’extrait dans l’en-tête de chaque page, avant </head>.',
    'Hugo, Jekyll, Astro, Eleventy': 'Hugo, Jekyll, Astro, Eleventy',
    'Paste the snippet into the layout that all pages share, such as layouts/partials/head.html, _includes/head.html or src/layouts/.':
      'Collez l’extrait dans la mise en page commune à toutes les pages, comme layouts/partials/head.html, _includes/head.html ou src/layouts/.',
    WordPress: 'WordPress',
    'Install the plugin from the folder integrations/wordpress of daybook. Or paste the snippet into header.php of your theme, before </head>.':
      'Installez l’extension du dossier integrations/wordpress de daybook. Ou collez l’extrait dans header.php de votre thème, avant </head>.',
    'Next.js, Nuxt, SvelteKit, React, Vue': 'Next.js, Nuxt, SvelteKit, React, Vue',
    'Paste the snippet into the root layout or index.html. Page changes within the app are counted automatically.':
      'Collez l’extrait dans la mise en page racine ou dans index.html. Les changements de page dans l’application sont comptés automatiquement.',
    'Ghost, Shopify, Squarespace, Webflow, Wix': 'Ghost, Shopify, Squarespace, Webflow, Wix',
    'Paste the snippet into the setting for custom code or code injection, for the header of all pages.':
      'Collez l’extrait dans le réglage d’injection de code ou de code personnalisé, pour l’en-tête de toutes les pages.',
    'If scripts are not allowed, use this image. It counts a pageview of the page in its URL:':
      'Si les scripts ne sont pas autorisés, cette image compte une page vue pour la page de son URL :',
    'the image': 'l’image',
    'Docusaurus, VitePress': 'Docusaurus, VitePress',
    'Add the script to the configuration: to scripts in docusaurus.config.js, or to head in .vitepress/config.':
      'Ajoutez le script à la configuration : dans scripts de docusaurus.config.js, ou dans head de .vitepress/config.',
    '{file} has the exact steps for each of these programs.':
      '{file} contient les étapes exactes pour chacun de ces logiciels.',
    'In Google Tag Manager, add a Custom HTML tag with this code. Tag Manager would change the snippet.':
      'Dans Google Tag Manager, ajoutez une balise HTML personnalisée avec ce code. Tag Manager modifierait l’extrait.',
    'the code for Google Tag Manager': 'le code pour Google Tag Manager',
    'Serve it from your own domain': 'Le charger depuis votre propre domaine',
    'Content blockers may stop scripts of other hosts, and scripts with known names. These steps help:':
      'Les bloqueurs de contenu peuvent arrêter les scripts d’autres hôtes et ceux dont le nom est connu. Ces étapes aident :',
    'Give the script a name of its own: start daybook with this option. Snippets with the old name still work.':
      'Donnez au script un nom qui lui est propre : démarrez daybook avec cette option. Les extraits avec l’ancien nom fonctionnent toujours.',
    'the option': 'l’option',
    'The script already has a name of its own: {path}.': 'Le script a déjà un nom qui lui est propre : {path}.',
    'Set up your web server so that it forwards all paths that begin with {start} to daybook. {file} shows how for nginx, Caddy, Next.js and more.':
      'Configurez votre serveur web pour qu’il transmette à daybook tous les chemins qui commencent par {start}. {file} explique comment faire avec nginx, Caddy, Next.js et d’autres.',
    'Then paste this into your pages instead:': 'Collez ensuite ceci dans vos pages à la place :',
    'the snippet for your own domain': 'l’extrait de code pour votre propre domaine',
    'Installation check': 'Vérification de l’installation',
    'The snippet works: {count} visitors in the last five minutes.': {
      one: 'L’extrait fonctionne : {count} visiteur ces cinq dernières minutes.',
      other: 'L’extrait fonctionne : {count} visiteurs ces cinq dernières minutes.',
    },
    'Waiting for a hit. Open {domain} in another tab. The hit appears here within seconds.':
      'En attente d’un hit. Ouvrez {domain} dans un autre onglet. Le hit apparaît ici en quelques secondes.',
    'The snippet works: {count} visitors in the last 30 days.': {
      one: 'L’extrait fonctionne : {count} visiteur ces 30 derniers jours.',
      other: 'L’extrait fonctionne : {count} visiteurs ces 30 derniers jours.',
    },
    'See your reports': 'Voir vos rapports',
    'Wait for the next hit': 'Attendre le prochain hit',
    'Not counted today: {hits}': 'Non comptés aujourd’hui : {hits}',
    Reason: 'Raison',
    'Since the last server start, no page with this snippet has sent a request.':
      'Depuis le dernier démarrage du serveur, aucune page avec cet extrait n’a envoyé de requête.',
    'Last request: {time}. It was counted.': 'Dernière requête : {time}. Elle a été comptée.',
    'Last request: {time}. It was not counted. Reason: {name}. {why}':
      'Dernière requête : {time}. Elle n’a pas été comptée. Raison : {name}. {why}',
    'A page on {host} uses this snippet. This host is not {domain} or one of its subdomains.':
      'Une page sur {host} utilise cet extrait. Cet hôte n’est ni {domain} ni un de ses sous-domaines.',
    'No hits?': 'Aucun hit ?',
    'An ad blocker in your browser may block the script. Try a browser without one.':
      'Un bloqueur de publicité dans votre navigateur peut bloquer le script. Essayez un navigateur sans bloqueur.',
    'The page must be on {domain} or one of its subdomains. Hits from other hosts are not counted.':
      'La page doit être sur {domain} ou un de ses sous-domaines. Les hits d’autres hôtes ne sont pas comptés.',
    'A cache or CDN may still serve old pages without the snippet. Search for data-site in the source of a page.':
      'Un cache ou un CDN sert peut-être encore d’anciennes pages sans l’extrait. Cherchez data-site dans le code source d’une page.',
    'If your pages send a Content-Security-Policy, script-src and connect-src must allow {origin}.':
      'Si vos pages envoient une Content-Security-Policy, script-src et connect-src doivent autoriser {origin}.',
    'If you opened the site with #daybook-off, this browser is not counted. Open it with #daybook-on to count it again.':
      'Si vous avez ouvert le site avec #daybook-off, ce navigateur n’est pas compté. Ouvrez-le avec #daybook-on pour le compter de nouveau.',
    'Page parameters': 'Paramètres de page',
    'Use this for websites whose query string says which page is shown, such as /?p=1. The listed parameters are kept in the URL of the page. All others are removed.':
      'Utilisez ce réglage pour les sites qui désignent une page par les paramètres de l’URL, par exemple /?p=1. Ces paramètres font partie de la page. Tous les autres sont supprimés.',
    'One name per line, for example p for WordPress, t for phpBB or title for MediaWiki. Leave the field empty if your URLs have no such parameters.':
      'Un nom par ligne, par exemple p pour WordPress, t pour phpBB ou title pour MediaWiki. Laissez le champ vide si vos URL n’ont pas de tels paramètres.',
    Parameters: 'Paramètres',
    'Try a URL': 'Essayer une URL',
    'Stored as {page}': 'Enregistrée sous la forme {page}',
    'Saved. Now replace the snippet in your pages with the one under General.':
      'Enregistré. Remplacez maintenant l’extrait de code de vos pages par le nouveau, sous « Général ».',
    'Stored dimensions': 'Dimensions enregistrées',
    'Dimensions that you switch off are not stored from now on, and their tabs are hidden. Visits that are already stored do not change.':
      'Les dimensions que vous désactivez ne sont plus enregistrées, et leurs onglets sont masqués. Les visites déjà enregistrées ne changent pas.',
    'Dimensions of a visit': 'Dimensions d’une visite',
    'Regions and cities': 'Régions et villes',
    'Store regions and cities': 'Enregistrer les régions et les villes',
    'The server looks up regions and cities by IP address, and does not store the IP address. On a small site, a city may point to a single person. The person who runs this server must set --geoip to a city database.':
      'Le serveur détermine les régions et les villes à partir de l’adresse IP, et n’enregistre pas l’adresse IP. Sur un petit site, une ville peut désigner une seule personne. L’exploitant de ce serveur doit indiquer une base de villes avec --geoip.',
    'Private data in paths': 'Parties privées des chemins',
    'Parts of a path that match a pattern, such as customer numbers, are stored as :id. E-mail addresses are always stored as :id.':
      'Les parties d’un chemin qui correspondent à un motif, par exemple les numéros de client, sont enregistrées sous la forme :id. Les adresses e-mail le sont toujours.',
    'One pattern per line. users/* hides the part after users anywhere in the path. /users/* hides it only at the start of the path. You can also use {number}, {uuid} or {token} (a long random text) instead of *.':
      'Un motif par ligne. users/* masque la partie après users partout dans le chemin. /users/* ne la masque qu’au début du chemin. À la place de *, vous pouvez aussi utiliser {number}, {uuid} ou {token} (un long texte aléatoire).',
    Patterns: 'Motifs',
    'Saved. This applies to new hits.': 'Enregistré. Cela s’applique aux nouveaux hits.',
    'replaces {examples}': 'remplace {examples}',
    'replaces {examples} and {count} more': {
      one: 'remplace {examples} et {count} autre',
      other: 'remplace {examples} et {count} autres',
    },
    'A goal or funnel step uses {value}, which will be stored as {becomes}. Update it, or it will never match.':
      'Un objectif ou une étape d’entonnoir utilise {value}, qui sera enregistré sous la forme {becomes}. Modifiez-le, sinon il ne correspondra jamais.',
    'Add this snippet to every page of {domain}': 'Ajoutez cet extrait de code à chaque page de {domain}',
    'Paste this line into your pages, anywhere before {head}. Then open one of the pages.':
      'Collez cette ligne dans vos pages, n’importe où avant {head}. Ouvrez ensuite l’une des pages.',
    'The snippet works. Your first visit was counted.': 'L’extrait fonctionne. La première visite a été comptée.',
    'Waiting for the first visit …': 'En attente de la première visite…',
    'To import visits from another product, run {command} on the server.':
      'Pour importer les visites d’un autre produit, exécutez {command} sur le serveur.',
  },

  // Settings of an account: sign-in, sessions, team, tokens, plan and the list of changes.
  account: {
    'You sign in with this e-mail address. Reports and alerts go there too.':
      'Vous vous connectez avec cette adresse e-mail. Les rapports et les alertes y sont aussi envoyés.',
    'A new password signs you out everywhere else. You can also revoke your access tokens.':
      'Un nouveau mot de passe vous déconnecte partout ailleurs. Vous pouvez aussi révoquer vos jetons d’accès.',
    'With two-factor authentication, you also need a code from your phone to sign in.':
      'Avec l’authentification à deux facteurs, la connexion demande aussi un code de votre téléphone.',
    'Two-factor authentication is on.': 'L’authentification à deux facteurs est activée.',
    'Two-factor authentication is off.': 'L’authentification à deux facteurs est désactivée.',
    'Manage two-factor authentication': 'Gérer l’authentification à deux facteurs',
    'Your sessions': 'Vos sessions',
    Sessions: 'Sessions',
    'No sessions': 'Aucune session',
    'When you sign in with a browser, it appears here.':
      'Quand vous vous connectez avec un navigateur, il apparaît ici.',
    'You will need to sign in again in this browser.': 'Vous devrez vous reconnecter dans ce navigateur.',
    'this browser': 'ce navigateur',
    'Signed in {from} · last used {time}': 'Connexion le {from} · dernière utilisation le {time}',
    'Sign out everywhere else': 'Se déconnecter partout ailleurs',
    'You will need to sign in again in all other browsers.':
      'Vous devrez vous reconnecter dans tous les autres navigateurs.',
    People: 'Personnes',
    'These people can see your sites.': 'Ces personnes peuvent voir vos sites.',
    'These people can see your sites. Seats used in your plan: {taken} of {limit}.':
      'Ces personnes peuvent voir vos sites. Places utilisées dans votre forfait : {taken} sur {limit}.',
    'No team members yet': 'Pas encore de membre d’équipe',
    'Your plan does not include a team.': 'Votre forfait ne comprend pas d’équipe.',
    'Invite people to give them access to your sites.': 'Invitez des personnes pour leur donner accès à vos sites.',
    'This person will lose access to your sites.': 'Cette personne n’aura plus accès à vos sites.',
    'The invitation link will stop working.': 'Le lien d’invitation ne fonctionnera plus.',
    'New invitation': 'Nouvelle invitation',
    'Viewers can see all reports. Managers can also change settings, goals, funnels and notes. A manager of all sites can add sites too.':
      'Les lecteurs voient tous les rapports. Les gestionnaires peuvent aussi modifier les réglages, objectifs, entonnoirs et notes. Un gestionnaire de tous les sites peut aussi ajouter des sites.',
    'All sites, and sites added later': 'Tous les sites, y compris les futurs',
    'Some sites': 'Certains sites',
    'This person can see': 'Cette personne voit',
    'No sites': 'Aucun site',
    Viewer: 'Lecteur',
    Manager: 'Gestionnaire',
    'The invitation': 'L’invitation',
    'the invitation': 'l’invitation',
    'The invitation for {email}': 'L’invitation pour {email}',
    '{invitation} works once, within five days. It is shown only once.':
      '{invitation} fonctionne une seule fois, dans un délai de cinq jours. Elle n’est affichée que maintenant.',
    'The invitation is also sent by e-mail. With the link from this page, the invited person also needs a code. daybook sends the code to their e-mail address.':
      'L’invitation est aussi envoyée par e-mail. Le lien affiché sur cette page demande en plus un code, que daybook envoie à cette adresse e-mail.',
    'This server does not send e-mails. Send the link yourself.':
      'Ce serveur n’envoie pas d’e-mails. Transmettez vous-même le lien.',
    Invite: 'Inviter',
    'Invitation created. Copy the link above.': 'Invitation créée. Copiez le lien ci-dessus.',
    'E-mail address': 'Adresse e-mail',
    Role: 'Rôle',
    'Role of {email}': 'Rôle de {email}',
    invited: 'invité',
    'Invited {day}': 'Invité le {day}',
    'Since {day}': 'Depuis le {day}',
    'Renew link': 'Renouveler le lien',
    'Renew link for {email}': 'Renouveler le lien pour {email}',
    'Your teams': 'Vos équipes',
    'No teams yet': 'Pas encore d’équipe',
    'If you join a team, its sites appear next to yours.':
      'Si vous rejoignez une équipe, ses sites apparaissent à côté des vôtres.',
    'Access tokens': 'Jetons d’accès',
    'Tokens let programs use the API on your behalf.':
      'Les jetons permettent à des programmes d’utiliser l’API en votre nom.',
    'No tokens yet': 'Pas encore de jeton',
    'Create one to get reports in a script, or to send hits from a server.':
      'Créez-en un pour obtenir des rapports dans un script, ou pour envoyer des hits depuis un serveur.',
    Revoke: 'Révoquer',
    'Programs that use this token will stop working.': 'Les programmes qui utilisent ce jeton ne fonctionneront plus.',
    'Created {day} · never used': 'Créé le {day} · jamais utilisé',
    'Created {day} · last used {time}': 'Créé le {day} · dernière utilisation le {time}',
    'New token': 'Nouveau jeton',
    'Create token': 'Créer le jeton',
    'Token created. Copy it now.': 'Jeton créé. Copiez-le maintenant.',
    'Backup script': 'Script de sauvegarde',
    'A name helps you recognise it later.': 'Un nom vous aide à le reconnaître plus tard.',
    Permissions: 'Autorisations',
    Read: 'Lire',
    read: 'lire',
    'Read reports and settings.': 'Lire les rapports et les réglages.',
    Write: 'Écrire',
    write: 'écrire',
    'Change settings, sites and goals that you may change yourself. Includes all other permissions.':
      'Modifier les réglages, sites et objectifs que vous pouvez modifier vous-même. Inclut toutes les autres autorisations.',
    Collect: 'Collecter',
    collect: 'collecter',
    'Send hits and AI crawler requests from a server.':
      'Envoyer des hits et des requêtes de robots d’IA depuis un serveur.',
    'Add notes': 'Ajouter des notes',
    note: 'notes',
    'Add notes to the chart, for example from a deploy.':
      'Ajouter des notes au graphique, par exemple lors d’un déploiement.',
    'Your new token': 'Votre nouveau jeton',
    'Copy this token now.': 'Copiez ce jeton maintenant.',
    'You cannot see this token again later.': 'Vous ne pourrez plus voir ce jeton ensuite.',
    'the token': 'le jeton',
    'Try it with this command:': 'Essayez-le avec cette commande :',
    'the command': 'la commande',
    Plan: 'Forfait',
    'Your plan: {plan}': 'Votre forfait : {plan}',
    'You have no plan, so you cannot see reports. daybook still counts hits.':
      'Vous n’avez pas de forfait et ne pouvez donc pas voir les rapports. daybook continue de compter les hits.',
    'People in your team': 'Personnes dans votre équipe',
    'Funnels per site': 'Entonnoirs par site',
    Limits: 'Limites',
    'no limit': 'sans limite',
    'Pageviews and events this month: {used}. There is no limit.':
      'Pages vues et événements ce mois-ci : {used}. Il n’y a pas de limite.',
    'Pageviews and events this month: {used} of {included} ({share}).':
      'Pages vues et événements ce mois-ci : {used} sur {included} ({share}).',
    'Pageviews and events used': 'Pages vues et événements utilisés',
    'You are over the limit of your plan. daybook still counts hits. You can see reports again next month.':
      'Vous dépassez la limite de votre forfait. daybook continue de compter les hits. Les rapports seront de nouveau visibles le mois prochain.',
    Changes: 'Modifications',
    'Changes by people, tokens and commands in your account and on your sites. They are kept for 400 days.':
      'Ce que des personnes, des jetons et des commandes ont modifié dans votre compte et sur vos sites, pendant 400 jours.',
    'No changes yet': 'Aucune modification pour l’instant',
    'When somebody changes a setting, it appears here.': 'Quand quelqu’un modifie un réglage, cela apparaît ici.',
    'Show older changes': 'Afficher les modifications plus anciennes',
    'Added: {what}': 'Ajout : {what}',
    'Changed: {what}': 'Modification : {what}',
    'Removed: {what}': 'Suppression : {what}',
    'Command: {what}': 'Commande : {what}',
    'site {name}': 'site {name}',
    'goal {name}': 'objectif {name}',
    'funnel {name}': 'entonnoir {name}',
    'note {name}': 'note {name}',
    'exclusion from {name}': 'exclusion à partir du {name}',
    'suggestions for {name}, dismissed': 'suggestions pour le {name}, ignorées',
    'saved view {name}': 'vue enregistrée {name}',
    'frame on {name}': 'intégration sur {name}',
    'team member {name}': 'membre de l’équipe {name}',
    'token {name}': 'jeton {name}',
    'session in {name}': 'session dans {name}',
    'language of the dashboard': 'langue du tableau de bord',
    'the password': 'mot de passe',
    'e-mail address, now {name}': 'adresse e-mail, désormais {name}',
    'second factor {name}': 'second facteur {name}',
    'recovery codes': 'codes de récupération',
    'in {name}': 'dans {name}',
    'with the token {name}': 'avec le jeton {name}',
    'on a page of the account': 'sur une page du compte',
    'in the terminal of the server': 'dans le terminal du serveur',
    'as a guest': 'en tant qu’invité',
    'block of {name}': 'blocage de {name}',
    'deletion of {name}': 'suppression de {name}',
    'import {name}': 'importation {name}',
    'custom alert {name}': 'alerte personnalisée {name}',
    'notification channel {name}': 'canal de notification {name}',
    'share link {name}': 'lien de partage {name}',
  },

  // The page about the server, which only the operator sees.
  server: {
    Server: 'Serveur',
    'Server: nothing needs attention': 'Serveur : rien à signaler',
    'Server: {count} things need attention': {
      one: 'Serveur : {count} point demande votre attention',
      other: 'Serveur : {count} points demandent votre attention',
    },
    OK: 'OK',
    'Needs attention': 'Demande votre attention',
    'How to fix it:': 'Comment y remédier :',
    'Your request': 'Votre requête',
    Version: 'Version',
    Clock: 'Horloge',
    'Mail server': 'Serveur de messagerie',
    Disk: 'Disque',
    Cluster: 'Cluster',
    Collectors: 'Collecteurs',
    'Daily limit': 'Limite quotidienne',
    'Past days': 'Jours passés',
    'Background jobs': 'Tâches de fond',
    Backups: 'Sauvegardes',
    'Proof of forgetting': 'Preuve de l’oubli',
    'Parquet files': 'Fichiers Parquet',
    'Restore test': 'Test de restauration',
    'Monthly verification': 'Vérification mensuelle',
    'Full verification': 'Vérification complète',
    'Country database': 'Base de données des pays',
    'You see the result of daybook doctor, and how your own request arrived.':
      'Vous voyez le résultat de daybook doctor, et comment votre propre requête est arrivée.',
    Refresh: 'Actualiser',
    'Checking …': 'Vérification…',
    'Checking again': 'Nouvelle vérification',
    'How your request arrived': 'Comment votre requête est arrivée',
    'daybook tells visitors apart by IP address. A proxy in front of the server must pass on this IP address.':
      'daybook distingue les visiteurs par leur adresse IP. Un proxy placé devant doit la transmettre.',
    'Sender IP address': 'Adresse IP de l’expéditeur',
    'Visitor IP address': 'Adresse IP du visiteur',
    'X-Forwarded-For trusted': 'X-Forwarded-For jugé fiable',
    no: 'non',
    'Proxy headers': 'En-têtes de proxy',
    'none received': 'aucun reçu',
    Webhook: 'Webhook',
    Servers: 'Serveurs',
    'daybook stores all hits on these ClickHouse servers.':
      'daybook enregistre tous les hits sur ces serveurs ClickHouse.',
    'Waiting hits': 'Hits en attente',
    'Hits wait in an outbox until all servers have them.':
      'Les hits attendent dans une boîte d’envoi jusqu’à ce que tous les serveurs les aient.',
    'Copies of open days': 'Copies des jours ouverts',
    'daybook answers queries of these days from a local copy, without ClickHouse.':
      'daybook répond aux requêtes sur ces jours depuis une copie locale, sans ClickHouse.',
    'Being filled': 'En cours de remplissage',
    'Not in use': 'Hors service',
    'Does not answer': 'Ne répond pas',
    Behind: 'En retard',
    'Behind by': 'Retard',
    '{free} of {total} free': '{free} libres sur {total}',
    Memory: 'Mémoire',
    '{used} of {limit} used': '{used} utilisés sur {limit}',
    Parts: 'Parties de données',
    Deletions: 'Suppressions',
    '{waiting} waiting': '{waiting} en attente',
    '{waiting} waiting, {failed} failing': '{waiting} en attente, {failed} en échec',
    'Concurrent queries': 'Requêtes simultanées',
    'Shard {shard}, replica {replica}': 'Shard {shard}, réplique {replica}',
    'Not known to this server': 'Inconnu de ce serveur',
    'Being retired': 'En cours de retrait',
    'Disk is full': 'Le disque est plein',
    'Time is unknown': 'L’heure est inconnue',
    'Not started yet': 'Pas encore démarré',
    'Accepts hits': 'Accepte des hits',
    'This server': 'Ce serveur',
    'Oldest waiting hit': 'Plus ancien hit en attente',
    'Size of the outbox': 'Taille de la boîte d’envoi',
    'Last contact': 'Dernier contact',
    Current: 'À jour',
    'Being copied': 'En cours de copie',
    'Too large to copy': 'Trop volumineux pour être copié',
    'No copies': 'Aucune copie',
    'A copy is made when somebody opens a report of today.':
      'Une copie est créée quand quelqu’un ouvre un rapport d’aujourd’hui.',
    'Copied rows': 'Lignes copiées',
  },

  // Pages without scripts: sign-in, confirming the password, a forgotten password.
  signingIn: {
    'Sign in': 'Se connecter',
    Back: 'Retour',
    'Account: {email}.': 'Compte : {email}.',
    'This connection is not encrypted (no https). Others on the network can read your password.':
      'Cette connexion n’est pas chiffrée (pas de https). D’autres personnes sur le réseau peuvent lire votre mot de passe.',
    'Sign in with {name}': 'Se connecter avec {name}',
    'Forgot your password?': 'Mot de passe oublié ?',
    'Use a passkey': 'Utiliser une clé d’accès',
    'The passkey could not be used. Sign in another way.':
      'La clé d’accès n’a pas pu être utilisée. Connectez-vous d’une autre façon.',
    'One more step': 'Encore une étape',
    'Enter six digits from your authenticator app, or a recovery code.':
      'Saisissez six chiffres de votre application d’authentification, ou un code de récupération.',
    'No phone? Use a recovery code. No recovery codes? Ask the person who runs this server to turn off two-factor authentication for you.':
      'Pas de téléphone ? Utilisez un code de récupération. Pas de code non plus ? Demandez à la personne qui exploite ce serveur de désactiver l’authentification à deux facteurs pour vous.',
    'Confirm your identity': 'Confirmez votre identité',
    'Account: {email}. Enter your password or a code.': 'Compte : {email}. Saisissez votre mot de passe ou un code.',
    'Account: {email}. Enter your password again.': 'Compte : {email}. Saisissez de nouveau votre mot de passe.',
    'Reset your password': 'Réinitialiser votre mot de passe',
    'This server does not send e-mails. Ask the person who runs it to create a link for you at the terminal:':
      'Ce serveur n’envoie pas d’e-mails. Demandez à la personne qui l’exploite de vous créer un lien dans le terminal :',
    'Check your e-mail': 'Consultez vos e-mails',
    'If {email} has an account here, you will get a link. It can be used once, and expires after an hour.':
      'Si {email} a un compte ici, vous recevrez un lien. Il fonctionne une seule fois, dans un délai d’une heure.',
    'At least 10 characters.': 'Au moins 10 caractères.',
    'Set your password': 'Définir votre mot de passe',
    'Set password': 'Définir le mot de passe',
    'You will be signed out on all other devices ({sessions}).':
      'Vous serez déconnecté de tous vos autres appareils ({sessions}).',
    'Your access tokens will be revoked ({tokens}). Your programs then need new tokens.':
      'Vos jetons d’accès seront révoqués ({tokens}). Il faudra de nouveaux jetons à vos programmes.',
    'You will be signed out on all other devices ({sessions}). Your access tokens will be revoked ({tokens}). Your programs will then need new ones.':
      'Vous serez déconnecté de tous vos autres appareils ({sessions}). Vos jetons d’accès seront révoqués ({tokens}), et il faudra de nouveaux jetons à vos programmes.',
    '{count} sessions': { one: '{count} session', other: '{count} sessions' },
    '{count} tokens': { one: '{count} jeton', other: '{count} jetons' },
    'This link does not work': 'Ce lien ne fonctionne pas',
    'Each link works once, and expires after a day at the latest. Request a new one on the sign-in page, or ask the person who runs this server.':
      'Chaque lien fonctionne une seule fois et expire au plus tard après un jour. Demandez-en un autre sur la page de connexion, ou à la personne qui exploite ce serveur.',
  },

  // Pages without scripts: accepting an invitation, setting up a server.
  joining: {
    'Set up this server': 'Configurer ce serveur',
    'You are the first user of this server. The sites you add are yours, and you can invite others.':
      'Vous êtes le premier utilisateur de ce serveur. Les sites que vous ajoutez sont à vous, et vous pouvez inviter d’autres personnes.',
    'Set up': 'Configurer',
    'Each link can be used once, and expires after an hour. If this server is not set up yet, restart it to get a new link.':
      'Un lien fonctionne une seule fois, dans un délai d’une heure. Si ce serveur n’est pas encore configuré, redémarrez-le pour obtenir un nouveau lien.',
    'This is a daybook server': 'Ceci est un serveur daybook',
    'This server is not set up yet. Open the link from the terminal in which you started it.':
      'Ce serveur n’est pas encore configuré. Ouvrez le lien affiché dans le terminal où vous l’avez démarré.',
    'Join the team of {owner}': 'Rejoindre l’équipe de {owner}',
    'You are invited as a {role}. Enter your password here to accept. You will be signed out on all other devices, and your access tokens will be revoked.':
      'Vous êtes invité en tant que {role}. Saisissez ici votre mot de passe pour accepter. Vous serez déconnecté de tous vos autres appareils, et vos jetons d’accès seront révoqués.',
    'You are invited as a {role}. If you are new here, choose a password with at least 10 characters. If you already have an account, enter its password. This signs out your other devices and revokes your access tokens.':
      'Vous êtes invité en tant que {role}. Si vous n’avez pas encore de compte, choisissez un mot de passe d’au moins 10 caractères. Si vous en avez déjà un, saisissez son mot de passe. Vous serez alors déconnecté de tous vos autres appareils, et vos jetons d’accès seront révoqués.',
    'If you already have an account, you will be signed out on all other devices. Your access tokens will be revoked, and your password will stop working.':
      'Si vous avez déjà un compte, vous serez déconnecté de tous vos autres appareils. Vos jetons d’accès seront révoqués et votre mot de passe ne fonctionnera plus.',
    'You are invited as a {role}. If you join, the other sessions, the tokens, the password and the second factors of your account end.':
      'Vous êtes invité en tant que {role}. Si vous rejoignez cette équipe, les autres sessions, les jetons, le mot de passe et les seconds facteurs de votre compte ne seront plus valables.',
    'You are invited as a {role}. Sign in to accept.':
      'Vous êtes invité en tant que {role}. Connectez-vous pour accepter.',
    'You are invited as a {role}. Choose a password to create your account.':
      'Vous êtes invité en tant que {role}. Choisissez un mot de passe pour créer votre compte.',
    'The person who invited you can also open this link. If you are new here and your password is refused, someone else has used the link in your name. Ask the person who runs this server for a new link (daybook user password). The new link ends all access that was created in your name.':
      'La personne qui vous a invité a aussi ce lien. Vous n’aviez pas encore de compte ici, mais votre mot de passe est refusé ? Quelqu’un a alors utilisé le lien en votre nom. Demandez un nouveau lien à la personne qui exploite ce serveur (daybook user password). Ce nouveau lien met fin à tous les accès créés en votre nom.',
    Join: 'Rejoindre',
    'An invitation works once, within 5 days. If you have already accepted it, sign in. If not, ask the person who invited you for a new invitation. Has someone else used it in your name? Then ask the person who runs this server for a new link (daybook user password). The new link ends all access that was created in your name.':
      'Une invitation fonctionne une seule fois, dans un délai de 5 jours. Si vous l’avez déjà acceptée, connectez-vous. Sinon, demandez-en une autre à la personne qui vous a invité. Quelqu’un d’autre l’a utilisée en votre nom ? Demandez alors un nouveau lien à la personne qui exploite ce serveur (daybook user password). Ce nouveau lien met fin à tous les accès créés en votre nom.',
    'You will get a code at {email}. It is valid for 15 minutes. To get a new code, open the link again.':
      'Vous recevrez un code à {email}. Il est valable 15 minutes. Pour en recevoir un autre, ouvrez de nouveau le lien.',
    'The dashboard needs JavaScript. You can use the API without JavaScript, at {url}.':
      'Le tableau de bord a besoin de JavaScript. Vous pouvez utiliser l’API sans JavaScript, à {url}.',
    'This is not possible now': 'Cela n’est pas possible pour le moment',
  },

  // The public page without scripts that says what the server keeps and forgets.
  privacy: {
    'What this server keeps and forgets': 'Ce que ce serveur conserve et oublie',
    'Web analytics': 'Mesure d’audience',
    'What is kept': 'Ce qui est conservé',
    'What is not kept': 'Ce qui n’est pas conservé',
    'Search for salts of past days': 'Recherche des sels des jours passés',
    'Proof with a made-up visitor': 'Preuve avec un visiteur fictif',
    'For each visit: pages, events and times, how long and how far pages were seen, the previous website and campaign tags. Also the country, the language, the browser, the system, the type of device and the size class of the window.':
      'Pour chaque visite : les pages, les événements et leurs heures, la durée et la profondeur de lecture, le site précédent et les balises de campagne. Aussi le pays, la langue, le navigateur, le système, le type d’appareil et la classe de taille de la fenêtre.',
    'If a site switches it on: the region and city, and how fast its pages are.':
      'Si un site l’active : la région et la ville, et la rapidité de ses pages.',
    'What a site sends itself, such as the plan of a customer.':
      'Ce qu’un site envoie lui-même, par exemple la formule d’un client.',
    'IP addresses and user agents are used only in memory. They are not stored and not logged.':
      'Les adresses IP et les user agents ne sont utilisés qu’en mémoire. Ils ne sont ni stockés ni journalisés.',
    'Nothing is stored on the devices of visitors, except an opt-out. Visitors get no cookies.':
      'Rien n’est stocké sur les appareils des visiteurs, sauf un refus. Les visiteurs ne reçoivent pas de cookies.',
    'A code tells the visitors of one site on one day apart. Its key, the salt, is deleted when the day is over. Nobody can then be recognized by it.':
      'Un code distingue les visiteurs d’un site pendant une journée. Sa clé, le sel, est supprimée à la fin de la journée. Ensuite, elle ne permet plus de reconnaître personne.',
    'Nothing is sent to the developers of daybook.': 'Rien n’est envoyé aux développeurs de daybook.',
    'Once a day, the server searches its own files for the salts that it deleted.':
      'Une fois par jour, le serveur cherche dans ses propres fichiers les sels qu’il a supprimés.',
    'The operator can run a proof: the program counts a made-up visitor in a new file or database, and lets the day end. It then searches for the IP address, user agent, salt and code.':
      'L’exploitant peut lancer une preuve : le programme compte un visiteur fictif dans un nouveau fichier ou une nouvelle base de données et laisse la journée se terminer. Il cherche ensuite l’adresse IP, le user agent, le sel et le code.',
    'This proof was not run yet.': 'Cette preuve n’a pas encore été lancée.',
  },
  // Pages without scripts: password, e-mail address, two-factor authentication, unsubscribing, share links.
  accountForms: {
    'Change your password': 'Changer votre mot de passe',
    'Account: {email}. You will be signed out on all other devices.':
      'Compte : {email}. Vous serez déconnecté de tous vos autres appareils.',
    'Current password': 'Mot de passe actuel',
    'New password': 'Nouveau mot de passe',
    'Also revoke my access tokens': 'Révoquer aussi mes jetons d’accès',
    'You have {count} tokens. Revoke them if anyone else may know your password. Your programs then need new tokens.': {
      one: 'Vous avez {count} jeton. Révoquez-le si quelqu’un d’autre connaît peut-être votre mot de passe. Il faudra un nouveau jeton à vos programmes.',
      other:
        'Vous avez {count} jetons. Révoquez-les si quelqu’un d’autre connaît peut-être votre mot de passe. Il faudra de nouveaux jetons à vos programmes.',
    },
    'Change your e-mail address': 'Changer votre adresse e-mail',
    'Your current e-mail address is {email}. You will get a link at the new one. Nothing changes until you open it.':
      'Votre adresse e-mail actuelle est {email}. Vous recevrez un lien à la nouvelle. Rien ne change tant que vous ne l’ouvrez pas.',
    'New e-mail address': 'Nouvelle adresse e-mail',
    'Send link': 'Envoyer le lien',
    'This server does not send e-mails. Ask the person who runs it to change your e-mail address at the terminal:':
      'Ce serveur n’envoie pas d’e-mails. Demandez à la personne qui l’exploite de changer votre adresse e-mail dans le terminal :',
    'You will get a link at {email}. It can be used once, and expires after an hour.':
      'Vous recevrez un lien à {email}. Il fonctionne une seule fois, dans un délai d’une heure.',
    'Each link can be used once, and expires after an hour. You can request a new one in your account.':
      'Un lien fonctionne une seule fois, dans un délai d’une heure. Vous pouvez en demander un autre dans votre compte.',
    'Your e-mail address changes from {before} to {email}. You then sign in with the new one. You will be signed out on all other devices.':
      'Votre adresse e-mail passe de {before} à {email}. Vous vous connecterez ensuite avec la nouvelle. Vous serez déconnecté de tous vos autres appareils.',
    'Account: {email}. You sign in with your password only.':
      'Compte : {email}. Vous vous connectez avec votre mot de passe seul.',
    'Account: {email}. To sign in, you need your password and one of these:':
      'Compte : {email}. Pour vous connecter, il faut votre mot de passe et l’un de ces moyens :',
    'since {date}': 'depuis le {date}',
    'Remove {name}': 'Supprimer {name}',
    'Remove {name} …': 'Supprimer {name} …',
    'Remove …': 'Supprimer …',
    'This turns two-factor authentication off and deletes your recovery codes.':
      'L’authentification à deux facteurs sera désactivée et vos codes de récupération supprimés.',
    'You can then no longer use this second factor to sign in.':
      'Vous ne pourrez plus utiliser ce second facteur pour vous connecter.',
    'Your old recovery codes will stop working.': 'Vos anciens codes de récupération ne fonctionneront plus.',
    'Create new codes': 'Créer de nouveaux codes',
    'Recovery codes': 'Codes de récupération',
    '{count} recovery codes left.': {
      one: 'Il reste {count} code de récupération.',
      other: 'Il reste {count} codes de récupération.',
    },
    'Replace with new codes': 'Remplacer par de nouveaux codes',
    'Download as a text file': 'Télécharger au format texte',
    'You cannot add passkeys here: browsers allow them only over https, or if the base URL of the server is on localhost.':
      'Les clés d’accès ne sont pas possibles ici : les navigateurs ne les acceptent qu’en https, ou si l’URL de base du serveur est sur localhost.',
    'Your recovery codes': 'Vos codes de récupération',
    'Two-factor authentication is on. If you lose your phone, you can sign in with a recovery code. Each code works once. Save the codes now: they are not shown again.':
      'L’authentification à deux facteurs est activée. Si vous perdez votre téléphone, vous pourrez vous connecter avec un code de récupération. Chaque code fonctionne une seule fois. Enregistrez-les maintenant : ils ne seront plus affichés.',
    'Set up an authenticator app': 'Configurer une application d’authentification',
    'Scan this code with the app on your phone. If you see this page on the phone, open {link}.':
      'Scannez ce code avec l’application de votre téléphone. Si vous voyez cette page sur le téléphone, ouvrez {link}.',
    'this link': 'ce lien',
    'If you cannot scan the code, enter this key: {secret}':
      'Si vous ne pouvez pas scanner le code, saisissez cette clé : {secret}',
    'A name helps you recognise this device later.': 'Un nom vous aide à reconnaître cet appareil plus tard.',
    Phone: 'Téléphone',
    Laptop: 'Ordinateur portable',
    'Enter the six digits that the app shows.': 'Saisissez les six chiffres affichés par l’application.',
    'Turn on': 'Activer',
    'Add a passkey': 'Ajouter une clé d’accès',
    'The passkey could not be added. This device may already have one for your account.':
      'La clé d’accès n’a pas pu être ajoutée. Cet appareil en a peut-être déjà une pour votre compte.',
    'Sign in without a password: with your fingerprint, face or PIN, on this device, your phone or a security key.':
      'Connectez-vous sans mot de passe : avec votre empreinte, votre visage ou un code PIN, sur cet appareil, votre téléphone ou une clé de sécurité.',
    'This page needs JavaScript.': 'Cette page nécessite JavaScript.',
    Unsubscribed: 'Désabonnement effectué',
    'The link is incomplete, or the site or your account was deleted. If it was deleted, you get no more e-mails.':
      'Le lien est incomplet. Ou le site ou votre compte a été supprimé, et vous ne recevez plus d’e-mails.',
    '{email} no longer gets e-mails about {domain}.': '{email} ne reçoit plus d’e-mails au sujet de {domain}.',
    'Subscribe again': 'Se réabonner',
    '{email} gets reports and alerts about {domain}.':
      '{email} reçoit les rapports et les alertes au sujet de {domain}.',
    'This is the number of visitors in the last five minutes, counted without cookies. This page refreshes automatically.':
      'Visiteurs de ces cinq dernières minutes, comptés sans cookies. Cette page s’actualise automatiquement.',
    'Check the URL. Some links work only once, and the owner can turn a page off.':
      'Vérifiez l’URL. Certains liens ne fonctionnent qu’une fois, et une page peut être désactivée par son propriétaire.',
    'Something went wrong': 'Une erreur s’est produite',
    'Go to the dashboard': 'Aller au tableau de bord',
    'This link needs a password': 'Ce lien demande un mot de passe',
    'Ask the person who gave you the link for its password.':
      'Demandez le mot de passe à la personne qui vous a donné le lien.',
    'The owner of the site has turned this link off, or replaced it.':
      'Le propriétaire du site a désactivé ce lien, ou l’a remplacé.',
  },

  // Weekly and monthly reports, and texts that all mails about sites use.
  reports: {
    '{domain}: {count} visitors last week': {
      one: '{domain} : {count} visiteur la semaine dernière',
      other: '{domain} : {count} visiteurs la semaine dernière',
    },
    '{domain} last week': '{domain} la semaine dernière',
    '{from} – {to}, compared with the week before. Time zone: {zone}.':
      '{from} – {to}, par rapport à la semaine précédente. Fuseau horaire : {zone}.',
    '{domain}: {count} visitors in {month}': {
      one: '{domain} : {count} visiteur en {month}',
      other: '{domain} : {count} visiteurs en {month}',
    },
    '{domain} in {month}': '{domain} en {month}',
    '{from} – {to}, compared with the month before. Time zone: {zone}.':
      '{from} – {to}, par rapport au mois précédent. Fuseau horaire : {zone}.',
    Figures: 'Chiffres',
    'Top pages': 'Principales pages',
    'Top sources': 'Principales sources',
    'Direct / unknown': 'Direct / inconnu',
    'Some of these days, or of the days before, were deleted. So their visits are missing.':
      'Certains de ces jours, ou des jours précédents, ont été supprimés. Leurs visites manquent donc.',
    'Pages, sources and goals are missing for some of these days.':
      'Les pages, les sources et les objectifs manquent pour certains de ces jours.',
    'Figures of {from} – {to} changed since the last report: {figures}.':
      'Les chiffres du {from} au {to} ont changé depuis le dernier rapport : {figures}.',
    'See what changed': 'Voir les changements',
    'Open the dashboard': 'Ouvrir le tableau de bord',
    '{link}:': '{link} :',
    'You get this e-mail because you have access to the statistics of {domain}.':
      'Vous recevez cet e-mail parce que vous avez accès aux statistiques de {domain}.',
    'Unsubscribe from these e-mails: {url}': 'Se désabonner de ces e-mails : {url}',
  },

  // Alerts about a site, and messages about reached goals and about how figures changed after a note. A note says what
  // happened on a day, such as a release.
  alerts: {
    '{domain}: far more visitors than usual': '{domain} : bien plus de visiteurs que d’habitude',
    '{domain} has far more visitors than usual': '{domain} a bien plus de visiteurs que d’habitude',
    '{domain}: visitors in the last hour': '{domain} : visiteurs de la dernière heure',
    '{domain} in the last hour': '{domain} pendant la dernière heure',
    '{day}, {hours}: {count} visitors. Usual at this hour on a {weekday}: {usual}.': {
      one: '{day}, {hours} : {count} visiteur. D’habitude à cette heure, le {weekday} : {usual}.',
      other: '{day}, {hours} : {count} visiteurs. D’habitude à cette heure, le {weekday} : {usual}.',
    },
    'There is nothing to compare with yet. A comparison needs four weeks with visitors.':
      'Pas encore de comparaison possible. Une comparaison demande quatre semaines avec des visiteurs.',
    Now: 'Maintenant',
    Usual: 'D’habitude',
    'Hour {hours}': 'Heure {hours}',
    'Day so far': 'Depuis minuit',
    'Most likely cause: visitors from {source} to the page {page}.':
      'Cause la plus probable : des visiteurs venus de {source} sur la page {page}.',
    'Most likely cause: visitors from {source}.': 'Cause la plus probable : des visiteurs venus de {source}.',
    'Most likely cause: visitors to the page {page}.': 'Cause la plus probable : des visiteurs sur la page {page}.',
    'Biggest increase': 'Plus forte hausse',
    'This day': 'Ce jour',
    'Usual day': 'Jour habituel',
    'Source: {value}': 'Source : {value}',
    'Page: {value}': 'Page : {value}',
    'Campaign: {value}': 'Campagne : {value}',
    'You will get no further alert until traffic is normal again.':
      'Vous ne recevrez pas d’autre alerte tant que le trafic n’est pas redevenu normal.',
    '{domain}: two weeks after “{note}”': '{domain} : deux semaines après « {note} »',
    'Open the page of this note': 'Ouvrir la page de cette note',
    Before: 'Avant',
    After: 'Après',
    'Beyond chance: {figures}.': 'Au-delà du hasard : {figures}.',
    'May be chance: {figures}.': 'Peut-être le hasard : {figures}.',
    'Too little was counted to compare: {figures}.': 'Trop peu de données pour comparer : {figures}.',
    '{days} days after are compared with {days} days before, in pairs of equal weekdays.':
      '{days} jours après sont comparés à {days} jours avant, par paires du même jour de la semaine.',
    'Open this day': 'Ouvrir ce jour',
    'Many visits look alike: {now} of {visits} on this day viewed only one page, and have {properties} in common (usually {usual}).':
      'Beaucoup de visites se ressemblent : ce jour-là, {now} sur {visits} n’ont vu qu’une page et ont en commun {properties}. D’habitude : {usual}.',
    'Many visits look alike: {now} of {visits} on this day have {properties} in common (usually {usual}). Pages per visit: {pages}.':
      'Beaucoup de visites se ressemblent : ce jour-là, {now} sur {visits} ont en commun {properties}. D’habitude : {usual}. Pages par visite : {pages}.',
    'Many visits look alike: {now} of {visits} on this day viewed only one page (usually {usual}).':
      'Beaucoup de visites se ressemblent : ce jour-là, {now} sur {visits} n’ont vu qu’une page. D’habitude : {usual}.',
    'Many visits look alike: {now} of {visits} on this day (usually {usual}). Pages per visit: {pages}.':
      'Beaucoup de visites se ressemblent : {now} sur {visits} ce jour-là. Pages par visite : {pages}. D’habitude : {usual}.',
    'Smaller groups of similar visits: {groups}.': 'Groupes plus petits de visites semblables : {groups}.',
    'the channel {values}': 'le canal {values}',
    'the campaign {values}': 'la campagne {values}',
    'the campaign source {values}': 'la source de campagne {values}',
    'the campaign medium {values}': 'le support de campagne {values}',
    'the language {values}': 'la langue {values}',
    'the region {values}': 'la région {values}',
    'the city {values}': 'la ville {values}',
    'the screen size {values}': 'la taille d’écran {values}',
    'They also make up most of the change of other figures: {figures}.':
      'Ils représentent aussi la plus grande partie du changement d’autres chiffres : {figures}.',
    'Most of the change comes from visitors that have {properties} in common: {before} before, {now} now.':
      'La plus grande partie du changement vient de visiteurs qui ont {properties} en commun : {before} avant, {now} maintenant.',
    'the source {values}': 'la source {values}',
    'the country {values}': 'le pays {values}',
    'the device {values}': 'l’appareil {values}',
    'the browser {values}': 'le navigateur {values}',
    'the operating system {values}': 'le système d’exploitation {values}',
    'the entry page {values}': 'la page d’entrée {values}',
    'the host name {values}': 'le nom d’hôte {values}',
    'the property {name} = {values}': 'la propriété {name} = {values}',
    '{some} or {other}': '{some} ou {other}',
    '{count} others': { one: '{count} autre', other: '{count} autres' },
    'Nothing is excluded automatically, because these visits may come from people. Managers can exclude them, and undo this at any time. To see the filters, run "daybook suggestions {domain} --date {date}".':
      'Rien n’est exclu automatiquement, car ces visites peuvent venir de vraies personnes. Les gestionnaires peuvent les exclure, puis revenir en arrière. Pour voir les filtres, lancez « daybook suggestions {domain} --date {date} ».',
    '{domain}: no visitors for {duration}': '{domain} : aucun visiteur depuis {duration}',
    '{domain}: no visitors': '{domain} : aucun visiteur',
    '{domain} has no visitors': '{domain} n’a aucun visiteur',
    '{domain} since the last hit': '{domain} depuis le dernier hit',
    'Last hit: {moment} ({iso}).': 'Dernier hit : {moment} ({iso}).',
    'There were no hits in recent weeks.': 'Il n’y a eu aucun hit ces dernières semaines.',
    'No visitors for {duration}. Usual for this period: {visitors}.':
      'Aucun visiteur depuis {duration}. D’habitude sur cette durée : {visitors}.',
    'The server was started after the last hit ({moment}). Only the time since the start counts.':
      'Le serveur a démarré après le dernier hit ({moment}). Seul le temps écoulé depuis ce démarrage compte.',
    'The server has been running without interruption since {moment}.':
      'Le serveur a fonctionné tout ce temps, depuis {moment}.',
    'Most likely cause: the pages no longer load the script. The server is reachable: its other sites are getting hits.':
      'Cause la plus probable : les pages ne chargent plus le script. Le serveur est joignable, car ses autres sites reçoivent des hits.',
    'Most likely cause: the site or this server cannot be reached, or the pages do not load the script. No site on this server gets hits.':
      'Cause la plus probable : le site ou ce serveur est injoignable, ou les pages ne chargent pas le script. Aucun site de ce serveur ne reçoit de hits.',
    'Hits on these days that were not counted': 'Hits non comptés ces jours-là',
    'What to check': 'À vérifier',
    'Does https://{domain}/ open, and is the script in its source code?':
      'https://{domain}/ s’ouvre-t-il, et le script est-il dans son code source ?',
    'Does {script} open? If not, check the server, the proxy, DNS and the certificate.':
      '{script} s’ouvre-t-il ? Sinon, vérifiez le serveur, le proxy, le DNS et le certificat.',
    'Does the browser console show that the script is blocked, for example by Content-Security-Policy or a consent tool?':
      'La console du navigateur indique-t-elle que le script est bloqué, par exemple par Content-Security-Policy ou un outil de consentement ?',
    'Run “daybook doctor” on the server. Does it report a problem?':
      'daybook doctor trouve-t-il un problème sur le serveur ?',
    'Test message about {domain}': 'Message de test sur {domain}',
    'It works: reports and alerts about {domain} can arrive here.':
      'Cela fonctionne : les rapports et alertes sur {domain} peuvent arriver ici.',
    '{domain}: {name}': '{domain} : {name}',
    '{name}: {reason}': '{name} : {reason}',
    '{domain}: {count} custom alerts': {
      one: '{domain} : {count} alerte personnalisée',
      other: '{domain} : {count} alertes personnalisées',
    },
    'You set up these alerts in the settings of the site.': 'Ces alertes sont définies dans les réglages du site.',
    'usual: {usual}': 'habituel : {usual}',
    'above {limit}': 'au-dessus de {limit}',
    'below {limit}': 'en dessous de {limit}',
    'You will get another message when visitors are back.':
      'Vous recevrez un autre message quand des visiteurs reviendront.',
    '{domain}: {count} conversions': {
      one: '{domain} : {count} conversion',
      other: '{domain} : {count} conversions',
    },
    New: 'Nouvelles',
    'On this day': 'Ce jour-là',
    '{domain}: visitors are back': '{domain} : les visiteurs sont de retour',
    '{domain} has visitors again': '{domain} a de nouveau des visiteurs',
    'No hits arrived between {from} and {to}.':
      'Aucun hit n’est arrivé après le {from}. Les hits sont de retour depuis le {to}.',
  },

  // Mails to one person: invitations, codes and links. Lines are broken by hand at about 80 characters.
  people: {
    'Your code for daybook': 'Votre code pour daybook',
    [`Hello,

Someone opened a link from {owner} that invites you to view website statistics. If it
was you, enter this code there. It is valid for 15 minutes:

{code}

If it was not you, ignore this e-mail. Do not give the code to anyone.
`]: `Bonjour,

Quelqu’un a ouvert un lien par lequel {owner} vous invite à ses statistiques web.
Si c’était vous, saisissez-y ce code. Il est valable 15 minutes :

{code}

Si ce n’était pas vous, ignorez cet e-mail, et ne donnez ce code à personne.
`,
    'Invitation to a daybook account': 'Invitation à un compte daybook',
    '{owner} has invited you to view their website statistics.':
      '{owner} vous invite à consulter ses statistiques web.',
    '{owner} has invited you to view and manage their website statistics.':
      '{owner} vous invite à consulter et à gérer ses statistiques web.',
    [`Hello,

{invitation}

Open this link to accept. It works once, within 5 days, and only for this e-mail
address:

{url}

If you do not know the sender, you can ignore this e-mail.
`]: `Bonjour,

{invitation}

Ouvrez ce lien pour accepter. Il fonctionne une seule fois, dans un délai de
5 jours, et seulement pour cette adresse e-mail :

{url}

Si vous ne connaissez pas l’expéditeur, vous pouvez ignorer cet e-mail.
`,
    'Reset your daybook password': 'Réinitialiser votre mot de passe daybook',
    [`Hello,

Someone, probably you, asked to reset the password for your web statistics.

Open this link to choose a new password. It can be used once, and expires after an hour. A new
password signs you out on all devices and revokes your access tokens:

{url}

If it was not you, you can ignore this e-mail. Your password does not change.
`]: `Bonjour,

Quelqu’un, probablement vous, a demandé à réinitialiser le mot de passe de vos
statistiques web.

Ouvrez ce lien pour choisir un nouveau mot de passe. Il fonctionne une seule fois,
dans un délai d’une heure. Un nouveau mot de passe vous déconnecte de tous vos
appareils et révoque vos jetons d’accès :

{url}

Si ce n’était pas vous, vous pouvez ignorer cet e-mail. Votre mot de passe ne
change pas.
`,
    'Confirm your new e-mail address for daybook': 'Confirmez votre nouvelle adresse e-mail pour daybook',
    [`Hello,

Someone, probably you, wants to use this e-mail address to sign in to web
statistics.

Open this link to confirm that the e-mail address is yours. It works once, within
an hour. You will be signed out on all other devices:

{url}

If it was not you, you can ignore this e-mail. Nothing changes.
`]: `Bonjour,

Quelqu’un, probablement vous, veut se connecter à des statistiques web avec cette
adresse e-mail.

Ouvrez ce lien pour confirmer que cette adresse e-mail est à vous. Il fonctionne
une seule fois, dans un délai d’une heure. Vous serez déconnecté de tous vos
autres appareils :

{url}

Si ce n’était pas vous, vous pouvez ignorer cet e-mail. Rien ne change.
`,
  },

  // Mails about changes of an account. Lines are broken by hand at about 80 characters.
  accountNotices: {
    'Your daybook account was changed': 'Votre compte daybook a été modifié',
    'Wrong codes for your daybook account': 'Codes incorrects pour votre compte daybook',
    'This e-mail address already has a daybook account': 'Cette adresse e-mail a déjà un compte daybook',
    'Your password was changed.': 'Votre mot de passe a été modifié.',
    'Your e-mail address was changed. You can no longer sign in with this one.':
      'Votre adresse e-mail a été modifiée. Celle-ci ne permet plus de vous connecter.',
    'Someone tried to use this e-mail address for another account. Nothing was changed.':
      'Quelqu’un a voulu utiliser cette adresse e-mail pour un autre compte. Rien n’a changé.',
    'A second factor was added.': 'Un second facteur a été ajouté.',
    'A second factor was removed.': 'Un second facteur a été supprimé.',
    'Two-factor authentication was turned off.': 'L’authentification à deux facteurs a été désactivée.',
    'A recovery code was used.': 'Un code de récupération a été utilisé.',
    'Your recovery codes were replaced.': 'Vos codes de récupération ont été remplacés.',
    'An access token was created.': 'Un jeton d’accès a été créé.',
    'An access token was revoked.': 'Un jeton d’accès a été révoqué.',
    'Someone entered your password and then ten wrong codes.':
      'Quelqu’un a saisi votre mot de passe, puis dix codes incorrects.',
    [`Hello,

{change}

If that was you, you can ignore this e-mail. If not, someone else can use your
account. Reset your password to sign out all devices:

{url}
`]: `Bonjour,

{change}

Si c’était vous, vous pouvez ignorer cet e-mail. Sinon, quelqu’un d’autre a accès
à votre compte. Réinitialisez votre mot de passe pour déconnecter tous les
appareils :

{url}
`,
    [`Hello,

{change}

If that was you, you can ignore this e-mail. If not, tell the person who runs
this server:

{url}
`]: `Bonjour,

{change}

Si c’était vous, vous pouvez ignorer cet e-mail. Sinon, prévenez la personne qui
exploite ce serveur :

{url}
`,
    [`Hello,

{change}

If that was you, sign in with this e-mail address, or use another one:

{url}

If not, you can ignore this e-mail.
`]: `Bonjour,

{change}

Si c’était vous, connectez-vous avec cette adresse e-mail, ou utilisez-en une
autre :

{url}

Sinon, vous pouvez ignorer cet e-mail.
`,
  },

  // Codes of notices: what an answer lacks, what is excluded, and how figures changed after a note. A note says what
  // happened on a day, such as a release.
  notices: {
    // Puts a time, a site or another name before a sentence, as in "example.com: …".
    prefixed: '{of} : {sentence}',
    left_out: 'Non inclus, car seuls les totaux quotidiens sont conservés : {days:days}.',
    crawler_pages_left_out:
      'Non inclus dans les pages de ce robot, car seuls les totaux quotidiens sont conservés : {days:days}.',
    bounces_unknown: 'Le taux de rebond est inconnu pour {days:days}, car l’importation ne le contenait pas.',
    seconds_unknown: 'La durée des visites est inconnue pour {days:days}, car l’importation ne la contenait pas.',
    revenue_unknown: 'Le chiffre d’affaires est inconnu pour {days:days}, car l’importation ne le contenait pas.',
    other_currencies: 'Le chiffre d’affaires en {currencies} n’est pas compris, car ce rapport est en {currency}.',
    revenue_left_out:
      'Le chiffre d’affaires de {hits|hit|hits} n’est pas compris, car un jour avait plus de {most} montants différents.',
    rows_unknown: 'Ce rapport n’inclut pas {days:days}, car l’importation ne contenait pas ces données.',
    page_unknown:
      'Les conversions des objectifs de page sont inconnues pour {days:days}, car l’importation ne contenait pas de pages.',
    event_unknown:
      'Les conversions des objectifs d’événement sont inconnues pour {days:days}, car l’importation ne contenait pas d’événements.',
    persons_unknown:
      'Une personne compte une fois par page, car l’importation ne contenait pas le nombre de personnes : {days:days}.',
    visits_excluded: '{visits|visite est exclue|visites sont exclues} par {exclusions|exclusion|exclusions}.',
    nothing_excluded:
      'Aucune visite n’est exclue ces jours-là, car seuls leurs totaux quotidiens sont conservés : {days:days}.',
    days_deleted: 'Ces jours ont été supprimés, leurs visites manquent donc : {days:days}.',
    other_time_zone: 'Ces jours ont été comptés en {zone}, avant le passage au fuseau horaire {own} : {days:days}.',
    not_compared:
      'Ces jours ne sont pas comparés, car ils sont incomplets ou associés à un jour incomplet : {days:days}.',
    site_blocked: 'Ce site n’est pas inclus, car son compte est bloqué.',
    visitors_changed:
      'Visiteurs : {change:signed} pendant les {days} jours après la note, par rapport aux {days} jours d’avant (intervalle de confiance à 95 % : {low:signed} à {high:signed}).',
    visitors_unclear:
      'Visiteurs : {change:signed} pendant les {days} jours après la note, par rapport aux {days} jours d’avant (intervalle de confiance à 95 % : {low:signed} à {high:signed}). Cela peut être dû au hasard.',
    too_few_visitors:
      'Trop peu de visiteurs pour comparer : {before} avant la note, {after} après. Il faut des visiteurs sur plusieurs jours des deux côtés.',
    pageviews_changed:
      'Pages vues : {change:signed} pendant les {days} jours après la note, par rapport aux {days} jours d’avant (intervalle de confiance à 95 % : {low:signed} à {high:signed}).',
    pageviews_unclear:
      'Pages vues : {change:signed} pendant les {days} jours après la note, par rapport aux {days} jours d’avant (intervalle de confiance à 95 % : {low:signed} à {high:signed}). Cela peut être dû au hasard.',
    too_few_pageviews:
      'Trop peu de pages vues pour comparer : {before} avant la note, {after} après. Il faut des pages vues sur plusieurs jours des deux côtés.',
    conversions_changed:
      'Conversions : {change:signed} pendant les {days} jours après la note, par rapport aux {days} jours d’avant (intervalle de confiance à 95 % : {low:signed} à {high:signed}).',
    conversions_unclear:
      'Conversions : {change:signed} pendant les {days} jours après la note, par rapport aux {days} jours d’avant (intervalle de confiance à 95 % : {low:signed} à {high:signed}). Cela peut être dû au hasard.',
    too_few_conversions:
      'Trop peu de conversions pour comparer : {before} avant la note, {after} après. Il faut des conversions sur plusieurs jours des deux côtés.',
    too_few_days: 'Trop peu de jours comparables : {days} sur {all}. Il en faut au moins {needed}.',
    suggested: 'Exclusion suggérée : {visits|visite semblable|visites semblables}. D’habitude : {usual}.',
  },

  // Codes of errors: why a request is refused, and what is wrong with a field.
  errors: {
    bad_request: 'Ce n’est pas une requête HTTP valide.',
    unauthenticated: 'Un jeton d’accès valide est requis : Authorization: Bearer <token>.',
    account_blocked:
      'Le compte n’a pas de forfait actif, ou a utilisé ce mois-ci plus d’événements que son forfait n’en comprend.',
    limit_reached: 'Cela dépasserait une limite du forfait.',
    read_only_demo:
      'Cette démo publique est en lecture seule. Pour essayer des modifications, lancez votre propre daybook.',
    read_only_token:
      'Ce jeton permet seulement la lecture. Pour modifier des données, utilisez un jeton avec l’autorisation Écrire.',
    token_forbidden: 'Ce jeton n’a pas l’autorisation requise pour cette requête.',
    foreign_origin: 'Bloqué : cette requête vient d’un autre site web.',
    reauthentication_required: 'Confirmez d’abord votre identité : saisissez votre mot de passe ou un code.',
    role_forbidden: 'Votre rôle ne le permet pas.',
    not_found: 'Cela n’existe pas, ou vous n’y avez pas accès.',
    method_not_allowed: 'Ce chemin n’accepte pas cette méthode. L’en-tête Allow indique les méthodes acceptées.',
    request_timeout: 'La requête n’est pas arrivée à temps.',
    payload_too_large: 'La requête est trop volumineuse.',
    invalid_request: 'La requête n’est pas valide.',
    crawler_tracking_off: 'Ce site ne compte pas les robots d’IA. Le réglage track_crawlers est désactivé.',
    rate_limited: 'Trop de requêtes. L’en-tête Retry-After indique après combien de secondes réessayer.',
    headers_too_large: 'La ligne de requête et les en-têtes sont trop volumineux.',
    internal: 'Une erreur s’est produite sur le serveur.',
    unavailable: 'Le serveur ne peut pas le faire pour le moment. Réessayez dans un instant.',
    site_gone: '{domain} a été renommé ou supprimé entre-temps. Ouvrez à nouveau le site, puis recommencez.',
    upload_is_done: 'L’import était terminé avant son annulation. Vous pouvez encore le supprimer.',
    export_runs: 'Un export de ce compte est encore en cours. Attendez qu’il se termine, ou annulez-le.',
    no_bytes: 'Doit être envoyé en application/octet-stream.',
    no_disk_room: 'Le serveur n’a pas assez de place pour ce fichier. Demandez à la personne qui le gère.',
    upload_runs: 'Un fichier de ce compte est en cours d’envoi ou d’importation. Attendez la fin, ou annulez-le.',
    upload_given_up:
      'Cet envoi n’a pas été poursuivi pendant 30 minutes, ou a duré plus d’un jour. Rien n’a été importé. Choisissez à nouveau le fichier.',
    upload_not_ready: 'Cet envoi n’est pas prêt.',
    days_taken: 'Le site a déjà des hits certains jours de ce fichier. Pour les remplacer, envoyez true.',
    other_offset: 'Doit être {received}, le nombre d’octets déjà reçus.',
    other_size: 'Tous les morceaux ensemble doivent avoir {size} octets, et chaque morceau au moins un.',
    no_known_format: 'Le format de ce fichier est inconnu. Choisissez le fichier que l’autre produit exporte.',
    disk_full: 'Le disque du serveur est plein. Rien n’a été importé.',
    import_failed: 'L’importation a échoué. Rien n’a été importé. La raison est dans le journal du serveur.',
    no_hits_in_range: 'Il n’y a aucun hit ces jours-là.',
    no_host: 'L’en-tête Host manque.',
    expectation_not_met: 'L’en-tête Expect demande une fonction que ce serveur ne prend pas en charge.',
    no_proxy: 'Ce serveur n’est pas un proxy.',
    unknown_collector:
      'Aucun collecteur n’a ce secret. Pour créer un nouveau secret, exécutez daybook collectors add sur le primaire.',
    other_outbox:
      'Ce secret appartient à un collecteur avec une autre boîte d’envoi. Démarrez le collecteur avec cette boîte d’envoi, ou retirez-le et ajoutez-en un nouveau.',
    copied_outbox:
      'Un autre collecteur utilise cette boîte d’envoi : certains hits compteraient deux fois. Démarrez ce collecteur avec sa propre boîte d’envoi. Indiquez un nouveau fichier avec --outbox.',
    lost_outbox:
      'Le collecteur de cette boîte d’envoi a été retiré avec --lost : les hits en attente compteraient deux fois. Démarrez ce collecteur avec une nouvelle boîte d’envoi. Indiquez un nouveau fichier avec --outbox.',
    older_outbox:
      'Cette boîte d’envoi est une ancienne copie : certains hits compteraient deux fois. Démarrez le collecteur avec sa boîte d’envoi la plus récente, ou retirez-le avec --lost et ajoutez-en un nouveau.',
    foreign_page: 'Les pages d’autres sites web ne peuvent pas utiliser ce chemin, mais les programmes le peuvent.',
    server_away: 'Le serveur {host} du cluster ne répond pas. Réessayez dans un instant.',
    server_lacking: 'Le serveur {host} du cluster n’a pas encore tous les hits. Réessayez dans un instant.',
    most_blocks: 'Un site peut avoir au plus {most} blocages. Supprimez-en un d’abord.',
    value_or_mine: 'Envoyez soit « value », soit « mine » pour votre propre adresse IP.',
    proxy_not_trusted:
      'Le serveur ne voit pas votre adresse IP, car il ne fait pas confiance au proxy placé devant lui. Définissez trusted-proxies.',
    only_true: 'Doit être true.',
    no_address: 'Doit être une adresse IP, comme 192.0.2.7.',
    most_shares: 'Un site peut avoir {most} liens de partage au maximum. Supprimez-en un d’abord.',
    not_past: 'Doit être dans le futur.',
    no_view_of_site: 'Doit être l’identifiant d’une vue enregistrée de ce site.',
    password_not_framed: 'Un lien avec mot de passe ne peut pas être intégré. Retirez le mot de passe ou les sites.',
    most_alerts: 'Un site peut avoir au plus {most} alertes personnalisées. Supprimez-en une d’abord.',
    no_threshold: 'Doit être absent si la condition est « unusual ».',
    most_destinations: 'Un site peut avoir au plus {most} canaux de notification. Supprimez-en un d’abord.',
    no_channel_url: 'Doit être une URL comme https://example.com/hook, sans nom d’utilisateur ni mot de passe.',
    no_token_text: 'Ne doit contenir ni espaces ni caractères spéciaux.',
    no_bot_token: 'Doit être le jeton d’un bot, comme 123456789:AAF….',
    no_chat: 'Doit être l’identifiant d’une discussion, comme -1001234567890, ou @ et le nom d’un canal public.',
    no_topic: 'Ne doit contenir que des lettres, des chiffres, _ et -.',
    no_room: 'Doit être l’identifiant d’un salon, comme !abc123:matrix.org.',
    other_host: 'L’hôte de l’URL doit être l’un de ceux-ci : {known}.',
    https_only: 'L’URL doit commencer par https://.',
    other_port: 'L’URL doit utiliser le port 443 ou 8443.',
    private_network:
      '{host} n’existe pas sur l’Internet public. L’exploitant de ce serveur peut autoriser les réseaux privés avec --channels-private.',
    most_embeds: 'Au plus {most} sites web peuvent intégrer la page publique d’un site. Supprimez-en un d’abord.',
    most_views: 'Un site peut avoir au plus {most} vues enregistrées. Supprimez-en une d’abord.',
    most_exclusions: 'Un site peut avoir au plus {most} exclusions. Annulez-en une d’abord.',
    most_goals: 'Un site peut avoir au plus {most} objectifs. Supprimez-en un d’abord.',
    most_notes: 'Un site peut avoir au plus {most} notes. Supprimez-en une d’abord.',
    most_zone_changes: 'Le fuseau horaire d’un site peut changer au plus {most} fois par jour. Réessayez demain.',
    most_sites_by_managers: 'Ce compte a au moins {most} sites. Seul son propriétaire peut en ajouter un autre.',
    most_former_domains:
      'Un site peut avoir au plus {most} anciens domaines. Chacun est conservé 30 jours. Réessayez plus tard.',
    most_funnels: 'Un site peut avoir au plus {most} entonnoirs. Supprimez-en un d’abord.',
    most_tokens: 'Un compte peut avoir au plus {most} jetons. Révoquez-en un qui ne sert plus.',
    most_streams:
      'Au plus {most} flux d’événements peuvent être ouverts à la fois. Fermez-en un, ou envoyez cette requête sans Accept: text/event-stream.',
    streams_full:
      'Aucun autre flux d’événements ne peut être ouvert pour le moment. Envoyez cette requête sans Accept: text/event-stream, ou réessayez plus tard.',
    most_factors: 'Un compte peut avoir au plus {most} seconds facteurs.',
    plan_sites: 'Le forfait de ce compte comprend au plus {limit|site|sites}.',
    plan_members: 'Le forfait de ce compte comprend au plus {limit|membre d’équipe|membres d’équipe}.',
    plan_no_sites:
      'Le forfait de ce compte ne permet pas d’avoir ses propres sites. Demandez un autre forfait à la personne qui exploite ce serveur.',
    plan_no_members:
      'Le forfait de ce compte ne permet pas d’avoir sa propre équipe. Demandez un autre forfait à la personne qui exploite ce serveur.',
    too_many_tries: 'Trop de tentatives. Réessayez dans 15 minutes.',
    too_many_tries_seconds: 'Trop de tentatives. Réessayez dans {count|seconde|secondes}.',
    too_many_tries_minutes: 'Trop de tentatives. Réessayez dans {count|minute|minutes}.',
    too_many_codes:
      'Trop de codes incorrects. Utilisez un code de récupération ou une clé d’accès, ou réessayez à {time} UTC.',
    no_code_mailed:
      'Aucun code ne peut être envoyé à {email} maintenant : {limit:codes}. Utilisez le lien de l’e-mail d’invitation. Il ne demande pas de code.',
    account_sent_mails: 'le compte a atteint sa limite quotidienne d’e-mails',
    address_got_mails: 'l’adresse e-mail a atteint sa limite quotidienne d’e-mails',
    server_sent_mails: 'le serveur a atteint sa limite quotidienne d’e-mails',
    address_got_codes: 'l’adresse e-mail a atteint sa limite quotidienne de codes',
    server_sent_codes: 'le serveur a atteint sa limite quotidienne de codes',
    address_got_notices: 'l’adresse e-mail a atteint sa limite quotidienne de messages au sujet du compte',
    required: 'Cette valeur est obligatoire.',
    given_twice: 'Figure plusieurs fois.',
    not_known: 'Ceci est inconnu.',
    not_known_of: 'Ceci est inconnu. Valeurs connues : {known}.',
    other_text: '{text}',
    broken_escape: 'Contient un encodage pourcent incorrect, comme %zz.',
    body_no_object: 'Le corps doit être un objet JSON, envoyé comme application/json.',
    body_no_list: 'Le corps doit être une liste JSON, envoyée comme application/json.',
    no_utf8: 'Doit être du texte en UTF-8.',
    no_object: 'Doit être un objet JSON.',
    other_type: 'Doit être envoyé comme text/plain ou application/json.',
    no_text: 'Doit être du texte.',
    no_unicode: 'Doit être de l’Unicode valide.',
    empty: 'Ne doit pas être vide.',
    too_long: 'Doit avoir au plus {most} caractères.',
    too_short: 'Doit avoir au moins {least} caractères.',
    password_too_long: 'Doit avoir au plus 1 024 caractères.',
    too_many_patterns: 'Doit avoir au plus {most} motifs.',
    no_properties: 'Doit être un objet avec une valeur pour chaque nom.',
    no_property_name:
      'Le nom d’une propriété doit commencer par une lettre et ne contenir que des lettres de a à z, des chiffres et _.',
    no_property_value: 'Doit être un texte, un nombre, true ou false.',
    too_many_properties: 'Un hit peut avoir au plus {most} propriétés.',
    no_revenue: 'Il faut un objet avec les champs amount et currency.',
    no_currency: 'Il faut le code d’une devise, par exemple EUR.',
    no_amount: 'Il faut un nombre à partir de 0 et inférieur à {below}, par exemple 19.99.',
    too_many_digits: 'Il faut au plus {most} chiffres après le point, car la devise est {currency}.',
    currency_required: 'Le site n’a pas encore de devise. Indiquez-en une, par exemple currency=EUR.',
    several_currencies: 'Les sites ont plusieurs devises : {known}. Indiquez-en une, par exemple currency=EUR.',
    currency_alone: 'Cela ne fonctionne qu’avec les métriques revenue et revenue_per_visitor.',
    property_required: 'Indiquez la propriété dont vous voulez les valeurs, par exemple property=plan.',
    only_property_values: 'Ceci ne vaut que pour la répartition property_values.',
    no_journey_start:
      'Doit être une page qui commence par « / », un motif comme /guide/*, goal: avec un identifiant, ou entry.',
    nothing_before_entry:
      'Rien ne précède l’entrée. Utilisez « after », ou indiquez une page ou un objectif dans « from ».',
    too_many_values: 'Doit avoir au plus {most} valeurs.',
    too_many_values_of_all: 'Les filtres doivent avoir au plus {most} valeurs en tout.',
    too_many_entries: 'Doit avoir au plus {most} éléments.',
    too_many_parameters: 'Une requête doit avoir au plus {most} paramètres.',
    too_many_stars: 'Doit avoir au plus {most} astérisques (« * »).',
    no_filter: 'Doit avoir au moins un filtre.',
    no_value: 'Doit avoir au moins une valeur.',
    no_path: 'Doit être un chemin qui commence par « / ».',
    no_path_pattern: 'Doit être un chemin qui commence par « / », ou par « * » pour n’importe quel début.',
    no_source: 'Doit être un nom d’hôte comme example.com, ou vide pour les visites directes.',
    no_domain: 'Doit être un nom d’hôte comme example.com, sans schéma, port ni chemin.',
    no_region: 'Doit être un code comme DE-BE, ou vide si la région est inconnue.',
    no_country: 'Doit comporter deux lettres, comme DE, ou être vide si le pays est inconnu.',
    no_device: 'Doit être Desktop, Mobile ou Tablet, ou vide si l’appareil est inconnu.',
    no_pageviews: 'Doit être un nombre entier, comme 1 pour les visites d’une page.',
    no_condition:
      'Doit être une seule valeur, ou un objet avec des listes de valeurs. Ses clés sont is, not, like ou unlike.',
    no_value_or_number: 'Doit être du texte ou un nombre.',
    no_filters: 'Doit être un objet dont les clés sont des noms de filtres.',
    cannot_stand_beside: 'Ne peut pas se combiner avec {name}. Utilisez plutôt {instead}.',
    no_day: 'Doit être un jour comme 2026-01-31.',
    no_instant: 'Doit être un instant comme 2026-01-31T10:00:00Z.',
    as_of_to_come: 'Doit être un jour avant aujourd’hui ({zone}).',
    as_of_before_site: 'Doit être le {date} ou plus tard, car le site a été ajouté ce jour-là.',
    as_of_lost: 'La réponse de ce jour ne peut plus être donnée : {reasons:codes}.',
    lost_import_added: 'une importation a remplacé {days:days}',
    lost_import_removed: 'l’importation de {days:days} a été supprimée',
    lost_days_removed: '{days:days} ont été supprimés',
    lost_retention:
      'les hits de {days:days} ont été supprimés après leur durée de conservation, et le rapport en a besoin',
    lost_late_hits: 'les hits tardifs de {days:days} ne peuvent pas être séparés des autres hits',
    days_open:
      'Des hits peuvent encore arriver pour {days:days}. Choisissez un dernier jour antérieur. Un jour passé devient définitif la nuit, ou avec daybook seal.',
    day_to_come: 'Doit être aujourd’hui ({zone}) ou un jour passé.',
    day_not_begun: 'Ne doit pas être dans le futur.',
    before_from: 'Ne doit pas précéder le premier jour.',
    after_to: 'Ne doit pas suivre le dernier jour.',
    year_of_digits: 'Doit commencer dans une année à quatre chiffres.',
    range_backwards: 'Le premier jour ne doit pas suivre le dernier.',
    range_too_long: 'Doit durer moins de deux ans.',
    no_range: 'Doit être {words}, ou deux jours comme 2026-01-01~2026-01-31.',
    no_time_zone: 'Doit être le nom d’un fuseau horaire comme Europe/Berlin, ou UTC.',
    no_email: 'Doit être une adresse e-mail comme ann@example.com.',
    no_origin: 'Doit être l’origine d’un site, comme https://www.example.com, sans chemin.',
    no_url: 'Doit être une URL complète comme https://example.com/page.',
    no_ip: 'Doit être une adresse IP.',
    no_number: 'Doit être un nombre.',
    no_whole_number: 'Doit être un nombre entier.',
    not_positive: 'Doit être un nombre positif.',
    negative: 'Ne doit pas être négatif.',
    out_of_bounds: 'Doit être un nombre entier de {least} à {most}.',
    no_switch: 'Doit être true ou false.',
    no_list: 'Doit être une liste.',
    no_id: 'Doit être un identifiant.',
    no_base32: 'Doit avoir 32 caractères base32.',
    none_of: 'Doit être l’une de ces valeurs : {known}.',
    no_language: 'Doit être l’une de ces valeurs : {known}, ou null pour la langue du navigateur.',
    no_names_of: 'Doit contenir des noms séparés par des virgules. Noms connus : {known}.',
    not_just: 'Doit être {word}.',
    no_site_ids: 'Doit contenir au plus {most} identifiants de sites séparés par des virgules.',
    too_many_sites: 'Vous avez accès à {seen} sites. Nommez-en au plus {most}.',
    no_steps: 'Doit être une liste de 2 à 8 étapes.',
    no_abilities: 'Choisissez au moins une autorisation : lire, écrire, collecter ou ajouter des notes.',
    no_ability: 'Doit être « read », « write », « collect » ou « note ».',
    no_role: 'Doit être « viewer » ou « manager ».',
    no_target_type: 'Doit être « page » ou « event ».',
    no_goal: 'Doit être l’identifiant d’un objectif.',
    no_crawler: 'Doit être l’identifiant d’un robot de ce rapport.',
    no_view: 'Doit être la partie après « ? » dans une URL du tableau de bord, comme range=7d&country=DE.',
    no_such_site: 'Ce site n’existe pas sur ce serveur.',
    no_sites: 'Choisissez au moins un site.',
    no_site_of_account: 'Ce compte n’a pas de site {id}.',
    no_goal_of_site: 'Doit être un objectif de ce site, ou aucun.',
    only_conversions: 'Ceci ne vaut que pour la métrique conversions.',
    only_by_conversions: 'Ceci ne vaut qu’avec by=conversions.',
    only_conversion_metrics: 'Ceci ne vaut que pour les métriques conversions et conversion_rate.',
    only_event_labels:
      'Ceci ne vaut que pour la répartition event_labels. Pour choisir des visites, utilisez filters[event].',
    in_path: 'Le chemin de l’URL contient déjà cette valeur. Retirez-la ici.',
    hours_have_few:
      'Par heure, seuls les visiteurs et les pages vues sont disponibles. Utilisez day, week ou month comme intervalle.',
    hours_too_long: 'L’intervalle hour permet au plus {most} jours. Utilisez day, ou une période plus courte.',
    goal_required: 'Cette valeur est obligatoire, car le site n’a pas d’objectif principal.',
    not_in_breakdown: 'La répartition {breakdown} ne contient pas {metric}.',
    sort_not_asked: 'Doit être l’une des métriques demandées.',
    not_with_keys: 'Les lignes avec ces clés n’ont pas la métrique {metric}. Elles ont {known}.',
    too_many_rows:
      'Ces clés donnent plus de {most} lignes. Utilisez moins de clés, une période plus courte ou plus de filtres.',
    compared_by_time: 'Les lignes par date ne peuvent pas être comparées. Omettez compare.',
    goal_exists: 'Le site a déjà cet objectif.',
    own_email: 'C’est votre propre adresse e-mail. Le compte est déjà à vous.',
    in_team: '{email} fait déjà partie de l’équipe.',
    domain_taken: '{domain} est déjà un site sur ce serveur.',
    domain_was_taken:
      '{domain} appartenait récemment à un autre site. Vous pourrez utiliser ce nom à partir de {time}.',
    oidc_unreachable: '{name} ne répond pas pour le moment. Réessayez plus tard.',
    oidc_failed: 'La connexion avec {name} n’a pas fonctionné. Recommencez depuis la page de connexion.',
    oidc_lapsed:
      'Cette connexion a duré plus de 10 minutes, ou a commencé dans un autre navigateur. Recommencez depuis la page de connexion.',
    oidc_unverified:
      '{name} n’a pas vérifié votre adresse e-mail, vous ne pouvez donc pas vous connecter ici. Adressez-vous à la personne qui gère {name}.',
    no_header_email: 'Le proxy placé devant ce serveur n’a pas envoyé d’adresse e-mail valide.',
    not_admitted: '{email} n’a pas de compte sur ce serveur. Demandez une invitation à la personne qui le gère.',
    password_sign_in_off:
      'Ce serveur n’accepte ni mots de passe ni clés d’accès. Utilisez le bouton de la page de connexion.',
    wrong_sign_in: 'Adresse e-mail ou mot de passe incorrect.',
    wrong_share_password: 'Ce n’est pas le mot de passe de ce lien.',
    wrong_password: 'Ce n’est pas votre mot de passe actuel.',
    wrong_code: 'Ce code est incorrect, ou a déjà servi.',
    wrong_app_code: 'Ce n’est pas le code actuel de l’application. Votre téléphone est-il à l’heure ?',
    passkey_of_other: 'Ce n’est pas une clé d’accès de {email}.',
    no_mail: 'Ce serveur n’envoie pas d’e-mails.',
    passkey_in_use: 'Cette clé d’accès est déjà utilisée ici.',
    same_email: 'C’est déjà votre adresse e-mail.',
    email_taken: 'Un autre utilisateur a déjà cette adresse e-mail ici.',
    type_code: 'Saisissez le code qui a été envoyé à {email}.',
    wrong_mailed_code: 'Ce n’est pas le code qui a été envoyé à {email}.',
    code_lapsed: 'Ce code a expiré. Ouvrez de nouveau le lien pour en recevoir un autre.',
    no_password_yet:
      'Cette adresse e-mail n’a pas encore de mot de passe. Définissez-le avec le lien que vous avez reçu, puis revenez.',
    wrong_password_of: 'Ce n’est pas le mot de passe de {email}.',
    user_changed: 'L’utilisateur de cette adresse e-mail vient d’être modifié. Réessayez.',
    passkey_not_good: 'Cette clé d’accès ne fonctionne pas ici, ou la page est restée ouverte trop longtemps.',
    pattern_too_long: 'Ligne {line}, « {pattern} » : doit avoir au plus {most} caractères.',
    pattern_no_text: 'Ligne {line}, « {pattern} » : doit être du texte simple, un motif par ligne.',
    pattern_no_path: 'Ligne {line}, « {pattern} » : doit être un chemin, sans https:// ni hôte.',
    pattern_of_query:
      'Ligne {line}, « {pattern} » : ne doit contenir ni ?, ni #, ni \\, car seul le chemin est comparé.',
    pattern_of_many: 'Ligne {line}, « {pattern} » : doit avoir au plus {most} segments.',
    pattern_of_dots: 'Ligne {line}, « {pattern} » : a un segment vide ou composé seulement de points.',
    pattern_mixed:
      'Ligne {line}, « {pattern} » : * ne vaut que pour un segment entier. Écrivez * à la place de « {part} ».',
    pattern_unknown: 'Ligne {line}, « {pattern} » : « {part} » est inconnu. Connus : {known}.',
    parameter_wrong_name:
      '« {name} » : doit être un nom d’au plus {most} lettres, chiffres et _ - . [ ], sans signe = ni point d’interrogation.',
    parameter_of_source: '« {name} » : indique d’où vient une visite, et ne désigne pas de page. Supprimez ce nom.',
    parameter_twice: '« {name} » : figure deux fois dans la liste. Supprimez l’un des deux.',
    pattern_hides_nothing: 'Ligne {line}, « {pattern} » : ne masque rien. Mettez {known} à la place du segment privé.',
  },

  // The page verify.html, which checks receipts.
  verifying: {
    'Check receipts': 'Vérifier des reçus',
    'A receipt says what a site had counted on a day. This page checks whether receipts or hits were changed later. It cannot check whether visitors were people, or when a receipt was made.':
      'Un reçu dit ce qu’un site avait compté un jour donné. Cette page vérifie si des reçus ou des hits ont été modifiés ensuite. Elle ne peut vérifier ni si les visiteurs étaient des personnes, ni la date d’un reçu.',
    'Everything is computed in your browser. You can save this page and use it without a server.':
      'Tout est calculé dans votre navigateur. Vous pouvez enregistrer cette page et l’utiliser sans serveur.',
    Receipts: 'Reçus',
    'Or the domain of a site on this server': 'Ou le domaine d’un site de ce serveur',
    'Last part of a share link, if you are not signed in': 'Fin d’un lien de partage, si vous n’êtes pas connecté',
    'A file with receipts': 'Un fichier de reçus',
    'Or the text of receipts': 'Ou le texte de reçus',
    'Compare with (optional)': 'Comparer avec (facultatif)',
    'An export of all hits': 'Un export de tous les hits',
    'As ndjson or CSV. The file stays on your computer.': 'En ndjson ou en CSV. Le fichier reste sur votre ordinateur.',
    'The hash of a receipt that you saved': 'L’empreinte d’un reçu que vous avez conservée',
    Check: 'Vérifier',
    'Checking the receipts …': 'Vérification des reçus…',
    'Language of this page': 'Langue de cette page',
    'No receipts were found there.': 'Aucun reçu n’a été trouvé à cet endroit.',
    'Line {line} of the export cannot be read.': 'La ligne {line} de l’export est illisible.',
    'Something went wrong: {reason}': 'Une erreur s’est produite : {reason}',
    'All checks passed': 'Tout est vérifié',
    'Some checks failed': 'Des vérifications ont échoué',
    '{fine} of {all} days passed': '{fine} jours vérifiés sur {all}',
    '{count} receipts': { one: '{count} reçu', other: '{count} reçus' },
    '{count} days of the export have no receipt yet': {
      one: '{count} jour de l’export n’a pas encore de reçu',
      other: '{count} jours de l’export n’ont pas encore de reçu',
    },
    'Save this hash of the last receipt elsewhere. Later, it shows whether receipts were replaced:':
      'Conservez ailleurs cette empreinte du dernier reçu. Plus tard, elle montrera si des reçus ont été remplacés :',
    'Signed with this key. Compare it with the key of the server, because anyone can sign:':
      'Signé avec cette clé. Comparez-la avec celle du serveur, car n’importe qui peut signer :',
    Date: 'Date',
    'Results by day': 'Résultats par jour',
    Result: 'Résultat',
    'Valid receipt': 'Reçu valide',
    'Valid receipt, equal to the export': 'Reçu valide, identique à l’export',
    'Valid receipt (daily totals only)': 'Reçu valide (totaux du jour seulement)',
    'Valid receipt (the day was removed)': 'Reçu valide (le jour a été supprimé)',
  },
  // Codes of receipts: what is wrong with a receipt or with an export.
  receipts: {
    no_receipts: 'Il n’y a aucun reçu',
    receipts_other_key: 'La clé indiquée n’a signé aucun de ces reçus',
    receipts_no_hash: 'Le reçu qui a l’empreinte indiquée est absent',
    receipt_form: 'Le reçu n’a pas la forme attendue',
    receipt_date: 'La date de ce reçu est fausse. Le reçu a été signé pour le {date:day}',
    receipt_sequence: 'Le reçu porte le numéro {sequence}, mais le numéro {expected} est attendu',
    receipt_previous: 'Le reçu ne fait pas suite au précédent',
    receipt_signature: 'La signature est fausse',
    receipt_former_signature: 'La clé a changé et l’ancienne clé n’a pas signé',
    receipt_replaces: 'Le reçu ne mentionne pas le reçu {sequence}, qu’il remplace',
    receipt_replaces_none: 'Le reçu en remplace un autre, qui est absent',
    receipt_reason: 'Le motif « {reason} » du reçu {sequence} ne correspond pas au jour',
    receipt_figures: 'Les chiffres se contredisent',
    export_lines: '{count|ligne illisible|lignes illisibles} dans l’export. La première est la ligne {line}',
    day_digest: 'Les hits de l’export ne sont pas ceux qui ont été signés',
    day_figure: '{figure} : {signed} signés, {found} dans l’export',
    day_not_exported: 'Le jour est absent de l’export',
    day_has_hits: 'L’export contient des hits, mais selon le reçu aucun n’est enregistré',
  },
  // Codes of imports: which data of a file was accepted, which was skipped, and why.
  imports: {
    sheet_read: '{records|enregistrement lu|enregistrements lus} : {accepted} acceptés, {skipped} ignorés',
    sheet_accepted: 'Accepté : {kinds:list}, du {from:day} au {to:day}',
    sheet_lacking: 'Absent du fichier, donc inconnu : {names:list}',
    sheet_lacking_days: 'Absent du fichier certains jours : {names:list}',
    sheet_skipped: 'Ignoré : {count} ({reason:list}), d’abord à la ligne {line}',
    sheet_left: 'Ignoré : {what:list}',
    sheet_sums:
      'Accepté : {visitors} visiteurs, {visits} visites, {pageviews} pages vues, {events} événements, du {from:day} au {to:day}',
    sheet_rows: 'Accepté : {rows} lignes de {table}',
    sheet_searches: '{kinds:list}, du {from:day} au {to:day}',
    sheet_left_searches: '{rows|ligne ignorée|lignes ignorées} : pages d’autres sites, ou lignes sans nom',
    sheet_skipped_rows: 'Ignoré : {count} {reason:list}',
    sheet_left_sums: 'Ignoré : {what:list}. daybook ne les enregistre pas avec des totaux par jour',
    kind_pageviews: '{count|page vue|pages vues}',
    kind_events: '{count|événement|événements}',
    kind_search_day: '{count|ligne|lignes} de jours',
    kind_search_query: '{count|ligne|lignes} de requêtes',
    kind_search_page: '{count|ligne|lignes} de pages',
    kind_search_country: '{count|ligne|lignes} de pays',
    kind_search_device: '{count|ligne|lignes} d’appareils',
    kind_messages: '{count|message|messages} de temps passé sur la page',
    name_days: '{name:list} ({count|jour|jours})',
    left_columns: 'colonnes non importées : {names}',
    left_more_columns: 'colonnes non importées : {names} et {count} autres',
    left_properties:
      'propriétés de {hits|hit|hits} au-delà de la limite d’un jour : {names} noms, et {values} valeurs par nom. Elles comptent comme (other)',
    left_dimensions:
      '{names:list}. Ce site ne les enregistre pas. Pour les importer, changez d’abord cela dans les réglages du site, sous « Collecte »',
    left_sources:
      'sources de {visits|visite|visites}, car Matomo ne les nomme pas. Ces visites comptent comme directes',
    skip_unreadable: 'lignes illisibles',
    skip_other_host: 'autre hôte',
    skip_no_host: 'aucun hôte',
    skip_messages: 'autres messages',
    skip_no_page: 'requêtes sans page',
    skip_methods: 'méthodes autres que GET',
    skip_answers: 'réponses autres que 2xx et 304',
    skip_assets: 'fichiers chargés par les pages',
    skip_programs: 'fichiers pour des programmes',
    skip_bots: 'robots',
    skip_no_address: 'aucune adresse IP',
    skip_spam: 'spam de référents',
    skip_excluded: 'adresses IP exclues',
    skip_no_event: 'ni pages vues ni événements',
    skip_goals: 'objectifs sans chiffre d’affaires, que daybook retrouve dans ses pages et événements',
    skip_carts: 'paniers abandonnés',
    skip_actions: 'autres actions',
    skip_no_url: 'pages dont l’URL est illisible',
    skip_before_page: 'actions avant la première page',
    skip_no_revenue: 'chiffre d’affaires dont le montant ou la devise est illisible',
    skip_twice: 'visites présentes deux fois dans le fichier',
    skip_running_days: 'lignes de jours qui ne sont pas terminés',
    skip_export_day: 'lignes de jours qui n’étaient pas terminés',
    skip_days_without_hits: 'lignes de jours sans hits',
    skip_days_without_totals: 'lignes de jours sans totaux',
    skip_automatic: 'lignes d’événements automatiques, comme page_view',
    skip_rows_no_page: 'lignes sans page',
    skip_totals: 'totaux',
    skip_no_visitors: 'lignes de jours absents de imported_visitors',
    skip_files: 'autres fichiers',
    left_matomo:
      'titres de pages, termes des moteurs de recherche, modèles d’appareils, identifiants d’utilisateurs, dimensions et variables personnalisées. daybook ne les enregistre pas',
    left_plausible:
      'villes (Plausible n’écrit que des numéros), profondeurs de défilement et temps passé sur les pages',
    left_titles: 'titres de pages',
    left_google: 'autres dimensions et mesures de Google Analytics',
    name_sources: 'sources',
    name_utm_source: 'source UTM',
    name_utm_medium: 'support UTM',
    name_utm_campaign: 'campagne UTM',
    name_utm_term: 'terme UTM',
    name_utm_content: 'contenu UTM',
    name_channels: 'canaux',
    name_pages: 'pages',
    name_entry_pages: 'pages d’entrée',
    name_exit_pages: 'pages de sortie',
    name_hostnames: 'noms d’hôte',
    name_countries: 'pays',
    name_regions: 'régions',
    name_cities: 'villes',
    name_devices: 'appareils',
    name_browsers: 'navigateurs',
    name_browser_versions: 'versions de navigateurs',
    name_systems: 'systèmes d’exploitation',
    name_system_versions: 'versions de systèmes',
    name_screens: 'écrans',
    name_languages: 'langues',
    name_events: 'événements',
    name_event_labels: 'libellés d’événements',
    name_properties: 'propriétés',
    name_bounces: 'taux de rebond',
    name_seconds: 'durée des visites',
  },
  // Codes of `daybook doctor`: what a check found, and the remedy. Backquotes mark text that people type.
  findings: {
    clock_alone: '{time:time}',
    clock: '{time:time}. Dernier hit : {last:time}',
    clock_before_daybook: 'L’horloge indique {time:time}, donc avant la première version de daybook',
    clock_before_hit: 'L’horloge indique {time:time}, mais le dernier hit est arrivé à {last:time}',
    clock_leapt:
      'L’horloge indique {time:time}. Le dernier jour connu était le {seen:day}, à {days|jour|jours} d’écart. Tant que l’horloge n’est pas confirmée, aucun jour ne devient définitif et rien n’est supprimé',
    set_clock: 'Réglez l’horloge de cette machine, et gardez-la à l’heure avec NTP',
    set_or_trust_clock:
      'Réglez l’horloge de cette machine, et gardez-la à l’heure avec NTP. Si elle est déjà juste, lancez `daybook seal --trust-clock` ou attendez 6 heures',
    mail_elsewhere:
      'Le serveur envoie les e-mails via {host}. Pour tester aussi ce serveur de messagerie, lancez `daybook doctor` avec `--smtp-url`',
    repair_mail: 'Corrigez `--smtp-url`, ou réparez le serveur de messagerie',
    mail_off: 'Désactivé (pas de `--smtp-url`). Les liens sont écrits dans le journal',
    mail_answers: '{host} répond',
    mail_trouble: '{host} : {trouble:codes}',
    mail_no_name: 'nom d’hôte introuvable',
    mail_unreachable: 'injoignable',
    mail_late: 'pas de réponse en {seconds} s',
    mail_no_tls: 'certificat non valide, ou pas de TLS',
    mail_no_login: 'utilisateur ou mot de passe refusé',
    mail_not_understood: 'réponse inattendue ({code})',
    engine_off: 'Désactivé (pas de `--engine`)',
    webhook_off: 'Désactivé (pas de `--webhook-url`)',
    webhook_idle: '{host} : rien à envoyer pour l’instant',
    webhook_taken: '{host} a accepté le dernier message',
    webhook_refused: '{host} n’a pas accepté un message : {reason:codes}',
    channels_none: 'Aucun canal de notification',
    channels_failing: '{channels|canal|canaux} de notification, dont {failing} en échec',
    channels_incomplete:
      '{channels|canal de notification n’a|canaux de notification n’ont} plus d’URL ni de jeton, car les sauvegardes ne les contiennent pas',
    repair_channels:
      'Dans les réglages de chaque site, choisissez Notifications. Modifiez chaque canal et saisissez à nouveau ses paramètres',
    unknown_host: 'aucun serveur ne porte le nom {host}',
    bad_certificate: 'le certificat de {host} n’est pas valide ({code})',
    no_connection: 'pas de connexion ({code})',
    it_redirected: 'réponse avec le statut {status}, une redirection. Les redirections ne sont pas suivies',
    it_denied: 'accès refusé (statut {status}). Vérifiez le jeton ou l’URL',
    it_knows_no_url: 'l’URL ou sa cible n’existe pas là-bas (statut {status})',
    it_got_too_many: 'trop de messages y sont arrivés (statut {status})',
    settings_missing:
      'son URL et son jeton manquent, car les sauvegardes ne les contiennent pas. Saisissez-les à nouveau',
    demo_sends_nothing: 'la démo n’envoie pas de messages',
    it_answered: 'réponse avec le statut {status}',
    no_answer_in_time: 'pas de réponse à temps',
    repair_webhook: 'Corrigez `--webhook-url`, ou réparez le destinataire',
    disk: '{free:size} libres. {used:size} utilisés, {daily:size} de plus par jour avec les sauvegardes : assez pour {days|jour|jours}',
    disk_years:
      '{free:size} libres. {used:size} utilisés, {daily:size} de plus par jour avec les sauvegardes : assez pour des années',
    make_room:
      'Libérez de l’espace, déplacez la base de données vers un disque plus grand, ou gardez moins de sauvegardes (`--keep-backups`)',
    no_full_day: 'Aucun jour n’a atteint la limite',
    full_days:
      '{days|jour d’un site a|jours de sites ont} atteint la limite. Le {date:day}, non comptés pour {domain} : {hits|hit|hits}',
    full_days_deleted:
      '{days|jour d’un site a|jours de sites ont} atteint la limite. Le {date:day}, non comptés pour un site supprimé : {hits|hit|hits}',
    look_at_hits: 'Vérifiez d’où viennent ces hits. S’ils viennent de personnes, augmentez `--day-capacity`',
    none_excluded: 'Aucun hit d’adresses IP exclues',
    hits_excluded: '{count|hit non compté|hits non comptés} d’adresses IP exclues ces {days} derniers jours',
    no_collectors: 'Aucun collecteur',
    collectors_fine: '{count|collecteur connecté|collecteurs connectés}, envois en cours',
    collector_late:
      'Aucun contact avec {name} depuis {time:time}. Les chiffres des jours suivants ne deviennent pas définitifs',
    start_collector:
      'Démarrez le collecteur. Si sa machine et son disque sont perdus, lancez `daybook collectors retire {name} --lost`',
    collector_retiring: '{name} n’accepte pas de hits, car il est en cours de retrait',
    wait_for_collector:
      'Attendez que le collecteur ait envoyé tous ses hits. Si son disque est perdu, ajoutez `--lost` à la commande',
    collector_disk: '{name} n’accepte pas de hits, car son disque est plein',
    make_room_for_outbox: 'Libérez de l’espace sur le disque de sa boîte d’envoi',
    collector_clock: '{name} n’accepte pas de hits, car son heure est inconnue',
    reach_primary:
      'Vérifiez que le collecteur peut joindre le serveur indiqué par `--primary`. Gardez l’horloge de sa machine à l’heure avec NTP',
    collector_skew: 'L’horloge de {name} indiquait {there:time} à {seen:time}',
    set_that_clock: 'Réglez l’horloge de cette machine, et gardez-la à l’heure avec NTP',
    collector_unsent:
      '{name} n’a pas envoyé ses hits depuis {time:time}. Sa boîte d’envoi contient {size:size} de hits',
    see_collector_log:
      'Consultez le journal du collecteur. Il ne peut pas joindre le cluster, ou le cluster est trop lent',
    trust_proxy_there: 'Démarrez le collecteur avec `--trusted-proxies` et l’adresse IP du proxy',
    servers_fine: '{count|serveur, complet et joignable|serveurs, tous complets et joignables}',
    server_state: '{url} {state:codes}',
    server_silent: 'ne répond pas',
    server_unused: 'répond, mais n’est pas utilisé',
    server_complete: 'complet',
    server_from: 'Il reçoit les hits des jours à partir du {from:day}',
    server_undecided: 'Il recevra des hits dès que tous les collecteurs le connaîtront',
    server_leaves: 'Il est en cours de retrait',
    server_filling: 'reçoit ses données depuis {since:time}',
    server_filling_step: 'reçoit ses données depuis {since:time} : {step:codes}',
    server_lacks: 'inutilisé depuis {since:time} : des données manquent',
    server_missed: 'inutilisé depuis {since:time} : il n’a pas reçu certaines données',
    server_empty: 'inutilisé depuis {since:time} : son disque est nouveau ou a été vidé',
    server_restored: 'inutilisé depuis {since:time} : son disque a des données plus anciennes',
    server_late: 'n’a pas reçu tous les hits depuis {time:time}',
    see_why_late:
      'Vérifiez si {host} est surchargé. Les journaux du primaire et des collecteurs disent pourquoi les hits ne peuvent pas lui être envoyés',
    division_waits:
      'Un nouveau shard ne reçoit pas encore de hits, car tous les collecteurs ne le connaissent pas. À partir du {from:day}, les hits attendent',
    see_division:
      'Démarrez tous les collecteurs. Si le disque de l’un d’eux est perdu, exécutez `daybook collectors retire NAME --lost`. Pour retirer le shard, exécutez `daybook cluster remove`',
    server_no_figures: 'ne dit pas à quel point son disque et sa mémoire sont remplis',
    grant_system_tables:
      'Donnez à l’utilisateur ClickHouse de daybook tous les droits de la section « The rights of the user » dans docs/cluster.md',
    server_disk: 'n’a plus que {free:size} d’espace disque libre sur {total:size}',
    make_room_on_server:
      'Libérez de l’espace sur le disque de {host}, ou donnez-lui un disque plus grand. S’il est plein, les hits attendent',
    server_memory: 'utilise {used:size} sur les {limit:size} de mémoire auxquels il a droit',
    see_memory:
      'Regardez dans system.processes sur {host} quelles requêtes utilisent la mémoire. Si ce sont celles de daybook, donnez-lui plus de mémoire',
    server_parts: 'a {count|partie|parties} dans une partition d’une table, car il les fusionne trop lentement',
    see_merges:
      'Vérifiez si le disque de {host} est trop lent, et regardez-y system.merges. Avec trop de parties, il refuse les données',
    server_mutations: 'ne peut pas terminer {count|suppression|suppressions}',
    see_mutations:
      'Regardez latest_fail_reason dans system.mutations sur {host}, et supprimez la cause. ClickHouse réessaie ensuite de lui-même',
    fill_waits: 'attend {senders:codes}',
    sender_primary: 'le primaire',
    sender_collector: 'le collecteur {name}',
    fill_copies: 'copie de la table {table}',
    fill_copies_days: 'copie de la table {table}, encore {days|jour|jours}',
    fill_compares_days: 'comparaison de la table {table} avec un autre serveur, encore {days|jour|jours}',
    wait_for_fill: 'Aucune action n’est nécessaire. daybook utilisera ce serveur dès qu’il aura toutes les données',
    start_server:
      'Assurez-vous que ce serveur et le primaire fonctionnent. Les données manquantes sont copiées automatiquement dès qu’aucune importation n’est en cours',
    fill_server:
      'Lancez `daybook cluster fill {host}` pour y copier toutes les données. Ou remettez son ancien disque et redémarrez le primaire',
    start_or_look:
      'Démarrez le serveur, ou cherchez pourquoi il ne répond pas. Si sa machine ou son disque est perdu, voyez « If you lose a server » dans docs/cluster.md',
    see_why_unused:
      'Consultez le journal du primaire. Si le nom {host} mène à un autre serveur, corrigez-le. Les hits pour ce serveur attendent jusque-là',
    no_backup_yet: 'Aucune sauvegarde pour l’instant. Le serveur fait la première dans la nuit qui suit le premier hit',
    no_backup: 'Aucune sauvegarde pour l’instant',
    make_backup:
      'Lancez `daybook backup FILE`, ou démarrez le serveur avec `--keep-backups 7` pour une sauvegarde chaque nuit',
    check_backups:
      'Vérifiez le disque et le dossier des sauvegardes. Pour en faire une maintenant, lancez `daybook backup FILE`',
    countries_of: 'Données des pays du {date:day}',
    countries_unreadable: 'Impossible de lire {file}',
    correct_geoip: 'Corrigez `--geoip`, ou retirez-le',
    update_countries: 'Mettez daybook à jour, ou téléchargez un fichier mmdb plus récent et indiquez-le avec `--geoip`',
    no_visitors_yet:
      'Aucun visiteur pour l’instant. Le serveur vérifie chaque minute s’il voit les adresses IP des visiteurs',
    visitors_elsewhere:
      'Aucun visiteur n’est venu sur ce serveur lui-même. Chaque collecteur vérifie s’il voit les adresses IP des visiteurs',
    trust_proxy: 'Si le serveur est derrière un proxy, démarrez-le avec `--trusted-proxies` et l’adresse IP du proxy',
    none_sealed: 'Aucun jour n’est encore définitif',
    seal_waits: 'Les jours passés deviennent définitifs dès que tous leurs hits sont arrivés',
    all_sealed: 'Les chiffres de tous les jours passés sont définitifs',
    report_unsealed:
      'Le serveur réessaiera automatiquement. Jusque-là, les rapports calculent ces jours à partir de leurs hits. Si le message ne dit pas quoi faire, merci de le signaler',
    nothing_waits: 'Aucune tâche en attente',
    jobs_wait: 'Tâches en attente : {jobs:codes}',
    job_salts: 'remplacement des sels secrets des jours passés (depuis {since:time} : {reason:codes})',
    job_sessions: 'suppression des anciennes sessions (depuis {since:time} : {reason:codes})',
    job_removals: 'suppression des sites retirés (depuis {since:time} : {reason:codes})',
    job_exclusions: 'application des exclusions (depuis {since:time} : {reason:codes})',
    job_sealing: 'clôture des jours passés (depuis {since:time} : {reason:codes})',
    job_visitor_codes: 'suppression des anciennes données (depuis {since:time} : {reason:codes})',
    job_changes: 'comptage des changements de jours passés (depuis {since:time} : {reason:codes})',
    job_receipts: 'signature des reçus des jours passés (depuis {since:time} : {reason:codes})',
    job_recount: 'vérification des jours (depuis {since:time} : {reason:codes})',
    job_backup: 'création d’une sauvegarde (depuis {since:time} : {reason:codes})',
    job_forgetting:
      'vérification que les sels supprimés ont disparu des fichiers du serveur (depuis {since:time} : {reason:codes})',
    job_parquet: 'écriture des fichiers Parquet (depuis {since:time} : {reason:codes})',
    job_mails: 'envoi des e-mails (depuis {since:time} : {reason:codes})',
    not_done_yet: 'pas encore terminé',
    days_unsealed: '{days:codes}',
    day_unsealed: '{domain} {date} ne peut pas devenir définitif ({reason})',
    see_log: 'Consultez le journal du serveur. Il réessaie chaque tâche toutes les minutes',
    no_restore_test: 'Aucun test de restauration pour l’instant',
    restore_fine: '{name} peut être restauré, {days|jour vérifié|jours vérifiés}',
    restore_fine_elsewhere: '{name} peut être restauré. Les hits de ses jours sont sur les serveurs ClickHouse',
    copy_again: 'Faites une autre sauvegarde avec `daybook backup FILE`, et lancez `daybook check`',
    no_forgetting: 'Le serveur n’a pas encore cherché les sels des jours passés',
    forgotten:
      'Recherche de {salts|sel|sels} de jours passés dans {bytes:size} : aucun trouvé. Emplacements : {places:codes}',
    not_forgotten:
      'Recherche de {salts|sel|sels} de jours passés dans {bytes:size} : {found|trouvé|trouvés}. Emplacements : {places:codes}',
    report_salts:
      'Arrêtez les programmes qui lisent depuis longtemps le fichier de base de données. Le serveur cherche à nouveau après une heure. S’il trouve encore des sels, signalez ce message',
    collector_searched: 'Collecteur {number} : {result:codes}',
    collector_unsearched:
      'Le collecteur {number} n’a pas encore signalé de recherche de sels. Le résultat n’est donc pas complet',
    collector_not_searched:
      'Le collecteur {number} ne répond pas, ou n’a pas cherché de sels depuis {time:time}. Le résultat n’est donc pas complet',
    report_collectors:
      'Démarrez les collecteurs et consultez leurs journaux. Si un collecteur trouve des sels, signalez ce message',
    proof_fine:
      'Un visiteur fictif a été compté. Une fois la journée terminée, aucune trace de ce visiteur n’a été trouvée dans {bytes:size}. Emplacements : {places:codes}',
    proof_failed:
      'Un visiteur fictif a été compté. Une fois la journée terminée, des traces de ce visiteur ont été trouvées. Emplacements : {places:codes}',
    proof_incomplete:
      'Un visiteur fictif a été compté. Une fois la journée terminée, aucune trace de ce visiteur n’a été trouvée dans {bytes:size}. Mais le résultat n’est pas complet, car tout n’a pas pu être lu ici : {unread:codes}. Emplacements : {places:codes}',
    place_searched: '{place:codes} ({bytes:size})',
    place_searched_on: '{server:codes}, {place:codes} ({bytes:size})',
    server_primary: 'primaire',
    server_collector: 'collecteur {number}',
    server_clickhouse: 'serveur ClickHouse {number}',
    place_file: 'fichier de base de données',
    place_wal: 'journal d’écriture anticipée',
    place_backups: 'sauvegardes',
    place_outbox: 'file d’envoi',
    place_log: 'journal',
    place_memory: 'mémoire utilisée',
    place_threads: 'mémoire des threads',
    place_open_days: 'copie des jours ouverts',
    place_tables: 'tables',
    place_system_logs: 'journaux de ClickHouse',
    no_parquet: 'Les fichiers Parquet sont désactivés',
    parquet_fine: '{count|fichier Parquet est|fichiers Parquet sont} à jour',
    check_parquet: 'Vérifiez le disque et le dossier de `--parquet`. Le serveur réessaie chaque minute',
    no_recount: 'Aucun jour n’a encore été vérifié',
    recount_fine: '{count|jour vérifié|jours vérifiés}, aucune différence',
    recount_different: '{count|jour vérifié|jours vérifiés}, {different|diffère|diffèrent}',
    recount_faulty:
      '{days|jour vérifié|jours vérifiés}, dont {count|incohérent|incohérents}. {domain} {date} : {faults}',
    check_all:
      'Lancez `daybook check` pour vérifier tous les jours. Restaurez ensuite une sauvegarde plus ancienne, ou réimportez les jours concernés',
    no_check: '`daybook check` n’a pas encore été exécuté',
    restore_or_import: 'Restaurez une sauvegarde plus ancienne, ou réimportez les jours concernés',
    networks: 'Visiteurs de {count|réseau|réseaux}',
    many_networks: 'Visiteurs de {count} réseaux ou plus',
    proxy_ignored: 'Visiteurs de {count|réseau|réseaux}, par un proxy dont le X-Forwarded-For n’est pas jugé fiable',
    proxy_ignored_of_many:
      'Visiteurs de {count} réseaux ou plus, par un proxy dont le X-Forwarded-For n’est pas jugé fiable',
    one_private: 'Tous les visiteurs ont la même adresse IP privée',
    not_checked: 'Cette vérification n’a pas pu aboutir ({code})',
    not_checked_in_time: 'Cette vérification n’a pas reçu de réponse à temps',
    look_what_hangs: 'Cherchez ce qui est lent, par exemple un disque ou un serveur',
    check_disk: 'Vérifiez le disque, et les droits d’accès du fichier de la base de données',
    versions: 'daybook {version}, node {node}, SQLite {sqlite}',
    believed: 'Votre requête vient de {visitor}, d’après le proxy de confiance {sender}',
    no_header: 'Votre requête vient de {visitor}, sans X-Forwarded-For',
    names_nobody: 'Votre requête vient de {visitor}. X-Forwarded-For ne contient aucune autre adresse IP',
    not_believed: 'Votre requête vient de {sender}, dont le X-Forwarded-For n’est pas jugé fiable',
    trust_cloudflare: 'Démarrez le serveur avec `--trusted-proxies` et les plages d’adresses IP de Cloudflare',
    trust_sender: 'Si {sender} est votre proxy, démarrez le serveur avec `--trusted-proxies {sender}`',
    name_cloudflare: 'Ajoutez les plages d’adresses IP de Cloudflare à `--trusted-proxies`',
    name_visitor:
      'Si vous êtes sur le même réseau que le serveur, ignorez ceci. Sinon, ajoutez {visitor} à `--trusted-proxies`',
    forward_and_trust:
      'Configurez le proxy pour qu’il envoie X-Forwarded-For. Démarrez ensuite le serveur avec `--trusted-proxies {sender}`',
    forward: 'Configurez le proxy pour qu’il envoie X-Forwarded-For',
    unless_inside_forward_and_trust:
      'Si vous êtes sur le même réseau que le serveur, ignorez ceci. Sinon, configurez le proxy pour qu’il envoie X-Forwarded-For, et démarrez le serveur avec `--trusted-proxies {sender}`',
    unless_inside_forward:
      'Si vous êtes sur le même réseau que le serveur, ignorez ceci. Sinon, configurez le proxy pour qu’il envoie X-Forwarded-For',
    set_base_url: 'Démarrez le serveur avec `--base-url` et son URL https publique',
  },
};

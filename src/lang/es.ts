// All texts in Spanish, by area. An area is a group of texts, such as `sites`. The keys are the same as in de.ts: codes
// in areas of codes, and English texts in all other areas. A value replaces {name}. The texts address people as "tú". A
// type error in translations.ts names the keys that are missing.

export const ES = {
  // Texts that the dashboard, the pages without scripts, the mails and verify.html share.
  common: {
    Limit: 'Límite',
    Conversions: 'Conversiones',
    'Page not found': 'Página no encontrada',
    Code: 'Código',
    Continue: 'Continuar',
    '{count} visitors now': { one: '{count} visitante ahora', other: '{count} visitantes ahora' },
    Today: 'Hoy',
    '7 days': '7 días',
    'Visitors per day': 'Visitantes por día',
    Week: 'Semana',
    Month: 'Mes',
    Direct: 'Directo',
    Unknown: 'Desconocido',
    Visitors: 'Visitantes',
    Visits: 'Visitas',
    Pageviews: 'Páginas vistas',
    Events: 'Eventos',
    'Bounce rate': 'Tasa de rebote',
    'Visit duration': 'Duración de la visita',
    Goals: 'Objetivos',
    Change: 'Cambio',
    Rate: 'Tasa',
    '{target} with {name} = {value}': '{target} con {name} = {value}',
    '{target} scrolled to {percent}': '{target} con desplazamiento hasta el {percent}',
    Remove: 'Quitar',
    Copy: 'Copiar',
    Copied: 'Copiado',
    Name: 'Nombre',
    Hits: 'Hits',
    'E-mail': 'Correo',
    'Change e-mail address': 'Cambiar dirección de correo',
    Password: 'Contraseña',
    'Change password': 'Cambiar contraseña',
    'Two-factor authentication': 'Autenticación de dos factores',
    viewer: 'lector',
    manager: 'gestor',
    Unsubscribe: 'Darse de baja',
  },

  // The frame around every page of the dashboard.
  frame: {
    Account: 'Cuenta',
    'Sign out': 'Cerrar sesión',
    'Public demo: read-only, resets each hour': 'Demo pública: solo lectura, se reinicia cada hora',
    'Skip to the content': 'Ir al contenido',
  },

  // Texts that several pages use: names of pages of the settings, dialogs, errors, and buttons that copy a text.
  parts: {
    You: 'Tú',
    Team: 'Equipo',
    Tokens: 'Tokens',
    General: 'General',
    Collection: 'Recogida',
    Sharing: 'Compartir',
    Deletion: 'Eliminación',
    Reports: 'Informes',
    'You have read-only access. A manager or the owner can make changes.':
      'Tienes acceso de solo lectura. Un gestor o el propietario puede hacer cambios.',
    'This page does not exist': 'Esta página no existe',
    'The URL may be wrong, or the page may have been removed.':
      'Puede que la URL sea incorrecta o que la página se haya eliminado.',
    'Try again': 'Reintentar',
    'Copy {what}': 'Copiar {what}',
    'The text is selected. Press Ctrl+C, or ⌘C on a Mac.': 'El texto está seleccionado. Pulsa Ctrl+C, o ⌘C en un Mac.',
    Close: 'Cerrar',
    'Not loaded': 'No se ha cargado',
    'Not updated since {time}': 'Sin actualizar desde las {time}',
    '{name} asks for your password. You then come back here and repeat the change.':
      '{name} te pide la contraseña. Después vuelves aquí y repites el cambio.',
    'Continue with {name}': 'Continuar con {name}',
    'Confirm it’s you': 'Confirma tu identidad',
    'Enter your password or a code from your phone. This protects your account if you leave your browser open.':
      'Escribe tu contraseña o un código de tu teléfono. Así se protege tu cuenta si dejas el navegador abierto.',
    'Enter your password again. This protects your account if you leave your browser open.':
      'Vuelve a escribir tu contraseña. Así se protege tu cuenta si dejas el navegador abierto.',
    'Theme: system': 'Tema: sistema',
    'Theme: light': 'Tema: claro',
    'Theme: dark': 'Tema: oscuro',
    'Cannot reach the server. Check that it is running and that you are online.':
      'No se puede conectar con el servidor. Comprueba que está en marcha y que tienes conexión.',
    'The server did not answer correctly (status {status}). It may be restarting.':
      'El servidor no ha respondido correctamente (estado {status}). Puede que se esté reiniciando.',
    'This part could not be displayed. The server may have been updated after you loaded the page.':
      'No se ha podido mostrar esta parte. Puede que el servidor se haya actualizado después de cargar la página.',
    'Made with': 'Hecho con',
    Save: 'Guardar',
    'Time zone': 'Zona horaria',
    Path: 'Ruta',
    Domain: 'Dominio',
    yes: 'sí',
  },

  // The list of sites, and the form that adds a site.
  sites: {
    'Add a site': 'Añadir un sitio',
    'Add site': 'Añadir sitio',
    'Add your first site': 'Añade tu primer sitio',
    'Next, you get one line of HTML for your pages. daybook then counts visitors, without cookies and without identifying anyone.':
      'Después recibirás una línea de HTML para tus páginas. Con ella, daybook cuenta a los visitantes sin cookies y sin identificar a nadie.',
    'Last 30 days': 'Últimos 30 días',
    'All sites': 'Todos los sitios',
    'All sites combined': 'Todos los sitios juntos',
    'For example, example.com. Its subdomains count too.': 'Por ejemplo, example.com. Sus subdominios también cuentan.',
    'Reports for this site use this time zone. You can change it later.':
      'Los informes de este sitio usan esta zona horaria. Puedes cambiarla más tarde.',
    'With your plan, you cannot add sites. Ask the person who runs this server for another plan.':
      'Con tu plan no puedes añadir sitios. Pide otro plan al administrador de este servidor.',
    'Your account ({email})': 'Tu cuenta ({email})',
    'Your sites': 'Tus sitios',
    'compared with the previous 30 days, up to the same time of day':
      'en comparación con los 30 días anteriores, hasta la misma hora',
    'No recent hits.': 'No hay hits recientes.',
    'Check the snippet': 'Comprobar el fragmento',
    'Why?': '¿Por qué?',
    'Why did the visitors change?': '¿Por qué cambió el número de visitantes?',
    '{visitors} now': '{visitors} ahora',
    'You are a viewer': 'Eres lector',
    'You are a manager': 'Eres gestor',
    'Find a site': 'Buscar un sitio',
    'Sort by': 'Ordenar por',
    'By visitors': 'Por visitantes',
    'By change': 'Por cambio',
    'By name': 'Por nombre',
    'No sites match.': 'Ningún sitio coincide.',
    'No visitors on the days before today. Visitors today so far: {today}':
      'Ningún visitante en los días anteriores a hoy. Visitantes hoy hasta ahora: {today}',
    'Visitors per day over 30 days. Highest: {most} on {day}. Today so far: {today}':
      'Visitantes por día en 30 días, máximo el {day}: {most}. Hoy hasta ahora: {today}',
  },

  // A report: header, figures and chart.
  site: {
    Explore: 'Explorar',
    Settings: 'Ajustes',
    'Only some of the visits': 'Solo una parte de las visitas',
    'Time zone of this site': 'Zona horaria de este sitio',
    'Visitors in the last five minutes': 'Visitantes en los últimos cinco minutos',
    'Keyboard shortcuts': 'Atajos de teclado',
    Period: 'Periodo',
    '30 days': '30 días',
    '12 months': '12 meses',
    'Choose days': 'Elegir días',
    'Previous period': 'Periodo anterior',
    'Next period': 'Periodo siguiente',
    'All time': 'Desde el inicio',
    'at most two years': 'dos años como máximo',
    Yesterday: 'Ayer',
    'This month': 'Este mes',
    'Last month': 'Mes pasado',
    'This year': 'Este año',
    'Last year': 'Año pasado',
    'Choose the first day.': 'Elige el primer día.',
    'From {day}. Now choose the last day.': 'Desde el {day}. Ahora elige el último día.',
    'Previous year': 'Año anterior',
    'Previous month': 'Mes anterior',
    'Next month': 'Mes siguiente',
    'Next year': 'Año siguiente',
    'What is a pageview?': '¿Qué es una página vista?',
    'Each time a visitor opens a page, this counts as one pageview. If you open a page twice, it counts twice.':
      'Cada vez que un visitante abre una página cuenta como una página vista. Si abres la misma página dos veces, cuenta dos veces.',
    'What is a visit?': '¿Qué es una visita?',
    'A visit is everything that a visitor does without a break of more than 30 minutes. A visit also ends at midnight.':
      'Una visita es todo lo que hace un visitante sin pausas de más de 30 minutos. También termina a medianoche.',
    'What is the bounce rate?': '¿Qué es la tasa de rebote?',
    'The share of visits with one pageview and no event.':
      'El porcentaje de visitas con una sola página vista y sin eventos.',
    'What is the visit duration?': '¿Qué es la duración de la visita?',
    'The average time from the first to the last activity in a visit. A visit continues while a page is visible.':
      'El tiempo medio entre la primera y la última señal de una visita. Mientras haya una página visible, la visita continúa.',
    'What is the conversion rate?': '¿Qué es la tasa de conversión?',
    'The share of visitors that reached the goal.': 'El porcentaje de visitantes que alcanzaron el objetivo.',
    'What is the revenue?': '¿Qué son los ingresos?',
    'The sum of the amounts that your pages and servers sent with their hits.':
      'La suma de los importes que tus páginas y servidores enviaron con sus hits.',
    'What is a visitor?': '¿Qué es un visitante?',
    'daybook counts each visitor once a day. It does not recognise visitors on another day. If you visit on three days, you count as three visitors.':
      'daybook cuenta a cada visitante una vez al día. No lo reconoce si vuelve otro día. Si entras tres días, cuentas como tres visitantes.',
    'Share of visitors that reached the goal {goal}': 'Porcentaje de visitantes que alcanzaron el objetivo {goal}',
    'Not compared, because an import does not include this figure.':
      'Sin comparar, porque una importación no incluye esta cifra.',
    'Not compared, because only daily totals are stored for some days.':
      'Sin comparar, porque de algunos días solo se guardan los totales diarios.',
    'Not compared with {when}, because nothing was counted in the first half of that period.':
      'Sin comparación con {when}, porque no se contó nada en la primera mitad de este periodo.',
    'The change cannot be calculated. Previous value: {previous} ({when}).':
      'No se puede calcular el cambio. Valor anterior: {previous} ({when}).',
    'No change from {previous} ({when}).': 'Sin cambios respecto a {previous} ({when}).',
    'Up {change} from {previous} ({when}).': '{change} más que {previous} ({when}).',
    'Down {change} from {previous} ({when}).': '{change} menos que {previous} ({when}).',
    '{days}, up to the same time of day': '{days}, hasta la misma hora',
    '{figure} per hour': '{figure} por hora',
    '{figure} per day': '{figure} por día',
    '{figure} per week': '{figure} por semana',
    '{figure} per month': '{figure} por mes',
    Hour: 'Hora',
    Day: 'Día',
    Hours: 'Horas',
    Days: 'Días',
    Weeks: 'Semanas',
    Months: 'Meses',
    '{title}, partial hour': '{title}, hora parcial',
    '{title}, partial day': '{title}, día parcial',
    '{title}, partial week': '{title}, semana parcial',
    '{title}, partial month': '{title}, mes parcial',
    '{title} so far': '{title} hasta ahora',
    'Bounce rate {value}': 'Tasa de rebote {value}',
    'Conversion rate {value}': 'Tasa de conversión {value}',
    'Visit duration {value}': 'Duración de la visita {value}',
    'Revenue {value}': 'Ingresos {value}',
    'in the future': 'en el futuro',
    'Some hits are missing in one of the periods.': 'Faltan algunos hits en uno de los periodos.',
    'incomplete: some hits are missing': 'incompleto: faltan algunos hits',
    'not available: an import does not include this figure': 'no disponible: una importación no incluye esta cifra',
    'no value: deleted': 'sin valor: eliminado',
    'no value: only daily totals are stored': 'sin valor: solo se guardan los totales diarios',
    'incomplete: only daily totals are stored for some days':
      'incompleto: de algunos días solo se guardan los totales diarios',
    'note: {text}': 'nota: {text}',
    'Comparison period': 'Periodo de comparación',
    'Click to show single days': 'Haz clic para mostrar cada día',
    'Click to show the notes': 'Haz clic para mostrar las notas',
    'Click to add a note': 'Haz clic para añadir una nota',
    'and {count} more': { one: 'y {count} más', other: 'y {count} más' },
    'Chart interval': 'Intervalo del gráfico',
    Table: 'Tabla',
    'Compared with': 'Comparado con',
    'Not compared': 'Sin comparar',
    'Compare with': 'Comparar con',
    'Same number of days just before': 'Mismo número de días antes',
    'Same dates one year earlier': 'Mismas fechas un año antes',
    'Same weekdays one year earlier': 'Mismos días de la semana un año antes',
    'No comparison': 'Sin comparación',
    '{count} visits excluded': { one: '{count} visita excluida', other: '{count} visitas excluidas' },
    '{count} visits': { one: '{count} visita', other: '{count} visitas' },
    '{count} visitors': { one: '{count} visitante', other: '{count} visitantes' },
    '{count} pageviews': { one: '{count} página vista', other: '{count} páginas vistas' },
    '{days}: {count} visits excluded ({what})': {
      one: '{days}: {count} visita excluida ({what})',
      other: '{days}: {count} visitas excluidas ({what})',
    },
    'Compare the two weeks before and after the note': 'Comparar las dos semanas antes y después de la nota',
    'Figure to compare': 'Cifra para comparar',
    'Conversions of the main goal': 'Conversiones del objetivo principal',
    'Before: {before} over {count} days. After: {after} over the same number of days, with the same weekdays.': {
      one: 'Antes: {before} en {count} día. Después: {after} en el mismo día de la semana.',
      other:
        'Antes: {before} en {count} días. Después: {after} en el mismo número de días, con los mismos días de la semana.',
    },
  },

  // Dialogs and menus over a report: filters, notes, current visitors, saved views, keyboard help.
  dialogs: {
    'Break down the selected row': 'Desglosar la fila seleccionada',
    'Explain the change of the selected row': 'Explicar el cambio de la fila seleccionada',
    '{name} {condition}': '{name} {condition}',
    'unknown goal (ID {id})': 'objetivo desconocido (ID {id})',
    Filters: 'Filtros',
    or: 'o',
    'Add a filter': 'Añadir un filtro',
    'Change the filter {filter}': 'Cambiar el filtro: {filter}',
    'Remove the filter {filter}': 'Quitar el filtro: {filter}',
    'Clear all': 'Quitar todos',
    'A filter can have at most {most} values.': 'Un filtro puede tener como máximo {most} valores.',
    'All filters together can have at most {most} values.':
      'Todos los filtros juntos pueden tener como máximo {most} valores.',
    'Switch to another site': 'Cambiar de sitio',
    'No match.': 'Sin coincidencias.',
    'Show only this day': 'Mostrar solo este día',
    'No notes on this day.': 'No hay notas en este día.',
    'Remove the note: {text}': 'Quitar la nota: {text}',
    'New note': 'Nueva nota',
    'Describe what happened on this day, for example a release or a newsletter. The chart shows your note.':
      'Describe lo que pasó ese día, por ejemplo una versión nueva o un boletín. El gráfico muestra tu nota.',
    'Add note': 'Añadir nota',
    now: 'ahora',
    'Saved views': 'Vistas guardadas',
    'Remove the view {name}': 'Quitar la vista {name}',
    'No saved views yet.': 'Aún no hay vistas guardadas.',
    'Save this view as': 'Guardar esta vista como',
    'The last 7 days': 'Los últimos 7 días',
    'The last 30 days': 'Los últimos 30 días',
    'The last 12 months': 'Los últimos 12 meses',
    'Previous period, next period': 'Periodo anterior, periodo siguiente',
    'Clear all filters': 'Quitar todos los filtros',
    'Ctrl+click': 'Ctrl+clic',
    'Shift+Enter': 'Mayús+Intro',
    'Filter out the selected row': 'Descartar la fila seleccionada',
    'Add the selected row to the filter': 'Añadir la fila seleccionada al filtro',
    'Show these shortcuts': 'Mostrar estos atajos',
    'Enable these shortcuts in this browser': 'Activar estos atajos en este navegador',
    'The goal in this filter no longer exists.': 'El objetivo de este filtro ya no existe.',
    'This period is longer than two years.': 'Este periodo supera los dos años.',
    'This period is not valid.': 'Este periodo no es válido.',
    'One of the filters is not valid: {reason}': 'Uno de los filtros no es válido: {reason}',
    'This report cannot be displayed': 'No se puede mostrar este informe',
    'Show the last 30 days': 'Mostrar los últimos 30 días',
    'There is no site {domain}': 'No existe el sitio {domain}',
    'The site does not exist, or you do not have access.': 'El sitio no existe o no tienes acceso.',
    'All your sites': 'Todos tus sitios',
    Goal: 'Objetivo',
    is: 'es',
    'is not': 'no es',
    contains: 'contiene',
    'does not contain': 'no contiene',
    '{name} is {values}': '{name} es {values}',
    '{name} is not {values}': '{name} no es {values}',
    '{name} matches {values}': '{name} coincide con {values}',
    '{name} does not match {values}': '{name} no coincide con {values}',
    '{name} contains {values}': '{name} contiene {values}',
    '{name} does not contain {values}': '{name} no contiene {values}',
    '{values} or {value}': '{values} o {value}',
  },

  // The panels below the chart, with the names of all dimensions.
  panels: {
    'Break down by …': 'Desglosar por …',
    Pages: 'Páginas',
    Sources: 'Fuentes',
    Places: 'Lugares',
    Devices: 'Dispositivos',
    Sites: 'Sitios',
    Site: 'Sitio',
    All: 'Todas',
    Page: 'Página',
    Event: 'Evento',
    Labels: 'Etiquetas',
    Values: 'Valores',
    Property: 'Propiedad',
    Properties: 'Propiedades',
    'Property {name}': 'Propiedad {name}',
    'All properties': 'Todas las propiedades',
    Label: 'Etiqueta',
    Entry: 'Entrada',
    'Pages per visit': 'Páginas por visita',
    'Entry page': 'Página de entrada',
    Exit: 'Salida',
    'Exit page': 'Página de salida',
    'Host name': 'Nombre de host',
    Referrer: 'Referente',
    Source: 'Fuente',
    none: '(vacío)',
    'UTM source': 'Fuente UTM',
    'Campaign source': 'Fuente de campaña',
    Medium: 'Medio',
    'Campaign medium': 'Medio de campaña',
    Campaign: 'Campaña',
    'Campaign name': 'Nombre de campaña',
    Term: 'Término',
    'Campaign term': 'Término de campaña',
    Content: 'Contenido',
    'Campaign content': 'Contenido de campaña',
    Country: 'País',
    Region: 'Región',
    City: 'Ciudad',
    Device: 'Dispositivo',
    Browser: 'Navegador',
    System: 'Sistema',
    'Operating system': 'Sistema operativo',
    'Browser version': 'Versión del navegador',
    'System version': 'Versión del sistema',
    Channel: 'Canal',
    Screen: 'Pantalla',
    'Organic Search': 'Búsqueda orgánica',
    'Paid Search': 'Búsqueda de pago',
    'Organic Social': 'Redes sociales',
    'Paid Social': 'Redes sociales de pago',
    'Organic Video': 'Vídeo',
    Email: 'Correo',
    'AI Assistants': 'Asistentes de IA',
    Referral: 'Referencia',
    Display: 'Display',
    Affiliates: 'Afiliados',
    Audio: 'Audio',
    SMS: 'SMS',
    'Mobile Push': 'Notificaciones push',
    Language: 'Idioma',
    '{panel}: {tab}': '{panel}: {tab}',
    visitors: { one: 'visitante', other: 'visitantes' },
    conversions: { one: 'conversión', other: 'conversiones' },
    requests: { one: 'petición', other: 'peticiones' },
    'Time on page': 'Tiempo en la página',
    'Scroll depth': 'Profundidad de desplazamiento',
    Occurrences: 'Apariciones',
    Revenue: 'Ingresos',
    'Revenue per visitor': 'Ingresos por visitante',
    'Conversion rate': 'Tasa de conversión',
    Share: 'Porcentaje',
    Requests: 'Peticiones',
    'Not available for these days': 'No disponible para estos días',
    'No visits match these filters': 'Ninguna visita coincide con estos filtros',
    'The filter “{name}” does not apply to this list.': 'El filtro «{name}» no se aplica a esta lista.',
    'Journeys from here': 'Recorridos desde aquí',
    'Filter out': 'Descartar',
    'Filter out {name}': 'Descartar {name}',
    new: 'nuevo',
    'No visitors in the comparison period ({when}).': 'Sin visitantes antes ({when}).',
    'This period is too short for this interval.': 'El periodo es demasiado corto para este intervalo.',
    'This period is too long for this interval.': 'El periodo es demasiado largo para este intervalo.',
    'Not available by hour, because a visit may last longer than an hour.':
      'No disponible por hora, porque una visita puede durar más de una hora.',
    'Revenue is not available by hour.': 'Los ingresos no están disponibles por hora.',
    'No visitors on these days': 'No hay visitantes en estos días',
    'No visits with this UTM tag': 'No hay visitas con este parámetro UTM',
    'Add tags to links you share, such as ?utm_source=newsletter.':
      'Añade parámetros a los enlaces que compartes, por ejemplo ?utm_source=newsletter.',
    'No events on these days': 'No hay eventos en estos días',
    "Call daybook('signup') in your pages, or add data-daybook-event to a link or button.":
      "Llama a daybook('signup') en tus páginas, o añade data-daybook-event a un enlace o botón.",
    'No labels on these days': 'No hay etiquetas en estos días',
    "To add a label to an event, pass it as the second argument: daybook('signup', 'pro').":
      "El segundo valor de un evento es su etiqueta: daybook('signup', 'pro').",
    'No properties on these days': 'No hay propiedades en estos días',
    'No values on these days': 'No hay valores en estos días',
    'To see figures by plan or author, send properties with your hits.':
      'Para ver las cifras por plan o por autor, envía propiedades con tus hits.',
    'Show labels of the event': 'Etiquetas del evento',
    Search: 'Buscar',
    'Search {title}': 'Buscar en {title}',
    'Rows in {title}': 'Filas de {title}',
    'No results for “{search}”': 'No hay resultados para «{search}»',
    'Only the first {count} rows are shown.': 'Solo se muestran las primeras {count} filas.',
    Details: 'Detalles',
    'Details of {title}': 'Detalles de {title}',
    More: 'Más',
    'More rows of {title}': 'Más de {title}',
    Open: 'Abrir',
    'Open {name}': 'Abrir {name}',
    'Download {title} as CSV': 'Descargar {title} en CSV',
    'Try the CSV again': 'Reintentar el CSV',
    'Goal for the conversions': 'Objetivo para las conversiones',
    '{count} rows': { one: '{count} fila', other: '{count} filas' },
    '{count} rows are shown. There are more.': {
      one: 'Se muestra {count} fila. Hay más.',
      other: 'Se muestran {count} filas. Hay más.',
    },
    'Map of visitors by country': 'Mapa de visitantes por país',
    '{country}: {count} visitors': { one: '{country}: {count} visitante', other: '{country}: {count} visitantes' },
    search: 'búsqueda',
    other: 'otro',
  },

  // The lower panels, such as goals, funnels, speed, searches and dropped hits, and the choice of filter values.
  lowerPanels: {
    'main goal': 'objetivo principal',
    'Conversions: how often visitors reached the goal':
      'Conversiones: cuántas veces los visitantes alcanzaron el objetivo',
    'Conversion rate: share of all visitors that reached the goal':
      'Tasa de conversión: porcentaje de visitantes que alcanzaron el objetivo',
    'Revenue: sum of the hits that reached the goal': 'Ingresos: suma de los hits que alcanzaron el objetivo',
    'No goals yet': 'Aún no hay objetivos',
    'A goal is a page or an event that you want visitors to reach.':
      'Un objetivo es una página o un evento que quieres que alcancen los visitantes.',
    'Add a goal': 'Añadir un objetivo',
    Funnels: 'Embudos',
    Funnel: 'Embudo',
    'Funnel {name}': 'Embudo {name}',
    'No funnels yet': 'Aún no hay embudos',
    'A funnel shows where visitors drop out. It has two to eight steps.':
      'Un embudo muestra dónde abandonan los visitantes. Tiene de dos a ocho pasos.',
    'Add a funnel': 'Añadir un embudo',
    'No visitors dropped out': 'Ningún visitante abandonó',
    '{count} visitors ({share}) dropped out': {
      one: '{count} visitante ({share}) abandonó',
      other: '{count} visitantes ({share}) abandonaron',
    },
    'Revenue of the last step: {revenue}.': 'Ingresos del último paso: {revenue}.',
    '{share} of {count} visitors completed all steps.': {
      one: 'El {share} de {count} visitante completó todos los pasos.',
      other: 'El {share} de los {count} visitantes completó todos los pasos.',
    },
    'No visitors reached the first step on these days.': 'Ningún visitante alcanzó el primer paso en estos días.',
    Journeys: 'Recorridos',
    'Start at': 'Inicio',
    'Entry pages': 'Páginas de entrada',
    'A page': 'Una página',
    'Goal {name}': 'Objetivo {name}',
    'Page or pattern': 'Página o patrón',
    'A page such as /pricing, or a pattern such as /guide/*': 'Una página como /pricing o un patrón como /guide/*',
    Direction: 'Dirección',
    'Next pages': 'Páginas siguientes',
    'Pages before': 'Páginas anteriores',
    'All visits': 'Todas las visitas',
    'Pages by step': 'Páginas por paso',
    'Other pages': 'Otras páginas',
    'Ended here': 'Terminaron aquí',
    'Began here': 'Empezaron aquí',
    'Journeys from {page}': 'Recorridos desde {page}',
    'Choose a page to follow its visits.': 'Elige una página para seguir sus visitas.',
    'No visits start here on these days.': 'Ninguna visita parte de aquí en estos días.',
    'Choose a page or a goal. You then see where its visits went, or where they came from.':
      'Elige una página o un objetivo. Verás adónde fueron sus visitas, o de dónde venían.',
    '{count} visits began on these pages.': {
      one: '{count} visita empezó en una de estas páginas.',
      other: '{count} visitas empezaron en estas páginas.',
    },
    '{count} visits reached this goal: {share} of all visits.': {
      one: '{count} visita alcanzó este objetivo: {share} de todas las visitas.',
      other: '{count} visitas alcanzaron este objetivo: {share} de todas las visitas.',
    },
    '{count} visits saw this page: {share} of all visits.': {
      one: '{count} visita vio esta página: {share} de todas las visitas.',
      other: '{count} visitas vieron esta página: {share} de todas las visitas.',
    },
    Start: 'Inicio',
    Show: 'Mostrar',
    Step: 'Paso',
    'Show another step': 'Mostrar un paso más',
    'AI crawlers and assistants': 'Rastreadores y asistentes de IA',
    'AI crawlers': 'Rastreadores de IA',
    'Group AI crawlers by': 'Agrupar los rastreadores de IA por',
    Crawler: 'Rastreador',
    Operator: 'Operador',
    Purpose: 'Finalidad',
    Training: 'Entrenamiento',
    'Search index': 'Índice de búsqueda',
    training: 'entrenamiento',
    'User request': 'Petición de un usuario',
    'user request': 'petición de un usuario',
    Other: 'Otro',
    '{count} requests. By purpose: {purposes}.': {
      one: '{count} petición. Por finalidad: {purposes}.',
      other: '{count} peticiones. Por finalidad: {purposes}.',
    },
    'No requests from AI crawlers on these days': 'No hay peticiones de rastreadores de IA en estos días',
    'Pages that {crawler} requests most': 'Páginas más solicitadas por {crawler}',
    'Most requested pages': 'Páginas más solicitadas',
    'Filters do not apply to crawlers.': 'Los filtros no se aplican a los rastreadores.',
    'This site does not count AI crawlers': 'Este sitio no cuenta los rastreadores de IA',
    'Searches on Google': 'Búsquedas en Google',
    'Search query': 'Consulta',
    'Group searches by': 'Agrupar las búsquedas por',
    'No imported searches on these days': 'No hay búsquedas importadas en estos días',
    'All searches from {first} to {last}: {clicks} clicks, {impressions} impressions. Google hides rare queries, so the rows add up to less.':
      'Todas las búsquedas del {first} al {last}: {clicks} clics, {impressions} impresiones. Google oculta las consultas poco frecuentes, por eso las filas suman menos.',
    'Some imported files also cover days outside this range. Their rows are left out. Choose a longer range.':
      'Algunos archivos importados también tienen días fuera de este periodo. Sus filas no se muestran. Elige un periodo más largo.',
    Clicks: 'Clics',
    Impressions: 'Impresiones',
    'Click rate': 'Tasa de clics',
    Position: 'Posición',
    'Group speed by': 'Agrupar la velocidad por',
    'No measurements on these days. Your pages need the second line of the snippet.':
      'No hay mediciones en estos días. Tus páginas necesitan la segunda línea del fragmento.',
    'Show the snippet': 'Mostrar el fragmento',
    'Three out of four pageviews had this value or better. Values are accurate to 2%.':
      'Tres de cada cuatro páginas vistas tuvieron este valor o uno mejor. Los valores tienen una precisión del 2 %.',
    '{count} pageviews measured': { one: '{count} página vista medida', other: '{count} páginas vistas medidas' },
    '{share} good': '{share} buenas',
    'Change the settings': 'Cambiar los ajustes',
    'Visitors from AI assistants': 'Visitantes desde asistentes de IA',
    Assistant: 'Asistente',
    'No visitors from AI assistants': 'No hay visitantes desde asistentes de IA',
    'Not counted': 'Sin contar',
    'All hits were counted': 'Se contaron todos los hits',
    'Ignored hits, such as bots and spam, appear here with the reason.':
      'Los hits ignorados, como los de bots y spam, aparecen aquí con el motivo.',
    Bots: 'Bots',
    'Declared bots and automated browsers.': 'Bots declarados y navegadores automatizados.',
    'Requests by AI crawlers that ran the script. The panel above shows all requests by AI crawlers.':
      'Solo los que ejecutaron el script. El panel de arriba cuenta todas sus peticiones.',
    'Other hosts': 'Otros hosts',
    'Pages on other domains that use this site’s script.':
      'Páginas de otros dominios que usan el script de este sitio.',
    'Unknown sites': 'Sitios desconocidos',
    'Hits for a site that does not exist on this server.': 'Enviados para un sitio que este servidor no tiene.',
    Spam: 'Spam',
    'Visits from known spam referrers.': 'Visitas de referentes de spam conocidos.',
    'Excluded IP addresses': 'Direcciones IP excluidas',
    'Hits from IP addresses that this server does not count, such as your own.':
      'Hits desde direcciones IP que este servidor no cuenta, como la tuya.',
    'Prefetched pages': 'Páginas precargadas',
    'Pages that a browser loaded in advance, before anyone opened them.':
      'Páginas que un navegador cargó antes de que alguien las abriera.',
    'Too many requests at once': 'Demasiadas peticiones a la vez',
    'One IP address sent more requests per second than a person can.':
      'Una dirección IP envió más peticiones por segundo de las que puede enviar una persona.',
    'Daily limit reached': 'Límite diario alcanzado',
    'Hits above the daily limit of the site.': 'Por encima del límite diario de un sitio.',
    'Late time-on-page messages': 'Mensajes tardíos sobre el tiempo en la página',
    'Messages that say how long a page was visible, for visits that had already ended or were not counted.':
      'Mensajes que indican cuánto tiempo estuvo visible una página, de visitas terminadas o no contadas.',
    'Late hits': 'Hits tardíos',
    'Hits that a server sent after the figures of that day became final.':
      'Hits que un servidor envió cuando las cifras de ese día ya eran definitivas.',
    'Filter by': 'Filtrar por',
    'If you add another value, visits with either value match.':
      'Si añades otro valor, coinciden las visitas con cualquiera de los dos.',
    'Tick several values, or click one to use it immediately.':
      'Marca varios valores, o haz clic en uno para aplicarlo al momento.',
    'Values in this period that contain your text:': 'Valores de este periodo que contienen el texto:',
    'No value in this period contains this text.': 'Ningún valor de este periodo contiene el texto.',
    Apply: 'Aplicar',
    'Type part of the value': 'Escribe una parte del valor',
    'Type to search': 'Escribe para buscar',
    'No values in this period.': 'No hay valores en este periodo.',
    'Current visitors on {domain}': 'Visitantes actuales en {domain}',
    Countries: 'Países',
    'Visitors per minute over the last {minutes} minutes. Highest: {count} at {time}':
      'Visitantes por minuto en los últimos {minutes} minutos. Máximo ({time}): {count}',
    'No visitors in the last {minutes} minutes': 'No hay visitantes en los últimos {minutes} minutos',
    'visitors per minute': 'visitantes por minuto',
    'The number is for the last five minutes, the chart for the last 30 minutes.':
      'El número corresponde a los últimos cinco minutos; el gráfico, a los últimos 30.',
    'No data yet': 'Aún no hay datos',
    Blocked: 'Bloqueados',
    'Hits that match a block in the settings of this site.':
      'Hits que coinciden con un bloqueo de los ajustes de este sitio.',
  },

  // The page "Explore", which answers questions of the user.
  explore: {
    Metrics: 'Métricas',
    'Break down by': 'Desglosar por',
    'Then by': 'Luego por',
    'Finally by': 'Por último por',
    Columns: 'Columnas',
    'Show {name} as columns': 'Mostrar {name} como columnas',
    'Figure in the table': 'Cifra de la tabla',
    Nothing: 'Nada',
    'Show a chart': 'Mostrar un gráfico',
    Time: 'Tiempo',
    Weekday: 'Día de la semana',
    'Hour of the day': 'Hora del día',
    Answer: 'Respuesta',
    Total: 'Total',
    'Not known': 'No se conoce',
    '{figure} by {name}': '{figure} por {name}',
    '{figure} of the first rows': '{figure} de las primeras filas',
    '{count} of {total} rows': '{count} de {total} filas',
    'What do you want to break these visits down by?': '¿Por qué quieres desglosar estas visitas?',
    'Rows by time and columns cannot be compared with another period.':
      'Las filas por tiempo y las columnas no se pueden comparar con otro periodo.',
    'Groups of filters, joined by “or”': 'Grupos de filtros, unidos por «o»',
    'A visit must match one of these groups, and the filters above.':
      'Una visita debe cumplir uno de estos grupos y los filtros de arriba.',
    'Group {number}': 'Grupo {number}',
    'Remove group {number}': 'Quitar el grupo {number}',
    'A group without filters is ignored.': 'Un grupo sin filtros se ignora.',
    'Add groups joined by “or”': 'Añadir grupos unidos por «o»',
    'Add a group': 'Añadir un grupo',
    'This question cannot be answered': 'No se puede responder a esta pregunta',
    'Start again': 'Empezar de nuevo',
    'The last {count} of {total} columns are shown.': 'Se muestran las últimas {count} de {total} columnas.',
    '{name}: the first {count} of {total} values. “Other” counts the visits with all other values.':
      '{name}: los primeros {count} de {total} valores. «Otro» cuenta las visitas con todos los demás valores.',
    '{name}: the first {count} of {total} values. The other values cannot be counted together.':
      '{name}: los primeros {count} de {total} valores. Los demás valores no se pueden contar juntos.',
    'Some cells are not known, because there are too many. Use filters or a shorter period.':
      'Algunas celdas no se conocen porque hay demasiadas. Usa filtros o un periodo más corto.',
  },

  // Changes of past days, exclusions, suggested exclusions, why figures changed, and how a day was counted.
  exclusions: {
    'What changed?': '¿Qué ha cambiado?',
    'Changes of past days': 'Cambios de días pasados',
    'Past days have changed since you last looked.': 'Hay días pasados que han cambiado desde tu última consulta.',
    'Past days have changed since you last looked: {figures}.':
      'Hay días pasados que han cambiado desde tu última consulta: {figures}.',
    'Visits were excluded': 'Se excluyeron visitas',
    'Excluded visits count again': 'Las visitas excluidas vuelven a contar',
    'Hits were imported': 'Se importaron hits',
    'An import was removed': 'Se eliminó una importación',
    'Days were deleted': 'Se eliminaron días',
    'Hits came late': 'Llegaron hits con retraso',
    'Hits were deleted after their retention': 'Se eliminaron hits tras su plazo de conservación',
    'A goal was added': 'Se añadió un objetivo',
    'A goal was changed': 'Se modificó un objetivo',
    'A goal was deleted': 'Se eliminó un objetivo',
    'A setting was changed': 'Se cambió un ajuste',
    'Command on the server': 'Comando en el servidor',
    'It is not known by how much.': 'No se sabe en cuánto.',
    'No figure of these days has changed.': 'Ninguna cifra de estos días ha cambiado.',
    '{count} days: {figures}': { one: '{count} día: {figures}', other: '{count} días: {figures}' },
    'Exclude visits': 'Excluir visitas',
    'Excluded visits': 'Visitas excluidas',
    'Reports leave out these visits, such as bot traffic. Nothing is deleted, and you can undo this at any time.':
      'Los informes no cuentan estas visitas, por ejemplo el tráfico de bots. No se elimina nada y puedes deshacerlo en cualquier momento.',
    'No exclusions yet': 'Aún no hay exclusiones',
    'Reports count every visit to this site.': 'Los informes cuentan todas las visitas de este sitio.',
    Undo: 'Deshacer',
    '{count} visits will count again, exactly as before.': {
      one: '{count} visita volverá a contar, exactamente como antes.',
      other: '{count} visitas volverán a contar, exactamente como antes.',
    },
    'Since {day}, including future visits': 'Desde el {day}, también las visitas futuras',
    'New exclusion': 'Nueva exclusión',
    'You see a preview before anything changes.': 'Verás una vista previa antes de que cambie nada.',
    'Visits that match all of these conditions': 'Visitas que cumplen todas estas condiciones',
    'Remove condition {number}': 'Quitar la condición {number}',
    'Add a condition': 'Añadir una condición',
    Condition: 'Condición',
    Value: 'Valor',
    'Leave empty for “{value}”': 'Déjalo vacío para «{value}»',
    'First day': 'Primer día',
    'Last day': 'Último día',
    'Leave empty to keep excluding future visits.': 'Déjalo vacío para excluir también las visitas futuras.',
    Note: 'Nota',
    'Optional: why these visits are excluded.': 'Opcional: por qué se excluyen estas visitas.',
    'Bots from one data centre': 'Bots de un centro de datos',
    Preview: 'Vista previa',
    'Exclude {count} visits': { one: 'Excluir {count} visita', other: 'Excluir {count} visitas' },
    '{count} visits excluded.': { one: '{count} visita excluida.', other: '{count} visitas excluidas.' },
    'No visits match on these days.': 'Ninguna visita de estos días coincide.',
    '{visits} would be excluded, including {counts}.': {
      one: 'Se excluiría {visits}, con {counts}.',
      other: 'Se excluirían {visits}, con {counts}.',
    },
    '{count} events': { one: '{count} evento', other: '{count} eventos' },
    '{count} hits': { one: '{count} hit', other: '{count} hits' },
    'Visits per day. Highest: {visits} on {day}': 'Visitas por día, máximo el {day}: {visits}',
    '{day}: {count} visits': { one: '{day}: {count} visita', other: '{day}: {count} visitas' },
    'Why did the visits change?': '¿Por qué cambió el número de visitas?',
    'Why did the pageviews change?': '¿Por qué cambió el número de páginas vistas?',
    'Why did the conversions change?': '¿Por qué cambió el número de conversiones?',
    'Most of the difference comes from:': 'La mayor parte de la diferencia viene de:',
    'One group of visitors stands out. But chance alone can cause such a difference:':
      'Un grupo de visitantes destaca. Pero el azar por sí solo puede causar esa diferencia:',
    'All groups of visitors changed by about the same share. So no group explains the difference.':
      'Todos los grupos de visitantes cambiaron más o menos en la misma proporción. Ningún grupo explica la diferencia.',
    'No group of visitors stands out. The difference may be chance.':
      'Ningún grupo de visitantes destaca. La diferencia puede deberse al azar.',
    '{share} of the difference': '{share} de la diferencia',
    '{count} properties that are used less were not tried.': {
      one: 'No se ha examinado {count} propiedad menos usada.',
      other: 'No se han examinado {count} propiedades menos usadas.',
    },
    'Filter the report by this group': 'Filtrar el informe por este grupo',
    'Unusual traffic on {day}': 'Tráfico inusual el {day}',
    '{count} visits match these conditions:': {
      one: '{count} visita cumple estas condiciones:',
      other: '{count} visitas cumplen estas condiciones:',
    },
    'This removes {visitors} and {pageviews} from all reports. You can undo it at any time.':
      'Esto quita {visitors} y {pageviews} de todos los informes. Puedes deshacerlo en cualquier momento.',
    Dismiss: 'Ignorar',
    'Visitors per day. Visitors on {day} that would be excluded: {visitors}':
      'Visitantes por día. Excluidos del {day}: {visitors}',
    'Signed receipt': 'Recibo firmado',
    'Check the receipts of all days': 'Comprobar los recibos de todos los días',
    'How this day was counted': 'Cómo se contó este día',
    State: 'Estado',
    'The day is still in progress.': 'El día sigue en curso.',
    'The figures are final.': 'Las cifras son definitivas.',
    'Only daily totals are stored.': 'Solo se guardan los totales diarios.',
    'The figures come from import {number}.': 'Las cifras proceden de la importación {number}.',
    'Nothing was counted on this day.': 'Ese día no se contó nada.',
    Complete: 'Completo',
    'No, some hits are missing': 'No, faltan algunos hits',
    Yes: 'Sí',
    'The server was not running from {from} to {to}.': 'El servidor no estuvo en marcha desde el {from} hasta el {to}.',
    'From {from} to {to}, the server rejected hits, because it was overloaded or could not store them.':
      'Desde el {from} hasta el {to}, el servidor rechazó hits porque estaba sobrecargado o no pudo guardarlos.',
    Verified: 'Verificado',
    'Not yet': 'Aún no',
    '{time}: no differences found': '{time}: no se encontraron diferencias',
    '{count} similar visits (usually {usual}).': {
      one: '{count} visita similar. Lo habitual: {usual}.',
      other: '{count} visitas similares. Lo habitual: {usual}.',
    },
  },

  // Texts that several parts of the settings use.
  settings: {
    '{verb} {name}': '{verb} {name}',
    '{name} was removed.': 'Se ha quitado: {name}.',
    'Exclusion removed: {name}. Its visits count again.': 'Exclusión eliminada: {name}. Sus visitas vuelven a contar.',
    'Added.': 'Añadido.',
    Cancel: 'Cancelar',
    Edit: 'Editar',
    'Edit {name}': 'Editar {name}',
    'Sections of {title}': 'Secciones: {title}',
    Saved: 'Guardado',
    'Saved.': 'Guardado.',
    'Language of the browser': 'Idioma del navegador',
    'The dashboard uses this language. If you choose one, your e-mails use it too. The sign-in page uses the language of your browser.':
      'El panel usa este idioma. Si eliges uno, tus correos también lo usan. La página de inicio de sesión usa el idioma de tu navegador.',
    'None of the {count} pages from the last 30 days would change.': {
      one: 'La única página ({count}) de los últimos 30 días no cambiaría.',
      other: 'Ninguna de las {count} páginas de los últimos 30 días cambiaría.',
    },
    'Pages from the last 30 days that would change: {changed} of {count}': {
      one: 'Páginas de los últimos 30 días que cambiarían: {changed} de {count}',
      other: 'Páginas de los últimos 30 días que cambiarían: {changed} de {count}',
    },
    'No pages from the last 30 days to preview.': 'No hay páginas de los últimos 30 días para la vista previa.',
  },

  // Settings of a site, such as imports, alerts, mails, goals, funnels, notes, sharing, domain and deletion.
  siteSettings: {
    Data: 'Datos',
    Export: 'Exportar',
    'Download all hits of this site as a file.': 'Descarga todos los hits de este sitio en un archivo.',
    Format: 'Formato',
    'CSV, for spreadsheets': 'CSV, para hojas de cálculo',
    'JSON Lines, for another daybook': 'JSON Lines, para otro daybook',
    'Parquet, for DuckDB and pandas (a zip with a file for each day)':
      'Parquet, para DuckDB y pandas (un zip con un archivo por día)',
    'Daily totals in the format of Plausible (a zip)': 'Totales diarios en el formato de Plausible (un zip)',
    'All days': 'Todos los días',
    'Other days': 'Otros días',
    Download: 'Descargar',
    'The download has begun. Days with only daily totals are not in the file.':
      'La descarga ha empezado. Los días que solo tienen totales no están en el archivo.',
    Import: 'Importar',
    'Bring in the history of another product. You see what is in the file before anything is imported.':
      'Trae el historial de otro producto. Verás lo que hay en el archivo antes de que se importe nada.',
    File: 'Archivo',
    'From Plausible, Umami, Matomo, Google Analytics 4, GoatCounter, Simple Analytics or Google’s Search Console. Access logs and the JSON Lines of daybook work too.':
      'De Plausible, Umami, Matomo, Google Analytics 4, GoatCounter, Simple Analytics o Google Search Console. También sirven los registros de acceso y los JSON Lines de daybook.',
    'More options': 'Más opciones',
    'Domain in the file': 'Dominio en el archivo',
    'Only if the site had another domain at that time.': 'Solo si el sitio tenía entonces otro dominio.',
    'Skip lines that cannot be read': 'Omitir las líneas ilegibles',
    Upload: 'Subir',
    '{name} was not imported.': '{name} no se ha importado.',
    'Choose another file': 'Elegir otro archivo',
    'Uploading {name}: {done} of {total}': 'Subiendo {name}: {done} de {total}',
    'The upload of {name} was interrupted, or continues in another window.':
      'La subida de {name} se ha interrumpido o continúa en otra ventana.',
    'Reading {name}': 'Leyendo {name}',
    '{rows} rows, {days} days': '{rows} filas, {days} días',
    'Importing {name}: {done} of {total} days': 'Importando {name}: {done} de {total} días',
    'In the file {name}': 'En el archivo {name}',
    'The first is {day}.': 'El primero es el {day}.',
    'Only the owner of the site can replace them.': 'Solo el propietario del sitio puede reemplazarlos.',
    'Replace these days and import': 'Reemplazar estos días e importar',
    'The present hits of these days will be deleted permanently.':
      'Los hits actuales de estos días se eliminarán para siempre.',
    '{name} was imported. Reports show its days now.': '{name} se ha importado. Los informes muestran ahora sus días.',
    'Import another file': 'Importar otro archivo',
    'Remove all hits and totals of this import? Hits that it replaced do not come back.':
      '¿Quitar todos los hits y totales de esta importación? Los hits que reemplazó no vuelven.',
    Imports: 'Importaciones',
    'Files that were imported here or in the terminal of the server.':
      'Archivos importados aquí o en el terminal del servidor.',
    'No imports yet': 'Todavía no hay importaciones',
    'Imported days look like all other days in reports.': 'Los días importados se ven como los demás en los informes.',
    'only daily totals': 'solo totales diarios',
    'imported on {day}': 'importado el {day}',
    'Replaced by later imports': 'Reemplazado por importaciones posteriores',
    'Delete days': 'Eliminar días',
    'Deletes all visits and imports of some days for good. You see a preview before anything is deleted.':
      'Elimina definitivamente todas las visitas e importaciones de algunos días. Verás una vista previa antes de eliminar nada.',
    'Nothing is stored for {days}.': 'No hay nada guardado de {days}.',
    'This will be deleted for {days}:': 'Se eliminará lo siguiente de {days}:',
    'Google searches whose period includes other days are kept.':
      'Las búsquedas en Google que también abarcan otros días se conservan.',
    'Goals, funnels, notes and exclusions stay. Backups and exported files still have these days.':
      'Los objetivos, embudos, notas y exclusiones se conservan. Las copias de seguridad y los archivos exportados siguen teniendo estos días.',
    '{days} deleted.': 'Eliminado: {days}.',
    'Delete {count} days': { one: 'Eliminar {count} día', other: 'Eliminar {count} días' },
    '{count} days with visits': { one: '{count} día con visitas', other: '{count} días con visitas' },
    '{count} of them with only daily totals': {
      one: 'de ellos, {count} solo con totales diarios',
      other: 'de ellos, {count} solo con totales diarios',
    },
    '{count} imports as a whole': { one: '{count} importación completa', other: '{count} importaciones completas' },
    'a part of {count} imports': {
      one: 'una parte de {count} importación',
      other: 'una parte de {count} importaciones',
    },
    '{count} rows of searches on Google': {
      one: '{count} fila de búsquedas en Google',
      other: '{count} filas de búsquedas en Google',
    },
    '{count} requests of AI crawlers': {
      one: '{count} petición de rastreadores de IA',
      other: '{count} peticiones de rastreadores de IA',
    },
    '{count} hits that were not counted': { one: '{count} hit no contado', other: '{count} hits no contados' },
    'The site already has searches on {count} days of the file.': {
      one: 'El sitio ya tiene búsquedas de {count} día del archivo.',
      other: 'El sitio ya tiene búsquedas de {count} días del archivo.',
    },
    'The present searches of these days will be deleted permanently.':
      'Las búsquedas actuales de estos días se eliminarán definitivamente.',
    'Export the visits first': 'Exportar antes las visitas',
    'The site already has hits on {count} days of the file.': {
      one: 'El sitio ya tiene hits en {count} día del archivo.',
      other: 'El sitio ya tiene hits en {count} días del archivo.',
    },
    '{count} days': { one: '{count} día', other: '{count} días' },
    'Each alert is checked when a day is over.': 'Cada alerta se comprueba cuando termina un día.',
    'No custom alerts yet': 'Aún no hay alertas personalizadas',
    'For example, fewer than 10 visitors on a day.': 'Por ejemplo, menos de 10 visitantes en un día.',
    'You will get no more messages about this.': 'No recibirás más mensajes sobre esto.',
    'Add custom alert': 'Añadir alerta personalizada',
    'On a day': 'En un día',
    below: 'menos de',
    above: 'más de',
    'unusual for this weekday': 'inusual para ese día de la semana',
    'Only some visits': 'Solo algunas visitas',
    Metric: 'Métrica',
    'Custom alerts': 'Alertas personalizadas',
    'Effects of notes': 'Efectos de las notas',
    'An e-mail two weeks after a note, if you chose this for the note. It shows how your figures changed.':
      'Un correo dos semanas después de una nota, si lo elegiste para esa nota. Muestra cómo han cambiado tus cifras.',
    'Send a message two weeks later, with the changes of your figures':
      'Enviar un mensaje dos semanas después, con los cambios de tus cifras',
    'An e-mail after each day on which the condition of a custom alert was met.':
      'Un correo después de cada día en que se cumplió la condición de una alerta personalizada.',
    Notifications: 'Notificaciones',
    'Goals reached': 'Objetivos alcanzados',
    'Webhook URL': 'URL del webhook',
    'Add the workflow “Send webhook alerts to a channel”.':
      'Añade el flujo de trabajo «Send webhook alerts to a channel».',
    'Token of the bot': 'Token del bot',
    'You get it from @BotFather.': 'Te lo da @BotFather.',
    'ID of the chat': 'ID del chat',
    'The bot must be a member of the chat.': 'El bot debe ser miembro del chat.',
    Topic: 'Tema (topic)',
    'Choose one that nobody can guess. Everybody who knows it can read the messages.':
      'Elige uno que nadie pueda adivinar. Quien lo conozca puede leer los mensajes.',
    'Access token (optional)': 'Token de acceso (opcional)',
    'Server (optional)': 'Servidor (opcional)',
    'Token of the application': 'Token de la aplicación',
    Homeserver: 'Servidor base',
    'Access token': 'Token de acceso',
    'ID of the room': 'ID de la sala',
    Secret: 'Clave secreta',
    'At least 16 characters. Your program uses it to check the signature.':
      'Al menos 16 caracteres. Tu programa la usa para comprobar la firma.',
    'The stored settings are secret, so they are not shown. To replace them, enter all of them again.':
      'La configuración guardada es secreta y por eso no se muestra. Para sustituirla, introduce de nuevo todos los datos.',
    Messages: 'Mensajes',
    'Language of the messages': 'Idioma de los mensajes',
    'Notification channels': 'Canales de notificación',
    'Send reports and alerts to a chat, to your phone or to your own program.':
      'Envía informes y alertas a un chat, a tu teléfono o a tu propio programa.',
    'No notification channels yet': 'Aún no hay canales de notificación',
    'For example, Slack, Telegram or ntfy.': 'Por ejemplo, Slack, Telegram o ntfy.',
    'It will get no more messages.': 'No recibirá más mensajes.',
    'Add notification channel': 'Añadir canal de notificación',
    'Added. The list shows whether the test message arrived.':
      'Añadido. La lista muestra si llegó el mensaje de prueba.',
    paused: 'en pausa',
    'Send test': 'Enviar prueba',
    Pause: 'Pausar',
    Resume: 'Reanudar',
    'Failed on {time}: {reason}.': 'Falló el {time}: {reason}.',
    'Failed: {reason}.': 'Falló: {reason}.',
    'Last message accepted on {time}.': 'Último mensaje aceptado el {time}.',
    'No message was sent yet.': 'Aún no se ha enviado ningún mensaje.',
    'Weekly report': 'Informe semanal',
    'An e-mail every Monday with the figures of the previous week.':
      'Un correo cada lunes con las cifras de la semana anterior.',
    'Monthly report': 'Informe mensual',
    'An e-mail on the first of each month with the figures of the previous month.':
      'Un correo el día 1 de cada mes con las cifras del mes anterior.',
    'Traffic alert': 'Alerta de tráfico',
    'An e-mail when you get far more visitors than usual.': 'Un correo si tienes muchos más visitantes de lo habitual.',
    'No-traffic alert': 'Alerta de falta de tráfico',
    'An e-mail when hits stop, for example because the snippet is missing. You get another e-mail when hits arrive again.':
      'Un correo cuando dejan de llegar hits, por ejemplo porque falta el fragmento. Recibes otro cuando vuelven a llegar hits.',
    'Reports and alerts': 'Informes y alertas',
    'These e-mails go to everyone with access to this site. Each e-mail has a link to unsubscribe.':
      'Estos correos se envían a todas las personas con acceso a este sitio. Cada correo tiene un enlace para darse de baja.',
    'No mail server is set up, so this server sends no e-mails. The person who runs it can set {option}.':
      'Este servidor no envía correos porque no tiene servidor de correo. Su administrador puede configurar {option}.',
    'Count AI crawlers': 'Contar rastreadores de IA',
    'AI crawlers have their own report. They never count as visitors.':
      'Los rastreadores de IA tienen su propio informe. Nunca cuentan como visitantes.',
    'Main goal': 'Objetivo principal',
    'The conversion rate of the main goal is shown next to the visitors.':
      'La tasa de conversión del objetivo principal se muestra junto a los visitantes.',
    None: 'Ninguno',
    'Reports add up the revenue of your orders, for example by source, country and goal.':
      'Los informes suman los ingresos de tus pedidos, por ejemplo por fuente, país y objetivo.',
    'No revenue has arrived yet.': 'Aún no han llegado ingresos.',
    'Currency: {currency}': 'Moneda: {currency}',
    Currency: 'Moneda',
    'The first revenue sets the currency. You can also choose it now.':
      'Los primeros ingresos fijan la moneda. También puedes elegirla ahora.',
    'Amounts in other currencies are stored, but not added up.':
      'Los importes en otras monedas se guardan, pero no se suman.',
    'None yet': 'Aún ninguna',
    'Send revenue': 'Enviar ingresos',
    'To send revenue, call this function in the page that follows an order, with the amount of the order:':
      'Para enviar ingresos, llama a esta función en la página que sigue a un pedido, con el importe del pedido:',
    'the call that sends revenue': 'la llamada que envía ingresos',
    'The reports of this site use this time zone for days, weeks and months.':
      'Los informes de este sitio usan esta zona horaria para los días, las semanas y los meses.',
    'Applies from now on. Past days do not change.': 'Se aplica a partir de ahora. Los días pasados no cambian.',
    'A page or an event that you want visitors to reach. Past visits count too.':
      'Una página o un evento que quieres que alcancen los visitantes. Las visitas pasadas también cuentan.',
    'For example, the page after an order, or a sign-up event.':
      'Por ejemplo, la página tras un pedido o un evento de registro.',
    'Remove this goal? Your visits are kept.': '¿Quitar este objetivo? Las visitas se conservan.',
    'Goal changed to {goal}.': 'Objetivo cambiado a {goal}.',
    'Add goal': 'Añadir objetivo',
    Type: 'Tipo',
    'A funnel has two to eight steps. Visitors must take them in order, within one day. The report shows where visitors drop out.':
      'Un embudo tiene de dos a ocho pasos. Los visitantes deben darlos en orden y en un mismo día. El informe muestra dónde abandonan los visitantes.',
    'For example: price page, order form, thank-you page. See how many visitors complete all steps.':
      'Por ejemplo: precios, pedido, gracias. Mira cuántos visitantes completan todos los pasos.',
    'Remove this funnel? Your visits are kept.': '¿Quitar este embudo? Las visitas se conservan.',
    '{name} was changed.': 'Se ha cambiado: {name}.',
    'New funnel': 'Nuevo embudo',
    'Add funnel': 'Añadir embudo',
    Order: 'Pedido',
    Steps: 'Pasos',
    'Step {number}': 'Paso {number}',
    'Remove step {number}': 'Quitar el paso {number}',
    'Move step {number} up': 'Subir el paso {number}',
    'Move step {number} down': 'Bajar el paso {number}',
    'Add a property': 'Añadir una propiedad',
    'Scrolled to (%)': 'Desplazamiento hasta (%)',
    'Only if visitors must see this much of the page.': 'Solo si el visitante debe ver esa parte de la página.',
    'Remove the property': 'Quitar la propiedad',
    'An asterisk stands for any text, as in pro*.': 'Un asterisco sustituye a cualquier texto, como en pro*.',
    'Add a step': 'Añadir un paso',
    Notes: 'Notas',
    'The chart shows notes to everyone with access to this site.':
      'El gráfico muestra las notas a todas las personas con acceso a este sitio.',
    'No notes yet': 'Aún no hay notas',
    'Write down what may explain a change: a release, a newsletter, a talk.':
      'Anota lo que pueda explicar un cambio: una versión nueva, un boletín, una charla.',
    'Remove this note permanently?': '¿Quitar esta nota definitivamente?',
    'Day ({zone})': 'Día ({zone})',
    'What happened': 'Qué pasó',
    'Note changed.': 'Nota modificada.',
    'URL (optional)': 'URL (opcional)',
    'New homepage': 'Nueva página de inicio',
    'Share link': 'Enlace para compartir',
    'Anyone with the link can see the reports': 'Cualquiera con el enlace puede ver los informes',
    'The link shows all reports of this site, with goals, funnels, notes and imported searches on Google. People with the link cannot see settings or your other sites, and cannot change anything.':
      'El enlace muestra todos los informes de este sitio, con objetivos, embudos, notas y búsquedas en Google importadas. Con el enlace no se ven los ajustes ni tus otros sitios, y no se puede cambiar nada.',
    'the share link': 'el enlace para compartir',
    'People with this link will no longer see anything.': 'Las personas con este enlace ya no verán nada.',
    'More share links': 'Más enlaces para compartir',
    'No more links yet': 'Aún no hay más enlaces',
    'Add a link for each group of people, such as an agency.':
      'Añade un enlace para cada grupo de personas, como una agencia.',
    'Add link': 'Añadir enlace',
    'People with the link do not see it.': 'Las personas con el enlace no lo ven.',
    Shows: 'Muestra',
    'All reports': 'Todos los informes',
    'It needs at least 10 characters.': 'Necesita al menos 10 caracteres.',
    'New password (optional)': 'Nueva contraseña (opcional)',
    'Remove the password': 'Quitar la contraseña',
    'Websites that may embed the link (optional)': 'Sitios web que pueden incrustar el enlace (opcional)',
    'One per line, such as https://www.example.com. A link with a password cannot be embedded.':
      'Uno por línea, por ejemplo https://www.example.com. Un enlace con contraseña no se puede incrustar.',
    '{websites} may embed this link, with this code:': 'Incrustación permitida en {websites}, con este código:',
    'the embed code of {name}': 'el código para incrustar {name}',
    'Password (optional)': 'Contraseña (opcional)',
    'Last day (optional)': 'Último día (opcional)',
    'with a password': 'con contraseña',
    'ended on {time}': 'terminó el {time}',
    'ends on {time}': 'termina el {time}',
    'the link {name}': 'el enlace {name}',
    'Each link can show only a saved view, ask for a password, and expire on a day that you choose.':
      'Cada enlace puede mostrar solo una vista guardada, pedir una contraseña y caducar en la fecha que elijas.',
    'Create a new share link': 'Crear otro enlace',
    'The current link will stop working, including on pages that embed it.':
      'El enlace actual dejará de funcionar, también en las páginas que lo incrustan.',
    Badge: 'Insignia',
    'Visitors on {domain} now': 'Visitantes en {domain} ahora',
    JSON: 'JSON',
    'Public live counter': 'Contador público en tiempo real',
    'Everyone can see the number of current visitors': 'Cualquiera puede ver el número de visitantes actuales',
    'Only the number of visitors in the last five minutes is public.':
      'Solo es público el número de visitantes de los últimos cinco minutos.',
    'A badge for your page or README:': 'Una insignia para tu página o README:',
    'the badge': 'la insignia',
    Embedding: 'Incrustación',
    'Only the websites in this list can embed the shared reports.':
      'Solo los sitios web de esta lista pueden incrustar los informes compartidos.',
    Website: 'Sitio web',
    'Allowed websites': 'Sitios web permitidos',
    'No allowed websites yet': 'Aún no hay sitios web permitidos',
    'Add the website that should show these reports.': 'Añade el sitio web que debe mostrar estos informes.',
    'Pages on this website will show an empty frame instead of the reports.':
      'Las páginas de este sitio web mostrarán un marco vacío en lugar de los informes.',
    'Statistics of {domain}': 'Estadísticas de {domain}',
    Allow: 'Permitir',
    'Allowed.': 'Permitido.',
    'Paste this where the reports should appear:': 'Pega esto donde deban aparecer los informes:',
    'the embed code': 'el código de inserción',
    'Site domain': 'Dominio del sitio',
    'Moved to another domain? Rename the site here. Its statistics stay.':
      '¿Has cambiado de dominio? Renombra el sitio aquí. Sus estadísticas se conservan.',
    'Rename to {domain}': 'Renombrar como {domain}',
    'If you rename {from} to {to}:': 'Si cambias el nombre de {from} a {to}:',
    'All statistics stay. Reports and settings get a new URL. Links with the old name stop working.':
      'Se conservan todas las estadísticas. Los informes y ajustes tendrán una URL nueva. Los enlaces con el nombre antiguo dejarán de funcionar.',
    'the new snippet': 'el nuevo fragmento',
    'Your pages need the new snippet. The old one counts until {day}, on both domains.':
      'Tus páginas necesitan el nuevo fragmento. El antiguo cuenta hasta el {day}, en ambos dominios.',
    'Until {day}, nobody else can use {from}. You can rename the site back.':
      'Hasta el {day} nadie más puede usar {from}. Puedes volver al nombre anterior.',
    'By hand, you change the name in API programs, in the URL of the public counter, and in commands.':
      'A mano, cambia el nombre en los programas que usan la API, en la URL del contador público y en los comandos.',
    'By hand, you change the name in API programs and in commands.':
      'A mano, cambia el nombre en los programas que usan la API y en los comandos.',
    '{count} share links keep their URLs.': {
      one: '{count} enlace para compartir conserva su URL.',
      other: '{count} enlaces para compartir conservan sus URL.',
    },
    '{count} receipts keep the name {from}. New ones get the new name.': {
      one: '{count} recibo conserva el nombre {from}. Los nuevos tendrán el nuevo nombre.',
      other: '{count} recibos conservan el nombre {from}. Los nuevos tendrán el nuevo nombre.',
    },
    'Delete this site': 'Eliminar este sitio',
    'Only the owner of the site can delete it.': 'Solo el propietario del sitio puede eliminarlo.',
    'This permanently deletes all visits, goals, funnels and notes of the site. The pages can keep the snippet, but their visits are no longer counted.':
      'Esto elimina definitivamente todas sus visitas, objetivos, embudos y notas. Sus páginas pueden conservar el fragmento, pero daybook ya no contará nada.',
    'Type {domain} to confirm': 'Escribe {domain} para confirmar',
    'Delete {domain}': 'Eliminar {domain}',
    Blocks: 'Bloqueos',
    'Leave my visits out': 'No contar mis visitas',
    'Hits from your present IP address are not counted. Only a hash of the IP address is stored. If your IP address changes, switch this on again.':
      'Los hits desde tu dirección IP actual no se cuentan. Solo se guarda un hash de la dirección IP. Si tu dirección IP cambia, vuelve a activarlo.',
    'From now on, hits that match a block are not counted. Past hits stay.':
      'A partir de ahora no se cuentan los hits que coincidan con un bloqueo. Los hits anteriores se conservan.',
    'No blocks yet': 'Todavía no hay bloqueos',
    'Block an IP address, a country, a host name, a page, a source or a user agent.':
      'Bloquea una dirección IP, un país, un nombre de host, una página, una fuente o un user-agent.',
    'Its hits will be counted again.': 'Estos hits se volverán a contar.',
    Block: 'Bloquear',
    'Blocked.': 'Bloqueado.',
    Kind: 'Tipo',
    'IP address': 'Dirección IP',
    'User agent': 'User-agent',
    'A star stands for any characters, as in /internal/*. A country is two letters, as in DE.':
      'Un asterisco equivale a cualquier carácter, como /internal/*. Un país tiene dos letras, como DE.',
    'Note (optional)': 'Nota (opcional)',
    'an IP address': 'una dirección IP',
    'your IP address': 'tu dirección IP',
    'Your visits': 'Tus visitas',
    '{count} hits dropped in the last 30 days': {
      one: '{count} hit descartado en los últimos 30 días',
      other: '{count} hits descartados en los últimos 30 días',
    },
  },

  // The snippet and its options, the check whether hits arrive, and the settings for what is stored of a hit.
  snippet: {
    Snippet: 'Fragmento de código',
    'Paste this into every page of {domain}. daybook then counts its visits.':
      'Pega esto en todas las páginas de {domain}. daybook contará entonces sus visitas.',
    'the snippet': 'el fragmento',
    Speed: 'Velocidad',
    'Measure how fast pages are': 'Medir la velocidad de las páginas',
    'A second script measures web vitals. To use it, paste the second line of the snippet into your pages too.':
      'Un segundo script mide las Web Vitals. Para usarlo, pega también la segunda línea del fragmento en tus páginas.',
    'Paste this line below the first one. It measures how fast your pages are.':
      'Pega esta línea debajo de la primera. Mide la velocidad de tus páginas.',
    'the second snippet': 'el segundo fragmento',
    Options: 'Opciones',
    'Outbound links': 'Enlaces salientes',
    'Counts clicks on links to other websites as events named Outbound link.':
      'Cuenta los clics en enlaces a otros sitios web como eventos llamados Outbound link.',
    Downloads: 'Descargas',
    'Counts clicks on files as events named Download.': 'Cuenta los clics en archivos como eventos llamados Download.',
    'URLs with #': 'URL con #',
    'For apps that change only the part of the URL after #/ or #!.':
      'Para aplicaciones que solo cambian la parte de la URL tras #/ o #!.',
    'Respect Do Not Track': 'Respetar Do Not Track',
    'Ignores visitors that send Do Not Track or Global Privacy Control.':
      'Ignora a los visitantes que envían Do Not Track o Global Privacy Control.',
    'Automated browsers': 'Navegadores automatizados',
    'Counts browsers that a program controls. Use it for tests.':
      'Cuenta los navegadores que controla un programa. Para pruebas.',
    'Options change the snippet above. Copy it again and replace the old one.':
      'Las opciones cambian el fragmento de arriba. Cópialo otra vez y sustituye el anterior.',
    '{origin} works only on this machine. Start daybook with {option} and its public URL first.':
      '{origin} solo funciona en esta máquina. Primero inicia daybook con {option} y su URL pública.',
    'Count 404 pages': 'Contar páginas 404',
    'On your 404 page, use this snippet instead. It counts an event named 404 with the path.':
      'En tu página 404, usa este fragmento en su lugar. Cuenta un evento llamado 404 con la ruta.',
    'the snippet for the 404 page': 'el fragmento para la página 404',
    'Where to paste it': 'Dónde pegarlo',
    'Static HTML': 'HTML estático',
    'Paste the snippet into the head of each page, before </head>.':
      'Pega el fragmento en la cabecera de cada página, antes de </head>.',
    'Hugo, Jekyll, Astro, Eleventy': 'Hugo, Jekyll, Astro, Eleventy',
    'Paste the snippet into the layout that all pages share, such as layouts/partials/head.html, _includes/head.html or src/layouts/.':
      'Pega el fragmento en la plantilla que comparten todas las páginas, como layouts/partials/head.html, _includes/head.html o src/layouts/.',
    WordPress: 'WordPress',
    'Install the plugin from the folder integrations/wordpress of daybook. Or paste the snippet into header.php of your theme, before </head>.':
      'Instala el plugin de la carpeta integrations/wordpress de daybook. O pega el fragmento en header.php de tu tema, antes de </head>.',
    'Next.js, Nuxt, SvelteKit, React, Vue': 'Next.js, Nuxt, SvelteKit, React, Vue',
    'Paste the snippet into the root layout or index.html. Page changes within the app are counted automatically.':
      'Pega el fragmento en la plantilla raíz o en index.html. Los cambios de página dentro de la aplicación se cuentan automáticamente.',
    'Ghost, Shopify, Squarespace, Webflow, Wix': 'Ghost, Shopify, Squarespace, Webflow, Wix',
    'Paste the snippet into the setting for custom code or code injection, for the header of all pages.':
      'Pega el fragmento en el ajuste de inyección de código o código personalizado, para la cabecera de todas las páginas.',
    'If scripts are not allowed, use this image. It counts a pageview of the page in its URL:':
      'Si no se permiten scripts, esta imagen cuenta una página vista de la página de su URL:',
    'the image': 'la imagen',
    'Docusaurus, VitePress': 'Docusaurus, VitePress',
    'Add the script to the configuration: to scripts in docusaurus.config.js, or to head in .vitepress/config.':
      'Añade el script a la configuración: en scripts de docusaurus.config.js, o en head de .vitepress/config.',
    '{file} has the exact steps for each of these programs.':
      '{file} contiene los pasos exactos para cada uno de estos programas.',
    'In Google Tag Manager, add a Custom HTML tag with this code. Tag Manager would change the snippet.':
      'En Google Tag Manager, añade una etiqueta HTML personalizada con este código. Tag Manager cambiaría el fragmento.',
    'the code for Google Tag Manager': 'el código para Google Tag Manager',
    'Serve it from your own domain': 'Cargarlo desde tu propio dominio',
    'Content blockers may stop scripts of other hosts, and scripts with known names. These steps help:':
      'Los bloqueadores de contenido pueden detener scripts de otros hosts y scripts con nombres conocidos. Estos pasos ayudan:',
    'Give the script a name of its own: start daybook with this option. Snippets with the old name still work.':
      'Dale al script un nombre propio: inicia daybook con esta opción. Los fragmentos con el nombre anterior siguen funcionando.',
    'the option': 'la opción',
    'The script already has a name of its own: {path}.': 'El script ya tiene un nombre propio: {path}.',
    'Set up your web server so that it forwards all paths that begin with {start} to daybook. {file} shows how for nginx, Caddy, Next.js and more.':
      'Configura tu servidor web para que reenvíe a daybook todas las rutas que empiezan por {start}. {file} explica cómo hacerlo con nginx, Caddy, Next.js y otros.',
    'Then paste this into your pages instead:': 'Después, pega esto en tus páginas en su lugar:',
    'the snippet for your own domain': 'el fragmento para tu propio dominio',
    'Installation check': 'Comprobación de la instalación',
    'The snippet works: {count} visitors in the last five minutes.': {
      one: 'El fragmento funciona: {count} visitante en los últimos cinco minutos.',
      other: 'El fragmento funciona: {count} visitantes en los últimos cinco minutos.',
    },
    'Waiting for a hit. Open {domain} in another tab. The hit appears here within seconds.':
      'Esperando un hit. Abre {domain} en otra pestaña. El hit aparece aquí en unos segundos.',
    'The snippet works: {count} visitors in the last 30 days.': {
      one: 'El fragmento funciona: {count} visitante en los últimos 30 días.',
      other: 'El fragmento funciona: {count} visitantes en los últimos 30 días.',
    },
    'See your reports': 'Ver tus informes',
    'Wait for the next hit': 'Esperar el próximo hit',
    'Not counted today: {hits}': 'Sin contar hoy: {hits}',
    Reason: 'Motivo',
    'Since the last server start, no page with this snippet has sent a request.':
      'Desde el último inicio del servidor, ninguna página con este fragmento ha enviado peticiones.',
    'Last request: {time}. It was counted.': 'Última petición: {time}. Se contó.',
    'Last request: {time}. It was not counted. Reason: {name}. {why}':
      'Última petición: {time}. No se contó. Motivo: {name}. {why}',
    'A page on {host} uses this snippet. This host is not {domain} or one of its subdomains.':
      'Una página en {host} usa este fragmento. Ese host no es {domain} ni uno de sus subdominios.',
    'No hits?': '¿No llegan hits?',
    'An ad blocker in your browser may block the script. Try a browser without one.':
      'Un bloqueador de anuncios de tu navegador puede bloquear el script. Prueba con un navegador sin bloqueador.',
    'The page must be on {domain} or one of its subdomains. Hits from other hosts are not counted.':
      'La página debe estar en {domain} o en uno de sus subdominios. Los hits de otros hosts no se cuentan.',
    'A cache or CDN may still serve old pages without the snippet. Search for data-site in the source of a page.':
      'Una caché o una CDN puede seguir sirviendo páginas antiguas sin el fragmento. Busca data-site en el código fuente de una página.',
    'If your pages send a Content-Security-Policy, script-src and connect-src must allow {origin}.':
      'Si tus páginas envían una Content-Security-Policy, script-src y connect-src deben permitir {origin}.',
    'If you opened the site with #daybook-off, this browser is not counted. Open it with #daybook-on to count it again.':
      'Si abriste el sitio con #daybook-off, este navegador no se cuenta. Ábrelo con #daybook-on para volver a contarlo.',
    'Page parameters': 'Parámetros de página',
    'Use this for websites whose query string says which page is shown, such as /?p=1. The listed parameters are kept in the URL of the page. All others are removed.':
      'Úsalo en sitios que indican la página en los parámetros de la URL, como /?p=1. Estos parámetros forman parte de la página. Todos los demás se eliminan.',
    'One name per line, for example p for WordPress, t for phpBB or title for MediaWiki. Leave the field empty if your URLs have no such parameters.':
      'Un nombre por línea, por ejemplo p para WordPress, t para phpBB o title para MediaWiki. Deja el campo vacío si tus URL no tienen parámetros así.',
    Parameters: 'Parámetros',
    'Try a URL': 'Probar una URL',
    'Stored as {page}': 'Se guarda como {page}',
    'Saved. Now replace the snippet in your pages with the one under General.':
      'Guardado. Ahora sustituye el fragmento de tus páginas por el nuevo, en «General».',
    'Stored dimensions': 'Dimensiones guardadas',
    'Dimensions that you switch off are not stored from now on, and their tabs are hidden. Visits that are already stored do not change.':
      'Las dimensiones que desactivas dejan de guardarse, y sus pestañas se ocultan. Las visitas ya guardadas no cambian.',
    'Dimensions of a visit': 'Dimensiones de una visita',
    'Regions and cities': 'Regiones y ciudades',
    'Store regions and cities': 'Guardar regiones y ciudades',
    'The server looks up regions and cities by IP address, and does not store the IP address. On a small site, a city may point to a single person. The person who runs this server must set --geoip to a city database.':
      'El servidor determina las regiones y ciudades a partir de la dirección IP, y no guarda la dirección IP. En un sitio pequeño, una ciudad puede señalar a una sola persona. La persona que administra este servidor debe indicar una base de datos de ciudades con --geoip.',
    'Private data in paths': 'Partes privadas de las rutas',
    'Parts of a path that match a pattern, such as customer numbers, are stored as :id. E-mail addresses are always stored as :id.':
      'Las partes de una ruta que coinciden con un patrón, por ejemplo números de cliente, se guardan como :id. Las direcciones de correo se guardan siempre como :id.',
    'One pattern per line. users/* hides the part after users anywhere in the path. /users/* hides it only at the start of the path. You can also use {number}, {uuid} or {token} (a long random text) instead of *.':
      'Un patrón por línea. users/* oculta la parte después de users en cualquier lugar de la ruta. /users/* la oculta solo al principio de la ruta. En lugar de * también puedes usar {number}, {uuid} o {token} (un texto largo y aleatorio).',
    Patterns: 'Patrones',
    'Saved. This applies to new hits.': 'Guardado. Se aplica a los nuevos hits.',
    'replaces {examples}': 'sustituye a {examples}',
    'replaces {examples} and {count} more': {
      one: 'sustituye a {examples} y {count} más',
      other: 'sustituye a {examples} y {count} más',
    },
    'A goal or funnel step uses {value}, which will be stored as {becomes}. Update it, or it will never match.':
      'Un objetivo o paso de embudo usa {value}, que se guardará como {becomes}. Actualízalo o nunca coincidirá.',
    'Add this snippet to every page of {domain}': 'Añade este fragmento a todas las páginas de {domain}',
    'Paste this line into your pages, anywhere before {head}. Then open one of the pages.':
      'Pega esta línea en tus páginas, en cualquier lugar antes de {head}. Luego abre una de las páginas.',
    'The snippet works. Your first visit was counted.': 'El fragmento funciona. Se ha contado la primera visita.',
    'Waiting for the first visit …': 'Esperando la primera visita…',
    'To import visits from another product, run {command} on the server.':
      'Para importar visitas de otro producto, ejecuta {command} en el servidor.',
  },

  // Settings of an account: sign-in, sessions, team, tokens, plan and the list of changes.
  account: {
    'You sign in with this e-mail address. Reports and alerts go there too.':
      'Inicias sesión con esta dirección de correo. Los informes y alertas también llegan ahí.',
    'A new password signs you out everywhere else. You can also revoke your access tokens.':
      'Una contraseña nueva cierra tus demás sesiones. También puedes revocar tus tokens de acceso.',
    'With two-factor authentication, you also need a code from your phone to sign in.':
      'Con la autenticación de dos factores, al iniciar sesión también se pide un código de tu teléfono.',
    'Two-factor authentication is on.': 'La autenticación de dos factores está activada.',
    'Two-factor authentication is off.': 'La autenticación de dos factores está desactivada.',
    'Manage two-factor authentication': 'Gestionar la autenticación de dos factores',
    'Your sessions': 'Tus sesiones',
    Sessions: 'Sesiones',
    'No sessions': 'Ninguna sesión',
    'When you sign in with a browser, it appears here.': 'Cuando inicias sesión con un navegador, aparece aquí.',
    'You will need to sign in again in this browser.': 'Tendrás que volver a iniciar sesión en este navegador.',
    'this browser': 'este navegador',
    'Signed in {from} · last used {time}': 'Inicio de sesión: {from} · último uso: {time}',
    'Sign out everywhere else': 'Cerrar las demás sesiones',
    'You will need to sign in again in all other browsers.':
      'Tendrás que volver a iniciar sesión en los demás navegadores.',
    People: 'Personas',
    'These people can see your sites.': 'Estas personas pueden ver tus sitios.',
    'These people can see your sites. Seats used in your plan: {taken} of {limit}.':
      'Estas personas pueden ver tus sitios. Plazas usadas de tu plan: {taken} de {limit}.',
    'No team members yet': 'Aún no hay miembros en el equipo',
    'Your plan does not include a team.': 'Tu plan no incluye un equipo.',
    'Invite people to give them access to your sites.': 'Invita a personas para darles acceso a tus sitios.',
    'This person will lose access to your sites.': 'Esta persona perderá el acceso a tus sitios.',
    'The invitation link will stop working.': 'El enlace de invitación dejará de funcionar.',
    'New invitation': 'Nueva invitación',
    'Viewers can see all reports. Managers can also change settings, goals, funnels and notes. A manager of all sites can add sites too.':
      'Los lectores ven todos los informes. Los gestores también pueden cambiar ajustes, objetivos, embudos y notas. Un gestor de todos los sitios también puede añadir sitios.',
    'All sites, and sites added later': 'Todos los sitios, también los futuros',
    'Some sites': 'Algunos sitios',
    'This person can see': 'Esta persona ve',
    'No sites': 'Ningún sitio',
    Viewer: 'Lector',
    Manager: 'Gestor',
    'The invitation': 'La invitación',
    'the invitation': 'la invitación',
    'The invitation for {email}': 'La invitación para {email}',
    '{invitation} works once, within five days. It is shown only once.':
      '{invitation} funciona una sola vez y caduca en cinco días. Solo se muestra ahora.',
    'The invitation is also sent by e-mail. With the link from this page, the invited person also needs a code. daybook sends the code to their e-mail address.':
      'La invitación también se envía por correo. El enlace de esta página requiere además un código. daybook lo envía a esa dirección de correo.',
    'This server does not send e-mails. Send the link yourself.': 'Este servidor no envía correos. Envía tú el enlace.',
    Invite: 'Invitar',
    'Invitation created. Copy the link above.': 'Invitación creada. Copia el enlace de arriba.',
    'E-mail address': 'Dirección de correo',
    Role: 'Rol',
    'Role of {email}': 'Rol de {email}',
    invited: 'invitado',
    'Invited {day}': 'Invitado el {day}',
    'Since {day}': 'Desde el {day}',
    'Renew link': 'Renovar enlace',
    'Renew link for {email}': 'Renovar enlace de {email}',
    'Your teams': 'Tus equipos',
    'No teams yet': 'Aún no hay equipos',
    'If you join a team, its sites appear next to yours.':
      'Si te unes a un equipo, sus sitios aparecen junto a los tuyos.',
    'Access tokens': 'Tokens de acceso',
    'Tokens let programs use the API on your behalf.':
      'Los tokens permiten que los programas usen la API en tu nombre.',
    'No tokens yet': 'Aún no hay tokens',
    'Create one to get reports in a script, or to send hits from a server.':
      'Crea uno para obtener informes en un script o para enviar hits desde un servidor.',
    Revoke: 'Revocar',
    'Programs that use this token will stop working.': 'Los programas que usan este token dejarán de funcionar.',
    'Created {day} · never used': 'Creado el {day} · nunca usado',
    'Created {day} · last used {time}': 'Creado el {day} · último uso el {time}',
    'New token': 'Nuevo token',
    'Create token': 'Crear token',
    'Token created. Copy it now.': 'Token creado. Cópialo ahora.',
    'Backup script': 'Script de copia de seguridad',
    'A name helps you recognise it later.': 'Un nombre te ayuda a reconocerlo después.',
    Permissions: 'Permisos',
    Read: 'Leer',
    read: 'leer',
    'Read reports and settings.': 'Leer informes y ajustes.',
    Write: 'Escribir',
    write: 'escribir',
    'Change settings, sites and goals that you may change yourself. Includes all other permissions.':
      'Cambiar los ajustes, sitios y objetivos que tú puedes cambiar. Incluye todos los demás permisos.',
    Collect: 'Recopilar',
    collect: 'recopilar',
    'Send hits and AI crawler requests from a server.':
      'Enviar hits y peticiones de rastreadores de IA desde un servidor.',
    'Add notes': 'Añadir notas',
    note: 'notas',
    'Add notes to the chart, for example from a deploy.': 'Añadir notas al gráfico, por ejemplo en un despliegue.',
    'Your new token': 'Tu nuevo token',
    'Copy this token now.': 'Copia este token ahora.',
    'You cannot see this token again later.': 'No podrás volver a ver este token.',
    'the token': 'el token',
    'Try it with this command:': 'Pruébalo con este comando:',
    'the command': 'el comando',
    Plan: 'Plan',
    'Your plan: {plan}': 'Tu plan: {plan}',
    'You have no plan, so you cannot see reports. daybook still counts hits.':
      'No tienes plan, así que no puedes ver informes. daybook sigue contando los hits.',
    'People in your team': 'Personas en tu equipo',
    'Funnels per site': 'Embudos por sitio',
    Limits: 'Límites',
    'no limit': 'sin límite',
    'Pageviews and events this month: {used}. There is no limit.':
      'Páginas vistas y eventos este mes: {used}. No hay límite.',
    'Pageviews and events this month: {used} of {included} ({share}).':
      'Páginas vistas y eventos este mes: {used} de {included} ({share}).',
    'Pageviews and events used': 'Páginas vistas y eventos usados',
    'You are over the limit of your plan. daybook still counts hits. You can see reports again next month.':
      'Has superado el límite de tu plan. daybook sigue contando los hits. Volverás a ver los informes el mes que viene.',
    Changes: 'Cambios',
    'Changes by people, tokens and commands in your account and on your sites. They are kept for 400 days.':
      'Lo que personas, tokens y comandos han cambiado en tu cuenta y en tus sitios, durante 400 días.',
    'No changes yet': 'Todavía no hay cambios',
    'When somebody changes a setting, it appears here.': 'Cuando alguien cambia un ajuste, aparece aquí.',
    'Show older changes': 'Mostrar cambios más antiguos',
    'Added: {what}': 'Añadido: {what}',
    'Changed: {what}': 'Cambiado: {what}',
    'Removed: {what}': 'Eliminado: {what}',
    'Command: {what}': 'Comando: {what}',
    'site {name}': 'sitio {name}',
    'goal {name}': 'objetivo {name}',
    'funnel {name}': 'embudo {name}',
    'note {name}': 'nota {name}',
    'exclusion from {name}': 'exclusión desde {name}',
    'suggestions for {name}, dismissed': 'sugerencias para {name}, descartadas',
    'saved view {name}': 'vista guardada {name}',
    'frame on {name}': 'inserción en {name}',
    'team member {name}': 'miembro del equipo {name}',
    'token {name}': 'token {name}',
    'session in {name}': 'sesión en {name}',
    'language of the dashboard': 'idioma del panel',
    'the password': 'contraseña',
    'e-mail address, now {name}': 'correo electrónico, ahora {name}',
    'second factor {name}': 'segundo factor {name}',
    'recovery codes': 'códigos de recuperación',
    'in {name}': 'en {name}',
    'with the token {name}': 'con el token {name}',
    'on a page of the account': 'en una página de la cuenta',
    'in the terminal of the server': 'en el terminal del servidor',
    'as a guest': 'como invitado',
    'block of {name}': 'bloqueo de {name}',
    'deletion of {name}': 'eliminación de {name}',
    'import {name}': 'importación {name}',
    'custom alert {name}': 'alerta personalizada {name}',
    'notification channel {name}': 'canal de notificación {name}',
    'share link {name}': 'enlace para compartir {name}',
  },

  // The page about the server, which only the operator sees.
  server: {
    Server: 'Servidor',
    'Server: nothing needs attention': 'Servidor: todo en orden',
    'Server: {count} things need attention': {
      one: 'Servidor: {count} punto requiere atención',
      other: 'Servidor: {count} puntos requieren atención',
    },
    OK: 'OK',
    'Needs attention': 'Requiere atención',
    'How to fix it:': 'Cómo solucionarlo:',
    'Your request': 'Tu petición',
    Version: 'Versión',
    Clock: 'Reloj',
    'Mail server': 'Servidor de correo',
    Disk: 'Disco',
    Cluster: 'Clúster',
    Collectors: 'Recolectores',
    'Daily limit': 'Límite diario',
    'Past days': 'Días pasados',
    'Background jobs': 'Tareas en segundo plano',
    Backups: 'Copias de seguridad',
    'Proof of forgetting': 'Prueba de olvido',
    'Parquet files': 'Archivos Parquet',
    'Restore test': 'Prueba de restauración',
    'Monthly verification': 'Verificación mensual',
    'Full verification': 'Verificación completa',
    'Country database': 'Base de datos de países',
    'You see the result of daybook doctor, and how your own request arrived.':
      'Aquí ves el resultado de daybook doctor y cómo llegó tu propia petición.',
    Refresh: 'Actualizar',
    'Checking …': 'Comprobando…',
    'Checking again': 'Comprobando de nuevo',
    'How your request arrived': 'Cómo llegó tu petición',
    'daybook tells visitors apart by IP address. A proxy in front of the server must pass on this IP address.':
      'daybook distingue a los visitantes por su dirección IP. Un proxy situado delante debe transmitirla.',
    'Sender IP address': 'Dirección IP del remitente',
    'Visitor IP address': 'Dirección IP del visitante',
    'X-Forwarded-For trusted': 'X-Forwarded-For de confianza',
    no: 'no',
    'Proxy headers': 'Cabeceras de proxy',
    'none received': 'ninguna recibida',
    Webhook: 'Webhook',
    Servers: 'Servidores',
    'daybook stores all hits on these ClickHouse servers.':
      'daybook guarda todos los hits en estos servidores ClickHouse.',
    'Waiting hits': 'Hits en espera',
    'Hits wait in an outbox until all servers have them.':
      'Los hits esperan en una bandeja de salida hasta que todos los servidores los tengan.',
    'Copies of open days': 'Copias de los días abiertos',
    'daybook answers queries of these days from a local copy, without ClickHouse.':
      'daybook responde a las consultas de estos días desde una copia local, sin ClickHouse.',
    'Being filled': 'Rellenándose',
    'Not in use': 'Sin usar',
    'Does not answer': 'No responde',
    Behind: 'Con retraso',
    'Behind by': 'Retraso',
    '{free} of {total} free': '{free} libres de {total}',
    Memory: 'Memoria',
    '{used} of {limit} used': '{used} usados de {limit}',
    Parts: 'Partes de datos',
    Deletions: 'Eliminaciones',
    '{waiting} waiting': '{waiting} en espera',
    '{waiting} waiting, {failed} failing': '{waiting} en espera, {failed} con errores',
    'Concurrent queries': 'Consultas simultáneas',
    'Shard {shard}, replica {replica}': 'Shard {shard}, réplica {replica}',
    'Not known to this server': 'Desconocido para este servidor',
    'Being retired': 'Retirándose',
    'Disk is full': 'El disco está lleno',
    'Time is unknown': 'La hora es desconocida',
    'Not started yet': 'Aún no iniciado',
    'Accepts hits': 'Acepta hits',
    'This server': 'Este servidor',
    'Oldest waiting hit': 'Hit en espera más antiguo',
    'Size of the outbox': 'Tamaño de la bandeja de salida',
    'Last contact': 'Último contacto',
    Current: 'Al día',
    'Being copied': 'Copiándose',
    'Too large to copy': 'Demasiado grande para copiarse',
    'No copies': 'No hay copias',
    'A copy is made when somebody opens a report of today.': 'Se crea una copia cuando alguien abre un informe de hoy.',
    'Copied rows': 'Filas copiadas',
  },

  // Pages without scripts: sign-in, confirming the password, a forgotten password.
  signingIn: {
    'Sign in': 'Iniciar sesión',
    Back: 'Volver',
    'Account: {email}.': 'Cuenta: {email}.',
    'This connection is not encrypted (no https). Others on the network can read your password.':
      'Esta conexión no está cifrada (sin https). Otras personas de la red pueden leer tu contraseña.',
    'Sign in with {name}': 'Iniciar sesión con {name}',
    'Forgot your password?': '¿Has olvidado tu contraseña?',
    'Use a passkey': 'Usar una clave de acceso',
    'The passkey could not be used. Sign in another way.':
      'No se ha podido usar la clave de acceso. Inicia sesión de otra forma.',
    'One more step': 'Un paso más',
    'Enter six digits from your authenticator app, or a recovery code.':
      'Escribe seis dígitos de tu aplicación de autenticación o un código de recuperación.',
    'No phone? Use a recovery code. No recovery codes? Ask the person who runs this server to turn off two-factor authentication for you.':
      '¿Sin teléfono? Usa un código de recuperación. ¿Tampoco tienes códigos? Pide a la persona que administra este servidor que desactive tu autenticación de dos factores.',
    'Confirm your identity': 'Confirma tu identidad',
    'Account: {email}. Enter your password or a code.': 'Cuenta: {email}. Escribe tu contraseña o un código.',
    'Account: {email}. Enter your password again.': 'Cuenta: {email}. Vuelve a escribir tu contraseña.',
    'Reset your password': 'Restablece tu contraseña',
    'This server does not send e-mails. Ask the person who runs it to create a link for you at the terminal:':
      'Este servidor no envía correos. Pide a la persona que lo administra que te cree un enlace en la terminal:',
    'Check your e-mail': 'Revisa tu correo',
    'If {email} has an account here, you will get a link. It can be used once, and expires after an hour.':
      'Si {email} tiene una cuenta aquí, recibirás un enlace. Funciona una sola vez y caduca en una hora.',
    'At least 10 characters.': 'Al menos 10 caracteres.',
    'Set your password': 'Crea tu contraseña',
    'Set password': 'Crear contraseña',
    'You will be signed out on all other devices ({sessions}).':
      'Se cerrará tu sesión en todos los demás dispositivos ({sessions}).',
    'Your access tokens will be revoked ({tokens}). Your programs then need new tokens.':
      'Se revocarán tus tokens de acceso ({tokens}). Tus programas necesitarán tokens nuevos.',
    'You will be signed out on all other devices ({sessions}). Your access tokens will be revoked ({tokens}). Your programs will then need new ones.':
      'Se cerrará tu sesión en todos los demás dispositivos ({sessions}). Se revocarán tus tokens de acceso ({tokens}) y tus programas necesitarán tokens nuevos.',
    '{count} sessions': { one: '{count} sesión', other: '{count} sesiones' },
    '{count} tokens': { one: '{count} token', other: '{count} tokens' },
    'This link does not work': 'Este enlace no funciona',
    'Each link works once, and expires after a day at the latest. Request a new one on the sign-in page, or ask the person who runs this server.':
      'Cada enlace funciona una sola vez y caduca en un día como máximo. Pide otro en la página de inicio de sesión o a la persona que administra este servidor.',
  },

  // Pages without scripts: accepting an invitation, setting up a server.
  joining: {
    'Set up this server': 'Configurar este servidor',
    'You are the first user of this server. The sites you add are yours, and you can invite others.':
      'Eres el primer usuario de este servidor. Los sitios que añadas son tuyos y puedes invitar a otras personas.',
    'Set up': 'Configurar',
    'Each link can be used once, and expires after an hour. If this server is not set up yet, restart it to get a new link.':
      'Un enlace funciona una sola vez y caduca en una hora. Si este servidor aún no está configurado, reinícialo para obtener otro enlace.',
    'This is a daybook server': 'Este es un servidor de daybook',
    'This server is not set up yet. Open the link from the terminal in which you started it.':
      'Este servidor aún no está configurado. Abre el enlace de la terminal en la que lo iniciaste.',
    'Join the team of {owner}': 'Unirse al equipo de {owner}',
    'You are invited as a {role}. Enter your password here to accept. You will be signed out on all other devices, and your access tokens will be revoked.':
      'Te han invitado como {role}. Escribe aquí tu contraseña para aceptar. Se cerrará tu sesión en todos los demás dispositivos y se revocarán tus tokens de acceso.',
    'You are invited as a {role}. If you are new here, choose a password with at least 10 characters. If you already have an account, enter its password. This signs out your other devices and revokes your access tokens.':
      'Te han invitado como {role}. Si aún no tienes cuenta, elige una contraseña de al menos 10 caracteres. Si ya tienes una, escribe su contraseña. Entonces se cerrará tu sesión en todos los demás dispositivos y se revocarán tus tokens de acceso.',
    'If you already have an account, you will be signed out on all other devices. Your access tokens will be revoked, and your password will stop working.':
      'Si ya tienes una cuenta, se cerrará la sesión en todos tus demás dispositivos. Tus tokens de acceso se revocarán y tu contraseña dejará de funcionar.',
    'You are invited as a {role}. If you join, the other sessions, the tokens, the password and the second factors of your account end.':
      'Te han invitado como {role}. Si te unes, dejan de valer las otras sesiones, los tokens, la contraseña y los segundos factores de tu cuenta.',
    'You are invited as a {role}. Sign in to accept.': 'Te han invitado como {role}. Inicia sesión para aceptar.',
    'You are invited as a {role}. Choose a password to create your account.':
      'Te han invitado como {role}. Elige una contraseña para crear tu cuenta.',
    'The person who invited you can also open this link. If you are new here and your password is refused, someone else has used the link in your name. Ask the person who runs this server for a new link (daybook user password). The new link ends all access that was created in your name.':
      'La persona que te invitó también tiene este enlace. ¿Aún no tenías cuenta aquí y se rechaza tu contraseña? Entonces alguien ha usado el enlace en tu nombre. Pide entonces otro enlace a la persona que administra este servidor (daybook user password). Ese enlace anula todos los accesos creados en tu nombre.',
    Join: 'Unirse',
    'An invitation works once, within 5 days. If you have already accepted it, sign in. If not, ask the person who invited you for a new invitation. Has someone else used it in your name? Then ask the person who runs this server for a new link (daybook user password). The new link ends all access that was created in your name.':
      'Una invitación funciona una sola vez y caduca en 5 días. Si ya la aceptaste, inicia sesión. Si no, pide otra a la persona que te invitó. ¿La usó otra persona en tu nombre? Pide entonces otro enlace a la persona que administra este servidor (daybook user password). Ese enlace anula todos los accesos creados en tu nombre.',
    'You will get a code at {email}. It is valid for 15 minutes. To get a new code, open the link again.':
      'Recibirás un código en {email}. Es válido durante 15 minutos. Para recibir otro, abre de nuevo el enlace.',
    'The dashboard needs JavaScript. You can use the API without JavaScript, at {url}.':
      'El panel necesita JavaScript. Puedes usar la API sin JavaScript, en {url}.',
    'This is not possible now': 'Esto no es posible ahora',
  },

  // The public page without scripts that says what the server keeps and forgets.
  privacy: {
    'What this server keeps and forgets': 'Qué conserva y qué olvida este servidor',
    'Web analytics': 'Analítica web',
    'What is kept': 'Qué se conserva',
    'What is not kept': 'Qué no se conserva',
    'Search for salts of past days': 'Búsqueda de sales de días pasados',
    'Proof with a made-up visitor': 'Prueba con un visitante ficticio',
    'For each visit: pages, events and times, how long and how far pages were seen, the previous website and campaign tags. Also the country, the language, the browser, the system, the type of device and the size class of the window.':
      'De cada visita: las páginas, los eventos y sus horas, cuánto tiempo y hasta dónde se vieron las páginas, el sitio anterior y las etiquetas de campaña. También el país, el idioma, el navegador, el sistema, el tipo de dispositivo y la clase de tamaño de la ventana.',
    'If a site switches it on: the region and city, and how fast its pages are.':
      'Si un sitio lo activa: la región y la ciudad, y la rapidez de sus páginas.',
    'What a site sends itself, such as the plan of a customer.':
      'Lo que envía el propio sitio, como el plan de un cliente.',
    'IP addresses and user agents are used only in memory. They are not stored and not logged.':
      'Las direcciones IP y los user agents solo se usan en la memoria. No se guardan ni se registran.',
    'Nothing is stored on the devices of visitors, except an opt-out. Visitors get no cookies.':
      'No se guarda nada en los dispositivos de los visitantes, salvo una objeción. Los visitantes no reciben cookies.',
    'A code tells the visitors of one site on one day apart. Its key, the salt, is deleted when the day is over. Nobody can then be recognized by it.':
      'Un código distingue a los visitantes de un sitio durante un día. Su clave, la sal, se elimina al terminar el día. Después ya no permite reconocer a nadie.',
    'Nothing is sent to the developers of daybook.': 'No se envía nada a los desarrolladores de daybook.',
    'Once a day, the server searches its own files for the salts that it deleted.':
      'Una vez al día, el servidor busca en sus propios archivos las sales que eliminó.',
    'The operator can run a proof: the program counts a made-up visitor in a new file or database, and lets the day end. It then searches for the IP address, user agent, salt and code.':
      'El operador puede ejecutar una prueba: el programa cuenta un visitante ficticio en un archivo o una base de datos nuevos y deja que termine el día. Después busca la dirección IP, el user agent, la sal y el código.',
    'This proof was not run yet.': 'Esta prueba aún no se ha ejecutado.',
  },
  // Pages without scripts: password, e-mail address, two-factor authentication, unsubscribing, share links.
  accountForms: {
    'Change your password': 'Cambia tu contraseña',
    'Account: {email}. You will be signed out on all other devices.':
      'Cuenta: {email}. Se cerrará tu sesión en todos los demás dispositivos.',
    'Current password': 'Contraseña actual',
    'New password': 'Nueva contraseña',
    'Also revoke my access tokens': 'Revocar también mis tokens de acceso',
    'You have {count} tokens. Revoke them if anyone else may know your password. Your programs then need new tokens.': {
      one: 'Tienes {count} token. Revócalo si crees que otra persona conoce tu contraseña. Tus programas necesitarán uno nuevo.',
      other:
        'Tienes {count} tokens. Revócalos si crees que otra persona conoce tu contraseña. Tus programas necesitarán otros nuevos.',
    },
    'Change your e-mail address': 'Cambia tu dirección de correo',
    'Your current e-mail address is {email}. You will get a link at the new one. Nothing changes until you open it.':
      'Tu dirección de correo actual es {email}. Recibirás un enlace en la nueva. Nada cambiará hasta que lo abras.',
    'New e-mail address': 'Nueva dirección de correo',
    'Send link': 'Enviar enlace',
    'This server does not send e-mails. Ask the person who runs it to change your e-mail address at the terminal:':
      'Este servidor no envía correos. Pide a la persona que lo administra que cambie tu dirección de correo en la terminal:',
    'You will get a link at {email}. It can be used once, and expires after an hour.':
      'Recibirás un enlace en {email}. Funciona una sola vez y caduca en una hora.',
    'Each link can be used once, and expires after an hour. You can request a new one in your account.':
      'Un enlace funciona una sola vez y caduca en una hora. Puedes pedir otro en tu cuenta.',
    'Your e-mail address changes from {before} to {email}. You then sign in with the new one. You will be signed out on all other devices.':
      'Tu dirección de correo cambia de {before} a {email}. Después iniciarás sesión con la nueva. Se cerrará tu sesión en todos los demás dispositivos.',
    'Account: {email}. You sign in with your password only.': 'Cuenta: {email}. Inicias sesión solo con tu contraseña.',
    'Account: {email}. To sign in, you need your password and one of these:':
      'Cuenta: {email}. Para iniciar sesión necesitas tu contraseña y uno de estos métodos:',
    'since {date}': 'desde el {date}',
    'Remove {name}': 'Quitar {name}',
    'Remove {name} …': 'Quitar {name} …',
    'Remove …': 'Quitar …',
    'This turns two-factor authentication off and deletes your recovery codes.':
      'Se desactivará la autenticación de dos factores y se eliminarán tus códigos de recuperación.',
    'You can then no longer use this second factor to sign in.':
      'Ya no podrás usar este segundo factor para iniciar sesión.',
    'Your old recovery codes will stop working.': 'Tus códigos de recuperación antiguos dejarán de funcionar.',
    'Create new codes': 'Crear códigos nuevos',
    'Recovery codes': 'Códigos de recuperación',
    '{count} recovery codes left.': {
      one: 'Queda {count} código de recuperación.',
      other: 'Quedan {count} códigos de recuperación.',
    },
    'Replace with new codes': 'Sustituir por códigos nuevos',
    'Download as a text file': 'Descargar como archivo de texto',
    'You cannot add passkeys here: browsers allow them only over https, or if the base URL of the server is on localhost.':
      'Aquí no puedes añadir claves de acceso: los navegadores solo las permiten con https, o si la URL base del servidor está en localhost.',
    'Your recovery codes': 'Tus códigos de recuperación',
    'Two-factor authentication is on. If you lose your phone, you can sign in with a recovery code. Each code works once. Save the codes now: they are not shown again.':
      'La autenticación de dos factores está activada. Si pierdes el teléfono, puedes iniciar sesión con un código de recuperación. Cada código funciona una sola vez. Guárdalos ahora: no se volverán a mostrar.',
    'Set up an authenticator app': 'Configurar una aplicación de autenticación',
    'Scan this code with the app on your phone. If you see this page on the phone, open {link}.':
      'Escanea este código con la aplicación de tu teléfono. Si ves esta página en el teléfono, abre {link}.',
    'this link': 'este enlace',
    'If you cannot scan the code, enter this key: {secret}':
      'Si no puedes escanear el código, escribe esta clave: {secret}',
    'A name helps you recognise this device later.': 'Un nombre te ayuda a reconocer este dispositivo más adelante.',
    Phone: 'Teléfono',
    Laptop: 'Portátil',
    'Enter the six digits that the app shows.': 'Escribe los seis dígitos que muestra la aplicación.',
    'Turn on': 'Activar',
    'Add a passkey': 'Añadir una clave de acceso',
    'The passkey could not be added. This device may already have one for your account.':
      'No se ha podido añadir la clave de acceso. Puede que este dispositivo ya tenga una para tu cuenta.',
    'Sign in without a password: with your fingerprint, face or PIN, on this device, your phone or a security key.':
      'Inicia sesión sin contraseña: con tu huella, tu cara o un PIN, en este dispositivo, tu teléfono o una llave de seguridad.',
    'This page needs JavaScript.': 'Esta página necesita JavaScript.',
    Unsubscribed: 'Te has dado de baja',
    'The link is incomplete, or the site or your account was deleted. If it was deleted, you get no more e-mails.':
      'El enlace está incompleto, o bien se eliminó el sitio o tu cuenta y ya no recibes correos.',
    '{email} no longer gets e-mails about {domain}.': '{email} ya no recibe correos sobre {domain}.',
    'Subscribe again': 'Volver a suscribirse',
    '{email} gets reports and alerts about {domain}.': '{email} recibe informes y alertas sobre {domain}.',
    'This is the number of visitors in the last five minutes, counted without cookies. This page refreshes automatically.':
      'Visitantes de los últimos cinco minutos, contados sin cookies. Esta página se actualiza automáticamente.',
    'Check the URL. Some links work only once, and the owner can turn a page off.':
      'Comprueba la URL. Algunos enlaces funcionan solo una vez, y el propietario puede desactivar una página.',
    'Something went wrong': 'Algo ha fallado',
    'Go to the dashboard': 'Ir al panel',
    'This link needs a password': 'Este enlace necesita una contraseña',
    'Ask the person who gave you the link for its password.': 'Pide la contraseña a la persona que te dio el enlace.',
    'The owner of the site has turned this link off, or replaced it.':
      'El propietario del sitio ha desactivado este enlace o lo ha sustituido.',
  },

  // Weekly and monthly reports, and texts that all mails about sites use.
  reports: {
    '{domain}: {count} visitors last week': {
      one: '{domain}: {count} visitante la semana pasada',
      other: '{domain}: {count} visitantes la semana pasada',
    },
    '{domain} last week': '{domain} la semana pasada',
    '{from} – {to}, compared with the week before. Time zone: {zone}.':
      '{from} – {to}, en comparación con la semana anterior. Zona horaria: {zone}.',
    '{domain}: {count} visitors in {month}': {
      one: '{domain}: {count} visitante en {month}',
      other: '{domain}: {count} visitantes en {month}',
    },
    '{domain} in {month}': '{domain} en {month}',
    '{from} – {to}, compared with the month before. Time zone: {zone}.':
      '{from} – {to}, en comparación con el mes anterior. Zona horaria: {zone}.',
    Figures: 'Cifras',
    'Top pages': 'Páginas principales',
    'Top sources': 'Fuentes principales',
    'Direct / unknown': 'Directo / desconocido',
    'Some of these days, or of the days before, were deleted. So their visits are missing.':
      'Algunos de estos días, o de los días anteriores, se eliminaron. Por eso faltan sus visitas.',
    'Pages, sources and goals are missing for some of these days.':
      'Faltan páginas, fuentes y objetivos de algunos de estos días.',
    'Figures of {from} – {to} changed since the last report: {figures}.':
      'Las cifras del {from} al {to} han cambiado desde el último informe: {figures}.',
    'See what changed': 'Ver los cambios',
    'Open the dashboard': 'Abrir el panel',
    '{link}:': '{link}:',
    'You get this e-mail because you have access to the statistics of {domain}.':
      'Recibes este correo porque tienes acceso a las estadísticas de {domain}.',
    'Unsubscribe from these e-mails: {url}': 'Darse de baja de estos correos: {url}',
  },

  // Alerts about a site, and messages about reached goals and about how figures changed after a note. A note says what
  // happened on a day, such as a release.
  alerts: {
    '{domain}: far more visitors than usual': '{domain}: muchos más visitantes de lo habitual',
    '{domain} has far more visitors than usual': '{domain} tiene muchos más visitantes de lo habitual',
    '{domain}: visitors in the last hour': '{domain}: visitantes de la última hora',
    '{domain} in the last hour': '{domain} en la última hora',
    '{day}, {hours}: {count} visitors. Usual at this hour on a {weekday}: {usual}.': {
      one: '{day}, {hours}: {count} visitante. Lo habitual a esta hora un {weekday}: {usual}.',
      other: '{day}, {hours}: {count} visitantes. Lo habitual a esta hora un {weekday}: {usual}.',
    },
    'There is nothing to compare with yet. A comparison needs four weeks with visitors.':
      'Aún no hay con qué comparar. Una comparación necesita cuatro semanas con visitantes.',
    Now: 'Ahora',
    Usual: 'Habitual',
    'Hour {hours}': 'Hora {hours}',
    'Day so far': 'Día hasta entonces',
    'Most likely cause: visitors from {source} to the page {page}.':
      'Causa más probable: visitantes de {source} en la página {page}.',
    'Most likely cause: visitors from {source}.': 'Causa más probable: visitantes de {source}.',
    'Most likely cause: visitors to the page {page}.': 'Causa más probable: visitantes en la página {page}.',
    'Biggest increase': 'Mayor aumento',
    'This day': 'Este día',
    'Usual day': 'Día habitual',
    'Source: {value}': 'Fuente: {value}',
    'Page: {value}': 'Página: {value}',
    'Campaign: {value}': 'Campaña: {value}',
    'You will get no further alert until traffic is normal again.':
      'No recibirás otra alerta hasta que el tráfico vuelva a la normalidad.',
    '{domain}: two weeks after “{note}”': '{domain}: dos semanas después de «{note}»',
    'Open the page of this note': 'Abrir la página de esta nota',
    Before: 'Antes',
    After: 'Después',
    'Beyond chance: {figures}.': 'Más que azar: {figures}.',
    'May be chance: {figures}.': 'Puede ser azar: {figures}.',
    'Too little was counted to compare: {figures}.': 'Hay muy pocos datos para comparar: {figures}.',
    '{days} days after are compared with {days} days before, in pairs of equal weekdays.':
      'Se comparan {days} días posteriores con {days} días anteriores, por parejas del mismo día de la semana.',
    'Open this day': 'Abrir este día',
    'Many visits look alike: {now} of {visits} on this day viewed only one page, and have {properties} in common (usually {usual}).':
      'Muchas visitas se parecen: {now} de {visits} de este día vieron una sola página y tienen en común {properties}. Lo habitual: {usual}.',
    'Many visits look alike: {now} of {visits} on this day have {properties} in common (usually {usual}). Pages per visit: {pages}.':
      'Muchas visitas se parecen: {now} de {visits} de este día tienen en común {properties}. Lo habitual: {usual}. Páginas por visita: {pages}.',
    'Many visits look alike: {now} of {visits} on this day viewed only one page (usually {usual}).':
      'Muchas visitas se parecen: {now} de {visits} de este día vieron una sola página. Lo habitual: {usual}.',
    'Many visits look alike: {now} of {visits} on this day (usually {usual}). Pages per visit: {pages}.':
      'Muchas visitas se parecen: {now} de {visits} de este día. Páginas por visita: {pages}. Lo habitual: {usual}.',
    'Smaller groups of similar visits: {groups}.': 'Grupos menores de visitas similares: {groups}.',
    'the channel {values}': 'el canal {values}',
    'the campaign {values}': 'la campaña {values}',
    'the campaign source {values}': 'la fuente de campaña {values}',
    'the campaign medium {values}': 'el medio de campaña {values}',
    'the language {values}': 'el idioma {values}',
    'the region {values}': 'la región {values}',
    'the city {values}': 'la ciudad {values}',
    'the screen size {values}': 'el tamaño de pantalla {values}',
    'They also make up most of the change of other figures: {figures}.':
      'También suponen la mayor parte del cambio de otras cifras: {figures}.',
    'Most of the change comes from visitors that have {properties} in common: {before} before, {now} now.':
      'La mayor parte del cambio viene de visitantes que tienen en común {properties}: {before} antes, {now} ahora.',
    'the source {values}': 'la fuente {values}',
    'the country {values}': 'el país {values}',
    'the device {values}': 'el dispositivo {values}',
    'the browser {values}': 'el navegador {values}',
    'the operating system {values}': 'el sistema operativo {values}',
    'the entry page {values}': 'la página de entrada {values}',
    'the host name {values}': 'el nombre de host {values}',
    'the property {name} = {values}': 'la propiedad {name} = {values}',
    '{some} or {other}': '{some} o {other}',
    '{count} others': { one: '{count} más', other: '{count} más' },
    'Nothing is excluded automatically, because these visits may come from people. Managers can exclude them, and undo this at any time. To see the filters, run "daybook suggestions {domain} --date {date}".':
      'No se excluye nada automáticamente, porque estas visitas pueden ser de personas. Los gestores pueden excluirlas y deshacerlo. Para ver los filtros, ejecuta «daybook suggestions {domain} --date {date}».',
    '{domain}: no visitors for {duration}': '{domain}: sin visitantes desde hace {duration}',
    '{domain}: no visitors': '{domain}: sin visitantes',
    '{domain} has no visitors': '{domain} no tiene visitantes',
    '{domain} since the last hit': '{domain} desde el último hit',
    'Last hit: {moment} ({iso}).': 'Último hit: {moment} ({iso}).',
    'There were no hits in recent weeks.': 'No hubo ningún hit en las últimas semanas.',
    'No visitors for {duration}. Usual for this period: {visitors}.':
      'Sin visitantes desde hace {duration}. Lo habitual en este periodo: {visitors}.',
    'The server was started after the last hit ({moment}). Only the time since the start counts.':
      'El servidor se inició después del último hit ({moment}). Solo cuenta el tiempo desde ese inicio.',
    'The server has been running without interruption since {moment}.':
      'El servidor ha estado en marcha todo el tiempo, desde el {moment}.',
    'Most likely cause: the pages no longer load the script. The server is reachable: its other sites are getting hits.':
      'Causa más probable: las páginas ya no cargan el script. Se puede acceder al servidor, porque sus otros sitios reciben hits.',
    'Most likely cause: the site or this server cannot be reached, or the pages do not load the script. No site on this server gets hits.':
      'Causa más probable: no se puede acceder al sitio o a este servidor, o las páginas no cargan el script. Ningún sitio de este servidor recibe hits.',
    'Hits on these days that were not counted': 'Hits de estos días que no se contaron',
    'What to check': 'Qué comprobar',
    'Does https://{domain}/ open, and is the script in its source code?':
      '¿Se abre https://{domain}/ y está el script en su código fuente?',
    'Does {script} open? If not, check the server, the proxy, DNS and the certificate.':
      '¿Se abre {script}? Si no, comprueba el servidor, el proxy, el DNS y el certificado.',
    'Does the browser console show that the script is blocked, for example by Content-Security-Policy or a consent tool?':
      '¿Muestra la consola del navegador que el script está bloqueado, por ejemplo por Content-Security-Policy o por una herramienta de consentimiento?',
    'Run “daybook doctor” on the server. Does it report a problem?':
      '¿Encuentra daybook doctor algún problema en el servidor?',
    'Test message about {domain}': 'Mensaje de prueba sobre {domain}',
    'It works: reports and alerts about {domain} can arrive here.':
      'Funciona: los informes y las alertas sobre {domain} pueden llegar aquí.',
    '{domain}: {name}': '{domain}: {name}',
    '{name}: {reason}': '{name}: {reason}',
    '{domain}: {count} custom alerts': {
      one: '{domain}: {count} alerta personalizada',
      other: '{domain}: {count} alertas personalizadas',
    },
    'You set up these alerts in the settings of the site.':
      'Estas alertas están configuradas en los ajustes del sitio.',
    'usual: {usual}': 'habitual: {usual}',
    'above {limit}': 'más de {limit}',
    'below {limit}': 'menos de {limit}',
    'You will get another message when visitors are back.': 'Recibirás otro mensaje cuando vuelva a haber visitantes.',
    '{domain}: {count} conversions': {
      one: '{domain}: {count} conversión',
      other: '{domain}: {count} conversiones',
    },
    New: 'Nuevas',
    'On this day': 'Ese día',
    '{domain}: visitors are back': '{domain}: los visitantes han vuelto',
    '{domain} has visitors again': '{domain} vuelve a tener visitantes',
    'No hits arrived between {from} and {to}.': 'No hubo hits después del {from}. Vuelve a haberlos desde el {to}.',
  },

  // Mails to one person: invitations, codes and links. Lines are broken by hand at about 80 characters.
  people: {
    'Your code for daybook': 'Tu código para daybook',
    [`Hello,

Someone opened a link from {owner} that invites you to view website statistics. If it
was you, enter this code there. It is valid for 15 minutes:

{code}

If it was not you, ignore this e-mail. Do not give the code to anyone.
`]: `Hola:

Alguien ha abierto un enlace con el que {owner} te invita a sus estadísticas web.
Si has sido tú, escribe allí este código. Es válido durante 15 minutos:

{code}

Si no has sido tú, ignora este correo y no des el código a nadie.
`,
    'Invitation to a daybook account': 'Invitación a una cuenta de daybook',
    '{owner} has invited you to view their website statistics.': '{owner} te ha invitado a ver sus estadísticas web.',
    '{owner} has invited you to view and manage their website statistics.':
      '{owner} te ha invitado a ver y gestionar sus estadísticas web.',
    [`Hello,

{invitation}

Open this link to accept. It works once, within 5 days, and only for this e-mail
address:

{url}

If you do not know the sender, you can ignore this e-mail.
`]: `Hola:

{invitation}

Abre este enlace para aceptar. Funciona una sola vez, caduca en 5 días y solo
vale para esta dirección de correo:

{url}

Si no conoces al remitente, puedes ignorar este correo.
`,
    'Reset your daybook password': 'Restablece tu contraseña de daybook',
    [`Hello,

Someone, probably you, asked to reset the password for your web statistics.

Open this link to choose a new password. It can be used once, and expires after an hour. A new
password signs you out on all devices and revokes your access tokens:

{url}

If it was not you, you can ignore this e-mail. Your password does not change.
`]: `Hola:

Alguien, probablemente tú, ha pedido restablecer la contraseña de tus estadísticas
web.

Abre este enlace para elegir una contraseña nueva. Funciona una sola vez y caduca
en una hora. Una contraseña nueva cierra tu sesión en todos los dispositivos y
revoca tus tokens de acceso:

{url}

Si no has sido tú, puedes ignorar este correo. Tu contraseña no cambiará.
`,
    'Confirm your new e-mail address for daybook': 'Confirma tu nueva dirección de correo para daybook',
    [`Hello,

Someone, probably you, wants to use this e-mail address to sign in to web
statistics.

Open this link to confirm that the e-mail address is yours. It works once, within
an hour. You will be signed out on all other devices:

{url}

If it was not you, you can ignore this e-mail. Nothing changes.
`]: `Hola:

Alguien, probablemente tú, quiere iniciar sesión en unas estadísticas web con esta
dirección de correo.

Abre este enlace para confirmar que la dirección de correo es tuya. Funciona una
sola vez y caduca en una hora. Se cerrará tu sesión en todos los demás
dispositivos:

{url}

Si no has sido tú, puedes ignorar este correo. No cambiará nada.
`,
  },

  // Mails about changes of an account. Lines are broken by hand at about 80 characters.
  accountNotices: {
    'Your daybook account was changed': 'Tu cuenta de daybook ha cambiado',
    'Wrong codes for your daybook account': 'Códigos incorrectos para tu cuenta de daybook',
    'This e-mail address already has a daybook account': 'Esta dirección de correo ya tiene una cuenta de daybook',
    'Your password was changed.': 'Tu contraseña ha cambiado.',
    'Your e-mail address was changed. You can no longer sign in with this one.':
      'Tu dirección de correo ha cambiado. Con esta ya no puedes iniciar sesión.',
    'Someone tried to use this e-mail address for another account. Nothing was changed.':
      'Alguien ha intentado usar esta dirección de correo para otra cuenta. No ha cambiado nada.',
    'A second factor was added.': 'Se ha añadido un segundo factor.',
    'A second factor was removed.': 'Se ha quitado un segundo factor.',
    'Two-factor authentication was turned off.': 'La autenticación de dos factores se ha desactivado.',
    'A recovery code was used.': 'Se ha usado un código de recuperación.',
    'Your recovery codes were replaced.': 'Tus códigos de recuperación se han sustituido.',
    'An access token was created.': 'Se ha creado un token de acceso.',
    'An access token was revoked.': 'Se ha revocado un token de acceso.',
    'Someone entered your password and then ten wrong codes.':
      'Alguien ha escrito tu contraseña y después diez códigos incorrectos.',
    [`Hello,

{change}

If that was you, you can ignore this e-mail. If not, someone else can use your
account. Reset your password to sign out all devices:

{url}
`]: `Hola:

{change}

Si has sido tú, puedes ignorar este correo. Si no, otra persona tiene acceso a tu
cuenta. Restablece tu contraseña para cerrar la sesión en todos los dispositivos:

{url}
`,
    [`Hello,

{change}

If that was you, you can ignore this e-mail. If not, tell the person who runs
this server:

{url}
`]: `Hola:

{change}

Si has sido tú, puedes ignorar este correo. Si no, avisa a la persona que
administra este servidor:

{url}
`,
    [`Hello,

{change}

If that was you, sign in with this e-mail address, or use another one:

{url}

If not, you can ignore this e-mail.
`]: `Hola:

{change}

Si has sido tú, inicia sesión con esta dirección de correo, o usa otra:

{url}

Si no, puedes ignorar este correo.
`,
  },

  // Codes of notices: what an answer lacks, what is excluded, and how figures changed after a note. A note says what
  // happened on a day, such as a release.
  notices: {
    // Puts a time, a site or another name before a sentence, as in "example.com: …".
    prefixed: '{of}: {sentence}',
    left_out: 'No incluido, porque solo se guardan los totales diarios: {days:days}.',
    crawler_pages_left_out:
      'No incluido en las páginas de este rastreador, porque solo se guardan los totales diarios: {days:days}.',
    bounces_unknown: 'No se conoce la tasa de rebote para {days:days}, porque la importación no la contenía.',
    seconds_unknown: 'No se conoce la duración de la visita para {days:days}, porque la importación no la contenía.',
    revenue_unknown: 'No se conocen los ingresos de {days:days}, porque la importación no los contenía.',
    other_currencies: 'No se incluyen los ingresos en {currencies}, porque este informe está en {currency}.',
    revenue_left_out:
      'No se incluyen los ingresos de {hits|hit|hits}, porque un día tuvo más de {most} importes distintos.',
    rows_unknown: 'Este informe no incluye {days:days}, porque la importación no contenía estos datos.',
    page_unknown:
      'No se conocen las conversiones de los objetivos de página para {days:days}, porque la importación no contenía páginas.',
    event_unknown:
      'No se conocen las conversiones de los objetivos de evento para {days:days}, porque la importación no contenía eventos.',
    persons_unknown:
      'Una persona cuenta una vez por página, porque la importación no contenía el número de personas: {days:days}.',
    visits_excluded: '{visits|visita está excluida|visitas están excluidas} por {exclusions|exclusión|exclusiones}.',
    nothing_excluded:
      'En estos días no se excluye ninguna visita, porque solo se guardan sus totales diarios: {days:days}.',
    days_deleted: 'Estos días se eliminaron, así que faltan sus visitas: {days:days}.',
    other_time_zone: 'Estos días se contaron en {zone}, antes de que la zona horaria cambiara a {own}: {days:days}.',
    not_compared:
      'Estos días no se comparan, porque están incompletos o emparejados con un día incompleto: {days:days}.',
    site_blocked: 'Este sitio no está incluido, porque su cuenta está bloqueada.',
    visitors_changed:
      'Visitantes: {change:signed} en los {days} días después de la nota, en comparación con {days} días antes (intervalo de confianza del 95 %: {low:signed} a {high:signed}).',
    visitors_unclear:
      'Visitantes: {change:signed} en los {days} días después de la nota, en comparación con {days} días antes (intervalo de confianza del 95 %: {low:signed} a {high:signed}). Puede deberse al azar.',
    too_few_visitors:
      'Muy pocos visitantes para comparar: {before} antes de la nota, {after} después. Tiene que haber visitantes en varios días antes y después.',
    pageviews_changed:
      'Páginas vistas: {change:signed} en los {days} días después de la nota, en comparación con {days} días antes (intervalo de confianza del 95 %: {low:signed} a {high:signed}).',
    pageviews_unclear:
      'Páginas vistas: {change:signed} en los {days} días después de la nota, en comparación con {days} días antes (intervalo de confianza del 95 %: {low:signed} a {high:signed}). Puede deberse al azar.',
    too_few_pageviews:
      'Muy pocas páginas vistas para comparar: {before} antes de la nota, {after} después. Tiene que haber páginas vistas en varios días antes y después.',
    conversions_changed:
      'Conversiones: {change:signed} en los {days} días después de la nota, en comparación con {days} días antes (intervalo de confianza del 95 %: {low:signed} a {high:signed}).',
    conversions_unclear:
      'Conversiones: {change:signed} en los {days} días después de la nota, en comparación con {days} días antes (intervalo de confianza del 95 %: {low:signed} a {high:signed}). Puede deberse al azar.',
    too_few_conversions:
      'Muy pocas conversiones para comparar: {before} antes de la nota, {after} después. Tiene que haber conversiones en varios días antes y después.',
    too_few_days: 'Muy pocos días comparables: {days} de {all}. Se necesitan al menos {needed}.',
    suggested: 'Exclusión sugerida: {visits|visita similar|visitas similares}. Lo habitual: {usual}.',
  },

  // Codes of errors: why a request is refused, and what is wrong with a field.
  errors: {
    bad_request: 'Esto no es una petición HTTP válida.',
    unauthenticated: 'Se requiere un token de acceso válido: Authorization: Bearer <token>.',
    account_blocked: 'La cuenta no tiene un plan activo, o ha usado este mes más eventos de los que incluye su plan.',
    limit_reached: 'Esto superaría un límite del plan.',
    read_only_demo: 'Esta demo pública es de solo lectura. Para probar cambios, usa tu propia instalación de daybook.',
    read_only_token: 'Este token solo permite leer. Para hacer cambios, usa un token con el permiso Escribir.',
    token_forbidden: 'Este token no tiene el permiso que necesita esta petición.',
    foreign_origin: 'Bloqueado: esta petición procede de otro sitio web.',
    reauthentication_required: 'Confirma primero tu identidad: escribe tu contraseña o un código.',
    role_forbidden: 'Tu rol no lo permite.',
    not_found: 'Esto no existe o no tienes acceso.',
    method_not_allowed: 'Esta ruta no admite este método. La cabecera Allow indica los métodos admitidos.',
    request_timeout: 'La petición no llegó a tiempo.',
    payload_too_large: 'El cuerpo de la petición es demasiado grande.',
    invalid_request: 'La petición no es válida.',
    crawler_tracking_off: 'Este sitio no cuenta los rastreadores de IA. El ajuste track_crawlers está desactivado.',
    rate_limited:
      'Demasiadas peticiones. La cabecera Retry-After indica en cuántos segundos puedes volver a intentarlo.',
    headers_too_large: 'La línea de petición y las cabeceras son demasiado grandes.',
    internal: 'Se ha producido un error en el servidor.',
    unavailable: 'El servidor no puede hacerlo ahora. Inténtalo de nuevo en breve.',
    site_gone:
      'Entretanto se ha cambiado el nombre de {domain} o se ha eliminado. Abre el sitio de nuevo y vuelve a empezar.',
    upload_is_done: 'La importación terminó antes de que se cancelara. Todavía puedes eliminarla.',
    export_runs: 'Todavía hay una exportación de esta cuenta en curso. Espera a que termine o cancélala.',
    no_bytes: 'Debe enviarse como application/octet-stream.',
    no_disk_room: 'El servidor no tiene espacio para este archivo. Pregunta a la persona que lo administra.',
    upload_runs: 'Se está subiendo o importando un archivo de esta cuenta. Espera a que termine o cancélalo.',
    upload_given_up:
      'Esta subida no ha continuado durante 30 minutos, o ha durado más de un día. No se ha importado nada. Elige el archivo de nuevo.',
    upload_not_ready: 'Esta subida no está lista.',
    days_taken: 'El sitio ya tiene hits en días de este archivo. Para reemplazarlos, envía true.',
    other_offset: 'Debe ser {received}, el número de bytes recibidos.',
    other_size: 'Todas las partes juntas deben tener {size} bytes, y cada parte al menos uno.',
    no_known_format: 'El formato de este archivo es desconocido. Elige el archivo que exporta el otro producto.',
    disk_full: 'El disco del servidor está lleno. No se ha importado nada.',
    import_failed: 'La importación ha fallado. No se ha importado nada. El motivo está en el registro del servidor.',
    no_hits_in_range: 'No hay hits en esos días.',
    no_host: 'Falta la cabecera Host.',
    expectation_not_met: 'La cabecera Expect pide algo que este servidor no admite.',
    no_proxy: 'Este servidor no es un proxy.',
    unknown_collector:
      'Ningún recolector tiene este secreto. Para crear un secreto nuevo, ejecuta daybook collectors add en el primario.',
    other_outbox:
      'Este secreto es de un recolector con otra bandeja de salida. Inícialo con esa bandeja, o retíralo y añade otro.',
    copied_outbox:
      'Otro recolector usa esta bandeja de salida, así que algunos hits contarían dos veces. Inicia este recolector con una bandeja propia. Indica un archivo nuevo con --outbox.',
    lost_outbox:
      'El recolector de esta bandeja de salida se retiró con --lost, así que los hits en espera contarían dos veces. Inicia este recolector con una bandeja nueva. Indica un archivo nuevo con --outbox.',
    older_outbox:
      'Esta bandeja de salida es una copia antigua, así que algunos hits contarían dos veces. Inicia el recolector con su bandeja más reciente, o retíralo con --lost y añade otro.',
    foreign_page: 'Las páginas de otros sitios web no pueden usar esta ruta, pero los programas sí.',
    server_away: 'El servidor {host} del clúster no responde. Inténtalo de nuevo en breve.',
    server_lacking: 'El servidor {host} del clúster aún no tiene todos los hits. Inténtalo de nuevo en breve.',
    most_blocks: 'Un sitio puede tener como máximo {most} bloqueos. Quita uno antes.',
    value_or_mine: 'Envía «value», o «mine» para tu propia dirección IP.',
    proxy_not_trusted:
      'El servidor no ve tu dirección IP porque no confía en el proxy que tiene delante. Configura trusted-proxies.',
    only_true: 'Debe ser true.',
    no_address: 'Debe ser una dirección IP, como 192.0.2.7.',
    most_shares: 'Un sitio puede tener como máximo {most} enlaces para compartir. Elimina uno primero.',
    not_past: 'Debe estar en el futuro.',
    no_view_of_site: 'Debe ser el identificador de una vista guardada de este sitio.',
    password_not_framed: 'Un enlace con contraseña no se puede incrustar. Quita la contraseña o los sitios web.',
    most_alerts: 'Un sitio puede tener como máximo {most} alertas personalizadas. Quita una primero.',
    no_threshold: 'No debe indicarse si la condición es «unusual».',
    most_destinations: 'Un sitio puede tener como máximo {most} canales de notificación. Quita uno primero.',
    no_channel_url: 'Debe ser una URL como https://example.com/hook, sin nombre de usuario ni contraseña.',
    no_token_text: 'No debe tener espacios ni caracteres especiales.',
    no_bot_token: 'Debe ser el token de un bot, como 123456789:AAF….',
    no_chat: 'Debe ser el ID de un chat, como -1001234567890, o @ y el nombre de un canal público.',
    no_topic: 'Solo puede tener letras, cifras, _ y -.',
    no_room: 'Debe ser el ID de una sala, como !abc123:matrix.org.',
    other_host: 'El host de la URL debe ser uno de estos: {known}.',
    https_only: 'La URL debe empezar por https://.',
    other_port: 'La URL debe usar el puerto 443 u 8443.',
    private_network:
      '{host} no existe en la Internet pública. El administrador de este servidor puede permitir redes privadas con --channels-private.',
    most_embeds: 'Como máximo {most} sitios web pueden incrustar la página pública de un sitio. Quita uno antes.',
    most_views: 'Un sitio puede tener como máximo {most} vistas guardadas. Quita una antes.',
    most_exclusions: 'Un sitio puede tener como máximo {most} exclusiones. Quita una antes.',
    most_goals: 'Un sitio puede tener como máximo {most} objetivos. Elimina uno antes.',
    most_notes: 'Un sitio puede tener como máximo {most} notas. Elimina una antes.',
    most_zone_changes:
      'La zona horaria de un sitio puede cambiar como máximo {most} veces al día. Inténtalo de nuevo mañana.',
    most_sites_by_managers: 'Esta cuenta tiene {most} sitios o más. Solo su propietario puede añadir otro.',
    most_former_domains:
      'Un sitio puede tener como máximo {most} dominios anteriores. Cada uno se conserva 30 días. Inténtalo de nuevo más tarde.',
    most_funnels: 'Un sitio puede tener como máximo {most} embudos. Elimina uno antes.',
    most_tokens: 'Una cuenta puede tener como máximo {most} tokens. Revoca uno que ya no uses.',
    most_streams:
      'Puede haber como máximo {most} flujos de eventos abiertos a la vez. Cierra uno o envía esta petición sin Accept: text/event-stream.',
    streams_full:
      'Por el momento no se puede abrir otro flujo de eventos. Envía esta petición sin Accept: text/event-stream o inténtalo de nuevo más tarde.',
    most_factors: 'Una cuenta puede tener como máximo {most} segundos factores.',
    plan_sites: 'El plan de esta cuenta incluye como máximo {limit|sitio|sitios}.',
    plan_members: 'El plan de esta cuenta incluye como máximo {limit|miembro del equipo|miembros del equipo}.',
    plan_no_sites:
      'El plan de esta cuenta no incluye sitios propios. Pide otro plan a la persona que administra este servidor.',
    plan_no_members:
      'El plan de esta cuenta no incluye un equipo propio. Pide otro plan a la persona que administra este servidor.',
    too_many_tries: 'Demasiados intentos. Vuelve a intentarlo en 15 minutos.',
    too_many_tries_seconds: 'Demasiados intentos. Vuelve a intentarlo en {count|segundo|segundos}.',
    too_many_tries_minutes: 'Demasiados intentos. Vuelve a intentarlo en {count|minuto|minutos}.',
    too_many_codes:
      'Demasiados códigos incorrectos. Usa un código de recuperación o una clave de acceso, o vuelve a intentarlo a partir del {time} UTC.',
    no_code_mailed:
      'Ahora no se puede enviar ningún código a {email}: {limit:codes}. Usa el enlace del correo de invitación. No necesita código.',
    account_sent_mails: 'la cuenta ha alcanzado su límite diario de correos',
    address_got_mails: 'la dirección de correo ha alcanzado su límite diario de correos',
    server_sent_mails: 'el servidor ha alcanzado su límite diario de correos',
    address_got_codes: 'la dirección de correo ha alcanzado su límite diario de códigos',
    server_sent_codes: 'el servidor ha alcanzado su límite diario de códigos',
    address_got_notices: 'la dirección de correo ha alcanzado su límite diario de mensajes sobre la cuenta',
    required: 'Este dato es obligatorio.',
    given_twice: 'Aparece más de una vez.',
    not_known: 'Esto es desconocido.',
    not_known_of: 'Esto es desconocido. Valores conocidos: {known}.',
    other_text: '{text}',
    broken_escape: 'Contiene una codificación con porcentaje no válida, como %zz.',
    body_no_object: 'El cuerpo debe ser un objeto JSON, enviado como application/json.',
    body_no_list: 'El cuerpo debe ser una lista JSON, enviada como application/json.',
    no_utf8: 'Debe ser texto en UTF-8.',
    no_object: 'Debe ser un objeto JSON.',
    other_type: 'Debe enviarse como text/plain o application/json.',
    no_text: 'Debe ser texto.',
    no_unicode: 'Debe ser Unicode válido.',
    empty: 'No debe estar vacío.',
    too_long: 'Debe tener como máximo {most} caracteres.',
    too_short: 'Debe tener al menos {least} caracteres.',
    password_too_long: 'Debe tener como máximo 1.024 caracteres.',
    too_many_patterns: 'Debe tener como máximo {most} patrones.',
    no_properties: 'Debe ser un objeto con un valor para cada nombre.',
    no_property_name:
      'El nombre de una propiedad debe empezar por una letra y contener solo letras de la a a la z, dígitos y _.',
    no_property_value: 'Debe ser texto, un número, true o false.',
    too_many_properties: 'Un hit puede tener como máximo {most} propiedades.',
    no_revenue: 'Debe ser un objeto con los campos amount y currency.',
    no_currency: 'Debe ser el código de una moneda, por ejemplo EUR.',
    no_amount: 'Debe ser un número desde 0 y menor que {below}, por ejemplo 19.99.',
    too_many_digits: 'Debe tener como máximo {most} cifras después del punto, porque la moneda es {currency}.',
    currency_required: 'El sitio aún no tiene moneda. Indica una, por ejemplo currency=EUR.',
    several_currencies: 'Los sitios tienen varias monedas: {known}. Indica una, por ejemplo currency=EUR.',
    currency_alone: 'Esto solo funciona con las métricas revenue y revenue_per_visitor.',
    property_required: 'Indica la propiedad cuyos valores quieres, por ejemplo property=plan.',
    only_property_values: 'Esto solo funciona con el desglose property_values.',
    no_journey_start:
      'Debe ser una página que empiece por «/», un patrón como /guide/*, goal: con un identificador, o entry.',
    nothing_before_entry: 'Nada precede a la entrada. Usa «after», o indica una página o un objetivo en «from».',
    too_many_values: 'Debe tener como máximo {most} valores.',
    too_many_values_of_all: 'Todos los filtros juntos deben tener como máximo {most} valores.',
    too_many_entries: 'Debe tener como máximo {most} entradas.',
    too_many_parameters: 'Una petición debe tener como máximo {most} parámetros.',
    too_many_stars: 'Debe tener como máximo {most} asteriscos («*»).',
    no_filter: 'Debe tener al menos un filtro.',
    no_value: 'Debe tener al menos un valor.',
    no_path: 'Debe ser una ruta que empiece por «/».',
    no_path_pattern: 'Debe ser una ruta que empiece por «/», o por «*» para cualquier comienzo.',
    no_source: 'Debe ser un nombre de host como example.com, o vacío para visitas directas.',
    no_domain: 'Debe ser un nombre de host como example.com, sin esquema, puerto ni ruta.',
    no_region: 'Debe ser un código como DE-BE, o vacío para desconocido.',
    no_country: 'Deben ser dos letras como DE, o vacío para desconocido.',
    no_device: 'Debe ser Desktop, Mobile o Tablet, o vacío para desconocido.',
    no_pageviews: 'Debe ser un número entero, como 1 para visitas de una página.',
    no_condition: 'Debe ser un solo valor, o un objeto con listas de valores. Sus claves son is, not, like o unlike.',
    no_value_or_number: 'Debe ser texto o un número.',
    no_filters: 'Debe ser un objeto con nombres de filtros como claves.',
    cannot_stand_beside: 'No se puede combinar con {name}. Usa {instead} en su lugar.',
    no_day: 'Debe ser un día como 2026-01-31.',
    no_instant: 'Debe ser un momento como 2026-01-31T10:00:00Z.',
    as_of_to_come: 'Debe ser un día anterior a hoy ({zone}).',
    as_of_before_site: 'Debe ser el {date} o posterior, porque el sitio se añadió ese día.',
    as_of_lost: 'Ya no se puede dar la respuesta de ese día: {reasons:codes}.',
    lost_import_added: 'una importación ha sustituido {days:days}',
    lost_import_removed: 'se eliminó la importación de {days:days}',
    lost_days_removed: '{days:days} se eliminaron',
    lost_retention: 'los hits de {days:days} se eliminaron tras su plazo de conservación, y el informe los necesita',
    lost_late_hits: 'los hits tardíos de {days:days} no se pueden separar de los demás',
    days_open:
      'Aún pueden llegar hits de {days:days}. Elige un último día anterior. Un día pasado pasa a ser definitivo por la noche, o con daybook seal.',
    day_to_come: 'Debe ser hoy ({zone}) o un día pasado.',
    day_not_begun: 'No debe estar en el futuro.',
    before_from: 'No debe ser anterior al primer día.',
    after_to: 'No debe ser posterior al último día.',
    year_of_digits: 'Debe empezar en un año de cuatro cifras.',
    range_backwards: 'El primer día no debe ser posterior al último.',
    range_too_long: 'Debe durar menos de dos años.',
    no_range: 'Debe ser {words}, o dos días como 2026-01-01~2026-01-31.',
    no_time_zone: 'Debe ser el nombre de una zona horaria como Europe/Berlin, o UTC.',
    no_email: 'Debe ser una dirección de correo como ann@example.com.',
    no_origin: 'Debe ser el origen de un sitio, como https://www.example.com, sin ruta.',
    no_url: 'Debe ser una URL completa como https://example.com/page.',
    no_ip: 'Debe ser una dirección IP.',
    no_number: 'Debe ser un número.',
    no_whole_number: 'Debe ser un número entero.',
    not_positive: 'Debe ser un número positivo.',
    negative: 'No debe ser negativo.',
    out_of_bounds: 'Debe ser un número entero entre {least} y {most}.',
    no_switch: 'Debe ser true o false.',
    no_list: 'Debe ser una lista.',
    no_id: 'Debe ser un identificador.',
    no_base32: 'Debe tener 32 caracteres base32.',
    none_of: 'Debe ser uno de estos valores: {known}.',
    no_language: 'Debe ser uno de estos valores: {known}, o null para el idioma del navegador.',
    no_names_of: 'Deben ser nombres separados por comas. Nombres conocidos: {known}.',
    not_just: 'Debe ser {word}.',
    no_site_ids: 'Deben ser como máximo {most} identificadores de sitios separados por comas.',
    too_many_sites: 'Tienes acceso a {seen} sitios. Nombra como máximo {most}.',
    no_steps: 'Debe ser una lista de 2 a 8 pasos.',
    no_abilities: 'Elige al menos un permiso: leer, escribir, recopilar o añadir notas.',
    no_ability: 'Debe ser «read», «write», «collect» o «note».',
    no_role: 'Debe ser «viewer» o «manager».',
    no_target_type: 'Debe ser «page» o «event».',
    no_goal: 'Debe ser el identificador de un objetivo.',
    no_crawler: 'Debe ser el identificador de un rastreador de este informe.',
    no_view: 'Debe ser la parte tras ? de una URL del panel, como range=7d&country=DE.',
    no_such_site: 'Este sitio no existe en este servidor.',
    no_sites: 'Elige al menos un sitio.',
    no_site_of_account: 'Esta cuenta no tiene ningún sitio {id}.',
    no_goal_of_site: 'Debe ser un objetivo de este sitio, o ninguno.',
    only_conversions: 'Esto solo vale para la métrica conversions.',
    only_by_conversions: 'Esto solo vale con by=conversions.',
    only_conversion_metrics: 'Esto solo vale para las métricas conversions y conversion_rate.',
    only_event_labels: 'Esto solo vale para el desglose event_labels. Para elegir visitas, usa filters[event].',
    in_path: 'La ruta de la URL ya contiene este valor. Quítalo de aquí.',
    hours_have_few: 'Por hora solo hay visitantes y páginas vistas. Usa day, week o month como intervalo.',
    hours_too_long: 'El intervalo hour permite {most} días como máximo. Usa day o un periodo más corto.',
    goal_required: 'Este dato es obligatorio, porque el sitio no tiene un objetivo principal.',
    not_in_breakdown: 'El desglose {breakdown} no contiene {metric}.',
    sort_not_asked: 'Debe ser una de las métricas solicitadas.',
    not_with_keys: 'Las filas con estas claves no tienen la métrica {metric}. Tienen {known}.',
    too_many_rows: 'Estas claves dan más de {most} filas. Usa menos claves, un intervalo más corto o más filtros.',
    compared_by_time: 'Las filas por tiempo no se pueden comparar. Omite compare.',
    goal_exists: 'El sitio ya tiene este objetivo.',
    own_email: 'Es tu propia dirección de correo. La cuenta ya es tuya.',
    in_team: '{email} ya está en el equipo.',
    domain_taken: '{domain} ya es un sitio en este servidor.',
    domain_was_taken: '{domain} pertenecía a otro sitio hasta hace poco. Podrás usar este nombre a partir del {time}.',
    oidc_unreachable: '{name} no responde en este momento. Inténtalo más tarde.',
    oidc_failed: 'No se pudo iniciar sesión con {name}. Empieza de nuevo en la página de inicio de sesión.',
    oidc_lapsed:
      'Este inicio de sesión duró más de 10 minutos, o empezó en otro navegador. Empieza de nuevo en la página de inicio de sesión.',
    oidc_unverified:
      '{name} no ha verificado tu dirección de correo, así que no puedes iniciar sesión aquí. Habla con la persona que administra {name}.',
    no_header_email: 'El proxy delante de este servidor no envió una dirección de correo válida.',
    not_admitted: '{email} no tiene cuenta en este servidor. Pide una invitación a la persona que lo administra.',
    password_sign_in_off:
      'Este servidor no acepta contraseñas ni claves de acceso. Usa el botón de la página de inicio de sesión.',
    wrong_sign_in: 'Correo o contraseña incorrectos.',
    wrong_share_password: 'Esta no es la contraseña de este enlace.',
    wrong_password: 'Esta no es tu contraseña actual.',
    wrong_code: 'Este código es incorrecto o ya se ha usado.',
    wrong_app_code: 'Este no es el código actual de la aplicación. ¿Tiene tu teléfono la hora correcta?',
    passkey_of_other: 'Esta no es una clave de acceso de {email}.',
    no_mail: 'Este servidor no envía correos.',
    passkey_in_use: 'Esta clave de acceso ya se usa aquí.',
    same_email: 'Esta ya es tu dirección de correo.',
    email_taken: 'Otro usuario de este servidor ya tiene esta dirección de correo.',
    type_code: 'Escribe el código que se envió a {email}.',
    wrong_mailed_code: 'Este no es el código que se envió a {email}.',
    code_lapsed: 'Este código ha caducado. Abre el enlace otra vez para recibir otro.',
    no_password_yet: 'Esta dirección de correo aún no tiene contraseña. Créala con el enlace que recibiste y vuelve.',
    wrong_password_of: 'Esta no es la contraseña de {email}.',
    user_changed: 'Los datos del usuario con esta dirección de correo acaban de cambiar. Inténtalo de nuevo.',
    passkey_not_good: 'Esta clave de acceso no funciona aquí, o la página estuvo abierta demasiado tiempo.',
    pattern_too_long: 'Línea {line}, «{pattern}»: debe tener como máximo {most} caracteres.',
    pattern_no_text: 'Línea {line}, «{pattern}»: debe ser texto sin formato, un patrón por línea.',
    pattern_no_path: 'Línea {line}, «{pattern}»: debe ser una ruta, sin https:// ni host.',
    pattern_of_query: 'Línea {line}, «{pattern}»: no debe contener ?, # ni \\, porque solo se compara la ruta.',
    pattern_of_many: 'Línea {line}, «{pattern}»: debe tener como máximo {most} segmentos.',
    pattern_of_dots: 'Línea {line}, «{pattern}»: tiene un segmento vacío o solo con puntos.',
    pattern_mixed: 'Línea {line}, «{pattern}»: * solo vale para un segmento entero. Escribe * en lugar de «{part}».',
    pattern_unknown: 'Línea {line}, «{pattern}»: «{part}» es desconocido. Conocidos: {known}.',
    parameter_wrong_name: '«{name}»: debe ser un nombre de como máximo {most} letras, cifras y _ - . [ ], sin ? ni =.',
    parameter_of_source: '«{name}»: indica de dónde vino una visita, y no nombra una página. Elimínalo.',
    parameter_twice: '«{name}»: está dos veces en la lista. Elimina uno.',
    pattern_hides_nothing: 'Línea {line}, «{pattern}»: no oculta nada. Escribe {known} en lugar del segmento privado.',
  },

  // The page verify.html, which checks receipts.
  verifying: {
    'Check receipts': 'Comprobar recibos',
    'A receipt says what a site had counted on a day. This page checks whether receipts or hits were changed later. It cannot check whether visitors were people, or when a receipt was made.':
      'Un recibo dice lo que un sitio había contado en un día. Esta página comprueba si después se cambiaron recibos o hits. No puede comprobar si los visitantes eran personas ni cuándo se hizo un recibo.',
    'Everything is computed in your browser. You can save this page and use it without a server.':
      'Todo se calcula en tu navegador. Puedes guardar esta página y usarla sin servidor.',
    Receipts: 'Recibos',
    'Or the domain of a site on this server': 'O el dominio de un sitio de este servidor',
    'Last part of a share link, if you are not signed in':
      'Final de un enlace para compartir, si no has iniciado sesión',
    'A file with receipts': 'Un archivo con recibos',
    'Or the text of receipts': 'O el texto de unos recibos',
    'Compare with (optional)': 'Comparar con (opcional)',
    'An export of all hits': 'Una exportación de todos los hits',
    'As ndjson or CSV. The file stays on your computer.': 'En ndjson o CSV. El archivo no sale de tu ordenador.',
    'The hash of a receipt that you saved': 'El hash de un recibo que guardaste',
    Check: 'Comprobar',
    'Checking the receipts …': 'Comprobando los recibos…',
    'Language of this page': 'Idioma de esta página',
    'No receipts were found there.': 'No se ha encontrado ningún recibo ahí.',
    'Line {line} of the export cannot be read.': 'No se puede leer la línea {line} de la exportación.',
    'Something went wrong: {reason}': 'Algo ha fallado: {reason}',
    'All checks passed': 'Todo está comprobado',
    'Some checks failed': 'Algunas comprobaciones han fallado',
    '{fine} of {all} days passed': '{fine} de {all} días correctos',
    '{count} receipts': { one: '{count} recibo', other: '{count} recibos' },
    '{count} days of the export have no receipt yet': {
      one: '{count} día de la exportación aún no tiene recibo',
      other: '{count} días de la exportación aún no tienen recibo',
    },
    'Save this hash of the last receipt elsewhere. Later, it shows whether receipts were replaced:':
      'Guarda en otro lugar este hash del último recibo. Más adelante mostrará si se han sustituido recibos:',
    'Signed with this key. Compare it with the key of the server, because anyone can sign:':
      'Firmado con esta clave. Compárala con la del servidor, porque cualquiera puede firmar:',
    Date: 'Fecha',
    'Results by day': 'Resultados por día',
    Result: 'Resultado',
    'Valid receipt': 'Recibo válido',
    'Valid receipt, equal to the export': 'Recibo válido, igual que la exportación',
    'Valid receipt (daily totals only)': 'Recibo válido (solo totales del día)',
    'Valid receipt (the day was removed)': 'Recibo válido (se eliminó el día)',
  },
  // Codes of receipts: what is wrong with a receipt or with an export.
  receipts: {
    no_receipts: 'No hay recibos',
    receipts_other_key: 'La clave indicada no ha firmado ninguno de estos recibos',
    receipts_no_hash: 'Falta el recibo con el hash indicado',
    receipt_form: 'El recibo no tiene la forma correcta',
    receipt_date: 'La fecha de este recibo es incorrecta. El recibo se firmó para el {date:day}',
    receipt_sequence: 'El recibo tiene el número {sequence}, pero corresponde el número {expected}',
    receipt_previous: 'El recibo no sigue al anterior',
    receipt_signature: 'La firma es incorrecta',
    receipt_former_signature: 'La clave ha cambiado y la clave anterior no ha firmado',
    receipt_replaces: 'El recibo no menciona el recibo {sequence}, al que sustituye',
    receipt_replaces_none: 'El recibo sustituye a uno que falta',
    receipt_reason: 'El motivo «{reason}» del recibo {sequence} no corresponde al día',
    receipt_figures: 'Las cifras se contradicen',
    export_lines: 'No se pueden leer {count|línea|líneas} de la exportación. La primera es la línea {line}',
    day_digest: 'Los hits de la exportación no son los que se firmaron',
    day_figure: '{figure}: se firmaron {signed}, la exportación tiene {found}',
    day_not_exported: 'El día falta en la exportación',
    day_has_hits: 'La exportación tiene hits, pero según el recibo no hay ninguno guardado',
  },
  // Codes of imports: which data of a file was accepted, which was skipped, and why.
  imports: {
    sheet_read: '{records|registro leído|registros leídos}: {accepted} aceptados, {skipped} omitidos',
    sheet_accepted: 'Aceptado: {kinds:list}, del {from:day} al {to:day}',
    sheet_lacking: 'No está en el archivo, así que se desconoce: {names:list}',
    sheet_lacking_days: 'Algunos días no está en el archivo: {names:list}',
    sheet_skipped: 'Omitido: {count} ({reason:list}), primero en la línea {line}',
    sheet_left: 'Omitido: {what:list}',
    sheet_sums:
      'Aceptado: {visitors} visitantes, {visits} visitas, {pageviews} páginas vistas, {events} eventos, del {from:day} al {to:day}',
    sheet_rows: 'Aceptado: {rows} filas de {table}',
    sheet_searches: '{kinds:list}, del {from:day} al {to:day}',
    sheet_left_searches: '{rows|fila omitida|filas omitidas}: páginas de otros sitios, o filas sin nombre',
    sheet_skipped_rows: 'Omitido: {count} {reason:list}',
    sheet_left_sums: 'Omitido: {what:list}. daybook no lo guarda con totales diarios',
    kind_pageviews: '{count|página vista|páginas vistas}',
    kind_events: '{count|evento|eventos}',
    kind_search_day: '{count|fila|filas} de días',
    kind_search_query: '{count|fila|filas} de consultas',
    kind_search_page: '{count|fila|filas} de páginas',
    kind_search_country: '{count|fila|filas} de países',
    kind_search_device: '{count|fila|filas} de dispositivos',
    kind_messages: '{count|mensaje|mensajes} de tiempo en la página',
    name_days: '{name:list} ({count|día|días})',
    left_columns: 'columnas que no se importan: {names}',
    left_more_columns: 'columnas que no se importan: {names} y {count} más',
    left_properties:
      'propiedades de {hits|hit|hits} por encima del límite de un día: {names} nombres, y {values} valores por nombre. Cuentan como (other)',
    left_dimensions:
      '{names:list}. Este sitio no lo guarda. Para importarlo, cámbialo antes en los ajustes del sitio, en «Recogida»',
    left_sources: 'fuentes de {visits|visita|visitas}, porque Matomo no las indica. Esas visitas cuentan como directas',
    skip_unreadable: 'líneas ilegibles',
    skip_other_host: 'otro host',
    skip_no_host: 'sin host',
    skip_messages: 'otros mensajes',
    skip_no_page: 'peticiones sin página',
    skip_methods: 'métodos distintos de GET',
    skip_answers: 'respuestas distintas de 2xx y 304',
    skip_assets: 'archivos que cargan las páginas',
    skip_programs: 'archivos para programas',
    skip_bots: 'bots',
    skip_no_address: 'sin dirección IP',
    skip_spam: 'spam de referencia',
    skip_excluded: 'direcciones IP excluidas',
    skip_no_event: 'ni páginas vistas ni eventos',
    skip_goals: 'objetivos sin ingresos, que daybook encuentra en sus páginas y eventos',
    skip_carts: 'carritos abandonados',
    skip_actions: 'otras acciones',
    skip_no_url: 'páginas con una URL ilegible',
    skip_before_page: 'acciones antes de la primera página',
    skip_no_revenue: 'ingresos con importe o moneda ilegible',
    skip_twice: 'visitas que están dos veces en el archivo',
    skip_running_days: 'filas de días que no han terminado',
    skip_export_day: 'filas de días que no habían terminado',
    skip_days_without_hits: 'filas de días sin hits',
    skip_days_without_totals: 'filas de días sin totales',
    skip_automatic: 'filas de eventos automáticos, como page_view',
    skip_rows_no_page: 'filas sin página',
    skip_totals: 'totales',
    skip_no_visitors: 'filas de días que no están en imported_visitors',
    skip_files: 'otros archivos',
    left_matomo:
      'títulos de páginas, términos de buscadores, modelos de dispositivos, identificadores de usuarios, dimensiones y variables propias. daybook no los guarda',
    left_plausible: 'ciudades (Plausible solo escribe números), profundidad de desplazamiento y tiempo en las páginas',
    left_titles: 'títulos de páginas',
    left_google: 'otras dimensiones y métricas de Google Analytics',
    name_sources: 'fuentes',
    name_utm_source: 'fuente UTM',
    name_utm_medium: 'medio UTM',
    name_utm_campaign: 'campaña UTM',
    name_utm_term: 'término UTM',
    name_utm_content: 'contenido UTM',
    name_channels: 'canales',
    name_pages: 'páginas',
    name_entry_pages: 'páginas de entrada',
    name_exit_pages: 'páginas de salida',
    name_hostnames: 'nombres de host',
    name_countries: 'países',
    name_regions: 'regiones',
    name_cities: 'ciudades',
    name_devices: 'dispositivos',
    name_browsers: 'navegadores',
    name_browser_versions: 'versiones de navegadores',
    name_systems: 'sistemas operativos',
    name_system_versions: 'versiones de sistemas',
    name_screens: 'pantallas',
    name_languages: 'idiomas',
    name_events: 'eventos',
    name_event_labels: 'etiquetas de eventos',
    name_properties: 'propiedades',
    name_bounces: 'tasa de rebote',
    name_seconds: 'duración de las visitas',
  },
  // Codes of `daybook doctor`: what a check found, and the remedy. Backquotes mark text that people type.
  findings: {
    clock_alone: '{time:time}',
    clock: '{time:time}. Último hit: {last:time}',
    clock_before_daybook: 'El reloj marca {time:time}, antes de la primera versión de daybook',
    clock_before_hit: 'El reloj marca {time:time}, pero el último hit llegó el {last:time}',
    clock_leapt:
      'El reloj marca {time:time}. El último día conocido fue el {seen:day}, a {days|día|días} de distancia. Hasta que se confirme el reloj, ningún día pasa a ser definitivo ni se elimina nada',
    set_clock: 'Ajusta el reloj de esta máquina y mantenlo en hora con NTP',
    set_or_trust_clock:
      'Ajusta el reloj de esta máquina y mantenlo en hora con NTP. Si ya está bien, ejecuta `daybook seal --trust-clock` o espera 6 horas',
    mail_elsewhere:
      'El servidor envía los correos a través de {host}. Para probar también este servidor de correo, ejecuta `daybook doctor` con `--smtp-url`',
    repair_mail: 'Corrige `--smtp-url` o repara el servidor de correo',
    mail_off: 'Desactivado (sin `--smtp-url`). Los enlaces se escriben en el registro',
    mail_answers: '{host} responde',
    mail_trouble: '{host}: {trouble:codes}',
    mail_no_name: 'nombre de host no encontrado',
    mail_unreachable: 'no accesible',
    mail_late: 'sin respuesta en {seconds} s',
    mail_no_tls: 'certificado no válido o sin TLS',
    mail_no_login: 'usuario o contraseña rechazados',
    mail_not_understood: 'respuesta inesperada ({code})',
    engine_off: 'Desactivado (sin `--engine`)',
    webhook_off: 'Desactivado (sin `--webhook-url`)',
    webhook_idle: '{host}: nada que enviar todavía',
    webhook_taken: '{host} aceptó el último mensaje',
    webhook_refused: '{host} no aceptó un mensaje: {reason:codes}',
    channels_none: 'Ningún canal de notificación',
    channels_failing: '{channels|canal|canales} de notificación, {failing} con errores',
    channels_incomplete:
      '{channels|canal de notificación no tiene|canales de notificación no tienen} URL ni token, porque las copias de seguridad no los contienen',
    repair_channels:
      'En los ajustes de cada sitio, elige Notificaciones. Edita cada canal e introduce de nuevo su configuración',
    unknown_host: 'no hay ningún servidor con el nombre {host}',
    bad_certificate: 'el certificado de {host} no es válido ({code})',
    no_connection: 'sin conexión ({code})',
    it_redirected: 'respuesta con el estado {status}, una redirección. Las redirecciones no se siguen',
    it_denied: 'acceso denegado (estado {status}). Comprueba el token o la URL',
    it_knows_no_url: 'la URL o su destino no existe allí (estado {status})',
    it_got_too_many: 'recibió demasiados mensajes (estado {status})',
    settings_missing:
      'faltan su URL y su token, porque las copias de seguridad no los contienen. Introdúcelos de nuevo',
    demo_sends_nothing: 'la demo no envía mensajes',
    it_answered: 'respuesta con estado {status}',
    no_answer_in_time: 'sin respuesta a tiempo',
    repair_webhook: 'Corrige `--webhook-url` o repara el receptor',
    disk: '{free:size} libres. Usa {used:size} y crece {daily:size} al día con las copias de seguridad: suficiente para {days|día|días}',
    disk_years:
      '{free:size} libres. Usa {used:size} y crece {daily:size} al día con las copias de seguridad: suficiente para varios años',
    make_room:
      'Libera espacio, mueve la base de datos a un disco mayor o guarda menos copias de seguridad (`--keep-backups`)',
    no_full_day: 'Ningún día alcanzó el límite',
    full_days:
      '{days|día de un sitio alcanzó|días de sitios alcanzaron} el límite. El {date:day} no se contaron para {domain}: {hits|hit|hits}',
    full_days_deleted:
      '{days|día de un sitio alcanzó|días de sitios alcanzaron} el límite. El {date:day} no se contaron para un sitio eliminado: {hits|hit|hits}',
    look_at_hits: 'Comprueba de dónde vienen estos hits. Si vienen de personas, aumenta `--day-capacity`',
    none_excluded: 'No hay hits de direcciones IP excluidas',
    hits_excluded: '{count|hit sin contar|hits sin contar} de direcciones IP excluidas en los últimos {days} días',
    no_collectors: 'No hay recolectores',
    collectors_fine: '{count|recolector conectado|recolectores conectados} y enviando',
    collector_late:
      'Sin contacto con {name} desde el {time:time}. Las cifras de los días posteriores no pasan a ser definitivas',
    start_collector:
      'Inicia el recolector. Si se perdieron su máquina y su disco, ejecuta `daybook collectors retire {name} --lost`',
    collector_retiring: '{name} no acepta hits, porque se está retirando',
    wait_for_collector:
      'Espera a que el recolector envíe todos sus hits. Si su disco se perdió, añade `--lost` al comando',
    collector_disk: '{name} no acepta hits, porque su disco está lleno',
    make_room_for_outbox: 'Libera espacio en el disco de su bandeja de salida',
    collector_clock: '{name} no acepta hits, porque no se conoce su hora',
    reach_primary:
      'Comprueba que el recolector puede conectar con el servidor de `--primary`. Mantén en hora el reloj de su máquina con NTP',
    collector_skew: 'El {seen:time}, el reloj de {name} marcaba {there:time}',
    set_that_clock: 'Ajusta el reloj de esa máquina y mantenlo en hora con NTP',
    collector_unsent:
      '{name} no ha enviado sus hits desde el {time:time}. Su bandeja de salida contiene {size:size} de hits',
    see_collector_log:
      'Mira el registro del recolector. No puede conectar con el clúster, o el clúster es demasiado lento',
    trust_proxy_there: 'Inicia el recolector con `--trusted-proxies` y la dirección IP del proxy',
    servers_fine: '{count|servidor, completo y accesible|servidores, todos completos y accesibles}',
    server_state: '{url} {state:codes}',
    server_silent: 'no responde',
    server_unused: 'responde, pero no se usa',
    server_complete: 'completo',
    server_from: 'Recibe hits de los días a partir del {from:day}',
    server_undecided: 'Recibirá hits en cuanto todos los recolectores lo conozcan',
    server_leaves: 'Se está retirando',
    server_filling: 'recibe sus datos desde el {since:time}',
    server_filling_step: 'recibe sus datos desde el {since:time}: {step:codes}',
    server_lacks: 'sin usar desde el {since:time}: faltan datos',
    server_missed: 'sin usar desde el {since:time}: no recibió algunos datos',
    server_empty: 'sin usar desde el {since:time}: su disco es nuevo o se vació',
    server_restored: 'sin usar desde el {since:time}: su disco tiene datos más antiguos',
    server_late: 'no ha recibido todos los hits desde el {time:time}',
    see_why_late:
      'Comprueba si {host} está sobrecargado. Los registros del primario y de los recolectores dicen por qué no se le pueden enviar los hits',
    division_waits:
      'Un nuevo shard aún no recibe hits, porque no todos los recolectores lo conocen. A partir del {from:day}, los hits esperan a que lo conozcan',
    see_division:
      'Inicia todos los recolectores. Si se ha perdido el disco de uno, ejecuta `daybook collectors retire NAME --lost`. Para retirar el shard, ejecuta `daybook cluster remove`',
    server_no_figures: 'no dice cuánto ocupan su disco y su memoria',
    grant_system_tables:
      'Da al usuario de ClickHouse de daybook todos los permisos de la sección «The rights of the user» de docs/cluster.md',
    server_disk: 'solo tiene {free:size} de {total:size} de disco libres',
    make_room_on_server: 'Libera espacio en el disco de {host} o ponle un disco mayor. Si está lleno, los hits esperan',
    server_memory: 'usa {used:size} de los {limit:size} de memoria que puede usar',
    see_memory:
      'Mira en system.processes de {host} qué consultas usan la memoria. Si son consultas de daybook, dale más memoria',
    server_parts: 'tiene {count|parte|partes} en una partición de una tabla, porque las fusiona demasiado despacio',
    see_merges:
      'Comprueba si el disco de {host} es demasiado lento y mira allí system.merges. Con demasiadas partes, no acepta más datos',
    server_mutations: 'no puede terminar {count|eliminación|eliminaciones}',
    see_mutations:
      'Mira latest_fail_reason en system.mutations de {host} y elimina la causa. Después ClickHouse lo intenta de nuevo por sí solo',
    fill_waits: 'esperando: {senders:codes}',
    sender_primary: 'el primario',
    sender_collector: 'el recolector {name}',
    fill_copies: 'copiando la tabla {table}',
    fill_copies_days: 'copiando la tabla {table}, pendiente: {days|día|días}',
    fill_compares_days: 'comparando la tabla {table} con otro servidor, pendiente: {days|día|días}',
    wait_for_fill: 'No hay que hacer nada. daybook usará este servidor en cuanto tenga todos los datos',
    start_server:
      'Comprueba que este servidor y el primario estén en marcha. Los datos que faltan se copian automáticamente cuando no haya importaciones en curso',
    fill_server:
      'Ejecuta `daybook cluster fill {host}` para copiarle todos los datos. O vuelve a poner su disco anterior y reinicia el primario',
    start_or_look:
      'Inicia el servidor o averigua por qué no responde. Si se ha perdido su máquina o su disco, consulta «If you lose a server» en docs/cluster.md',
    see_why_unused:
      'Consulta el registro del primario. Si el nombre {host} lleva a otro servidor, corrígelo. Hasta entonces, los hits para ese servidor esperan',
    no_backup_yet: 'Aún no hay copias de seguridad. El servidor hace la primera en la noche tras el primer hit',
    no_backup: 'Aún no hay copias de seguridad',
    make_backup:
      'Ejecuta `daybook backup FILE`, o inicia el servidor con `--keep-backups 7` para hacer una copia cada noche',
    check_backups:
      'Comprueba el disco y la carpeta de copias de seguridad. Para hacer una ahora, ejecuta `daybook backup FILE`',
    countries_of: 'Datos de países del {date:day}',
    countries_unreadable: 'No se puede leer {file}',
    correct_geoip: 'Corrige `--geoip` o quítalo',
    update_countries: 'Actualiza daybook, o descarga un archivo mmdb más reciente e indícalo con `--geoip`',
    no_visitors_yet:
      'Aún no hay visitantes. Cada minuto, el servidor comprueba si ve las direcciones IP de los visitantes',
    visitors_elsewhere:
      'A este servidor no ha llegado ningún visitante. Cada recolector comprueba si ve las direcciones IP de los visitantes',
    trust_proxy: 'Si el servidor está detrás de un proxy, inícialo con `--trusted-proxies` y la dirección IP del proxy',
    none_sealed: 'Aún no hay ningún día definitivo',
    seal_waits: 'Los días pasados serán definitivos en cuanto hayan llegado todos sus hits',
    all_sealed: 'Las cifras de todos los días pasados son definitivas',
    report_unsealed:
      'El servidor lo intentará de nuevo automáticamente. Hasta entonces, los informes calculan estos días a partir de sus hits. Si el mensaje no dice qué hacer, por favor, informa de él',
    nothing_waits: 'No hay tareas pendientes',
    jobs_wait: 'Tareas pendientes: {jobs:codes}',
    job_salts: 'sustituir las sales secretas de los días pasados (desde el {since:time}: {reason:codes})',
    job_sessions: 'eliminar sesiones antiguas (desde el {since:time}: {reason:codes})',
    job_removals: 'eliminar los sitios quitados (desde el {since:time}: {reason:codes})',
    job_exclusions: 'aplicar exclusiones (desde el {since:time}: {reason:codes})',
    job_sealing: 'cierre de días pasados (desde el {since:time}: {reason:codes})',
    job_visitor_codes: 'eliminar datos antiguos (desde el {since:time}: {reason:codes})',
    job_changes: 'contar los cambios de días pasados (desde el {since:time}: {reason:codes})',
    job_receipts: 'firmar los recibos de días pasados (desde el {since:time}: {reason:codes})',
    job_recount: 'verificar días (desde el {since:time}: {reason:codes})',
    job_backup: 'hacer una copia de seguridad (desde el {since:time}: {reason:codes})',
    job_forgetting:
      'comprobar que las sales eliminadas ya no están en los archivos del servidor (desde el {since:time}: {reason:codes})',
    job_parquet: 'escribir archivos Parquet (desde el {since:time}: {reason:codes})',
    job_mails: 'enviar correos (desde el {since:time}: {reason:codes})',
    not_done_yet: 'aún sin terminar',
    days_unsealed: '{days:codes}',
    day_unsealed: '{domain} {date} no puede pasar a ser definitivo ({reason})',
    see_log: 'Mira el registro del servidor. Vuelve a intentar cada tarea cada minuto',
    no_restore_test: 'Aún no hay ninguna prueba de restauración',
    restore_fine: '{name} se puede restaurar, {days|día verificado|días verificados}',
    restore_fine_elsewhere: '{name} se puede restaurar. Los hits de sus días están en los servidores ClickHouse',
    copy_again: 'Haz otra copia de seguridad con `daybook backup FILE` y ejecuta `daybook check`',
    no_forgetting: 'El servidor aún no ha buscado sales de días pasados',
    forgotten:
      'Se buscaron {salts|sal|sales} de días pasados en {bytes:size} y no se encontró ninguna. Lugares: {places:codes}',
    not_forgotten:
      'Se buscaron {salts|sal|sales} de días pasados en {bytes:size}: {found|encontrada|encontradas}. Lugares: {places:codes}',
    report_salts:
      'Cierra los programas que llevan mucho tiempo leyendo el archivo de base de datos. El servidor busca de nuevo después de una hora. Si aún encuentra sales, comunica este mensaje',
    collector_searched: 'Recolector {number}: {result:codes}',
    collector_unsearched:
      'El recolector {number} aún no ha informado de ninguna búsqueda de sales, así que el resultado no está completo',
    collector_not_searched:
      'El recolector {number} no responde, o no ha buscado sales desde {time:time}, así que el resultado no está completo',
    report_collectors:
      'Inicia los recolectores y mira sus registros. Si un recolector encuentra sales, comunica este mensaje',
    proof_fine:
      'Se contó un visitante ficticio. Terminado el día, no se encontró ningún rastro de este visitante en {bytes:size}. Lugares: {places:codes}',
    proof_failed:
      'Se contó un visitante ficticio. Terminado el día, se encontraron rastros de este visitante. Lugares: {places:codes}',
    proof_incomplete:
      'Se contó un visitante ficticio. Terminado el día, no se encontró ningún rastro de este visitante en {bytes:size}. Pero el resultado no está completo, porque no se pudo leer todo aquí: {unread:codes}. Lugares: {places:codes}',
    place_searched: '{place:codes} ({bytes:size})',
    place_searched_on: '{server:codes}, {place:codes} ({bytes:size})',
    server_primary: 'primario',
    server_collector: 'recolector {number}',
    server_clickhouse: 'servidor ClickHouse {number}',
    place_file: 'archivo de base de datos',
    place_wal: 'registro de escritura anticipada',
    place_backups: 'copias de seguridad',
    place_outbox: 'bandeja de salida',
    place_log: 'registro',
    place_memory: 'memoria en uso',
    place_threads: 'memoria de los hilos',
    place_open_days: 'copia de días abiertos',
    place_tables: 'tablas',
    place_system_logs: 'registros de ClickHouse',
    no_parquet: 'Los archivos Parquet están desactivados',
    parquet_fine: '{count|archivo Parquet está|archivos Parquet están} al día',
    check_parquet: 'Comprueba el disco y la carpeta de `--parquet`. El servidor lo intenta de nuevo cada minuto',
    no_recount: 'Aún no se ha verificado ningún día',
    recount_fine: '{count|día verificado|días verificados}, sin diferencias',
    recount_different: '{count|día verificado|días verificados}, {different|difiere|difieren}',
    recount_faulty:
      '{days|día verificado|días verificados}, {count|incoherente|incoherentes}. {domain} {date}: {faults}',
    check_all:
      'Ejecuta `daybook check` para verificar todos los días. Después restaura una copia de seguridad anterior, o importa otra vez los días afectados',
    no_check: '`daybook check` aún no se ha ejecutado',
    restore_or_import: 'Restaura una copia de seguridad anterior, o importa otra vez los días afectados',
    networks: 'Visitantes de {count|red|redes}',
    many_networks: 'Visitantes de {count} redes o más',
    proxy_ignored: 'Visitantes de {count|red|redes}, a través de un proxy cuyo X-Forwarded-For no es de confianza',
    proxy_ignored_of_many:
      'Visitantes de {count} redes o más, a través de un proxy cuyo X-Forwarded-For no es de confianza',
    one_private: 'Todos los visitantes tienen la misma dirección IP privada',
    not_checked: 'Esta comprobación no se pudo completar ({code})',
    not_checked_in_time: 'Esta comprobación no recibió respuesta a tiempo',
    look_what_hangs: 'Averigua qué va lento, por ejemplo un disco o un servidor',
    check_disk: 'Comprueba el disco y los permisos del archivo de la base de datos',
    versions: 'daybook {version}, node {node}, SQLite {sqlite}',
    believed: 'Tu petición vino de {visitor}, según el proxy de confianza {sender}',
    no_header: 'Tu petición vino de {visitor}, sin X-Forwarded-For',
    names_nobody: 'Tu petición vino de {visitor}. X-Forwarded-For no contiene otra dirección IP',
    not_believed: 'Tu petición vino de {sender}, cuyo X-Forwarded-For no es de confianza',
    trust_cloudflare: 'Inicia el servidor con `--trusted-proxies` y los rangos de direcciones IP de Cloudflare',
    trust_sender: 'Si {sender} es tu proxy, inicia el servidor con `--trusted-proxies {sender}`',
    name_cloudflare: 'Añade los rangos de direcciones IP de Cloudflare a `--trusted-proxies`',
    name_visitor: 'Si estás en la misma red que el servidor, ignora esto. Si no, añade {visitor} a `--trusted-proxies`',
    forward_and_trust:
      'Haz que el proxy envíe X-Forwarded-For. Después inicia el servidor con `--trusted-proxies {sender}`',
    forward: 'Haz que el proxy envíe X-Forwarded-For',
    unless_inside_forward_and_trust:
      'Si estás en la misma red que el servidor, ignora esto. Si no, haz que el proxy envíe X-Forwarded-For e inicia el servidor con `--trusted-proxies {sender}`',
    unless_inside_forward:
      'Si estás en la misma red que el servidor, ignora esto. Si no, haz que el proxy envíe X-Forwarded-For',
    set_base_url: 'Inicia el servidor con `--base-url` y su URL https pública',
  },
};

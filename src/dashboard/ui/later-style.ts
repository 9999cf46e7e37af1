import { css } from 'style:later.css';

/** Adds the style of all components that are loaded later, once. A browser with a strict policy allows such a sheet. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

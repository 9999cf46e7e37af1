// Makes src/dashboard/report/panels/world.json, which is part of the repository. The map is by Natural Earth and in the
// public domain. It comes from the package world-atlas (version 2.0.2). Usage: node scripts/world.mjs
// node_modules/world-atlas/countries-110m.json
import { readFileSync, writeFileSync } from 'node:fs';

const WIDTH = 1000;
/** Islands below this area, in square units of the picture, are left out. An island stays if it is a whole country. */
const SPECK = 4;

/**
 * The two letters of each country of the map, by its number (ISO 3166-1). Antarctica (010) and the French Southern
 * Territories (260) are left out.
 */
const CODES = Object.fromEntries(
  `004AF 008AL 012DZ 024AO 031AZ 032AR 036AU 040AT 044BS 050BD 051AM 056BE 064BT 068BO 070BA 072BW 076BR 084BZ 090SB
   096BN 100BG 104MM 108BI 112BY 116KH 120CM 124CA 140CF 144LK 148TD 152CL 156CN 158TW 170CO 178CG 180CD 188CR 191HR
   192CU 196CY 203CZ 204BJ 208DK 214DO 218EC 222SV 226GQ 231ET 232ER 233EE 238FK 242FJ 246FI 250FR 262DJ 266GA 268GE
   270GM 275PS 276DE 288GH 300GR 304GL 320GT 324GN 328GY 332HT 340HN 348HU 352IS 356IN 360ID 364IR 368IQ 372IE 376IL
   380IT 384CI 388JM 392JP 398KZ 400JO 404KE 408KP 410KR 414KW 417KG 418LA 422LB 426LS 428LV 430LR 434LY 440LT 442LU
   450MG 454MW 458MY 466ML 478MR 484MX 496MN 498MD 499ME 504MA 508MZ 512OM 516NA 524NP 528NL 540NC 548VU 554NZ 558NI
   562NE 566NG 578NO 586PK 591PA 598PG 600PY 604PE 608PH 616PL 620PT 624GW 626TL 630PR 634QA 642RO 643RU 646RW 682SA
   686SN 688RS 694SL 703SK 704VN 705SI 706SO 710ZA 716ZW 724ES 728SS 729SD 732EH 740SR 748SZ 752SE 756CH 760SY 762TJ
   764TH 768TG 780TT 784AE 788TN 792TR 795TM 800UG 804UA 807MK 818EG 826GB 834TZ 840US 854BF 858UY 860UZ 862VE 887YE
   894ZM`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 3), entry.slice(3)]),
);
/** Countries without a number in the map, by their names in the map. */
const NAMED = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' };

/**
 * The map projection Equal Earth (Šavrič, Patterson and Jenny, 2018). Areas in the picture are in proportion to real
 * areas.
 */
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796];
function equalEarth(longitude, latitude) {
  const [lambda, phi] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
  const theta = Math.asin((Math.sqrt(3) / 2) * Math.sin(phi));
  const square = theta * theta;
  const six = square ** 3;
  const slope = 9 * A4 * six * square + 7 * A3 * six + 3 * A2 * square + A1;
  return [
    (2 * Math.sqrt(3) * lambda * Math.cos(theta)) / (3 * slope),
    theta * (A1 + A2 * square + six * (A3 + A4 * square)),
  ];
}
const [edge] = equalEarth(180, 0);
const [, top] = equalEarth(0, 84);

const { arcs, objects, transform } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

/** Decodes the arcs of the file: each becomes a list of points in degrees. */
const lines = arcs.map((arc) => {
  const at = [0, 0];
  return arc.map((step) => {
    for (const axis of [0, 1]) at[axis] += step[axis];
    return at.map((value, axis) => value * transform.scale[axis] + transform.translate[axis]);
  });
});
const lineOf = (index) => (index < 0 ? lines[~index].toReversed() : lines[index]);

/**
 * These countries cross 180° of longitude. Their eastern part is drawn beyond the edge of the map, so that Russia stays
 * in one piece.
 */
const OVER = ['RU', 'FJ'];

/**
 * Gives the place of a point, in units of the picture. Neighbouring countries have common arcs, so rounding leaves no
 * gap between them.
 */
function placed([longitude, latitude], code) {
  const [x, y] = equalEarth(longitude < 0 && OVER.includes(code) ? longitude + 360 : longitude, latitude);
  return [Math.round(((x + edge) * WIDTH) / (2 * edge)), Math.round(((top - y) * WIDTH) / (2 * edge))];
}

function ringOf(indices, code) {
  const points = indices.flatMap((index, i) => lineOf(index).slice(i > 0 ? 1 : 0)).map((point) => placed(point, code));
  return points.filter(([x, y], i) => i === 0 || x !== points[i - 1][0] || y !== points[i - 1][1]);
}
const areaOf = (ring) =>
  Math.abs(ring.reduce((sum, [x, y], i) => sum + x * ring.at(i - 1)[1] - y * ring.at(i - 1)[0], 0)) / 2;

/**
 * Writes a ring of points as an SVG path, in as few characters as possible. A minus sign also separates two numbers.
 */
function pathOf(ring) {
  const steps = ring.slice(1, -1).flatMap(([x, y], i) => [x - ring[i][0], y - ring[i][1]]);
  return `M${ring[0].join(' ')}l${steps.join(' ').replaceAll(' -', '-')}z`;
}

const world = {};
for (const { id, type, properties, arcs: parts } of objects.countries.geometries) {
  const code = CODES[id] ?? NAMED[properties.name];
  if (code === undefined) continue;
  const rings = (type === 'Polygon' ? [parts] : parts)
    .flatMap((polygon) => polygon.map((ring) => ringOf(ring, code)))
    .sort((one, other) => areaOf(other) - areaOf(one));
  const drawn = rings.filter((ring, i) => ring.length > 3 && (i === 0 || areaOf(ring) >= SPECK)).map(pathOf);
  if (drawn.length > 0) world[code] = (world[code] ?? '') + drawn.join('');
}
const sorted = Object.fromEntries(Object.entries(world).sort(([one], [other]) => (one < other ? -1 : 1)));
writeFileSync(
  new URL('../src/dashboard/report/panels/world.json', import.meta.url),
  `${JSON.stringify(sorted, null, 2)}\n`,
);

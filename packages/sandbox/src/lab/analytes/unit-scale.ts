/**
 * Laboratories have many spellings of a unit (`x10E3/uL`, `Thousand/uL`, `K/uL`). Values of the
 * registry are in one unit; this returns the factor to another one of the same kind.
 */

const MASS: Record<string, number> = { kg: 1e3, g: 1, mg: 1e-3, ug: 1e-6, ng: 1e-9, pg: 1e-12 }
const SUBSTANCE: Record<string, number> = {
  mol: 1,
  mmol: 1e-3,
  umol: 1e-6,
  nmol: 1e-9,
  pmol: 1e-12,
}
const ACTIVITY: Record<string, number> = { ku: 1e3, u: 1, mu: 1e-3, uu: 1e-6 }
const COUNT: Record<string, number> = {
  '': 1,
  '10*3': 1e3,
  '10*6': 1e6,
  '10*9': 1e9,
  '10*12': 1e12,
}
const VOLUME: Record<string, number> = { l: 1, dl: 0.1, ml: 1e-3, ul: 1e-6 }

const KINDS = { mass: MASS, substance: SUBSTANCE, activity: ACTIVITY, count: COUNT }

/** Spellings, in the order in which they are replaced; units are already in lower case. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\(calc\)|\s+/g, ''],
  [/[µμ]/g, 'u'],
  [/\/?\{1\.73_?m2\}|\/1\.73(sqm|m2|m\^2)?$/g, ''],
  [/\{[^}]*\}|creat(inine)?$/g, ''],
  [/\[iu\]|iu/g, 'u'],
  [/^\[ph\]$|^ratio$|^index(_val)?$|^inr$|^1$/g, ''],
  [/^mcg/g, 'ug'],
  [/^meq/g, 'mmol'],
  [/^(thousands?|k)\/(u|mm)/g, '10*3/$2'],
  [/^(millions?|m)\/(u|mm)/g, '10*6/$2'],
  [/^x?10(?:e|\^|\*|\()(\d+)\)?/g, '10*$1'],
  [/^(cells?|copies)\//g, '/'],
  [/mm3$|cumm$/g, 'ul'],
  [/^sec(onds)?$/g, 's'],
  [/\/\(24\.h\)$|\/24h(r|rs)?$/g, '/d'],
  [/\/hr$/g, '/h'],
  [/^mosmol/g, 'mosm'],
  [/^\[([gma]pl)'u\]$|^([gma]pl)(u\/ml)?$/g, '$1$2'],
  [/\[arb'u\]|^units?$/g, 'u'],
]

function normalize(unit: string): string {
  return SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), unit.toLowerCase())
}

interface Measure {
  kind: string
  factor: number
}

function measureOf(unit: string): Measure {
  const normal = normalize(unit)
  const [top = '', bottom, ...rest] = normal.split('/')
  const volume = VOLUME[bottom ?? '']
  const mass = MASS[bottom ?? '']
  for (const [kind, prefixes] of Object.entries(KINDS)) {
    const factor = prefixes[top]
    if (factor === undefined || bottom === undefined || rest.length > 0) continue
    if (volume !== undefined) return { kind: `${kind}/volume`, factor: factor / volume }
    if (mass !== undefined) return { kind: `${kind}/mass`, factor: factor / mass }
  }
  return { kind: normal, factor: 1 }
}

const known = new Map<string, Measure>()

function knownMeasureOf(unit: string): Measure {
  let measure = known.get(unit)
  if (measure === undefined) {
    measure = measureOf(unit)
    // Units come from catalogs; a limit keeps strange ones from filling memory.
    if (known.size > 2000) known.clear()
    known.set(unit, measure)
  }
  return measure
}

/**
 * Returns the factor that converts a value in `from` to `to`; null when they measure different
 * things.
 */
export function scaleBetween(from: string, to: string): number | null {
  if (from === to) return 1
  const [source, target] = [knownMeasureOf(from), knownMeasureOf(to)]
  // Units of a single assay are written with and without the volume.
  const kinds = [source.kind, target.kind]
  if (kinds.includes('u') && kinds.includes('activity/volume')) return 1
  if (source.kind !== target.kind) return null
  const scale = source.factor / target.factor
  // Rounds to powers of ten, which binary fractions only approximate.
  return 10 ** Math.round(Math.log10(scale))
}

/** Returns a UCUM unit as people print it; null for one without such a form. */
export function toPrintedUnit(ucum: string): string | null {
  const printed = ucum
    .replace('{1.73_m2}', '1.73m2')
    .replace('(24.h)', '24 h')
    .replace("[arb'U]", 'U')
    .replace(/\[IU\]/g, 'IU')
    .replace(/\{[^}]*\}|\[pH\]|^1$/g, '')
  return printed === '' ? null : printed
}

/**
 * Quantity that is measured of a component, coarser than the properties of LOINC: as coarse as
 * units distinguish. `fraction` is every per cent; a unit of activity can be `enzyme` or
 * `arbitrary`.
 */
export type Quantity =
  | 'mass'
  | 'substance'
  | 'count'
  | 'arbitrary'
  | 'enzyme'
  | 'fraction'
  | 'molarFraction'
  | 'massRatio'
  | 'mixedRatio'
  | 'ratio'
  | 'index'
  | 'titer'
  | 'area'
  | 'cellVolume'
  | 'cellMass'
  | 'time'
  | 'velocity'
  | 'filtration'
  | 'clearance'
  | 'massRate'
  | 'substanceRate'
  | 'pressure'
  | 'osmolality'
  | 'acidity'
  | 'density'
  | 'presence'
  | 'named'
  | 'other'

const quantityOfProperty: Record<string, Quantity> = {
  MCnc: 'mass',
  SCnc: 'substance',
  NCnc: 'count',
  ACnc: 'arbitrary',
  CCnc: 'enzyme',
  NFr: 'fraction',
  MFr: 'fraction',
  VFr: 'fraction',
  CFr: 'fraction',
  SFr: 'fraction',
  RelACnc: 'fraction',
  MCnt: 'massRatio',
  MRto: 'ratio',
  SRto: 'ratio',
  NRto: 'ratio',
  Ratio: 'ratio',
  RelTime: 'ratio',
  Index: 'index',
  Titr: 'titer',
  Naric: 'area',
  EntVol: 'cellVolume',
  EntMass: 'cellMass',
  Time: 'time',
  Vel: 'velocity',
  ArVRat: 'filtration',
  VRat: 'clearance',
  MRat: 'massRate',
  SRat: 'substanceRate',
  PPres: 'pressure',
  Osmol: 'osmolality',
  LsCnc: 'acidity',
  Rden: 'density',
  PrThr: 'presence',
  Type: 'named',
  Prid: 'named',
  Imp: 'named',
  Find: 'named',
  Morph: 'named',
}

/**
 * Returns the quantity of a LOINC row, from its property or, where that is too coarse, its unit in
 * UCUM.
 */
export function quantityOfRow(property: string, unit: string): Quantity {
  const quantity = quantityOfProperty[property] ?? 'other'
  if (quantity !== 'ratio' && property !== 'SFr') return quantity
  const [ofUnit] = unit ? quantitiesOfUnit(unit) : []
  return ofUnit === 'fraction' ||
    ofUnit === 'massRatio' ||
    ofUnit === 'mixedRatio' ||
    ofUnit === 'molarFraction'
    ? ofUnit
    : quantity
}

/** Quantities that are printed without a unit. */
export const unitless: ReadonlySet<Quantity> = new Set<Quantity>([
  'ratio',
  'index',
  'titer',
  'acidity',
  'density',
  'presence',
  'named',
])

const liters = /^(?:[cdmunpf]?[lL]|[cdmun]?m3)$/
const grams = /^[kcdmunpf]?g$/
const moles = /^[kmunpf]?(?:mol|eq)$/
const times = /^(?:s|min|h|d|wk|24h)$/

/** Returns the quantities that a unit in UCUM can be of; empty if it does not decide. */
export function quantitiesOfUnit(ucum: string): readonly Quantity[] {
  const whole = wholeUnits.find(([pattern]) => pattern.test(ucum))
  if (whole) return whole[1]
  const plain = ucum.replace(/\(?24\.h\)?/, '24h')
  const bare = plain.replace(/\{[^}]*\}/g, '')
  const [amount = '', per, again] = bare.split('/')
  if (again !== undefined)
    return grams.test(amount) && times.test(again) ? ['enzyme', 'mass'] : ['other']
  if (per === undefined) return quantitiesOfAmount(amount)
  if (liters.test(per)) return quantitiesPerVolume(amount, plain)
  if (times.test(per)) {
    if (grams.test(amount)) return ['massRate']
    if (moles.test(amount)) return ['substanceRate']
    return liters.test(amount) ? ['clearance'] : ['other']
  }
  if (grams.test(per)) return quantitiesPerMass(amount, per)
  if (moles.test(per)) {
    if (grams.test(amount)) return ['mixedRatio']
    return amount === per ? ['ratio'] : ['molarFraction']
  }
  return amount === per ? ['ratio'] : ['other']
}

const wholeUnits: [RegExp, readonly Quantity[]][] = [
  [/^%/, ['fraction']],
  [/1\.73/, ['filtration']],
  [/\[(?:HPF|LPF)\]|\{(?:field|HPF|LPF)\}/i, ['area']],
  [/^\[pH\]$/, ['acidity']],
  [/^\{titer\}$|^\{dilution\}$/i, ['titer']],
  [/^\{(?:ratio|INR)\}$|^1$/i, ['ratio', 'index']],
  [/^\{.*(?:index|S_CO|S\/CO|COI|ISR|OD|signal).*\}$/i, ['index', 'ratio', 'arbitrary']],
  [/^\{[^}]*\}$/, ['arbitrary', 'index', 'ratio']],
  [/^mm\/h$/, ['velocity']],
  [/^k?m?osm(?:ol)?\//i, ['osmolality']],
  [/^mm\[Hg\]$|^k?Pa$/, ['pressure']],
]

function quantitiesOfAmount(amount: string): readonly Quantity[] {
  if (/^fL$/i.test(amount) || amount === 'um3') return ['cellVolume']
  if (amount === 'pg') return ['cellMass']
  if (times.test(amount)) return ['time']
  if (/^\[.*U\]$|^U$/.test(amount)) return ['arbitrary']
  return ['other']
}

function quantitiesPerVolume(amount: string, unit: string): readonly Quantity[] {
  if (grams.test(amount)) return ['mass']
  if (moles.test(amount)) return ['substance']
  if (/^[kmunp]?U$/.test(amount) || /^[kmunp]?\[IU\]$/.test(amount)) return ['enzyme', 'arbitrary']
  if (/^[mun]?kat$/.test(amount)) return ['enzyme']
  if (/\[.*U\]$/.test(amount)) return ['arbitrary']
  if (liters.test(amount)) return ['fraction']
  if (/^10[*^]/.test(amount)) return ['count']
  if (amount === '' || amount === '1')
    return /^\{(?!cell|cel|#|rbc|wbc|plt|copies)/i.test(unit) ? ['arbitrary'] : ['count']
  return ['other']
}

function quantitiesPerMass(amount: string, per: string): readonly Quantity[] {
  if (grams.test(amount)) return amount === per ? ['ratio', 'massRatio'] : ['massRatio', 'ratio']
  if (moles.test(amount)) return ['mixedRatio']
  return ['other']
}

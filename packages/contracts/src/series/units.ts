/**
 * canonical = (label value × times + plus) / by. Whole numbers are used wherever the definition of
 * the unit has them: a factor such as 1 / 4.184 has no exact form and would not convert 418.4 kJ to
 * 100 kcal.
 */
export interface UnitConversion {
  times: number
  plus: number
  by: number
}

/** Conversions to the canonical unit of a series by the unit labels of clients and exports. */
export type UnitTable = Readonly<Record<string, UnitConversion>>

/** A whole or decimal number, or the two whole numbers of a fraction. */
type Factor = number | readonly [times: number, by: number]

/** Builds conversions without an offset, by label. */
export function unitTable(factors: Readonly<Record<string, Factor>>, scale: Factor = 1): UnitTable {
  const [scaleTimes, scaleBy] = fractionOf(scale)
  const entries = Object.entries(factors).map(([label, factor]) => {
    const [times, by] = fractionOf(factor)
    return [label, { times: times * scaleTimes, plus: 0, by: by * scaleBy }]
  })
  return Object.fromEntries(entries)
}

/** 28.349523125 as 28349523125 / 1000000000. */
function fractionOf(factor: Factor): readonly [times: number, by: number] {
  if (typeof factor !== 'number') return factor
  const [whole = '', decimals = ''] = String(factor).split('.')
  return [Number(whole + decimals), 10 ** decimals.length]
}

const MASS_G = {
  kg: 1000,
  g: 1,
  gram: 1,
  mg: [1, 1e3],
  // Greek mu, micro sign, and the ASCII spellings of a microgram
  μg: [1, 1e6],
  µg: [1, 1e6],
  ug: [1, 1e6],
  mcg: [1, 1e6],
  lb: 453.59237,
  oz: 28.349523125,
  st: 6350.29318,
} as const

const LENGTH_M = {
  m: 1,
  meter: 1,
  km: 1000,
  cm: 0.01,
  centimeter: 0.01,
  mm: [1, 1e3],
  mi: 1609.344,
  yd: 0.9144,
  ft: 0.3048,
  in: 0.0254,
} as const

const VOLUME_ML = {
  ml: 1,
  mL: 1,
  L: 1000,
  l: 1000,
  fl_oz_us: 29.5735295625,
  fl_oz_imp: 28.4130625,
  cup_us: 236.5882365,
  pt_us: 473.176473,
} as const

const TIME_MIN = {
  min: 1,
  minute: 1,
  s: [1, 60],
  sec: [1, 60],
  hr: 60,
  hour: 60,
  ms: [1, 60_000],
} as const

const FAHRENHEIT: UnitConversion = { times: 5, plus: -160, by: 9 }
const KELVIN: UnitConversion = { times: 100, plus: -27_315, by: 100 }

const CELSIUS = unitTable({ '°C': 1, ºC: 1, degC: 1, C: 1 })

/**
 * Conversions by dimension. Factors: docs/contract/05-timeseries.md#resource-table for glucose,
 * cholesterol, caffeine, pound and Fahrenheit; the international definitions for the rest.
 */
export const UNITS = {
  percent: unitTable({ '%': 1, percent: 1 }),
  kilograms: unitTable(MASS_G, [1, 1000]),
  grams: unitTable(MASS_G),
  meters: unitTable(LENGTH_M),
  centimeters: unitTable(LENGTH_M, 100),
  milliliters: unitTable(VOLUME_ML),
  liters: unitTable(VOLUME_ML, [1, 1000]),
  litersPerMinute: unitTable({ 'L/min': 1, 'L/s': 60, 'mL/min': [1, 1e3] }),
  minutes: unitTable(TIME_MIN),
  kilocalories: unitTable({ kcal: 1, Cal: 1, kJ: [1000, 4184], cal: [1, 1000], J: [1, 4184] }),
  celsius: { ...CELSIUS, '°F': FAHRENHEIT, ºF: FAHRENHEIT, degF: FAHRENHEIT, K: KELVIN },
  celsiusDelta: { ...CELSIUS, ...unitTable({ '°F': [5, 9], ºF: [5, 9], degF: [5, 9], K: 1 }) },
  count: unitTable({ count: 1, '': 1 }),
  index: unitTable({ index: 1, count: 1, '': 1 }),
  beatsPerMinute: unitTable({ bpm: 1, 'count/min': 1, 'count/s': 60 }),
  milliseconds: unitTable({ rmssd: 1, ms: 1, s: 1000 }),
  bloodGlucose: unitTable({ 'mmol/L': 1, 'mg/dL': [10_000, 180_182] }),
  cholesterol: unitTable({ 'mmol/L': 1, 'mg/dL': [100, 3867] }),
  triglycerides: unitTable({ 'mmol/L': 1, 'mg/dL': [100, 8857] }),
  oxygenUptake: unitTable({ 'mL/kg/min': 1, 'ml/kg/min': 1, 'mL/min·kg': 1 }),
  // A millimeter of mercury is 13.5951 millimeters of water, and 133.322387415 Pa.
  pressure: unitTable({ mmHg: 1, kPa: [1e12, 133_322_387_415], cmAq: [1e5, 135_951] }),
  millivolts: unitTable({ mV: 1, V: 1000, uV: [1, 1e3], μV: [1, 1e3], µV: [1, 1e3] }),
  insulinUnits: unitTable({ unit: 1, U: 1, IU: 1, count: 1 }),
  fluorescence: unitTable({ FSU: 1 }),
  sleepStage: unitTable({ stage: 1 }),
  text: unitTable({ text: 1 }),
} as const satisfies Record<string, UnitTable>

/** More digits than any measurement has, and fewer than conversion arithmetic distorts. */
const SIGNIFICANT_DIGITS = 12

/** Rounds off the digits that arithmetic adds: 4.999999999999999 becomes 5. */
export function roundMeasured(value: number): number {
  const [size, millionths] = [Math.abs(value), Math.round(value * 1e6)]
  // So few digits are already rounded off; the sum turns -0 into 0, as a text does.
  if (size < 1e5 && millionths / 1e6 === value) return value + 0
  return Number(value.toPrecision(SIGNIFICANT_DIGITS))
}

/**
 * Converts to the canonical unit, or returns undefined for an unknown label. A value in the
 * canonical unit is returned unchanged.
 */
export function convertToCanonical(
  table: UnitTable,
  label: string,
  value: number,
): number | undefined {
  // Own-property check: a label such as "constructor" is unknown.
  if (!Object.hasOwn(table, label)) return undefined
  const { times, plus, by } = table[label] as UnitConversion
  // Adding 0 removes a negative zero, which would be a different text of the same value.
  if (times === by && plus === 0) return value + 0
  return roundMeasured((value * times + plus) / by)
}

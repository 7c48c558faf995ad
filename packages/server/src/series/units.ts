/** canonical = label value × factor + offset */
export interface UnitConversion {
  factor: number
  offset: number
}

/** Unit label as a client or export writes it → conversion to the canonical unit of a series. */
export type UnitTable = Readonly<Record<string, UnitConversion>>

function units(factors: Record<string, number>): UnitTable {
  const entries = Object.entries(factors).map(([label, factor]) => [label, { factor, offset: 0 }])
  return Object.fromEntries(entries)
}

const MASS_G = {
  kg: 1000,
  g: 1,
  gram: 1,
  mg: 1e-3,
  // Greek mu, micro sign, and the ASCII spellings of a microgram
  μg: 1e-6,
  µg: 1e-6,
  ug: 1e-6,
  mcg: 1e-6,
  lb: 453.59237,
  oz: 28.349523125,
  st: 6350.29318,
}

const LENGTH_M = {
  m: 1,
  meter: 1,
  km: 1000,
  cm: 0.01,
  centimeter: 0.01,
  mm: 1e-3,
  mi: 1609.344,
  yd: 0.9144,
  ft: 0.3048,
  in: 0.0254,
}

const VOLUME_ML = {
  ml: 1,
  mL: 1,
  L: 1000,
  l: 1000,
  fl_oz_us: 29.5735295625,
  fl_oz_imp: 28.4130625,
  cup_us: 236.5882365,
  pt_us: 473.176473,
}

const TIME_MIN = { min: 1, minute: 1, s: 1 / 60, sec: 1 / 60, hr: 60, hour: 60, ms: 1 / 60_000 }

const FAHRENHEIT: UnitConversion = { factor: 5 / 9, offset: (-32 * 5) / 9 }
const KELVIN: UnitConversion = { factor: 1, offset: -273.15 }

function scaled(table: Record<string, number>, by: number): UnitTable {
  return units(
    Object.fromEntries(Object.entries(table).map(([label, factor]) => [label, factor / by])),
  )
}

const CELSIUS = units({ '°C': 1, ºC: 1, degC: 1, C: 1 })

/**
 * Conversions by dimension. Factors: contract 05 section 3 for glucose, cholesterol, caffeine,
 * pound and Fahrenheit; the international definitions for the rest.
 */
export const UNITS = {
  percent: units({ '%': 1, percent: 1 }),
  kilograms: scaled(MASS_G, 1000),
  grams: units(MASS_G),
  meters: units(LENGTH_M),
  centimeters: scaled(LENGTH_M, 0.01),
  milliliters: units(VOLUME_ML),
  liters: scaled(VOLUME_ML, 1000),
  litersPerMinute: units({ 'L/min': 1, 'L/s': 60, 'mL/min': 1e-3 }),
  minutes: units(TIME_MIN),
  kilocalories: units({ kcal: 1, Cal: 1, kJ: 1 / 4.184, cal: 1e-3, J: 1 / 4184 }),
  celsius: { ...CELSIUS, '°F': FAHRENHEIT, ºF: FAHRENHEIT, degF: FAHRENHEIT, K: KELVIN },
  celsiusDelta: { ...CELSIUS, ...units({ '°F': 5 / 9, ºF: 5 / 9, degF: 5 / 9, K: 1 }) },
  count: units({ count: 1, '': 1 }),
  index: units({ index: 1, count: 1, '': 1 }),
  beatsPerMinute: units({ bpm: 1, 'count/min': 1, 'count/s': 60 }),
  milliseconds: units({ rmssd: 1, ms: 1, s: 1000 }),
  bloodGlucose: units({ 'mmol/L': 1, 'mg/dL': 1 / 18.0182 }),
  cholesterol: units({ 'mmol/L': 1, 'mg/dL': 1 / 38.67 }),
  triglycerides: units({ 'mmol/L': 1, 'mg/dL': 1 / 88.57 }),
  oxygenUptake: units({ 'mL/kg/min': 1, 'ml/kg/min': 1, 'mL/min·kg': 1 }),
  pressure: units({ mmHg: 1, kPa: 7.500616827, cmAq: 0.7355592400690826 }),
  millivolts: units({ mV: 1, V: 1000, uV: 1e-3, μV: 1e-3, µV: 1e-3 }),
  insulinUnits: units({ unit: 1, U: 1, IU: 1, count: 1 }),
  fluorescence: units({ FSU: 1 }),
  sleepStage: units({ stage: 1 }),
  text: units({ text: 1 }),
} as const satisfies Record<string, UnitTable>

/** Converts to the canonical unit, or returns undefined when the label is not one of the table. */
export function convert(table: UnitTable, label: string, value: number): number | undefined {
  // An own-property check, so that a label such as "constructor" is unknown like any other.
  if (!Object.hasOwn(table, label)) return undefined
  const conversion = table[label] as UnitConversion
  return value * conversion.factor + conversion.offset
}

import { createContext, useContext } from 'react'

/** Units in which values of the person of a page are shown (docs/contract/02-users.md#units). */
export interface ShownUnits {
  glucose: 'mmol/L' | 'mg/dL'
  distance: 'km' | 'mi'
  weight: 'kg' | 'lb'
  height: 'cm' | 'ft_in'
  temperature: '°C' | '°F'
}

const METRIC: ShownUnits = {
  glucose: 'mmol/L',
  distance: 'km',
  weight: 'kg',
  height: 'cm',
  temperature: '°C',
}

/** Outside of pages of people values are shown in metric units. */
export const UnitsOfPerson = createContext<ShownUnits>(METRIC)
export const useUnits = (): ShownUnits => useContext(UnitsOfPerson)

/** A unit, and how values of the API become values in it: times, divided by, plus. */
export interface ShownUnit {
  unit: string
  times: number
  by: number
  plus: number
}

const scale = (unit: string, times: number, by = 1, plus = 0): ShownUnit => ({
  unit,
  ...{ times, by, plus },
})

/** Meters of a mile, kilograms of a pound and centimeters of an inch, by their definitions. */
const MILE = 1609.344
const POUND = 0.45359237
const INCH = 2.54
/** Milligrams a deciliter of 1 mmol/L: glucose has 180.182 g/mol, in the series too. */
const GLUCOSE = 18.0182

const SHOWN = {
  glucose: { 'mmol/L': scale('mmol/L', 1), 'mg/dL': scale('mg/dL', GLUCOSE) },
  distance: { km: scale('km', 1, 1000), mi: scale('mi', 1, MILE) },
  speed: { km: scale('km/h', 3.6), mi: scale('mph', 3600, MILE) },
  weight: { kg: scale('kg', 1), lb: scale('lb', 1, POUND) },
  length: { cm: scale('cm', 1), ft_in: scale('in', 1, INCH) },
  temperature: { '°C': scale('°C', 1), '°F': scale('°F', 9, 5, 32) },
  /** A difference of temperatures, which has no zero of its own. */
  temperatureDelta: { '°C': scale('°C', 1), '°F': scale('°F', 9, 5) },
} as const

const QUANTITIES: Readonly<Record<string, (units: ShownUnits) => ShownUnit>> = {
  glucose: (units) => SHOWN.glucose[units.glucose],
  distance: (units) => SHOWN.distance[units.distance],
  workout_distance: (units) => SHOWN.distance[units.distance],
  weight: (units) => SHOWN.weight[units.weight],
  body_weight: (units) => SHOWN.weight[units.weight],
  lean_body_mass: (units) => SHOWN.weight[units.weight],
  waist_circumference: (units) => SHOWN.length[units.height],
  body_temperature: (units) => SHOWN.temperature[units.temperature],
  basal_body_temperature: (units) => SHOWN.temperature[units.temperature],
  body_temperature_delta: (units) => SHOWN.temperatureDelta[units.temperature],
}

/** Returns the unit in which a series is shown; undefined where it is always that of the API. */
export const shownUnitOf = (resource: string, units: ShownUnits): ShownUnit | undefined =>
  QUANTITIES[resource]?.(units)

/** Converts a value of the API. */
export const toShown = (value: number, { times, by, plus }: ShownUnit): number =>
  (value * times) / by + plus

/** Converts a shown value to that of the API. */
export const fromShown = (value: number, { times, by, plus }: ShownUnit): number =>
  ((value - plus) * by) / times

const formatIn = (value: number, shown: ShownUnit, digits: number): string =>
  `${toShown(value, shown).toFixed(digits)} ${shown.unit}`

/** Formats meters as `5.02 km` or `3.12 mi`; less than a kilometer as `840 m`. */
export function formatDistance(meters: number, { distance }: ShownUnits): string {
  if (distance === 'km' && meters < 1000) return `${Math.round(meters)} m`
  return formatIn(meters, SHOWN.distance[distance], 2)
}

/** Formats meters a second as `12.4 km/h` or `7.7 mph`. */
export const formatSpeed = (metersASecond: number, { distance }: ShownUnits): string =>
  formatIn(metersASecond, SHOWN.speed[distance], 1)

/** Formats degrees Celsius as `36.6 °C` or `97.9 °F`. */
export const formatTemperature = (celsius: number, { temperature }: ShownUnits): string =>
  formatIn(celsius, SHOWN.temperature[temperature], 1)

/** Formats a difference of temperatures with its sign: `+0.25 °C`. */
export function formatTemperatureDelta(celsius: number, { temperature }: ShownUnits): string {
  return `${celsius > 0 ? '+' : ''}${formatIn(celsius, SHOWN.temperatureDelta[temperature], 2)}`
}

/** Formats centimeters as `178 cm` or `5 ft 10 in`. */
export function formatHeight(centimeters: number, { height }: ShownUnits): string {
  if (height === 'cm') return `${Math.round(centimeters)} cm`
  const inches = Math.round(centimeters / INCH)
  return `${Math.floor(inches / 12)} ft ${inches % 12} in`
}

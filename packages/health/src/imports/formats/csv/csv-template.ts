import { series as seriesOf } from '@salus/contracts/series'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { FLOATING } from '../../import-options.ts'
import type { CsvTemplate, CsvValue } from './csv-template.schema.ts'

/**
 * Returns why a template cannot be applied to any table: a field, and a sentence about it.
 * Undefined for a sound one.
 */
export function problemOf(template: CsvTemplate): { field: string; problem: string } | undefined {
  const { time_zone: zone, end, duration } = template
  if (zone !== undefined && zone !== FLOATING && zoneOffsetSeconds(zone, 0) === null) {
    return { field: 'time_zone', problem: 'It is neither an IANA zone nor floating.' }
  }
  if (end !== undefined && duration !== undefined) {
    return { field: 'duration', problem: 'A template has an end or a duration, and not both.' }
  }
  for (const [index, value] of template.values.entries()) {
    const found = problemOfValue(value)
    if (found !== undefined) {
      return { field: `values.${index}.${found[0]}`, problem: found[1] }
    }
  }
  return undefined
}

function problemOfValue(value: CsvValue): [field: string, problem: string] | undefined {
  const series = seriesOf(value.series)
  const accepts = (unit: string) =>
    Object.values(series.unitsByType ?? {}).some((units) => Object.hasOwn(units, unit)) ||
    Object.hasOwn(series.units, unit)
  if ((value.column === undefined) === (value.constant === undefined)) {
    return ['column', 'A value has a column or a constant.']
  }
  const isPressure = series.shape === 'blood_pressure'
  if (isPressure !== (value.diastolic_column !== undefined)) {
    return ['diastolic_column', 'A blood pressure has a diastolic column, and nothing else has.']
  }
  if (series.valueKind === 'text') {
    return value.column === undefined ? ['column', 'A note has a column.'] : undefined
  }
  if ((value.unit === undefined) === (value.unit_column === undefined)) {
    return ['unit', 'A value has a unit or a column of units.']
  }
  if (value.unit !== undefined && !accepts(value.unit)) {
    return ['unit', 'The series does not accept this unit.']
  }
  const unknownUnit = Object.values(value.units ?? {}).find((unit) => !accepts(unit))
  if (unknownUnit !== undefined) return ['units', 'The series does not accept one of the units.']
  return problemOfType(value)
}

function problemOfType(value: CsvValue): [field: string, problem: string] | undefined {
  const { types } = seriesOf(value.series)
  const isGiven = value.type !== undefined || value.type_column !== undefined
  if (types === null) return isGiven ? ['type', 'The series has no types.'] : undefined
  if (types.required && !isGiven) return ['type', 'The series needs a type.']
  const given = [value.type, ...Object.values(value.types ?? {})].filter(
    (type) => type !== undefined,
  )
  const isUnknown = given.some((type) => types.allowed?.includes(type) === false)
  return isUnknown ? ['type', 'The series does not have this type.'] : undefined
}

/** Returns the names of all columns that a template reads. */
export function columnsOfTemplate({ start, end, duration, values }: CsvTemplate): string[] {
  const named = [start.column, start.time_column, end?.column, end?.time_column, duration?.column]
  const ofValues = values.flatMap((value) => columnsOfValue(value))
  return [...new Set([...named, ...ofValues].filter((name) => name !== undefined))]
}

/** Returns the names of the columns of one value. */
export function columnsOfValue(value: CsvValue): string[] {
  const { column, diastolic_column, unit_column, type_column, when } = value
  return [column, diastolic_column, unit_column, type_column, when?.column].filter(
    (name) => name !== undefined,
  )
}

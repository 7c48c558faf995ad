import { readFileSync } from 'node:fs'
import { getLoincTable, type LoincRow } from './loinc-table.ts'

/** Facts of a LOINC component for converting between mass, amount of substance and equivalents. */
export interface Substance {
  /** In g/mol; null where mass and amount of substance cannot be converted. */
  molecularWeight: number | null
  /** Charges of one ion, for equivalents; null without any. */
  charge: number | null
}

/** A measurement that comparable LOINC codes share, by any method and in any unit. */
export interface Measurement {
  /** The same for all of its codes. */
  key: string
  /** LOINC component. */
  component: string
  substance: Substance
}

/** Returns the measurement of a code; undefined if the code is not in the table. */
export function findMeasurement(code: string): Measurement | undefined {
  const row = getLoincTable().findCode(code)
  if (!row) return undefined
  const { component } = row
  return {
    key: `${component}|${specimenOf(row)}|${quantityOf(row)}`,
    component,
    substance: findSubstance(component),
  }
}

let substances: ReadonlyMap<string, Substance> | undefined

/**
 * Returns the substance of a component, whatever was given before the specimen was taken
 * (`Glucose^1H post meal`). Nulls if no source confirms a weight: conversion is refused then.
 */
function findSubstance(component: string): Substance {
  substances ??= readSubstances()
  return substances.get(component.replace(/\^.*/, '')) ?? { molecularWeight: null, charge: null }
}

function readSubstances(): ReadonlyMap<string, Substance> {
  const file = new URL('../../data/loinc/molecular-weights.tsv', import.meta.url)
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return new Map(
    lines.map((line) => {
      const [component = '', , weight, charge] = line.split('\t')
      return [component, { molecularWeight: toNumber(weight), charge: toNumber(charge) }]
    }),
  )
}

function toNumber(cell: string | undefined): number | null {
  return cell ? Number(cell) : null
}

function specimenOf({ system }: LoincRow): string {
  if (
    /^(?:Serum|Plasma|Serum or Plasma|Platelet poor plasma|Serum, Plasma or Blood)$/.test(system)
  ) {
    return 'Serum or Plasma'
  }
  return system
}

/** Mass and amount of substance are the same quantity if the molecular weight converts them. */
function quantityOf({ quantity }: LoincRow): string {
  if (quantity === 'substance') return 'mass'
  if (quantity === 'substanceRate') return 'massRate'
  return quantity === 'molarFraction' ? 'fraction' : quantity
}

/**
 * Converts a value to another unit of UCUM with ten digits; null if that is impossible. Mass and
 * amount of substance need the molecular weight, equivalents the charge.
 */
export async function convertValue(
  value: number,
  { from, to, measurement }: { from: string; to: string; measurement: Measurement | undefined },
): Promise<number | null> {
  if (from === to) return value
  if (measurement?.component === 'Hemoglobin A1c/Hemoglobin.total')
    return convertA1c(value, from, to)
  const { UcumLhcUtils } = (await import('@lhncbc/ucum-lhc')).default
  const { molecularWeight = null, charge = null } = measurement?.substance ?? {}
  const { status, toVal } = UcumLhcUtils.getInstance().convertUnitTo(
    toPlainUnit(from),
    value,
    toPlainUnit(to),
    { ...(molecularWeight && { molecularWeight }), ...(charge && { charge }) },
  )
  return status === 'succeeded' && toVal !== null ? Number(toVal.toPrecision(10)) : null
}

/**
 * International units cannot be converted to other units, but among themselves: m[IU]/L is
 * u[IU]/mL.
 */
function toPlainUnit(unit: string): string {
  return unit.replaceAll('[IU]', 'U').replaceAll(/\/\{[^}]*\}|\{[^}]*\}/g, '')
}

/** Per cent (NGSP) and mmol/mol (IFCC) of hemoglobin A1c, by the master equation of both. */
function convertA1c(value: number, from: string, to: string): number | null {
  if (from === '%' && to === 'mmol/mol') return Number(((value - 2.15) / 0.0915).toPrecision(10))
  if (from === 'mmol/mol' && to === '%') return Number((value * 0.0915 + 2.15).toPrecision(10))
  return null
}

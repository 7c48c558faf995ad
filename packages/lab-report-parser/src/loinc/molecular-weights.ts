import { readFileSync } from 'node:fs'

/** What a component of LOINC is counted as when mass, amount of substance and equivalents become each other. */
export interface Substance {
  /** In g/mol; null where mass and amount of substance do not become each other. */
  molecularWeight: number | null
  /** Charges of one ion, for equivalents; null where it has none. */
  charge: number | null
}

let substances: ReadonlyMap<string, Substance> | undefined

/**
 * The substance of a component, whatever was given before the specimen was taken (`Glucose^1H post meal`). Nulls where no
 * source confirms a weight: conversion is refused then.
 */
export function findSubstance(component: string): Substance {
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

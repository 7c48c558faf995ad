import { readName } from './name-readings.ts'
import { quantitiesOfUnit } from './quantities.ts'

/** Whether what a name is of is measured in a unit of UCUM; true where the name or the unit says too little to tell. */
export function fitsUnit(name: string, ucumUnit: string): boolean {
  const analytes = readName(name)?.analytes ?? []
  const quantities = quantitiesOfUnit(ucumUnit)
  if (analytes.length === 0 || quantities.length === 0 || quantities.includes('other')) return true
  return analytes.some(({ rows }) =>
    rows.some(
      ({ quantity, component }) =>
        quantity === 'other' ||
        quantities.includes(quantity) ||
        // Cells are counted wherever their share is told.
        (quantities.includes('count') && component.endsWith('/100 leukocytes')),
    ),
  )
}

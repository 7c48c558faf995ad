import type { CsvRow } from '../../files/csv.ts'

/** Units of glucose in the head row. */
export type GlucoseUnit = 'mg/dL' | 'mmol/L'

/** Columns in the order of the vendor's exports, with the names of English ones. */
const COLUMNS = [
  ['device', /^(device|meter)$/i],
  ['serial', /^serial number$/i],
  ['time', /^((device|meter) timestamp|time)$/i],
  ['type', /^record type$/i],
  ['historic', /^historic glucose/i],
  ['scan', /^scan glucose/i],
  ['rapidFlag', /^non-numeric rapid-acting insulin/i],
  ['rapid', /^rapid-acting insulin/i],
  ['foodFlag', /^non-numeric food/i],
  ['carbs', /^carbohydrates \(grams\)/i],
  ['servings', /^carbohydrates \(servings\)/i],
  ['longFlag', /^non-numeric long-acting insulin/i],
  ['long', /^long-acting insulin/i],
  ['notes', /^notes$/i],
  ['strip', /^strip glucose/i],
  ['ketone', /^ketone/i],
] as const

export type LibreColumn = (typeof COLUMNS)[number][0]

const POSITIONS = new Map(COLUMNS.map(([column], index) => [column, index]))
const [HISTORIC, SCAN, STRIP, KETONE] = [4, 5, 14, 15]
const UNIT = /\b(mg ?\/ ?dL|mmol ?\/ ?L)\b/i

const unitOf = (name: string | undefined): GlucoseUnit | undefined => {
  const found = UNIT.exec(name ?? '')?.[1]?.toLowerCase()
  if (found === undefined) return undefined
  return found.startsWith('mg') ? 'mg/dL' : 'mmol/L'
}

/** How the columns of a file are read. */
export interface LibreColumns {
  readonly positions: ReadonlyMap<LibreColumn, number>
  readonly units: Readonly<Record<'historic' | 'scan' | 'strip', GlucoseUnit>>
}

/**
 * Finds the columns of a head row: by their English names, or by position where the names are
 * translated and the columns are as many as the vendor writes, with the units where it writes them.
 * Undefined for other rows.
 */
export function columnsOf(head: readonly string[]): LibreColumns | undefined {
  const names = head.map((name) => name.trim())
  const byName = new Map<LibreColumn, number>()
  for (const [column, pattern] of COLUMNS) {
    const index = names.findIndex((name) => pattern.test(name))
    if (index >= 0) byName.set(column, index)
  }
  const isEnglish = ['time', 'type', 'historic'].every((name) => byName.has(name as LibreColumn))
  const hasUnits = [HISTORIC, SCAN, STRIP].every((index) => unitOf(names[index]) !== undefined)
  const isPositional = names.length >= 19 && hasUnits && unitOf(names[KETONE]) === 'mmol/L'
  if (!isEnglish && !isPositional) return undefined
  const positions = isEnglish ? byName : POSITIONS
  const unitAt = (column: LibreColumn) => unitOf(names[positions.get(column) ?? -1])
  const historic = unitAt('historic')
  if (historic === undefined) return undefined
  return {
    positions,
    units: {
      historic,
      scan: unitAt('scan') ?? historic,
      strip: unitAt('strip') ?? historic,
    },
  }
}

/** Returns the trimmed cell of a column; empty where the file has none. */
export const cellOf = (row: CsvRow, { positions }: LibreColumns, column: LibreColumn): string =>
  row.at(positions.get(column) ?? -1)

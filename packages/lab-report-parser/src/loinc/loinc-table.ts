import { readFileSync } from 'node:fs'
import { type Quantity, quantityOfRow } from './quantities.ts'

/** A code of LOINC with the axes that matching uses. */
export interface LoincRow {
  code: string
  component: string
  /** LOINC long common name. */
  name: string
  quantity: Quantity
  system: string
  family: Family
  method: string
  scale: string
  /** Frequency rank of orders, 1 for the most frequent; Infinity where it is unknown. */
  rank: number
}

/** Kinds of specimen, as coarse as reports name them. */
export type Family =
  | 'blood'
  | 'urine'
  | 'stool'
  | 'saliva'
  | 'csf'
  | 'semen'
  | 'fluid'
  | 'swab'
  | 'unspecified'

/** The table of LOINC codes that can be matched. */
export interface LoincTable {
  rows: readonly LoincRow[]
  findCode(code: string): LoincRow | undefined
  findComponent(component: string): readonly LoincRow[]
}

let table: LoincTable | undefined

/** Returns the table; the file is read on the first call. */
export function getLoincTable(): LoincTable {
  table ??= readTable()
  return table
}

function readTable(): LoincTable {
  const file = new URL('../../data/loinc/loinc.tsv', import.meta.url)
  const [heads, ...lines] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  const rows = lines.map((cells) =>
    toRow(Object.fromEntries((heads ?? []).map((head, at) => [head, cells[at] ?? '']))),
  )
  const byCode = new Map(rows.map((row) => [row.code, row]))
  const byComponent = Map.groupBy(rows, (row) => row.component)
  return {
    rows,
    findCode: (code) => byCode.get(code),
    findComponent: (component) => byComponent.get(component) ?? [],
  }
}

function toRow(line: Record<string, string>): LoincRow {
  const { LOINC_NUM: code = '', COMPONENT: component = '', LONG_COMMON_NAME: name = '' } = line
  const { system = '', property = '', units = '', method = '', scale = '' } = line
  return {
    code,
    component,
    name,
    quantity: quantityOfRow(property, units.split(';')[0] ?? ''),
    system,
    family: familyOfSystem(system),
    method,
    scale,
    rank: Math.min(Number(line.rank_us || Infinity), Number(line.rank_si || Infinity)),
  }
}

function familyOfSystem(system: string): Family {
  if (/^Urine and Serum/.test(system)) return 'unspecified'
  if (/urine/i.test(system)) return 'urine'
  if (/stool/i.test(system)) return 'stool'
  if (/saliva/i.test(system)) return 'saliva'
  if (/cerebral spinal/i.test(system)) return 'csf'
  if (/semen/i.test(system)) return 'semen'
  if (/fluid/i.test(system) && !/vaginal/i.test(system)) return 'fluid'
  if (/respiratory/i.test(system)) return 'swab'
  if (/specimen|isolate|^$/i.test(system)) return 'unspecified'
  return /serum|plasma|blood|red blood/i.test(system) ? 'blood' : 'swab'
}

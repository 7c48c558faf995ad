import type { Line } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import type { UnreadRegion } from '../report.ts'
import { textOf } from '../rows/cell-words.ts'
import type { DraftRow } from '../rows/draft.ts'
import type { TitledColumn, TitleRole } from './column-titles.ts'
import type { GridRow } from './grid.ts'
import { type Region, spanOf, toRow } from './region.ts'
import { findTitledTable, readGridRows } from './titled-table.ts'

/** What a genotype is called by, the most exact first. */
const VALUES: readonly TitleRole[] = ['genotype', 'value', 'zygosity']

function isGenotypes(columns: readonly TitledColumn[]): boolean {
  const has = (role: TitleRole): boolean => columns.some((column) => column.role === role)
  return (has('gene') || has('variant')) && VALUES.some(has)
}

/** A name of a gene, a variant or a marker: capitals and figures. */
const GENE = /^(?:[A-Z][A-Z0-9-]{1,9}\b|rs\d+|[cgpmn]\.)/
/** A genotype is text: two alleles, a word of zygosity, or a finding. */
const GENOTYPE = /^\p{L}|^[*\d]+[A-Z]*\/[*\d]+/u

/** Reads a table of genes or variants with the genotypes that were found. Its results are text. */
export function findGenotypes(lines: readonly Line[], at: number): Region | undefined {
  const table = findTitledTable(lines, at, isGenotypes)
  if (!table) return undefined
  const { columns } = table
  const value = VALUES.map((role) => columns.findIndex((column) => column.role === role)).find(
    (index) => index >= 0,
  )
  if (value === undefined) return undefined
  const named = columns.flatMap(({ role }, column) =>
    role === 'gene' || role === 'variant' || (column === 0 && role !== 'other') ? [column] : [],
  )
  const rows: DraftRow[] = []
  const unread: UnreadRegion[] = []
  for (const row of readGridRows(table)) {
    const draft = 'cells' in row ? toDraft(row, named, value) : undefined
    if (draft) rows.push(draft)
    else if (isLost(row)) unread.push({ kind: 'genotypes', page: lineOf(row).page })
  }
  // A partly read table would mean less than it seems.
  const kept = unread.length > 0 ? [] : rows
  const span = spanOf([...table.titleLines, ...table.body])
  return { kind: 'genotypes', ...span, rows: kept, unread: unread.slice(0, 1) }
}

const lineOf = (row: GridRow | Line): Line => ('cells' in row ? row.line : row)

/** Returns whether a line without a genotype names a variant. */
function isLost(row: GridRow | Line): boolean {
  return hasVariant(textOf(lineOf(row).words))
}

/** Returns whether a text names a variant of a gene, as HGVS or dbSNP do. */
export function hasVariant(text: string): boolean {
  return /(?<![\p{L}\d])(?:[cgmn]\.[-*]?\d|p\.\(?[A-Z][a-z]{2}\d|rs\d{3,})/u.test(text)
}

function toDraft({ line, cells }: GridRow, named: readonly number[], value: number) {
  const name: Word[] = named.flatMap((column) => cells[column] ?? [])
  const found = cells[value] ?? []
  const isResult = GENE.test(textOf(name)) && GENOTYPE.test(textOf(found))
  return isResult ? toRow(line, name, found, null) : undefined
}

import type { PersonData, ReferenceTarget } from './person-data.ts'
import type { ColumnType } from './reference-columns.registry.ts'
import type { ReferenceRow, Scalar } from './reference-row.ts'
import type { WireConfig, WireQuery, WireTable } from './wire-query.ts'

/** The rows of one series, or of a table of summaries. */
export interface Frame {
  series: string | null
  rows: ReferenceRow[]
}

export interface OutputColumn {
  name: string
  type: ColumnType
  values: Scalar[]
}

export interface Question {
  data: PersonData
  query: WireQuery
  table: WireTable
  config: WireConfig
  target: ReferenceTarget
}

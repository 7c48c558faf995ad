import { readLocalInstant, type VendorInstant } from '../../../connectors/index.ts'
import type { CsvRow } from '../../files/csv.ts'
import { readCell } from '../../files/table-numbers.ts'
import type { ImportContext } from '../import-format.ts'
import type { WhoopColumn } from './whoop-columns.ts'

const OFFSET = /^([+\-\u2212])(\d{1,2}):?(\d{2})?$/
const MOST_OFFSET_HOURS = 18

/** @returns seconds; undefined for a text that is none */
function offsetOf(text: string): number | undefined {
  const rest = text.replace(/^(?:UTC|GMT)/i, '').trim()
  if (text !== '' && (rest === '' || rest.toUpperCase() === 'Z')) return 0
  const [, sign, hours, minutes = '0'] = OFFSET.exec(rest) ?? []
  if (sign === undefined || Number(hours) > MOST_OFFSET_HOURS || Number(minutes) > 59) {
    return undefined
  }
  return (sign === '+' ? 1 : -1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

/** A row of a table, by columns that are known in any language. */
export class WhoopRow {
  readonly #columns: ReadonlyMap<WhoopColumn, number>
  readonly #row: CsvRow
  readonly #context: Pick<ImportContext, 'clock' | 'options'>

  constructor(
    columns: ReadonlyMap<WhoopColumn, number>,
    row: CsvRow,
    context: Pick<ImportContext, 'clock' | 'options'>,
  ) {
    this.#columns = columns
    this.#row = row
    this.#context = context
  }

  get(column: WhoopColumn): string {
    return this.#row.at(this.#columns.get(column) ?? -1)
  }

  /** Returns numbers by column: null for an empty cell, NaN for another text. */
  numbers(...columns: readonly WhoopColumn[]): Record<string, number | null> {
    return Object.fromEntries(columns.map((column) => [column, readCell(this.get(column))]))
  }

  /**
   * Returns the instant of a local time in the zone of the row, and without one in the zone of the
   * options; undefined where neither is known.
   */
  instant(column: WhoopColumn): VendorInstant | undefined {
    const [text, zone] = [this.get(column).replace(' ', 'T'), this.get('zone')]
    const offset = offsetOf(zone)
    if (offset !== undefined) return readLocalInstant(text, offset)
    const { clock, options } = this.#context
    return zone === '' && options.time_zone !== undefined ? clock.local(text) : undefined
  }

  /** Returns the cells of the known columns that are not empty. */
  raw(): Record<string, string> {
    const cells = [...this.#columns.keys()].filter((column) => column !== 'question')
    return Object.fromEntries(
      cells.flatMap((column) => {
        const cell = this.get(column)
        return cell === '' ? [] : [[column, cell]]
      }),
    )
  }
}

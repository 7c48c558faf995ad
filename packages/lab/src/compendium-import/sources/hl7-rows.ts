import { decodeMessages, type Message, readMessage, type Segment } from '@salus/hl7v2'
import type { CatalogProblems } from '../../catalog/index.ts'
import type { Format } from '../mapping/mapping.schema.ts'
import type { SourceRow, SourceTable } from './source-row.ts'

/** A record of a message: MFE, and the segments up to the next one. */
export interface MasterFileRecord {
  place: string
  segments: readonly Segment[]
}

/** Reads messages of the type MFN, such as M08 of tests and M10 of batteries. */
export function readHl7Records(
  file: string,
  content: Buffer,
  problems: CatalogProblems,
): MasterFileRecord[] {
  const { messages, problems: found } = decodeMessages(content)
  for (const { code, offset } of found) {
    problems.add(`${file}, byte ${offset}`, `The file is not one of messages of HL7 (${code}).`)
  }
  return messages.map(readMessage).flatMap((message, index) => {
    const location = `${file}, message ${index + 1}`
    if (message.type.code === 'MFN') return recordsOf(message, location)
    problems.add(location, `The type is ${message.type.code || 'empty'}, not MFN.`)
    return []
  })
}

/**
 * Returns a row for each segment or repetition of the format. Cells are fields of the record
 * (`OM1-2.1`), or of MSH and MFI.
 */
export function toHl7Rows(
  records: readonly MasterFileRecord[],
  { rows: wanted = '' }: Format,
): SourceTable {
  return { rows: records.flatMap((record) => rowsOf(record, wanted)), columns: undefined }
}

function recordsOf({ segments }: Message, place: string): MasterFileRecord[] {
  const shared = segments.filter(({ name }) => name === 'MSH' || name === 'MFI')
  const starts = segments.flatMap(({ name }, index) => (name === 'MFE' ? [index] : []))
  return starts.map((start, index) => ({
    place: `${place}, MFE ${index + 1}`,
    segments: [...segments.slice(start, starts[index + 1]), ...shared],
  }))
}

function rowsOf({ place, segments }: MasterFileRecord, wanted: string): SourceRow[] {
  const [name = '', field] = wanted.split('-')
  return segments
    .filter((segment) => segment.name === name)
    .flatMap((segment, index) => {
      const at = name === 'MFE' ? place : `${place}, ${name} ${index + 1}`
      const repeated = field === undefined ? [undefined] : segment.field(Number(field)).repetitions
      return repeated.map((repetition, number) => ({
        place: repetition === undefined ? at : `${at}, repetition ${number + 1}`,
        cell: (column: string) => {
          const [path = '', component = '1'] = column.split('.')
          if (repetition !== undefined && path === wanted) {
            return repetition.component(Number(component)).trim()
          }
          const [of, position] = path.split('-')
          const source = of === name ? segment : segments.find((it) => it.name === of)
          return source?.text(Number(position), Number(component)).trim() ?? ''
        },
      }))
    })
}

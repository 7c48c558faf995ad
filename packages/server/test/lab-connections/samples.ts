import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Messages of laboratories, with their contents as an independent reader recorded them. */

/** What one result of a message says, field by field. */
export interface SampleResult {
  /** Index of its OBR in the message; -1 without one. */
  order: number
  value_type: string
  codes: { code: string; name: string; system: string }[]
  loinc: string | null
  sub_id: string
  /** OBX-5 without escapes; a coded value by its name. */
  text: string | null
  unit: string
  range: string
  flags: string[]
  status: string
  notes: string[]
  document?: { sha256: string }
}

export interface SampleMessage {
  /** MSH-9, as it was sent. */
  type: string
  control_id: string
  processing_id: string
  orders: { placer: string; filler: string; status: string }[]
  results: SampleResult[]
  /** The acknowledgment in it. */
  ack?: object
}

/** A file with its messages. */
export interface Sample {
  name: string
  content: Buffer
  messages: SampleMessage[]
}

/** Reads the files of a folder: `NAME.hl7` beside `NAME.expected.json`. */
export function readSamples(folder: string): Sample[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.hl7'))
    .map((file) => {
      const name = file.slice(0, -'.hl7'.length)
      const expected = readFileSync(join(folder, `${name}.expected.json`), 'utf8')
      return { name, content: readFileSync(join(folder, file)), ...JSON.parse(expected) }
    })
}

/** A result as a client reads it; `filler` is the laboratory's number of its test. */
export interface ShownResult {
  filler: string | null
  code: string | null
  loinc: string | null
  subId: string | null
  value: string
  unit: string | null
  range: string | null
  flag: string
  status: string
  notes: string | null
}

/** Table 0085: results that are there, by their standing; all other letters give no result. */
const STANDING: Record<string, string> = {
  F: 'final',
  B: 'final',
  V: 'final',
  U: 'final',
  C: 'corrected',
  P: 'preliminary',
  R: 'preliminary',
  S: 'preliminary',
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
const isMissing = ({ status }: SampleResult): boolean => status === 'X'
const isDocument = ({ document }: SampleResult): boolean => document !== undefined

/** Values that are no number are in the notes too (docs/contract/13-results.md#biomarkerresult). */
function withValue(value: string, notes: string | null): string | null {
  if (!Number.isNaN(Number(value)) || notes?.includes(value)) return notes
  return notes === null ? value : `${value}\n${notes}`
}

/** Results that a client has to see of a message, and the notes of those that are missing. */
export function expectedOf({ orders, results }: SampleMessage): {
  shown: ShownResult[]
  missing: (string | null)[][]
  documents: string[]
} {
  const ofTest = (result: SampleResult) => orders[result.order]
  const codesOf = ({ codes, loinc }: SampleResult) => ({
    code: codes.find(({ system }) => system !== 'LN')?.code ?? null,
    loinc,
  })
  const notesOf = ({ notes }: SampleResult) => orNull(notes.join('\n'))
  const standingOf = (result: SampleResult) =>
    STANDING[result.status || (ofTest(result)?.status ?? 'F')]
  const values = results.filter((result) => !isMissing(result) && !isDocument(result))
  return {
    shown: values.flatMap((result) => {
      const status = standingOf(result)
      const value = orNull(result.text ?? '')
      if (status === undefined || value === null) return []
      return {
        filler: orNull(ofTest(result)?.filler ?? ''),
        ...codesOf(result),
        subId: orNull(result.sub_id),
        value,
        unit: orNull(result.unit),
        range: orNull(result.range),
        flag: result.flags[0] ?? '',
        status,
        notes: withValue(value, notesOf(result)),
      }
    }),
    missing: results.filter(isMissing).map((result) => [
      codesOf(result).loinc ?? codesOf(result).code,
      // A word in place of a value, such as TNP, is a reason too.
      orNull([result.text ?? '', ...result.notes].join('\n')),
    ]),
    documents: results.flatMap(({ document }) => document?.sha256 ?? []),
  }
}

/** Returns the results that the API shows in the body of an order's result. */
// biome-ignore lint/suspicious/noExplicitAny: a body of the API
export function shownOf({ results }: any): ShownResult[] {
  // biome-ignore lint/suspicious/noExplicitAny: a body of the API
  return results.map((each: any) => ({
    filler: each.panel?.filler_number ?? null,
    code: each.provider_id,
    loinc: each.loinc,
    subId: each.sub_id,
    value: each.result,
    unit: each.unit,
    range: each.reference_range,
    flag: each.source_interpretation ?? '',
    status: each.status,
    notes: each.notes,
  }))
}

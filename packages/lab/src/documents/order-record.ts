import type { RequisitionInput } from './document-inputs.ts'

/** Most bytes of one symbol, which a PDF417 of the error correction of our symbols holds. */
const MOST_BYTES = 800
/** Most characters of a field; more are cut. */
const MOST_LETTERS = 100

type Record = readonly [name: string, ...fields: (string | number | null | undefined)[]]

/**
 * Returns the record of an order for PDF417 symbols, one text for each symbol, in the profile of
 * docs/laboratories.md#order-record. Records end with a carriage return, and none is split. Each
 * text begins with its own header.
 */
export function orderRecordTexts(input: RequisitionInput): string[] {
  const head = (part: number, parts: number) => toLine(headerOf(input, part, parts))
  const most = MOST_BYTES - bytesOf(head(99, 99)) - bytesOf(toLine(['E', 999]))
  const lines = [...personRecords(input), ...orderRecords(input)].map((each) => fit(each, most))
  const parts: string[][] = [[]]
  let size = 0
  for (const line of lines) {
    if (size > 0 && size + bytesOf(line) > most) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(line)
    size += bytesOf(line)
  }
  return parts.map((part, index) =>
    [head(index + 1, parts.length), ...part, toLine(['E', part.length + 2])].join(''),
  )
}

const headerOf = (input: RequisitionInput, part: number, parts: number): Record => [
  'H',
  'SALUS-ORDER',
  '1',
  input.sampleId,
  input.account.number,
  input.laboratory.name,
  compact(input.orderedOn),
  input.priority ? 'STAT' : 'ROUTINE',
  part,
  parts,
]

function personRecords(input: RequisitionInput): Record[] {
  const { patient, patientAddress: address, insurance, physician } = input
  const records: Record[] = [
    [
      'P',
      patient.last_name,
      patient.first_name,
      compact(patient.dob),
      sexLetter(patient.gender),
      patient.phone_number,
      ...addressFields(address),
    ],
  ]
  if (physician !== null) {
    records.push(['R', physician.npi, physician.last_name, physician.first_name])
  }
  records.push(['B', input.billingType])
  if (insurance !== null) {
    const { insured } = insurance
    records.push([
      'I',
      insurance.payor_code,
      insurance.company.name,
      insurance.member_id,
      insurance.group_id,
      insurance.relationship,
      insured.last_name,
      insured.first_name,
      compact(insured.dob),
      sexLetter(insured.gender),
    ])
  }
  const guarantor = insurance?.guarantor ?? patient.medical_proxy
  if (guarantor) {
    const { last_name, first_name, phone_number } = guarantor
    records.push(['G', last_name, first_name, phone_number, ...addressFields(guarantor.address)])
  }
  return records
}

function orderRecords(input: RequisitionInput): Record[] {
  const { collectedAt, method, tests, diagnoses, answers } = input
  return [
    ['C', method, collectedAt?.timestamp, collectedAt?.timezone_offset],
    ...diagnoses.map(({ code }, index): Record => ['O', index + 1, 'ICD-10-CM', code]),
    ...tests.map(
      ({ code, name, sample_type }, index): Record => [
        'T',
        index + 1,
        code,
        name,
        sample_type,
        diagnoses.map((_, at) => at + 1).join('^'),
      ],
    ),
    ...answers.map(
      ({ question, answers: given }, index): Record => ['A', index + 1, question, given.join(', ')],
    ),
  ]
}

const addressFields = (address: RequisitionInput['patientAddress']) =>
  address === null
    ? []
    : [address.first_line, address.second_line, address.city, address.state, address.zip]

/** YYYYMMDD */
const compact = (date: string): string => date.replaceAll('-', '')

const sexLetter = (gender: string): string =>
  gender === 'female' ? 'F' : gender === 'male' ? 'M' : 'U'

/** Returns the line of a record, with its longest fields cut until it fits into one symbol. */
function fit(record: Record, most: number): string {
  for (let letters = MOST_LETTERS; ; letters = Math.floor(letters / 2)) {
    const line = toLine(record, letters)
    if (bytesOf(line) <= most || letters === 0) return line
  }
}

/** Fields at the end that are empty are left out. */
function toLine([name, ...fields]: Record, most = MOST_LETTERS): string {
  const texts = fields.map((field) => escapeField(String(field ?? ''), most))
  while (texts.at(-1) === '') texts.pop()
  return `${[name, ...texts].join('|')}\r`
}

/** Escapes separators as HL7 v2 does; line breaks become blanks. */
function escapeField(text: string, most: number): string {
  const short = [...text].slice(0, most).join('')
  return short.replaceAll('\\', '\\E\\').replaceAll('|', '\\F\\').replace(/\s+/g, ' ').trim()
}

const bytesOf = (text: string): number => Buffer.byteLength(text)

import type { ReportedTest, ReportedTime, ResultMessage } from '@salus/contracts/lab-gateway'
import { type FieldValue, type NewSegment, writeMessage, writeTime } from '@salus/hl7v2'
import { hasModernFields, headerOf, type NewHeader } from './header.ts'
import { laboratorySegment, nteSegments, resultSegments } from './observations.ts'
import type { ReceivedOrder } from './received-order.ts'

/** Whose results they are: the person of the order, or another one. */
export type ReportedPerson = 'patient' | 'other'

/** Writes the report of an order, ORU^R01, in the version of its order. */
export function writeReport(
  order: ReceivedOrder,
  report: ResultMessage,
  { person, ...header }: Omit<NewHeader, 'type'> & { person: ReportedPerson },
): Buffer {
  const version = order.message.version
  const isModern = hasModernFields(version)
  const keys = Object.keys(report.tests ?? {})
  const tests = keys.flatMap((key, index) => testSegments(order, report, { key, index }))
  const segments = [
    headerOf(order, { ...header, type: ['ORU', 'R01'] }),
    patientOf(order, person),
    ...nteSegments(report.notes),
    ...tests,
    ...(isModern ? [] : [laboratorySegment(report)]),
  ]
  return encode(order, segments)
}

/** Writes segments in the character set of the order, with similar letters for those it lacks. */
export function encode({ message }: ReceivedOrder, segments: readonly NewSegment[]): Buffer {
  return writeMessage(segments, { charset: message.raw.charset, transliterates: true })
}

/** The patient as the order named them, or someone whom no order has. */
function patientOf({ message }: ReceivedOrder, person: ReportedPerson): NewSegment {
  const pid = message.first('PID')
  const copied = [1, 2, 3, 4, 5, 7, 8].map((field): [number, FieldValue] => {
    const raw = pid?.field(field).raw ?? ''
    return [field, raw === '' ? undefined : { raw }]
  })
  const other = { 2: undefined, 3: '999000111', 5: ['OTHERPERSON', 'TAYLOR'], 7: '19470229' }
  const fields: Record<number, FieldValue> = Object.fromEntries(copied)
  return { name: 'PID', fields: person === 'other' ? { ...fields, ...other } : fields }
}

/** OBR-25 by the status of a test. */
const STATUS_OF_TEST: Readonly<Record<ReportedTest['status'], string>> = {
  pending: 'I',
  preliminary: 'P',
  final: 'F',
  corrected: 'C',
  cancelled: 'X',
}
const ORIGINS: Readonly<Record<ReportedTest['origin'], string | undefined>> = {
  ordered: undefined,
  reflex: 'G',
  added: 'A',
}

function testSegments(
  order: ReceivedOrder,
  report: ResultMessage,
  at: { key: string; index: number },
): NewSegment[] {
  const test = report.tests?.[at.key]
  if (test === undefined) return []
  const isModern = hasModernFields(order.message.version)
  const ordered = order.tests[Number(at.key) - 1]
  // A reflex has no number of the one who ordered: its parent says where it belongs.
  const placer = test.origin === 'reflex' ? undefined : (ordered?.placer ?? order.number)
  const raw = ordered?.obr.field(4).raw
  const physician = order.message.first('OBR')?.field(16).raw ?? ''
  const parent = test.parent
  const cause = report.results.find(
    (each) => each.provider_id === parent?.provider_id && each.loinc === parent.loinc,
  )
  const parentFields: Record<number, FieldValue> = parent === null ? {} : parentOf(parent, cause)
  return [
    {
      name: 'ORC',
      fields: { 1: 'RE', 2: placer, 3: test.filler_number ?? '', 4: groupOf(order) },
    },
    {
      name: 'OBR',
      fields: {
        1: String(at.index + 1),
        2: placer,
        3: test.filler_number ?? '',
        4: raw === undefined ? [test.provider_id ?? '', test.name, 'L'] : { raw },
        7: timeOf(report.collected_at),
        11: ORIGINS[test.origin],
        13: report.fasting ? 'F' : undefined,
        14: timeOf(report.received_at),
        16: physician === '' ? undefined : { raw: physician },
        22: timeOf(test.reported_at),
        24: 'LAB',
        25: STATUS_OF_TEST[test.status],
        ...parentFields,
      },
    },
    ...resultSegments(report, { key: at.key, test, isModern }),
    ...documentOf(report, at.index),
    ...(isModern ? [specimenOf(report)] : []),
  ]
}

/** ORC-4, where the order has it. */
function groupOf({ message }: ReceivedOrder): FieldValue {
  const raw = message.first('ORC')?.field(4).raw ?? ''
  return raw === '' ? undefined : { raw }
}

/** OBR-26 and OBR-29: the result that led to the test, and the test that it is of. */
function parentOf(
  { loinc, provider_id, sub_id, value, filler_number }: NonNullable<ReportedTest['parent']>,
  cause: ResultMessage['results'][number] | undefined,
): Record<number, FieldValue> {
  const own = [provider_id ?? '', cause?.name, 'L']
  const code = loinc === null ? own : [loinc, cause?.name, 'LN', ...(provider_id ? own : [])]
  return { 26: [code, sub_id ?? '', value ?? ''], 29: ['', filler_number ?? ''] }
}

/** SPM since 2.5: the laboratory's number of the specimen. */
function specimenOf({ specimen_number: number, collected_at, received_at }: ResultMessage) {
  return {
    name: 'SPM',
    fields: {
      1: '1',
      2: ['', [number ?? '', 'LAB']],
      4: ['119297000', 'Blood specimen', 'SCT'],
      17: timeOf(collected_at),
      18: timeOf(received_at),
    } as Record<number, FieldValue>,
  }
}

/** The report as a PDF, below the first test. */
function documentOf({ pdf, tests = {} }: ResultMessage, index: number): NewSegment[] {
  if (pdf === null || index > 0) return []
  const data: FieldValue = ['LAB', 'application', 'pdf', 'Base64', pdf]
  const set = String(Object.keys(tests).length + 1000)
  const fields = { 1: set, 2: 'ED', 3: ['PDF', 'Report', 'L'], 5: data, 11: 'F' }
  return [{ name: 'OBX', fields }]
}

/** A time with its offset, which all versions may have. */
export function timeOf(time: ReportedTime | null): string | undefined {
  if (time === null) return undefined
  const local = Date.parse(time.timestamp) + time.timezone_offset * 1000
  const digits = writeTime(local, { zone: 'UTC' }).slice(0, 14)
  const minutes = Math.abs(Math.trunc(time.timezone_offset / 60))
  const offset = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${digits}${time.timezone_offset < 0 ? '-' : '+'}${offset.join('')}`
}

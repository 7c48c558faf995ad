import type { OrderUpdate } from '@salus/contracts/lab-gateway'
import type { Message, Segment } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { stripNumber } from '../connection/strip-number.ts'
import { toReported } from './documents.ts'
import { groupSegments, type PatientGroup } from './message-groups.ts'
import { groupByOrder, type OrderGroup, referTo } from './order-groups.ts'
import { readReport } from './read-report.ts'
import { readReportedTime } from './times.ts'

/**
 * Reads a document about a patient (MDM^T02), such as a report of pathology. Its text becomes a
 * document beside the PDF: it has no results, and ends no test.
 */
export function readDocumentMessage(
  message: Message,
  connection: ResolvedConnection,
): OrderUpdate[] {
  const groups = groupSegments(message)
  return groups.patients.flatMap((patient): OrderUpdate[] => {
    const order = orderOf(patient, connection)
    const reference = { ...referTo(order, connection), ...numbersOf(patient, connection) }
    const sampleId = reference.sampleId ?? null
    const context = { groups, patient, connection, sampleId, isFirst: true }
    const read = readReport(order, context)
    const texts = read.results.map(({ name, result }) => ({ name, result }))
    const documents = [...(read.documents ?? []), ...joinTexts(texts)]
    if (documents.length === 0 && read.pdf === null) return []
    const at = read.reported_at ?? readReportedTime(message.header.text(7), connection.time_zone)
    const report = {
      ...read,
      status: 'partial' as const,
      scope: 'part' as const,
      tests: {},
      ...(read.pdf_head && { pdf_head: withoutTest(read.pdf_head) }),
      documents: documents.map(withoutTest),
      results: [],
      missing_results: [],
    }
    return [{ kind: 'report', order: reference, ...(at && { at: at.timestamp }), report }]
  })
}

const orderOf = (patient: PatientGroup, connection: ResolvedConnection): OrderGroup =>
  groupByOrder(patient, connection)[0] ?? { tests: [], numbers: [] }

/** TXA-14 and TXA-15: our number and the laboratory's, where no ORC or OBR has them. */
function numbersOf(
  { txa, tests }: PatientGroup,
  { numbers, result }: ResolvedConnection,
): { placerNumbers?: string[]; fillerNumbers?: string[] } {
  if (txa === undefined || tests.length > 0) return {}
  const read = (field: number) => readNumber(txa, field, numbers.strip_from_results)
  const [placer, filler] = [read(14), read(15)]
  return {
    ...(placer !== '' && result.match.includes('placer') && { placerNumbers: [placer] }),
    ...(filler !== '' && result.match.includes('filler') && { fillerNumbers: [filler] }),
  }
}

const readNumber = (segment: Segment, field: number, patterns: readonly RegExp[]): string =>
  stripNumber(patterns, segment.text(field).trim())

/** A document message names no test that would have an end. */
const withoutTest = <D extends { test?: string }>({ test: _, ...document }: D): Omit<D, 'test'> =>
  document

/** Texts of one name are one document. */
function joinTexts(texts: readonly { name: string; result: string }[]) {
  const byName = new Map<string, string[]>()
  for (const { name, result } of texts) byName.set(name, [...(byName.get(name) ?? []), result])
  return [...byName].map(([name, lines]) =>
    toReported({
      head: { name: name || 'Report' },
      kind: 'text',
      bytes: Buffer.from(lines.join('\n'), 'utf8'),
    }),
  )
}

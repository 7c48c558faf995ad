import {
  type Deliver,
  type LabConnection,
  UnreadableMessage,
  type UnreadableReason,
} from '@salus/contracts/lab-gateway'
import type { Clock } from '@salus/kernel/time/clock'
import { type Json, objectOf, textOf } from '../json.ts'
import { readResources } from '../results/resources.ts'
import { FHIR_CONTENT_TYPE } from '../systems.ts'

/**
 * Stores what arrived as one message: a report that was polled, or what a laboratory posted. What
 * cannot be read is stored as well, with its problem. There is no message that answers it.
 * @throws Error when it could not be stored, so that it has to be sent again
 */
export async function receiveFhir(
  content: Buffer,
  { connection, deliver, clock }: { connection: LabConnection; deliver: Deliver; clock: Clock },
): Promise<readonly Buffer[]> {
  const { reports, problem } = lookInto(content)
  const [report] = reports
  await deliver({
    contentType: FHIR_CONTENT_TYPE,
    content,
    environmentId: connection.environmentId,
    controlId: reports.length === 1 ? versionOf(report) : null,
    ...(problem !== undefined && { problem }),
    at: sentAt(report, clock.now()),
  })
  return []
}

function lookInto(content: Buffer): { reports: Json[]; problem?: UnreadableReason } {
  try {
    const reports = readResources(content)
      .ofType('DiagnosticReport')
      .map(({ json }) => json)
    return reports.length === 0 ? { reports, problem: 'wrong_message_type' } : { reports }
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error
    return { reports: [], problem: error.reason }
  }
}

/** The version of a report, `DiagnosticReport/{id}/_history/{versionId}`; null without one. */
function versionOf(report: Json | undefined): string | null {
  const [id, version] = [textOf(report?.id), textOf(objectOf(report?.meta).versionId)]
  if (id === null || version === null) return null
  const isPlain = [id, version].every((part) => /^[A-Za-z0-9.-]{1,64}$/.test(part))
  return isPlain ? `DiagnosticReport/${id}/_history/${version}` : null
}

/** When the server stored the report, unless that is unknown or after the present. */
function sentAt(report: Json | undefined, now: Date): Date {
  const time = Date.parse(textOf(objectOf(report?.meta).lastUpdated) ?? '')
  return Number.isFinite(time) && time <= now.getTime() ? new Date(time) : now
}

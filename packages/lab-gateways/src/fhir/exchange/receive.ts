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
  const { roots, problem } = lookInto(content)
  const [root] = roots
  await deliver({
    contentType: FHIR_CONTENT_TYPE,
    content,
    environmentId: connection.environmentId,
    controlId: roots.length === 1 ? versionOf(root) : null,
    ...(problem !== undefined && { problem }),
    at: sentAt(root, clock.now()),
  })
  return []
}

/** Finds what a message is about: its Tasks, or its reports where it has none. */
function lookInto(content: Buffer): { roots: Json[]; problem?: UnreadableReason } {
  try {
    const resources = readResources(content)
    const tasks = resources.ofType('Task')
    const found = tasks.length > 0 ? tasks : resources.ofType('DiagnosticReport')
    const roots = found.map(({ json }) => json)
    return roots.length === 0 ? { roots, problem: 'wrong_message_type' } : { roots }
  } catch (error) {
    if (!(error instanceof UnreadableMessage)) throw error
    return { roots: [], problem: error.reason }
  }
}

/** The version of a resource, `DiagnosticReport/{id}/_history/{versionId}`; null without one. */
function versionOf(root: Json | undefined): string | null {
  const [id, version] = [textOf(root?.id), textOf(objectOf(root?.meta).versionId)]
  if (id === null || version === null) return null
  const isPlain = [id, version].every((part) => /^[A-Za-z0-9.-]{1,64}$/.test(part))
  return isPlain ? `${root?.resourceType}/${id}/_history/${version}` : null
}

/** When the server stored the resource, unless that is unknown or after the present. */
function sentAt(root: Json | undefined, now: Date): Date {
  const time = Date.parse(textOf(objectOf(root?.meta).lastUpdated) ?? '')
  return Number.isFinite(time) && time <= now.getTime() ? new Date(time) : now
}

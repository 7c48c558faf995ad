import type { UnreadableReason } from '@salus/contracts/lab-gateway'
import { buildAck, type Message } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { isAnswer } from '../results/read-messages.ts'
import { ackCodeOf, errorOf } from './inbound-problems.ts'

/** What an acknowledgement is made from. */
export interface AckContext {
  connection: ResolvedConnection
  /** Time of the answer. */
  at: Date
  /** Returns a new MSH-10. */
  nextControlId: () => Promise<string>
}

/**
 * Answers one message that is stored. In original mode there is one answer; in enhanced mode the
 * sender says in MSH-15 and MSH-16 which of the two it wants, and both empty are original mode.
 * Answers are never answered in original mode, since the two sides would not come to an end.
 * @param message Undefined for content that is no message
 */
export async function acknowledge(
  message: Message | undefined,
  problem: UnreadableReason | undefined,
  context: AckContext,
): Promise<Buffer[]> {
  const { connection } = context
  if (connection.ack.mode === 'none') return []
  const isEnhanced = connection.ack.mode === 'enhanced' && isEnhancedMode(message)
  const { isRefused, error } = errorOf(problem ?? 'wrong_shape')
  const isGood = problem === undefined || (!isRefused && connection.ack.on_unreadable === 'AA')
  const answers: Buffer[] = []
  for (const kind of ['commit', 'application'] as const) {
    if (!isWanted(kind, message, { isEnhanced, isGood })) continue
    const code = ackCodeOf(isGood, isRefused, kind === 'commit')
    answers.push(
      buildAck({
        to: message,
        code,
        controlId: await context.nextControlId(),
        at: context.at.getTime(),
        zone: connection.time_zone,
        ...(!isGood && { errors: [error] }),
      }),
    )
  }
  return answers
}

const conditionIn = (message: Message | undefined, field: 15 | 16): string =>
  message?.header.text(field).trim().toUpperCase() ?? ''

const isEnhancedMode = (message: Message | undefined): boolean =>
  conditionIn(message, 15) !== '' || conditionIn(message, 16) !== ''

function isWanted(
  kind: 'commit' | 'application',
  message: Message | undefined,
  { isEnhanced, isGood }: { isEnhanced: boolean; isGood: boolean },
): boolean {
  const hasAnswer = message !== undefined && isAnswer(message)
  if (!isEnhanced) return kind === 'application' && !hasAnswer
  if (kind === 'application' && hasAnswer) return false
  switch (conditionIn(message, kind === 'commit' ? 15 : 16)) {
    case 'AL':
      return true
    case 'ER':
      return !isGood
    case 'SU':
      return isGood
    default:
      return false
  }
}

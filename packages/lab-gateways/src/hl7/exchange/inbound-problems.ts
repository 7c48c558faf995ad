import type { UnreadableReason } from '@salus/contracts/lab-gateway'
import type { AckCode, AckError, Message } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { isReadable } from '../results/read-messages.ts'

/**
 * Finds why a message cannot be read on this connection, by its header; undefined when it can.
 * The receiver is compared only where the file names the accounts of the connection and the
 * facility is an account.
 */
export function findInboundProblem(
  message: Message,
  connection: ResolvedConnection,
): UnreadableReason | undefined {
  const { accounts, envelope, processing_id } = connection
  if (message.type.code === '') return 'no_message_type'
  if (message.processingId.trim().toUpperCase() !== processing_id) return 'wrong_processing_id'
  const receiver = message.header.text(6).trim()
  const isAccount = envelope.sending_facility.includes('{account}')
  if (isAccount && accounts.length > 0 && receiver !== '' && !accounts.includes(receiver)) {
    return 'wrong_receiver'
  }
  if (!isReadable(message)) return 'wrong_message_type'
  return message.controlId.trim() === '' ? 'no_control_id' : undefined
}

/** How a message that cannot be read is answered: the code, and the error of table 0357. */
export function errorOf(problem: UnreadableReason): { isRefused: boolean; error: AckError } {
  const [code, field, isRefused] = ERRORS[problem] ?? ['102', undefined, false]
  const location = field === undefined ? undefined : { segment: 'MSH', sequence: 1, field }
  return { isRefused, error: { code, severity: 'E', text: '', ...(location && { location }) } }
}

/** Code of table 0357, field of MSH, and whether AR answers it whatever the connection says. */
const ERRORS: Partial<
  Record<UnreadableReason, [code: string, field: number | undefined, isRefused: boolean]>
> = {
  no_message_type: ['101', 9, false],
  no_control_id: ['101', 10, false],
  wrong_message_type: ['200', 9, true],
  wrong_processing_id: ['202', 11, true],
  wrong_receiver: ['103', 6, true],
  not_hl7: ['100', undefined, false],
}

/** The code of an answer: of the application, or of the commit in enhanced mode. */
export function ackCodeOf(isGood: boolean, isRefused: boolean, isCommit: boolean): AckCode {
  if (isGood) return isCommit ? 'CA' : 'AA'
  if (isRefused) return isCommit ? 'CR' : 'AR'
  return isCommit ? 'CE' : 'AE'
}

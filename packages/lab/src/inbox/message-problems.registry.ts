import type { UnreadableReason } from '@salus/contracts/lab-gateway'

/**
 * Problems of messages in addition to the error codes of the contract: messages that a gateway
 * cannot read, and updates that Salus refuses.
 */
export const MESSAGE_PROBLEMS = {
  wrong_content_type: ['unreadable', 'The gateway does not support the content type.'],
  not_utf8: ['unreadable', 'The content is not UTF-8 text.'],
  not_json: ['unreadable', 'The content is not JSON.'],
  wrong_shape: ['unreadable', 'The content does not have the fields of its type.'],
  not_hl7: ['unreadable', 'The content does not begin with a header segment of HL7.'],
  no_control_id: ['unreadable', 'The message has no control id.'],
  no_message_type: ['unreadable', 'The message has no type.'],
  wrong_message_type: ['unreadable', 'The gateway does not support messages of this type.'],
  wrong_processing_id: [
    'unreadable',
    'The message is marked for another kind of environment, such as a test in production.',
  ],
  wrong_receiver: ['unreadable', 'The message is addressed to another receiver.'],
  bad_frame: ['unreadable', 'The frame of the message is damaged or incomplete.'],
  too_large: ['unreadable', 'The message is larger than the connection allows.'],
  unknown_gateway: ['unreadable', 'The gateway of the message is no longer configured.'],
  unknown_order: ['refused', 'The message names an order that the environment does not have.'],
  several_orders: ['refused', 'The numbers of one update belong to several orders.'],
  unknown_laboratory: ['refused', 'The message names a laboratory that the catalog does not have.'],
  sample_id_taken: [
    'refused',
    'The message gives a sample an id that the laboratory uses for another sample.',
  ],
} as const satisfies Record<UnreadableReason, readonly [ProblemClass, string]> &
  Record<string, readonly [ProblemClass, string]>
export type MessageProblem = keyof typeof MESSAGE_PROBLEMS

export const PROBLEM_CLASSES = ['unreadable', 'refused', 'fault'] as const
export type ProblemClass = (typeof PROBLEM_CLASSES)[number]

/** Explains a problem. Other codes are error codes of the contract, or names of internal errors. */
export function describeProblem(problemClass: ProblemClass, problem: string): string {
  if (problem in MESSAGE_PROBLEMS) return MESSAGE_PROBLEMS[problem as MessageProblem][1]
  return problemClass === 'fault'
    ? 'All attempts to apply the message failed with an internal error.'
    : 'The content of the message was refused by the rules of the API.'
}

/** Thrown for a message that no attempt can apply. */
export class MessageRefused extends Error {
  readonly problem: MessageProblem

  constructor(problem: MessageProblem) {
    super(MESSAGE_PROBLEMS[problem][1])
    this.name = 'MessageRefused'
    this.problem = problem
  }
}

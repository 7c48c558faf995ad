/**
 * Why a message could not be applied, beside the codes of errors that the contract has: what the
 * gateway could not read, and what Salus refused to follow.
 */
export const MESSAGE_PROBLEMS = {
  wrong_content_type: ['unreadable', 'The content is of a type that the gateway does not read.'],
  not_utf8: ['unreadable', 'The content is no UTF-8 text.'],
  not_json: ['unreadable', 'The content is no JSON.'],
  wrong_shape: ['unreadable', 'The content lacks fields of its kind, or has others.'],
  unknown_gateway: ['unreadable', 'The gateway that it came through is not set up any more.'],
  unknown_order: ['refused', 'It is about an order that the environment does not have.'],
  unknown_laboratory: ['refused', 'It names a laboratory that the catalog does not have.'],
  sample_id_taken: ['refused', 'It gives a sample a number that the laboratory uses for another.'],
} as const
export type MessageProblem = keyof typeof MESSAGE_PROBLEMS

export const PROBLEM_CLASSES = ['unreadable', 'refused', 'fault'] as const
export type ProblemClass = (typeof PROBLEM_CLASSES)[number]

/**
 * What a problem means, in words. Other codes are those of the contract's errors, or of an error of
 * ours.
 */
export function describeProblem(problemClass: ProblemClass, problem: string): string {
  if (problem in MESSAGE_PROBLEMS) return MESSAGE_PROBLEMS[problem as MessageProblem][1]
  return problemClass === 'fault'
    ? 'Salus failed to apply it, as often as it tried.'
    : 'What it says was refused, as a request of the API would be.'
}

/** A message that cannot be applied, whenever it is tried. */
export class MessageRefused extends Error {
  readonly problem: MessageProblem

  constructor(problem: MessageProblem) {
    super(MESSAGE_PROBLEMS[problem][1])
    this.name = 'MessageRefused'
    this.problem = problem
  }
}

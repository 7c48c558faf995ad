/** Why it was given up to hand an order over. */
export const DISPATCH_PROBLEMS = {
  lab_not_connected: 'No gateway leads to the laboratory.',
  not_reached: 'The laboratory or the kit vendor did not take the order within 24 hours.',
  sample_id_taken: 'The laboratory gave the order a number that it had given to another one.',
} as const
export type DispatchProblem = keyof typeof DISPATCH_PROBLEMS

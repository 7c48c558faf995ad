/** Reasons for which the dispatch of an order failed. */
export const DISPATCH_PROBLEMS = {
  lab_not_connected: 'The laboratory has no gateway.',
  not_reached: 'The laboratory or the kit vendor did not accept the order within 24 hours.',
  refused_by_lab: 'The laboratory refused the requisition.',
  sample_id_taken: 'The laboratory assigned a sample id that belongs to another order.',
} as const
export type DispatchProblem = keyof typeof DISPATCH_PROBLEMS

/** Reasons for which a laboratory still works on an order that was cancelled here. */
export const CANCEL_PROBLEMS = {
  refused: 'The laboratory refused the cancellation.',
  by_telephone: 'The laboratory takes cancellations by telephone only.',
  not_reached: 'The laboratory did not answer the cancellation within 24 hours.',
} as const
export type CancelProblem = keyof typeof CANCEL_PROBLEMS

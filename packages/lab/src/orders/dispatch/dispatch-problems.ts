/** Reasons for which the dispatch of an order failed. */
export const DISPATCH_PROBLEMS = {
  lab_not_connected: 'The laboratory has no gateway.',
  not_reached: 'The laboratory or the kit vendor did not accept the order within 24 hours.',
  refused_by_lab: 'The laboratory refused the requisition.',
  sample_id_taken: 'The laboratory assigned a sample id that belongs to another order.',
} as const
export type DispatchProblem = keyof typeof DISPATCH_PROBLEMS

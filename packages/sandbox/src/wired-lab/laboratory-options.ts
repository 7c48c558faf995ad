import type { RequisitionTest } from '@salus/contracts/lab-gateway'
import type { LabEvent } from './life/order-book.ts'
import type { Scenario, Step } from './life/scenario.ts'

/** A laboratory of a sandbox, whatever it speaks. */
export interface LaboratoryOptions {
  labSlug: string
  labName: string
  /** Tests of the laboratory by its codes. */
  compendium: ReadonlyMap<string, RequisitionTest>
  /** What becomes of orders whose notes say nothing else. */
  scenario: Scenario
  /** Seconds between the messages about an order. */
  paceSeconds: number
  now: () => Date
  onEvent: (event: LabEvent) => void
}

/** A laboratory that runs. */
export interface WiredLaboratory {
  port: number
  /**
   * Sends steps of an order, at once.
   * @returns false for an order that it does not have
   */
  run(number: string, steps: readonly Step[]): Promise<boolean>
  close(): Promise<void>
}

/** Returns the tests of an order by their codes: a code that is unknown is a test of one result. */
export function findTests(
  ordered: readonly { code: string; name: string }[],
  { compendium }: Pick<LaboratoryOptions, 'compendium'>,
): RequisitionTest[] {
  return ordered.map(({ code, name }, index) => {
    const unknown = { provider_id: code, name: name || code, expected_results: [] }
    return { ...(compendium.get(code) ?? unknown), marker_id: index + 1 }
  })
}

import type { ReportedResult } from '@salus/contracts/lab-gateway'
import { slugOf } from './expected-results.ts'

/** A result, a missing or a withdrawn one by its names. */
export type NamedOfTest = Pick<ReportedResult, 'name' | 'provider_id' | 'loinc'> &
  Pick<Partial<ReportedResult>, 'test' | 'sub_id' | 'observed_at'>

/** Returns the sub-id as the laboratory sent it, without the number of a repetition. */
export const sentSubId = ({ sub_id: subId }: Pick<NamedOfTest, 'sub_id'>): string | null =>
  subId?.replace(/#\d+$/, '') || null

/** Returns the code of a result, else its name. */
export const codeOfResult = ({ provider_id: code, loinc, name }: NamedOfTest): string =>
  code ?? loinc ?? slugOf(name)

/** Whether a result is one of several timed draws of a test, which differ in their times only. */
export function isTimed(result: NamedOfTest, all: readonly NamedOfTest[]): boolean {
  const same = all.filter(
    (each) =>
      each.test === result.test &&
      codeOfResult(each) === codeOfResult(result) &&
      sentSubId(each) === sentSubId(result),
  )
  return areTimed(same)
}

/** Whether results of one code are of several times, none of which repeats. */
export function areTimed(same: readonly NamedOfTest[]): boolean {
  const times = new Set(same.map(({ observed_at: at }) => at ?? ''))
  return same.length > 1 && times.size === same.length
}

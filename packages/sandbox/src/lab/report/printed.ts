import type { ReportedResult, ResultType } from '@salus/contracts/lab-gateway'
import type { Level } from '../values/sample-value.ts'

/** What of a result depends on its value. */
export type Printed = Pick<
  ReportedResult,
  | 'type'
  | 'result'
  | 'unit'
  | 'reference_range'
  | 'min_range_value'
  | 'max_range_value'
  | 'flag'
  | 'notes'
>

/** How a result shall come out. */
export interface Wish {
  type: ResultType
  /** Null for what shall be as with healthy people. */
  level: Level | null
  /** The report may hold critical values beside the one that is asked for. */
  isAlarming: boolean
}

/** The flag of what is bad but neither too low nor too high. */
export const abnormalFlag = (level: Level): string => (level === 'critical' ? 'AA' : 'A')

/** What a range may look like (docs/contract/13-results.md#biomarkerresult). */
export const RANGE_PATTERN = /^(?:[<>]=?\d*(?:\.\d+)?|\d*(?:\.\d+)?-\d*(?:\.\d+)?)$/

/** The type that a text has by its looks. */
export function typeOfText(text: string): 'numeric' | 'range' | 'comment' {
  if (/^\d+(?:\.\d+)?$/.test(text)) return 'numeric'
  return RANGE_PATTERN.test(text) ? 'range' : 'comment'
}

/** Nothing measured: words of the laboratory, neither good nor bad. */
export function printWords(text: string): Printed {
  return {
    type: 'comment',
    result: text,
    unit: null,
    reference_range: null,
    min_range_value: null,
    max_range_value: null,
    flag: null,
    notes: text,
  }
}

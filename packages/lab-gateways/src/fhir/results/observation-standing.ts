import { textOf } from '../json.ts'

/** What the status of an Observation means for a report. */
export type Standing = 'final' | 'preliminary' | 'corrected' | 'awaited' | 'cancelled' | 'withdrawn'

const STANDINGS: Readonly<Record<string, Standing>> = {
  registered: 'awaited',
  preliminary: 'preliminary',
  final: 'final',
  amended: 'corrected',
  corrected: 'corrected',
  cancelled: 'cancelled',
  'entered-in-error': 'withdrawn',
}

/** Returns the standing of an Observation; one with an unknown status is not called final. */
export function standingOf(status: unknown): Standing {
  const text = textOf(status) ?? ''
  return Object.hasOwn(STANDINGS, text) ? (STANDINGS[text] as Standing) : 'preliminary'
}

import { parseAppleDate } from '../apple-dates.ts'
import type { TextMap } from '../health-data.ts'

const PAUSES = /^HKWorkoutEventType(Motion)?Paused?$/
const RESUMES = /^HKWorkoutEventType(Motion)?Resumed?$/

/**
 * Milliseconds of a workout that were no pause, by its events. The person and the watch pause each for
 * themselves; time in either pause is one pause, and a pause without an end lasts to the workout's end.
 */
export function activeMilliseconds(events: readonly TextMap[], from: number, to: number): number {
  const turns = events
    .flatMap((event) => {
      const at = parseAppleDate(event.get('date') ?? '')?.epochMilliseconds
      const type = event.get('type') ?? ''
      const isPause = PAUSES.test(type)
      if (at === undefined || !(isPause || RESUMES.test(type))) return []
      const byMotion = type.includes('Motion')
      return [{ at: Math.min(Math.max(at, from), to), isPause, byMotion }]
    })
    .sort((a, b) => a.at - b.at)
  const paused = { byMotion: false, byPerson: false }
  let active = 0
  let since = from
  for (const { at, isPause, byMotion } of turns) {
    if (!paused.byMotion && !paused.byPerson) active += at - since
    since = at
    paused[byMotion ? 'byMotion' : 'byPerson'] = isPause
  }
  return paused.byMotion || paused.byPerson ? active : active + to - since
}

import type { Connector } from '../connector.ts'
import { mapDiary } from './diary.mapper.ts'
import { DIARY_KEY, diaryRequest, failureOf, SLUG, WEB, withKey } from './diary-key.ts'

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/**
 * Diaries of MyFitnessPal that a person shares with a key, as clients of 2025 and 2026 read them:
 * the vendor publishes no documentation.
 */
export const MY_FITNESS_PAL: Connector = {
  slug: SLUG,
  hosts: { web: WEB },
  auth: DIARY_KEY,
  collections: [
    {
      name: 'diary',
      resources: ['meal'],
      history: 'by_range',
      mostDaysAtOnce: 14,
      // People log late, and edit.
      overlapHours: 72,
      // A meal of a range stands at noon of its day.
      completes: { summaries: ['meal'] },
      page: ({ from, to }) => diaryRequest(dateOf(from), dateOf(Math.max(from, to - 1))),
      next: () => null,
      map: mapDiary,
    },
  ],
  // The vendor publishes no limits, and blocks addresses.
  budgets: [{ per: 'address', requests: 60, seconds: 3600, isAssumed: true }],
  pollMinutes: 60,
  authorize: withKey,
  failureOf,
  guide: {
    verification: 'emulator_only',
    sandboxOnly:
      'MyFitnessPal refuses requests from servers by a check for bots, which Salus does not evade.',
    documentation: null,
    timeZones:
      'Entries have a calendar day of the person. A meal is stored at noon UTC of its day, without an offset.',
    limits:
      'The vendor publishes none. Salus sends at most 60 requests an hour from a deployment, and looks for new data once an hour.',
    registration: [],
    notes: [
      'The user name is that of the profile, and the password is the key that a person sets under Settings, Diary Settings, Diary Sharing. It is not the password of the account.',
      'All that was eaten at one meal of a day is one meal. A day without entries has none, and is not a day without food.',
      'Minerals and vitamins other than sodium and potassium are left out: old foods have percentages, new ones amounts.',
    ],
  },
}

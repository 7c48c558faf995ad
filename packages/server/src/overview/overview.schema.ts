import { DateOnly } from '@salus/contracts/schema-types'
import Type from 'typebox'

/** State of an environment in numbers (docs/contract/01-conventions.md#overview). */

const count = (description: string) => Type.Integer({ description })

const OverviewDay = Type.Object(
  {
    date: DateOnly,
    people: count('Number of people with samples of this day.'),
    samples: count('Number of samples of this day.'),
    data_events: count('Number of events with new data that were written on this day.'),
    orders: count('Number of orders that were created on this day.'),
    attempts_succeeded: count('Number of attempts at webhooks with this outcome.'),
    attempts_failed: count('Number of attempts at webhooks with this outcome.'),
  },
  { title: 'OverviewDay' },
)

const OverviewWaiting = Type.Object(
  {
    critical_results: count('Number of critical results to acknowledge.'),
    unmatched_results: count('Number of unmatched results that wait for the team.'),
    unmatched_results_for_operators: count(
      'Number of unmatched results that wait for the operators.',
    ),
    lab_reports: count('Number of lab reports that wait for a review.'),
    stuck_orders: count('Number of orders that could not be sent, or not be cancelled.'),
    lab_messages: count('Number of messages of laboratories that could not be applied.'),
    lab_connections: count('Number of laboratory connections with an alert.'),
    connections: count('Number of connections of people with an error.'),
    webhooks_failing: count('Number of webhooks whose last three attempts or more failed.'),
    webhooks_disabled: count('Number of webhooks that Salus disabled, because they failed.'),
  },
  { title: 'OverviewWaiting' },
)

export const Overview = Type.Object(
  {
    as_of: Type.String({
      format: 'date-time',
      description: 'Time of all numbers except those in `waiting`, which are current.',
    }),
    waiting: OverviewWaiting,
    people: Type.Object({
      total: count('Number of people.'),
      active: count('Number of people with samples of the last seven days.'),
      active_before: count('Number of people with samples of the seven days before.'),
    }),
    connections: Type.Object({
      connected: count('Number of connections that work.'),
      error: count('Number of connections with an error.'),
      paused: count('Number of paused connections.'),
    }),
    samples: Type.Object({
      stored: count('Number of stored samples, of any time.'),
      is_estimated: Type.Boolean({
        description:
          'Whether active people, and people and samples of days, are estimated from a part of the people.',
      }),
    }),
    orders: Type.Object({ open: count('Number of orders that are not over.') }),
    webhooks: Type.Object({ total: count('Number of webhooks, disabled ones included.') }),
    days: Type.Array(OverviewDay, { description: 'The last 30 days of UTC, the oldest first.' }),
  },
  { title: 'Overview' },
)
export type Overview = Type.Static<typeof Overview>
export type OverviewDay = Type.Static<typeof OverviewDay>

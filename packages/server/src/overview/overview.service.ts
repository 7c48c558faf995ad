import { countTasks } from '@salus/accounts/tasks'
import { countUsers } from '@salus/accounts/users'
import { DAY_MS, DAY_SECONDS, MINUTE_MS } from '@salus/contracts/time-units'
import { connectionsOfUsers } from '@salus/health/connections'
import { countSampleDays } from '@salus/health/timeseries'
import { environmentNow, type Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { countAlertedConnections } from '@salus/lab/connections'
import { countFailedMessages } from '@salus/lab/inbox'
import { countOpenOrders, countOrdersByDay, countStuckOrders } from '@salus/lab/orders'
import { countJobsToReview } from '@salus/lab/reports'
import { countWaitingReviews } from '@salus/lab/results'
import { countAttempts, countDataEvents, listAllEndpoints } from '../webhooks/index.ts'
import type { Overview, OverviewDay } from './overview.schema.ts'

const DAYS = 30
/** Numbers other than those of what waits are this old at most. */
const MOST_KEPT_MS = MINUTE_MS
/** They are kept for so many times as long as it took to count them. */
const KEPT_FACTOR = 20
/** From so many failures in a row on a webhook needs attention. */
const SEVERAL_FAILURES = 3

type Counts = Omit<Overview, 'waiting'>

interface KeptCounts {
  /** Epoch milliseconds; infinite while they are counted. */
  until: number
  counts: Promise<Counts>
}

/**
 * Numbers of environments. A process keeps them for a while, so that it spends little of its time
 * on them, however many pages are open.
 */
export class Overviews {
  readonly #kept = new Map<string, KeptCounts>()

  /** Returns the numbers of an environment. */
  async get(scope: Scope): Promise<Overview> {
    const [counts, waiting] = await Promise.all([this.#counts(scope), countWaiting(scope)])
    return {
      ...counts,
      waiting: { ...waiting, connections: counts.connections.error },
    }
  }

  #counts(scope: Scope): Promise<Counts> {
    const begin = scope.clock.now().getTime()
    for (const [id, { until }] of this.#kept) if (until <= begin) this.#kept.delete(id)
    const { id } = scope.environment
    const known = this.#kept.get(id)
    if (known !== undefined) return known.counts
    const kept = { until: Number.POSITIVE_INFINITY, counts: countAll(scope) }
    this.#kept.set(id, kept)
    kept.counts.then(
      () => {
        const end = scope.clock.now().getTime()
        kept.until = end + Math.min(MOST_KEPT_MS, KEPT_FACTOR * (end - begin))
      },
      () => this.#kept.delete(id),
    )
    return kept.counts
  }
}

type Waiting = Omit<Overview['waiting'], 'connections'>

async function countWaiting(scope: Scope): Promise<Waiting> {
  const [tasks, reviews, reports, orders, messages, connections, endpoints] = await Promise.all([
    countTasks(scope),
    countWaitingReviews(scope),
    countJobsToReview(scope),
    countStuckOrders(scope),
    countFailedMessages(scope),
    countAlertedConnections(scope),
    listAllEndpoints(scope),
  ])
  return {
    critical_results: tasks.find(({ kind }) => kind === 'critical_result')?.unacknowledged ?? 0,
    unmatched_results: reviews.forTeam,
    unmatched_results_for_operators: reviews.forOperators,
    lab_reports: reports,
    stuck_orders: orders,
    lab_messages: messages,
    lab_connections: connections,
    webhooks_failing: endpoints.filter(
      ({ disabled_at, failures }) => disabled_at === null && failures >= SEVERAL_FAILURES,
    ).length,
    webhooks_disabled: endpoints.filter(
      ({ disabled_reason: reason }) => reason !== null && reason !== 'manual',
    ).length,
  }
}

async function countAll(scope: Scope): Promise<Counts> {
  const today = Math.floor(environmentNow(scope).getTime() / DAY_MS)
  const since = new Date((today - DAYS + 1) * DAY_MS)
  const lastDay = dateOf(today)
  const people = await countUsers(scope)
  const [connections, open, endpoints, samples, events, orders, attempts] = await Promise.all([
    connectionsOfUsers.count(scope),
    countOpenOrders(scope),
    listAllEndpoints(scope),
    countSampleDays(scope, { lastDay, days: DAYS, people }),
    countDataEvents(scope, since),
    countOrdersByDay(scope, since),
    countAttempts(scope, { endpointId: undefined, since, intervalSeconds: DAY_SECONDS }),
  ])
  const attemptsOf = new Map(attempts.map((row) => [row.from_second / DAY_SECONDS, row]))
  const days = Array.from({ length: DAYS }, (_, index): OverviewDay => {
    const age = DAYS - 1 - index
    const date = dateOf(today - age)
    const attempted = attemptsOf.get(today - age)
    return {
      date,
      people: samples.byAge.get(age)?.people ?? 0,
      samples: samples.byAge.get(age)?.samples ?? 0,
      data_events: events.get(date) ?? 0,
      orders: orders.get(date) ?? 0,
      attempts_succeeded: attempted?.succeeded ?? 0,
      attempts_failed: attempted?.failed ?? 0,
    }
  })
  return {
    as_of: formatInstant(scope.clock.now()),
    people: {
      total: people,
      active: samples.peopleByWeek.get(0) ?? 0,
      active_before: samples.peopleByWeek.get(1) ?? 0,
    },
    connections: {
      connected: connections.connected - connections.errored - connections.paused,
      error: connections.errored,
      paused: connections.paused,
    },
    samples: { stored: samples.stored, is_estimated: samples.isEstimated },
    orders: { open },
    webhooks: { total: endpoints.length },
    days,
  }
}

/** YYYY-MM-DD of a number of days since 1970. */
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { IconAlertTriangle, IconCircleCheck } from '../components/icons.tsx'
import type { Overview } from './overview-query.ts'

type Waiting = Overview['waiting']

interface WaitingKind {
  tone: 'bad' | 'warning'
  /** What waits, for one and for several. */
  one: string
  many: string
  /** The list of what waits, below the environment. */
  to: 'tasks' | 'webhooks' | 'connections' | 'matching' | 'reports' | 'people'
  search?: Record<string, string>
}

/** What can wait for a person, the most urgent first. */
const KINDS: Readonly<Record<keyof Waiting, WaitingKind>> = {
  critical_results: {
    tone: 'bad',
    one: 'critical result to acknowledge',
    many: 'critical results to acknowledge',
    to: 'tasks',
    search: { kind: 'critical_result' },
  },
  webhooks_disabled: {
    tone: 'bad',
    one: 'webhook was disabled, because it failed',
    many: 'webhooks were disabled, because they failed',
    to: 'webhooks',
  },
  webhooks_failing: {
    tone: 'bad',
    one: 'webhook is failing',
    many: 'webhooks are failing',
    to: 'webhooks',
  },
  lab_connections: {
    tone: 'bad',
    one: 'laboratory connection has an alert',
    many: 'laboratory connections have an alert',
    to: 'connections',
  },
  stuck_orders: {
    tone: 'bad',
    one: 'order is stuck',
    many: 'orders are stuck',
    to: 'matching',
    search: { tab: 'orders' },
  },
  lab_messages: {
    tone: 'bad',
    one: 'message of a laboratory could not be applied',
    many: 'messages of laboratories could not be applied',
    to: 'matching',
    search: { tab: 'messages' },
  },
  unmatched_results: {
    tone: 'warning',
    one: 'result matches no order, and waits for a decision',
    many: 'results match no order, and wait for a decision',
    to: 'matching',
  },
  unmatched_results_for_operators: {
    tone: 'warning',
    one: 'unmatched result waits for the operator',
    many: 'unmatched results wait for the operator',
    to: 'matching',
    search: { tab: 'operator' },
  },
  lab_reports: {
    tone: 'warning',
    one: 'lab report to review',
    many: 'lab reports to review',
    to: 'reports',
    search: { status: 'pending_review' },
  },
  connections: {
    tone: 'warning',
    one: 'connection of a person does not work',
    many: 'connections of people do not work',
    to: 'people',
    search: { state: 'error' },
  },
}

/** Lists what waits for a person, each with a link to its list, or says that nothing does. */
export function WaitingList({ waiting }: { waiting: Waiting }): ReactNode {
  const { teamId, env } = useEnvironment()
  const rows = (Object.keys(KINDS) as (keyof Waiting)[]).filter((key) => waiting[key] > 0)
  if (rows.length === 0) {
    return (
      <p className="overview-well">
        <IconCircleCheck size={20} aria-hidden /> Nothing needs attention.
      </p>
    )
  }
  return (
    <ul className="overview-waiting">
      {rows.map((key) => {
        const { tone, one, many, to, search = {} } = KINDS[key]
        const count = waiting[key]
        return (
          <li key={key} data-tone={tone}>
            <IconAlertTriangle size={20} aria-hidden />
            <Link to={`/$team/$env/${to}`} params={{ team: teamId, env }} search={search as never}>
              <strong>{count.toLocaleString('en')}</strong> {count === 1 ? one : many}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

import type { Stores } from '@salus/kernel/scope'
import { type BudgetRow, listBudgetRows } from './budget-figures.global.repository.ts'
import { bucketSizeOf } from './budgets.ts'

/** The remaining budget of a vendor. Budgets of users are combined. */
export interface BudgetFigures {
  provider: string
  environment: string
  per: 'app' | 'connection'
  /** Number of requests in a number of seconds; null when the vendor does not publish its limit. */
  requests: number | null
  seconds: number | null
  /** Number of apps, or connections, that used theirs in the last hours. */
  used: number
  /** Requests that can be sent at once; for budgets of users, the lowest of them. */
  available: number | null
  capacity: number | null
  /** Number of exhausted budgets, and until when the last of them is exhausted. */
  spent: number
  blocked_until: Date | null
}

const MOST_BUDGETS = 20_000

const BUCKET = /^(\S+) (\S+) (app [0-9a-f]*|[0-9a-f-]{36})(?: (\d+)\/(\d+))?$/

/** Returns the budgets of vendors that were used; full ones are not stored. */
export async function listBudgets({
  db,
  clock,
}: Pick<Stores, 'db' | 'clock'>): Promise<BudgetFigures[]> {
  const now = clock.now()
  const groups = new Map<string, BudgetFigures>()
  for (const row of await listBudgetRows(db, MOST_BUDGETS)) {
    const budget = readBudget(row, now)
    if (budget === undefined) continue
    const { provider, environment, per, requests, seconds } = budget
    const name = [provider, environment, per, requests, seconds].join(' ')
    const group = groups.get(name)
    groups.set(name, group === undefined ? budget : joinFigures(group, budget))
  }
  return [...groups.values()].sort((one, other) => (one.provider < other.provider ? -1 : 1))
}

function readBudget(row: BudgetRow, now: Date): BudgetFigures | undefined {
  const parts = BUCKET.exec(row.bucket)
  if (parts === null) return undefined
  const [, provider = '', environment = '', owner = '', requestsText, secondsText] = parts
  const requests = requestsText === undefined ? null : Number(requestsText)
  const seconds = secondsText === undefined ? null : Number(secondsText)
  const isBlocked = row.blocked_until !== null && row.blocked_until > now
  const left =
    requests === null || seconds === null ? null : tokensLeft(row, requests, seconds, now)
  const available = isBlocked ? 0 : (left?.available ?? null)
  return {
    provider,
    environment,
    per: owner.startsWith('app') ? 'app' : 'connection',
    requests,
    seconds,
    used: 1,
    available,
    capacity: left?.capacity ?? null,
    spent: isBlocked || available === 0 ? 1 : 0,
    blocked_until: isBlocked ? row.blocked_until : null,
  }
}

function tokensLeft(
  { tokens, filled_at: filledAt }: BudgetRow,
  requests: number,
  seconds: number,
  now: Date,
) {
  const { capacity, perSecond } = bucketSizeOf({ requests, seconds })
  const gained = Math.max(0, now.getTime() - filledAt.getTime()) * (perSecond / 1000)
  return { capacity, available: Math.floor(Math.min(capacity, tokens + gained)) }
}

function joinFigures(group: BudgetFigures, other: BudgetFigures): BudgetFigures {
  const blocked = [group.blocked_until, other.blocked_until].filter((until) => until !== null)
  return {
    ...group,
    used: group.used + other.used,
    spent: group.spent + other.spent,
    available:
      group.available === null || other.available === null
        ? (group.available ?? other.available)
        : Math.min(group.available, other.available),
    blocked_until: blocked.length === 0 ? null : new Date(Math.max(...blocked.map(Number))),
  }
}

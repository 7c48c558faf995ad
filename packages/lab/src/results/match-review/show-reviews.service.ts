import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import type { Environment, Scope } from '@salus/kernel/scope'
import { formatInstant, parseDate, startOfUtcDay } from '@salus/kernel/time/instants'
import { findKnownLab, type LabRow, listLabs } from '../../catalog/index.ts'
import { type CandidateOrder, toCandidateGroups } from '../matching/candidate-order.ts'
import { listCandidateOrders } from '../matching/candidate-orders.service.ts'
import type {
  MatchReviewResolutionAction,
  MatchReviewStatus,
  OperatorUnmatchedQuery,
  UnmatchedResult,
  UnmatchedResultQuery,
} from './match-review.schema.ts'
import { isShownToTeam } from './publish-review.ts'
import type { UnmatchedRow } from './unmatched-results.repository.ts'
import * as repository from './unmatched-results.repository.ts'

const AWAITING: readonly MatchReviewStatus[] = ['pending_customer_review', 'pending_ops_review']

const FOR_OPERATORS: repository.UnmatchedFilter = {
  viewer: 'operator',
  statuses: ['pending_ops_review'],
}

export const UNKNOWN_RESULT = notFoundCode('unmatched_result_not_found')

/** Checks that the team has a review queue. @throws AppError 400 `match_review_disabled` */
export function requireReviewQueue({ settings }: Environment): void {
  if (settings.match_review_enabled) return
  throw badRequest('match_review_disabled', 'The team has no review queue.')
}

/**
 * Returns a page of held results, newest first.
 * @throws AppError 400 `match_review_disabled`, `invalid_cursor`, `invalid_date_range`
 */
export async function listReviews(scope: Scope, query: UnmatchedResultQuery) {
  requireReviewQueue(scope.environment)
  const { limit, next_cursor: cursor, ...filters } = query
  if (query.lab_slug) await findKnownLab(scope.db, query.lab_slug, ['query', 'lab_slug'])
  return listFiltered(scope, toFilter(filters), Object.entries(filters).sort(), { limit, cursor })
}

/**
 * Returns a page of the held results that wait for the operators, newest first, also of a team
 * without a queue.
 * @throws AppError 400 `invalid_cursor`
 */
export async function listForOperators(scope: Scope, query: OperatorUnmatchedQuery) {
  const { limit, next_cursor: cursor } = query
  return listFiltered(scope, FOR_OPERATORS, 'operators', { limit, cursor })
}

/** Counts the held results that wait for the team, and those that wait for the operators. */
export async function countWaitingReviews(
  scope: Scope,
): Promise<{ forTeam: number; forOperators: number }> {
  const [forTeam, forOperators] = await Promise.all([
    // Without a queue the team decides about none.
    scope.environment.settings.match_review_enabled
      ? repository.countUnmatched(scope, { viewer: 'team', statuses: ['pending_customer_review'] })
      : 0,
    repository.countUnmatched(scope, FOR_OPERATORS),
  ])
  return { forTeam, forOperators }
}

async function listFiltered(
  scope: Scope,
  filter: repository.UnmatchedFilter,
  filterName: unknown,
  { limit, cursor }: { limit: number; cursor: string | null | undefined },
) {
  const about = ['unmatched_result', scope.environment.id, filterName]
  const after = CREATION_PAGES.read(about, cursor)
  const page = { after, limit: limit + 1 }
  const [found, total] = await Promise.all([
    repository.listUnmatched(scope, filter, page),
    repository.countUnmatched(scope, filter),
  ])
  const { page: rows, nextCursor } = CREATION_PAGES.cut(about, found, limit)
  return { data: await showRows(scope, rows), next_cursor: nextCursor, total }
}

function toFilter(
  query: Omit<UnmatchedResultQuery, 'limit' | 'next_cursor'>,
): repository.UnmatchedFilter {
  const { created_at_start: start, created_at_end: end, search_input: text } = query
  if (start !== undefined && end !== undefined && start > end) {
    throw badRequest('invalid_date_range', 'created_at_start is later than created_at_end.')
  }
  const dob = text === undefined ? undefined : parseDate(text.trim())
  return {
    viewer: 'team',
    statuses: query.status === undefined ? AWAITING : [query.status],
    decisionCode: query.decision_code,
    labSlug: query.lab_slug,
    from: start === undefined ? undefined : new Date(startOfUtcDay(start)),
    before: end === undefined ? undefined : new Date(startOfUtcDay(end) + DAY_MS),
    search: dob !== undefined ? { dob } : text ? { name: text.trim().toLowerCase() } : undefined,
  }
}

/**
 * Returns a held result.
 * @throws AppError 400 `match_review_disabled`, 404 also for one that only operators may see
 */
export async function showReview(scope: Scope, id: string): Promise<UnmatchedResult> {
  const { environment } = scope
  requireReviewQueue(environment)
  const row = await repository.findUnmatched(scope, id)
  if (row === undefined || !isShownToTeam(row)) throw UNKNOWN_RESULT
  return showRow(scope, row)
}

/** Returns the wire object of a held result; it has candidates only while no decision was made. */
export async function showRow(scope: Scope, row: UnmatchedRow): Promise<UnmatchedResult> {
  const [shown] = await showRows(scope, [row])
  if (shown === undefined) throw new Error('A held result could not be read for its row.')
  return shown
}

/** Returns the current orders that a held result may belong to, without those of deleted people. */
export async function listCandidatesOfHeld(
  scope: Scope,
  rows: readonly UnmatchedRow[],
): Promise<CandidateOrder[][]> {
  return listCandidateOrders(
    scope,
    rows.map(({ report, lab_id: labId }) => ({
      message: report,
      labId,
      orderId: report.named_order_id ?? undefined,
    })),
    { isOnlyOfLiving: true },
  )
}

async function showRows(scope: Scope, rows: readonly UnmatchedRow[]): Promise<UnmatchedResult[]> {
  const { db } = scope
  // Candidates of decided results are not needed.
  const open = rows.filter((row) => AWAITING.includes(row.status))
  const candidates = await listCandidatesOfHeld(scope, open)
  const labs = await listLabs(db, [...new Set(rows.map((row) => row.lab_id))])
  return rows.map((row) => {
    const lab = labs.find(({ id }) => id === row.lab_id)
    if (lab === undefined) throw new Error('The laboratory of a held result is gone.')
    return toUnmatchedResult(row, lab, candidates[open.indexOf(row)] ?? [])
  })
}

/** Returns the actions that are possible now. */
export function allowedActions(row: UnmatchedRow): MatchReviewResolutionAction[] {
  return row.status === 'pending_customer_review' ? ['accept', 'reject', 'unsure'] : []
}

function toUnmatchedResult(
  row: UnmatchedRow,
  lab: LabRow,
  orders: readonly CandidateOrder[],
): UnmatchedResult {
  const { first_name, last_name, gender } = row.report.patient
  const dob = row.patient_dob
  return {
    id: row.id,
    status: row.status,
    decision_code: row.decision_code,
    sub_reason_codes: row.sub_reason_codes,
    reason: row.reason,
    patient: {
      first_name,
      last_name,
      dob: dob && formatInstant(startOfUtcDay(dob)),
      gender,
    },
    lab: { id: lab.id, name: lab.name, slug: lab.slug },
    markers: markersOf(row),
    sample_id: row.report.sample_id,
    specimen_number: row.report.specimen_number,
    collected_at:
      row.report.collected_at && formatInstant(new Date(row.report.collected_at.timestamp)),
    interpretation: row.interpretation,
    result_status: row.report.status === 'partial' ? 'partial' : 'final',
    note: row.note,
    resolution_action: row.resolution_action,
    resolved_user_id: row.resolved_user_id,
    resolved_order_id: row.resolved_order_id,
    allowed_actions: allowedActions(row),
    candidate_groups: toCandidateGroups(orders),
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
    reviewed_at: row.reviewed_at && formatInstant(row.reviewed_at),
  }
}

/**
 * Returns the markers that the laboratory names as ordered, or else those of the reported results.
 */
function markersOf({ report }: UnmatchedRow): UnmatchedResult['markers'] {
  const results = [...report.results, ...report.missing_results]
  if (report.ordered_provider_ids.length === 0) {
    return results.map(({ provider_id, name }) => ({ provider_id, name }))
  }
  return report.ordered_provider_ids.map((provider_id) => ({
    provider_id,
    name: results.find((result) => result.provider_id === provider_id)?.name ?? null,
  }))
}

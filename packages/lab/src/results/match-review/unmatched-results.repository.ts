import { escapeLike } from '@salus/kernel/postgres/like-pattern'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type FileColumns, namesOfFiles } from '../results.repository.ts'
import type { UnmatchedResultsTable } from '../results.tables.ts'
import type { MatchDecisionCode, MatchReviewStatus } from './match-review.schema.ts'

export type UnmatchedRow = Selectable<UnmatchedResultsTable>
export type NewUnmatchedResult = Omit<Insertable<UnmatchedResultsTable>, 'environment_id'>
export type UnmatchedChanges = Omit<Updateable<UnmatchedResultsTable>, 'environment_id' | 'id'>

/** Inserts a held result and returns its row. */
export function insertUnmatched(
  { db, environment }: Scope,
  result: NewUnmatchedResult,
): Promise<UnmatchedRow> {
  return db
    .insertInto('unmatched_results')
    .values({ ...result, environment_id: environment.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * SQL condition that hides results of deleted people and of their samples. They are deleted with
 * the person (deleteUnmatchedOfUser), or shown again after an undo.
 */
const isOfNobodyDeleted = sql<boolean>`(
  not exists (
    select from users
    where users.environment_id = unmatched_results.environment_id
      and users.id = unmatched_results.resolved_user_id and users.deleted_at is not null
  ) and not exists (
    select from orders
    where orders.environment_id = unmatched_results.environment_id and orders.is_hidden
      and orders.lab_id = unmatched_results.lab_id
      and orders.sample_id = unmatched_results.report ->> 'sample_id'
  ) and not exists (
    select from orders
    where orders.environment_id = unmatched_results.environment_id and orders.is_hidden
      and orders.id = (unmatched_results.report ->> 'named_order_id')::uuid
  )
)`

/** Returns a held result that may be shown; see isOfNobodyDeleted. */
export function findUnmatched(
  { db, environment }: Scope,
  id: string,
): Promise<UnmatchedRow | undefined> {
  return db
    .selectFrom('unmatched_results')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where(isOfNobodyDeleted)
    .executeTakeFirst()
}

/** Returns the same as findUnmatched, locked until the transaction ends. */
export function lockUnmatched(
  { db, environment }: Scope,
  id: string,
): Promise<UnmatchedRow | undefined> {
  return db
    .selectFrom('unmatched_results')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where(isOfNobodyDeleted)
    .forUpdate()
    .executeTakeFirst()
}

/** Returns a result message that is already held. */
export function findSameMessage(
  { db, environment }: Scope,
  labId: number,
  contentHash: string,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('unmatched_results')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('lab_id', '=', labId)
    .where(sql<boolean>`report ->> 'content_hash' = ${contentHash}`)
    .executeTakeFirst()
}

const OPEN = ['pending_customer_review', 'pending_ops_review'] as const

function selectOpenOfSample({ db, environment }: Scope, labId: number, sampleId: string) {
  return db
    .selectFrom('unmatched_results')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('lab_id', '=', labId)
    .where('status', 'in', OPEN)
    .where(sql<boolean>`report ->> 'sample_id' = ${sampleId}`)
    .orderBy('created_at')
    .orderBy('id')
}

/** Returns the open held results that name an order, or its sample, oldest first. */
export function listOpenOfOrder(
  { db, environment }: Scope,
  {
    id,
    lab_id: labId,
    sample_id: sampleId,
  }: { id: string; lab_id: number; sample_id: string | null },
): Promise<UnmatchedRow[]> {
  return db
    .selectFrom('unmatched_results')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('lab_id', '=', labId)
    .where('status', 'in', OPEN)
    .where(
      sql<boolean>`(report ->> 'named_order_id' = ${id} or report ->> 'sample_id' = ${sampleId})`,
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Returns the open held results of a sample, locked until the transaction ends. */
export function lockOpenOfSample(
  scope: Scope,
  labId: number,
  sampleId: string,
): Promise<UnmatchedRow[]> {
  return selectOpenOfSample(scope, labId, sampleId).forUpdate().execute()
}

/**
 * Changes columns of a held result and returns the new row.
 * @throws when the environment does not have it
 */
export function updateUnmatched(
  { db, environment }: Scope,
  id: string,
  changes: UnmatchedChanges,
): Promise<UnmatchedRow> {
  return db
    .updateTable('unmatched_results')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface UnmatchedFilter {
  /** Of the results that wait for operators, teams see those that they passed on. */
  viewer: 'team' | 'operator'
  statuses: readonly MatchReviewStatus[]
  decisionCode?: MatchDecisionCode | undefined
  labSlug?: string | undefined
  /** Range that includes the first and excludes the second instant. */
  from?: Date | undefined
  before?: Date | undefined
  /** A birth date, or a part of the name in lower case. */
  search?: { dob: string } | { name: string } | undefined
}

function selectShown({ db, environment }: Scope, filter: UnmatchedFilter) {
  const { viewer, decisionCode, labSlug, from, before, search } = filter
  let query = db
    .selectFrom('unmatched_results')
    .where('unmatched_results.environment_id', '=', environment.id)
    .where(isOfNobodyDeleted)
    .where('unmatched_results.status', 'in', [...filter.statuses])
  if (viewer === 'team') {
    query = query.where((where) =>
      where.or([
        where('unmatched_results.status', '<>', 'pending_ops_review'),
        where('resolution_action', '=', 'unsure'),
      ]),
    )
  }
  if (decisionCode !== undefined) query = query.where('decision_code', '=', decisionCode)
  if (from !== undefined) query = query.where('unmatched_results.created_at', '>=', from)
  if (before !== undefined) query = query.where('unmatched_results.created_at', '<', before)
  if (labSlug !== undefined) {
    query = query.where('lab_id', 'in', (select) =>
      select.selectFrom('labs').select('labs.id').where('labs.slug', '=', labSlug),
    )
  }
  if (search !== undefined && 'dob' in search) {
    query = query.where('unmatched_results.patient_dob', '=', search.dob)
  }
  if (search !== undefined && 'name' in search) {
    const literal = escapeLike(search.name)
    query = query.where('unmatched_results.patient_name', 'like', `%${literal}%`)
  }
  return query
}

/** Returns held results after the given position, newest first. */
export function listUnmatched(
  scope: Scope,
  filter: UnmatchedFilter,
  page: { after: { createdAt: string; id: string } | null; limit: number },
): Promise<(UnmatchedRow & { position: string })[]> {
  let query = selectShown(scope, filter)
    .selectAll('unmatched_results')
    .select(sql<string>`unmatched_results.created_at::text`.as('position'))
  if (page.after !== null) {
    const { createdAt, id } = page.after
    query = query.where(
      sql<boolean>`(unmatched_results.created_at, id) < (${createdAt}::timestamptz, ${id}::uuid)`,
    )
  }
  return query
    .orderBy('unmatched_results.created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute()
}

/** Returns the number of results on all pages of listUnmatched. */
export async function countUnmatched(scope: Scope, filter: UnmatchedFilter): Promise<number> {
  const { total } = await selectShown(scope, filter)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/**
 * Deletes the held results of a person with their messages: results attached to the person, and
 * samples of the person's orders. Returns their ids, and the names of the files.
 */
export async function deleteUnmatchedOfUser(
  { db, environment }: RowScope,
  userId: string,
): Promise<{ ids: string[]; files: string[] }> {
  const ofTheirSamples = sql<boolean>`(lab_id, report ->> 'sample_id') in (
    select o.lab_id, o.sample_id from orders o
    where o.environment_id = ${environment.id}::uuid and o.user_id = ${userId}::uuid
      and o.sample_id is not null
  )`
  const isTheirs = sql<boolean>`(resolved_user_id = ${userId}::uuid or ${ofTheirSamples})`
  const { rows } = await sql<FileColumns & { id: string }>`
    with gone as (
      delete from unmatched_results
      where environment_id = ${environment.id}::uuid and ${isTheirs}
      returning id, pdf_file, document_files, lab_message_id
    ), messages as (
      delete from lab_messages where id in (select lab_message_id from gone)
    )
    select id, pdf_file, document_files from gone`.execute(db)
  return { ids: rows.map(({ id }) => id), files: namesOfFiles(rows) }
}

import { findUserReference } from '@salus/accounts/users'
import { findProvider, PROVIDERS, providerNumber } from '@salus/contracts/providers'
import { SOURCE_TYPES, type SourceType } from '@salus/contracts/series'
import { InputError, type InputProblem, notFound } from '@salus/kernel/errors'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { DATA_TYPES, type DataType, hasDataType } from './data-types.ts'
import { keyOf } from './find-source-ranking.ts'
import type { TeamPriorityRow, UserPriorityRow } from './source-priorities.repository.ts'
import * as repository from './source-priorities.repository.ts'
import type {
  TeamPriorityChanges,
  TeamPriorityQuery,
  TeamSourcePriority,
  UserSourcePriorities,
  UserSourcePrioritiesInput,
} from './source-priorities.schema.ts'

/** Listener that recomputes what depends on priorities, in the transaction of the change. */
export interface PriorityListener {
  /** @param userId The user whose rules changed; null for those of the team. */
  prioritiesChanged(
    tx: TransactionScope,
    userId: string | null,
    dataTypes: ReadonlySet<DataType>,
  ): Promise<void>
}

/** Priority 0 for every provider and each data type it has. */
const DEFAULTS: readonly TeamPriorityRow[] = DATA_TYPES.flatMap((data_type) =>
  PROVIDERS.filter((provider) => hasDataType(provider, data_type)).map(({ slug }) => ({
    data_type,
    provider: slug,
    resource: '',
    source_type: '',
    priority: 0,
  })),
)

const compareRows = (a: TeamPriorityRow, b: TeamPriorityRow): number =>
  DATA_TYPES.indexOf(a.data_type) - DATA_TYPES.indexOf(b.data_type) ||
  (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0) ||
  b.priority - a.priority ||
  providerNumber(a.provider) - providerNumber(b.provider) ||
  typeNumber(a.source_type) - typeNumber(b.source_type)

const typeNumber = (sourceType: string): number => SOURCE_TYPES.indexOf(sourceType as SourceType)

function toTeamPriority(row: TeamPriorityRow): TeamSourcePriority {
  return {
    data_type: row.data_type,
    slug: row.provider,
    name: findProvider(row.provider)?.name ?? '',
    source_id: providerNumber(row.provider),
    priority: row.priority,
    resource: row.resource || null,
    source_type: (row.source_type || null) as SourceType | null,
  }
}

/**
 * Returns the team's priorities: one for each provider and data type, 0 where none was set, and
 * those of single series and source types. By data type, then series, highest first.
 */
export async function listTeamPriorities(
  scope: Scope,
  { data_type }: TeamPriorityQuery,
): Promise<TeamSourcePriority[]> {
  const rows = await repository.listTeamPriorities(scope, data_type)
  const wanted = DEFAULTS.filter((row) => data_type === undefined || row.data_type === data_type)
  const byKey = new Map([...wanted, ...rows].map((row) => [keyOf(row), row]))
  return [...byKey.values()].sort(compareRows).map(toTeamPriority)
}

/**
 * Reads changes of the team's priorities.
 * @param at Where the list is in the request.
 * @throws AppError 422 for an unknown slug, a series of another data type, or a duplicate.
 */
export function readTeamChanges(changes: TeamPriorityChanges, at: Location): TeamPriorityRow[] {
  const rows = changes.map(({ data_type, slug, priority, resource, source_type }) => ({
    data_type,
    provider: slug,
    resource: resource ?? '',
    source_type: source_type ?? '',
    priority,
  }))
  const problems = [
    ...unknownProviders(rows, (index) => [...at, index, 'slug']),
    ...rows.flatMap((row, index): InputProblem[] => {
      if (row.resource === '' || row.data_type === 'timeseries') return []
      const msg = 'A resource is a series and needs the data type timeseries'
      return [{ loc: [...at, index, 'resource'], msg, type: 'resource_mismatch' }]
    }),
    ...duplicateProblems(rows.map(keyOf), (index) => [...at, index]),
  ]
  if (problems.length > 0) throw new InputError(problems)
  return rows
}

/**
 * Sets priorities; others keep their value. Returns all of them.
 * @throws AppError 422 as readTeamChanges
 */
export async function setTeamPriorities(
  scope: Scope,
  changes: TeamPriorityChanges,
  listener: PriorityListener,
): Promise<TeamSourcePriority[]> {
  const rows = readTeamChanges(changes, ['body'])
  if (rows.length > 0) {
    await scope.transaction(async (tx) => {
      await repository.upsertTeamPriorities(tx, rows, scope.clock.now())
      const dataTypes = new Set(rows.map(({ data_type: dataType }) => dataType))
      await listener.prioritiesChanged(tx, null, dataTypes)
    })
  }
  return listTeamPriorities(scope, {})
}

type Location = InputProblem['loc']
type LocationOf = (index: number) => Location

function unknownProviders(
  rows: readonly { provider: string }[],
  locationOf: LocationOf,
): InputProblem[] {
  return rows.flatMap(({ provider }, index) =>
    findProvider(provider) === undefined
      ? [{ loc: locationOf(index), msg: 'No provider has this slug', type: 'unknown_provider' }]
      : [],
  )
}

function duplicateProblems(keys: readonly string[], locationOf: LocationOf): InputProblem[] {
  return keys.flatMap((key, index) =>
    keys.indexOf(key) === index
      ? []
      : [{ loc: locationOf(index), msg: 'The list contains this entry twice', type: 'duplicate' }],
  )
}

/** Returns the rules of a user, as they were put. @throws AppError 404 for the user. */
export async function getUserPriorities(
  scope: Scope,
  userId: string,
): Promise<UserSourcePriorities> {
  if ((await findUserReference(scope, userId)) === undefined) throw notFound('User')
  const rows = await repository.listUserPriorities(scope, userId)
  return {
    source_priorities: rows.map(({ resource, provider, source_type, app_id, priority }) => ({
      resource: resource || null,
      provider,
      source_type: (source_type || null) as SourceType | null,
      app_id: app_id || null,
      priority,
    })),
  }
}

/**
 * Reads rules of a user.
 * @throws AppError 422 for an unknown slug or a duplicate rule.
 */
export function readUserRules({
  source_priorities: rules,
}: UserSourcePrioritiesInput): UserPriorityRow[] {
  const rows: UserPriorityRow[] = rules.map((rule) => ({
    resource: rule.resource ?? '',
    provider: rule.provider,
    source_type: rule.source_type ?? '',
    app_id: rule.app_id ?? '',
    priority: rule.priority,
  }))
  const keys = rows.map(({ priority: _, ...key }) => JSON.stringify(key))
  const problems = [
    ...unknownProviders(rows, (index) => ['body', 'source_priorities', index, 'provider']),
    ...duplicateProblems(keys, (index) => ['body', 'source_priorities', index]),
  ]
  if (problems.length > 0) throw new InputError(problems)
  return rows
}

/**
 * Replaces all rules of a user.
 * @throws AppError 404 for the user, 422 as readUserRules
 */
export async function putUserPriorities(
  scope: Scope,
  userId: string,
  input: UserSourcePrioritiesInput,
  listener: PriorityListener,
): Promise<UserSourcePriorities> {
  const rows = readUserRules(input)
  if ((await findUserReference(scope, userId)) === undefined) throw notFound('User')
  await scope.transaction(async (tx) => {
    await repository.lockUserPriorities(tx, userId)
    await repository.deleteUserPriorities(tx, userId)
    if (rows.length > 0) {
      await repository.insertUserPriorities(tx, userId, rows, scope.clock.now())
    }
    await listener.prioritiesChanged(tx, userId, new Set(DATA_TYPES))
  })
  return getUserPriorities(scope, userId)
}

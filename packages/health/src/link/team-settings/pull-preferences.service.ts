import {
  type EnvironmentPath,
  getManagedEnvironment,
  listManagedEnvironments,
  type ManagedEnvironment,
  type ManagementKeyIdentity,
} from '@salus/accounts/teams'
import { findProvider } from '@salus/contracts/providers'
import { InputError, type InputProblem } from '@salus/kernel/errors'
import { KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import type { Db } from '@salus/kernel/postgres/database'
import { rowScope } from '@salus/kernel/scope'
import type { Clock } from '@salus/kernel/time/clock'
import {
  historicalDaysFor,
  listPullPreferences,
  type PullPreferences,
  putPullPreferences,
  removePullPreferences,
} from '../../pulling/index.ts'
import {
  MOST_HISTORICAL_DAYS,
  type ProviderPreferences,
  PULLED_PROVIDERS,
  type PullPreferenceList,
  type PullPreferenceQuery,
  type PullPreferenceRemoval,
  type PullPreferenceUpdate,
} from './pull-preferences.schema.ts'

interface Stores {
  db: Db
  clock: Clock
}

/**
 * Returns the environments of teams by id: the caller's or the given ones. @throws AppError 404;
 * InputError
 */
async function readEnvironments(
  { db }: Stores,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  teamIds: readonly string[] | undefined,
): Promise<ManagedEnvironment[]> {
  const found =
    teamIds === undefined
      ? await listManagedEnvironments(db, caller, path)
      : await Promise.all(
          [...new Set(teamIds.map((id) => id.toLowerCase()))].map((id) =>
            getManagedEnvironment(db, caller, path, id),
          ),
        )
  return found.sort((a, b) => (a.teamId < b.teamId ? -1 : 1))
}

const daysOf = (days: number) => ({
  historical_days_to_pull: days,
  historical_days_to_pull_limit: MOST_HISTORICAL_DAYS,
})

function toPreferences(provider: string, chosen: PullPreferences | undefined): ProviderPreferences {
  const overrides = Object.entries(chosen?.resourceOverrides ?? {})
  return {
    default: daysOf(
      historicalDaysFor(provider, '', chosen && { ...chosen, resourceOverrides: {} }),
    ),
    resource_overrides: Object.fromEntries(
      overrides.map(([resource, days]) => [resource, daysOf(days)]),
    ),
  }
}

async function describePreferences(
  { db }: Stores,
  { environmentId, teamId }: ManagedEnvironment,
  providers: readonly string[],
) {
  const chosen = await listPullPreferences(rowScope(db, environmentId), providers)
  const known = new Map(chosen.map((entry) => [entry.provider, entry]))
  const entries = providers.map((slug) => [slug, toPreferences(slug, known.get(slug))] as const)
  return { team_id: teamId, providers: Object.fromEntries(entries) }
}

const PAGES = new KeysetPages({ teamId: UUID_KEY })

/** Returns a page of teams, by id. @throws AppError 404, 400 `invalid_cursor`; InputError */
export async function listDataPullPreferences(
  stores: Stores,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  { team_id: teamIds, provider: wanted, next_cursor: cursor, limit = 5 }: PullPreferenceQuery,
): Promise<PullPreferenceList> {
  const scope = ['pull_preferences', caller.organizationId, path.env, path.region]
  const cursorScope = [...scope, teamIds, wanted]
  const after = PAGES.read(cursorScope, cursor)?.teamId ?? ''
  const environments = await readEnvironments(stores, caller, path, teamIds)
  const rest = environments.filter(({ teamId }) => teamId > after)
  const { page, nextCursor } = PAGES.cut(cursorScope, rest, limit, (environment) => environment)
  const providers = wanted ?? PULLED_PROVIDERS.map(({ slug }) => slug)
  return {
    data_pull_preferences: await Promise.all(
      page.map((environment) => describePreferences(stores, environment, providers)),
    ),
    next_cursor: nextCursor,
  }
}

/**
 * Sets the preferences of all the teams for the given providers in one transaction.
 * @throws AppError 404; InputError
 */
export async function updateDataPullPreferences(
  stores: Stores,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  { team_ids: teamIds, providers }: PullPreferenceUpdate,
): Promise<PullPreferenceList> {
  refuseUnknown(providers)
  const environments = await readEnvironments(stores, caller, path, teamIds)
  const { db, clock } = stores
  await db.transaction().execute(async (transaction) => {
    for (const { environmentId } of environments) {
      const scope = { ...rowScope(transaction, environmentId), clock }
      for (const [provider, wanted] of Object.entries(providers)) {
        const overrides = Object.entries(wanted.resource_overrides ?? {})
        await putPullPreferences(scope, {
          provider,
          days: wanted.default.historical_days_to_pull,
          resourceOverrides: Object.fromEntries(
            overrides.map(([resource, days]) => [resource, days.historical_days_to_pull]),
          ),
        })
      }
    }
  })
  const named = Object.keys(providers)
  return {
    data_pull_preferences: await Promise.all(
      environments.map((environment) => describePreferences(stores, environment, named)),
    ),
    next_cursor: null,
  }
}

function refuseUnknown(providers: PullPreferenceUpdate['providers']): void {
  const problems: InputProblem[] = []
  for (const [slug, { resource_overrides: overrides }] of Object.entries(providers)) {
    const provider = findProvider(slug)
    if (provider === undefined || provider.authType === 'sdk') {
      const msg = 'No provider that is pulled has this slug'
      problems.push({ loc: ['body', 'providers', slug], msg, type: 'unknown_provider' })
      continue
    }
    for (const resource of Object.keys(overrides ?? {})) {
      if (provider.resources.includes(resource)) continue
      const loc: InputProblem['loc'] = ['body', 'providers', slug, 'resource_overrides', resource]
      problems.push({ loc, msg: 'The provider has no such resource', type: 'enum' })
    }
  }
  if (problems.length > 0) throw new InputError(problems)
}

/** Resets the teams to the days of the table of providers. @throws AppError 404; InputError */
export async function resetDataPullPreferences(
  stores: Stores,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  { team_id: teamIds, provider: providers }: PullPreferenceRemoval,
): Promise<void> {
  const environments = await readEnvironments(stores, caller, path, teamIds)
  await stores.db.transaction().execute(async (transaction) => {
    for (const { environmentId } of environments) {
      await removePullPreferences(rowScope(transaction, environmentId), providers)
    }
  })
}

import { anyOf } from '@salus/kernel/postgres/bulk'
import type { RowScope, Scope } from '@salus/kernel/scope'
import type { ColumnType, Selectable } from 'kysely'

type Overrides = Record<string, number>

interface TeamPullPreferencesTable {
  environment_id: string
  provider: string
  /** Days of history of a new connection; null uses the table of providers. */
  days: number | null
  /** Days by resource. */
  resource_overrides: ColumnType<Overrides, string, string>
  updated_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    team_pull_preferences: TeamPullPreferencesTable
  }
}

/** A team's preferences for the history of a provider. */
export interface PullPreferences {
  provider: string
  days: number | null
  resourceOverrides: Overrides
}

const toPreferences = ({
  provider,
  days,
  resource_overrides: resourceOverrides,
}: Selectable<TeamPullPreferencesTable>): PullPreferences => ({ provider, days, resourceOverrides })

/** Returns the preferences of a team for some providers, or for all; defaults are not included. */
export async function listPullPreferences(
  { db, environment }: RowScope,
  providers?: readonly string[],
): Promise<PullPreferences[]> {
  let query = db
    .selectFrom('team_pull_preferences')
    .selectAll()
    .where('environment_id', '=', environment.id)
  if (providers !== undefined) query = query.where('provider', '=', anyOf(providers))
  return (await query.orderBy('provider').execute()).map(toPreferences)
}

/** Sets the preferences of a team for a provider, replacing earlier ones. */
export async function putPullPreferences(
  { db, environment, clock }: RowScope & Pick<Scope, 'clock'>,
  { provider, days, resourceOverrides }: PullPreferences,
): Promise<void> {
  const values = {
    days,
    resource_overrides: JSON.stringify(resourceOverrides),
    updated_at: clock.now(),
  }
  await db
    .insertInto('team_pull_preferences')
    .values({ ...values, environment_id: environment.id, provider })
    .onConflict((conflict) => conflict.columns(['environment_id', 'provider']).doUpdateSet(values))
    .execute()
}

/** Removes the preferences of a team for some providers, or for all. */
export async function removePullPreferences(
  { db, environment }: RowScope,
  providers?: readonly string[],
): Promise<void> {
  let query = db.deleteFrom('team_pull_preferences').where('environment_id', '=', environment.id)
  if (providers !== undefined) query = query.where('provider', '=', anyOf(providers))
  await query.execute()
}

import type { RowScope } from '@salus/kernel/scope'
import type { ColumnType, Selectable } from 'kysely'

interface TeamCustomCredentialsTable {
  id: string
  environment_id: string
  provider: string
  client_id: string
  client_secret_hash: Buffer
  details: ColumnType<Record<string, unknown> | null, string | null, string | null>
  redirect_url_override: string | null
  created_at: Date
  updated_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    team_custom_credentials: TeamCustomCredentialsTable
  }
}

export type CustomCredentialRow = Selectable<TeamCustomCredentialsTable>

/** Returns the team's own app with a provider. */
export function findCustomCredential(
  { db, environment }: RowScope,
  provider: string,
): Promise<CustomCredentialRow | undefined> {
  return db
    .selectFrom('team_custom_credentials')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('provider', '=', provider)
    .executeTakeFirst()
}

/** Stores it in place of an earlier one, whose id and creation time are kept. */
export function putCustomCredential(
  { db, environment }: RowScope,
  { details, ...row }: Omit<CustomCredentialRow, 'environment_id'>,
): Promise<CustomCredentialRow> {
  const { id, created_at, provider, ...content } = row
  const changes = { ...content, details: details && JSON.stringify(details) }
  return db
    .insertInto('team_custom_credentials')
    .values({ id, created_at, provider, environment_id: environment.id, ...changes })
    .onConflict((conflict) => conflict.columns(['environment_id', 'provider']).doUpdateSet(changes))
    .returningAll()
    .executeTakeFirstOrThrow()
}

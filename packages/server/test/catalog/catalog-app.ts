import { findEnvironment } from '@salus/accounts/teams'
import type { Db } from '@salus/kernel/postgres/database'
import type { Environment } from '@salus/kernel/scope'
import { type Answer, createHarness, type Harness } from '../harness.ts'

export interface CatalogTeam {
  id: string
  sandbox: Environment
  production: Environment
  /** Calls the API with the sandbox key. */
  call(method: string, url: string, body?: unknown): Promise<Answer>
  callProduction(method: string, url: string, body?: unknown): Promise<Answer>
}

/** An application without a catalog, and a team of it. */
export interface CatalogApp extends Pick<Harness, 'clock' | 'manage' | 'organizationId' | 'close'> {
  db: Db
  team: CatalogTeam
  makeTeam(settings?: object): Promise<CatalogTeam>
}

export async function createCatalogApp(): Promise<CatalogApp> {
  const harness = await createHarness()
  const { db, pool } = harness.database
  // Test databases come with the starting catalog.
  await pool.query('truncate labs, loincs, catalog_loads restart identity cascade')

  async function environmentOf(teamId: string, name: string): Promise<Environment> {
    const { rows } = await pool.query(
      'select id from team_environments where team_id = $1 and environment = $2',
      [teamId, name],
    )
    return (await findEnvironment(db, rows[0].id)) as Environment
  }

  async function makeTeam(settings: object = {}): Promise<CatalogTeam> {
    const { id, sandboxKey, productionKey } = await harness.makeTeam(settings)
    const callWith = (key: string) => (method: string, url: string, body?: unknown) =>
      harness.call(method, url, body, { 'x-service-api-key': key })
    return {
      id,
      sandbox: await environmentOf(id, 'sandbox'),
      production: await environmentOf(id, 'production'),
      call: callWith(sandboxKey),
      callProduction: callWith(productionKey),
    }
  }

  return { ...harness, db, team: await makeTeam(), makeTeam }
}

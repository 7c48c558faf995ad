import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { Environment, Stores } from '@salus/kernel/scope'
import type pg from 'pg'
import type { Connector, Connectors, OperatorApps } from '../connectors/index.ts'
import type { Ingest } from '../ingest/index.ts'

/** What asking vendors needs of the deployment. */
export interface PullingContext extends Stores {
  pool: pg.Pool
  secrets: SecretBox
  connectors: Connectors
  operatorApps: OperatorApps
  ingest: Ingest
  config: { host: string; port: number; baseUrl: string | undefined }
}

/** The connection that something is asked of a vendor for. */
export interface Account {
  connector: Connector
  environment: Environment
  userId: string
}

/** The credential of a person with a vendor. */
export const credentialKey = ({ connector, environment, userId }: Account) => ({
  environmentId: environment.id,
  userId,
  name: connector.slug,
})

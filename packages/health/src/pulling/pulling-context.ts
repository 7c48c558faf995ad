import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { Environment, Stores } from '@salus/kernel/scope'
import type pg from 'pg'
import type { Connector, Connectors, OperatorApps } from '../connectors/index.ts'
import type { Ingest } from '../ingest/index.ts'

/** Context of requests to vendors. */
export interface PullingContext extends Stores {
  pool: pg.Pool
  secrets: SecretBox
  connectors: Connectors
  operatorApps: OperatorApps
  ingest: Ingest
  config: { host: string; port: number; baseUrl: string | undefined }
}

/** The connection on whose behalf a vendor is called. */
export interface Account {
  connector: Connector
  environment: Environment
  userId: string
}

/** Key of a user's credential at a vendor. */
export const credentialKey = ({ connector, environment, userId }: Account) => ({
  environmentId: environment.id,
  userId,
  name: connector.slug,
})

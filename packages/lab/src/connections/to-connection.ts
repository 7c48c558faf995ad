import type { LabConnection } from '@salus/contracts/lab-gateway'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { ConnectionRow, KnownConnection } from './connections.global.repository.ts'
import { readSecretOf } from './secrets.ts'

/** Returns the name of the gateway of a connection, which its messages keep. */
export function gatewayNameOf({ name, config }: Pick<ConnectionRow, 'name' | 'config'>): string {
  return `${config.profile === 'fhir-r4' ? 'fhir' : 'hl7'}:${name}`
}

/** Returns a connection as its gateway gets it. */
export function toConnection(row: KnownConnection, secrets: SecretBox): LabConnection {
  return {
    id: row.id,
    environmentId: row.environment_id,
    environmentKind: row.environment_kind,
    gatewayName: gatewayNameOf(row),
    config: row.config,
    readSecret: (reference) => readSecretOf(row, secrets, reference),
  }
}

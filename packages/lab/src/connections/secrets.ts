import { readFile } from 'node:fs/promises'
import type { SealedColumn } from '@salus/kernel/crypto/reseal'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { ConnectionRow } from './connections.global.repository.ts'

const contextOf = (connectionId: string): string => `lab connection ${connectionId}`

/** Seals the values of a connection's `secret:` references, by name. */
export function sealSecrets(
  secrets: SecretBox,
  connectionId: string,
  values: Readonly<Record<string, string>>,
): Buffer {
  return secrets.seal(JSON.stringify(values), contextOf(connectionId))
}

/** Returns the values of a connection's `secret:` references, by name. */
export function openSecrets(
  secrets: SecretBox,
  { id, secrets: sealed }: Pick<ConnectionRow, 'id' | 'secrets'>,
): Record<string, string> {
  return sealed === null ? {} : JSON.parse(secrets.open(sealed, contextOf(id)))
}

/** A reference whose value is not there. It names the reference, which is no secret. */
export class MissingSecret extends Error {
  readonly code = 'secret_missing'

  constructor(reference: string) {
    super(`There is no value for ${reference}.`)
    this.name = 'MissingSecret'
  }
}

/** Returns the value of a `secret:` or `file:` reference. @throws MissingSecret */
export async function readSecretOf(
  row: Pick<ConnectionRow, 'id' | 'secrets'>,
  secrets: SecretBox,
  reference: string,
): Promise<string> {
  if (reference.startsWith('file:')) {
    return readFile(reference.slice('file:'.length), 'utf8').catch(() => {
      throw new MissingSecret(reference)
    })
  }
  const value = openSecrets(secrets, row)[reference.slice('secret:'.length)]
  if (value === undefined) throw new MissingSecret(reference)
  return value
}

/** Column for a change of the sealing key. */
export const SEALED_LAB_CONNECTIONS: SealedColumn = {
  table: 'lab_connections',
  column: 'secrets',
  key: ['id'],
  contextOf: ({ id = '' }) => contextOf(id),
}

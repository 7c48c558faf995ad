import { join } from 'node:path'
import type { FirstKeys } from '@salus/accounts/teams'
import { writeDurably } from '@salus/kernel/files/durable-file'

/** Path of the file with the first keys; the command line reads its key from it. */
export const keysFile = (dataDirectory: string): string => join(dataDirectory, 'keys.json')

/** Writes keys.json in place of an earlier one, without undefined keys. */
export function writeKeysFile(dataDirectory: string, keys: Partial<FirstKeys>): void {
  const content = {
    api_key: keys.apiKey,
    management_key: keys.managementKey,
    organization_id: keys.organizationId,
    team_id: keys.teamId,
  }
  writeDurably(keysFile(dataDirectory), `${JSON.stringify(content, null, 2)}\n`)
}

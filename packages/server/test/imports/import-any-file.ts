import type { ImportJob } from '../../../health/src/imports/imports.schema.ts'
import type { Harness } from '../harness.ts'
import { followImport } from './import-client.ts'

/** Sends a file of any format, and follows its job to the end or to its questions. */
export async function importAnyFile(
  salus: Harness,
  userId: string,
  content: string | Buffer,
  query = '',
): Promise<ImportJob> {
  const headers = { 'content-type': 'application/octet-stream' }
  const url = `/v2/user/${userId}/import${query}`
  const { status, body, text } = await salus.call('POST', url, Buffer.from(content), headers)
  if (status !== 202) throw new Error(text)
  return followImport(salus, userId, body.id)
}

/** Numbers of what an import brought: imported, updated, unchanged and quarantined. */
export function outcomeOf({ progress }: ImportJob): [number, number, number, number] {
  const sum = (name: 'imported' | 'updated' | 'unchanged' | 'put_aside') =>
    progress.types.reduce((total, type) => total + type[name], 0)
  return [sum('imported'), sum('updated'), sum('unchanged'), sum('put_aside')]
}

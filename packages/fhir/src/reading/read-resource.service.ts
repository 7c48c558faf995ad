import type { Binary } from '@medplum/fhirtypes'
import { AppError, notFound } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { getResultPdf } from '@salus/lab/results'
import type { FhirResource } from '../resources/index.ts'
import { readByIds } from './search/included-resources.service.ts'
import { requireServedType } from './search/read-search.ts'

/** Returns a resource of the caller's environment. @throws AppError 404 */
export async function readResource(scope: Scope, type: string, id: string): Promise<FhirResource> {
  const [resource] = await readByIds(scope, requireServedType(type), [id])
  if (resource === undefined) throw notFound(type)
  return resource
}

/** Returns the PDF of the results of an order. @throws AppError 404 */
export async function readBinary(
  scope: Scope,
  files: FileStore,
  id: string,
): Promise<{ content: Buffer; resource: Binary }> {
  if (!isUuid(id)) throw notFound('Binary')
  const { content } = await getResultPdf({ ...scope, files }, id).catch((error: unknown) => {
    throw error instanceof AppError && error.status === 404 ? notFound('Binary') : error
  })
  const data = content.toString('base64')
  const resource: Binary = { resourceType: 'Binary', id, contentType: 'application/pdf', data }
  return { content, resource }
}

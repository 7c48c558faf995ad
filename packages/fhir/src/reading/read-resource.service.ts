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

/**
 * Returns the PDF of the results of an order.
 * @param id Id of the order, perhaps with a dot and a version of the results.
 * @throws AppError 404
 */
export async function readBinary(
  scope: Scope,
  files: FileStore,
  id: string,
): Promise<{ content: Buffer; resource: Binary }> {
  const [orderId = '', version] = id.split('.')
  const isVersion = version === undefined || /^[1-9]\d{0,5}$/.test(version)
  if (!isUuid(orderId) || !isVersion) throw notFound('Binary')
  const number = version === undefined ? undefined : Number(version)
  const { content } = await getResultPdf({ ...scope, files }, orderId, number).catch(
    (error: unknown) => {
      throw error instanceof AppError && error.status === 404 ? notFound('Binary') : error
    },
  )
  const data = content.toString('base64')
  const resource: Binary = { resourceType: 'Binary', id, contentType: 'application/pdf', data }
  return { content, resource }
}

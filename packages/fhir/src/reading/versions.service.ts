import type { Bundle, BundleEntry } from '@medplum/fhirtypes'
import { notFound } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import type { FhirResource } from '../resources/index.ts'
import { tagOf } from './conditional-read.ts'
import { listVersions } from './served/sources.ts'
import { isVersioned, orderOfVersions } from './served/versioned-types.ts'

/**
 * Returns a resource of results as a version of these results had it.
 * @throws AppError 404, also for a type without versions
 */
export async function readVersion(
  scope: Scope,
  type: string,
  id: string,
  version: string,
): Promise<FhirResource> {
  const versions = await listAll(scope, type, id)
  const found = versions.find(({ meta }) => meta?.versionId === version)
  if (found === undefined) throw notFound('Version')
  return found
}

/** Returns all versions of a resource of results, the newest first. @throws AppError 404 */
export async function readHistory(
  scope: Scope,
  base: string,
  type: string,
  id: string,
): Promise<Bundle> {
  const versions = await listAll(scope, type, id)
  if (versions.length === 0) throw notFound(type)
  const address = `${base}/${type}/${id}`
  return {
    resourceType: 'Bundle',
    type: 'history',
    total: versions.length,
    link: [{ relation: 'self', url: `${address}/_history` }],
    entry: versions.map((resource, index): BundleEntry => {
      const isFirst = index === versions.length - 1
      return {
        fullUrl: address,
        resource,
        request: { method: isFirst ? 'POST' : 'PUT', url: isFirst ? type : `${type}/${id}` },
        response: {
          status: isFirst ? '201' : '200',
          etag: tagOf(resource),
          ...(resource.meta?.lastUpdated && { lastModified: resource.meta.lastUpdated }),
        },
      }
    }),
  }
}

async function listAll(scope: Scope, type: string, id: string): Promise<FhirResource[]> {
  if (!isVersioned(type)) throw notFound('Version')
  const orderId = orderOfVersions(type, id)
  if (orderId === undefined || !isUuid(orderId)) throw notFound(type)
  const resources = await listVersions(scope, orderId)
  return resources.filter((one) => one.resourceType === type && one.id === id)
}

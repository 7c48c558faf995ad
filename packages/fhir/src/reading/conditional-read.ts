import { hash } from 'node:crypto'
import { hasTag } from '@salus/kernel/http/entity-tags'
import type { FhirResource } from '../resources/index.ts'

/** Returns the weak ETag of a resource: its version, or a hash of one without versions. */
export function tagOf(resource: FhirResource): string {
  const version = resource.meta?.versionId ?? hash('sha1', JSON.stringify(resource), 'hex')
  return `W/"${version}"`
}

interface ConditionalHeaders {
  'if-none-match'?: string | undefined
  'if-modified-since'?: string | undefined
}

/**
 * Whether a client has the resource already. If-None-Match counts alone where both are given (RFC
 * 9110, section 13.2.2).
 * @param changed Instant of the last change.
 */
export function isUnchanged(
  { 'if-none-match': tags, 'if-modified-since': since }: ConditionalHeaders,
  tag: string,
  changed: string | undefined,
): boolean {
  if (tags !== undefined) return hasTag(tags, tag)
  if (since === undefined || changed === undefined) return false
  // The header has whole seconds.
  return Math.floor(Date.parse(changed) / 1000) * 1000 <= Date.parse(since)
}

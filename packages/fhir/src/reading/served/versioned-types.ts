import { orderOfResult } from './served-resources.ts'

/** Types that are made of versions of results. */
const TYPES = ['DiagnosticReport', 'Observation', 'DocumentReference'] as const
type VersionedType = (typeof TYPES)[number]

export const isVersioned = (type: string): type is VersionedType =>
  (TYPES as readonly string[]).includes(type)

/** Returns the order whose results a resource is made of; undefined for one without versions. */
export const orderOfVersions = (type: VersionedType, id: string): string | undefined =>
  type === 'Observation' ? orderOfResult(id) : id

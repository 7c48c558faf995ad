import { fileURLToPath } from 'node:url'

/** Place where files are stored. */
export type FilesLocation = FolderLocation | BucketLocation

export interface FolderLocation {
  readonly folder: string
}

export interface BucketLocation {
  readonly bucket: string
  /** Prefix of every key; empty, or with a slash at its end. */
  readonly prefix: string
  readonly region: string | undefined
  /** Endpoint of a service other than Amazon's. */
  readonly endpoint: string | undefined
}

const BUCKET_OPTIONS = new Set(['region', 'endpoint'])

/**
 * Reads `file:///folder` or `s3://bucket/prefix?region=…&endpoint=…`. Returns undefined for
 * anything else, also for keys in the URL, because those are settings of their own.
 */
export function parseFilesUrl(text: string): FilesLocation | undefined {
  const url = URL.parse(text)
  if (url === null) return undefined
  if (url.protocol === 'file:') return url.host === '' ? { folder: fileURLToPath(url) } : undefined
  const isKnown = [...url.searchParams.keys()].every((key) => BUCKET_OPTIONS.has(key))
  if (url.protocol !== 's3:' || url.hostname === '' || url.username !== '' || !isKnown)
    return undefined
  const { region, endpoint } = Object.fromEntries(url.searchParams)
  if (endpoint !== undefined && !/^https?:\/\/[^@/]+\/?$/.test(endpoint)) return undefined
  const path = url.pathname.replace(/^\/+|\/+$/g, '')
  const prefix = path === '' ? '' : `${decodeURIComponent(path)}/`
  return { bucket: url.hostname, prefix, region, endpoint }
}

import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export type UrlProblem = 'invalid_url' | 'https_required' | 'credentials_in_url' | 'private_address'

export interface UrlPolicy {
  readonly allowHttp: boolean
  readonly allowPrivate: boolean
}

const MAX_LENGTH = 2_048

/**
 * The URL parser repairs texts that others could read as a different address; we refuse them
 * instead.
 */
const PLAIN_URL = /^https?:\/\/(?!\/)[^\s\\#\p{Cc}]+$/iu
/** Names that never leave the own machine or network. A name without a dot is one of them. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$|^[^.]*$/

function isPrivateHost(host: string): boolean {
  const name = host.replace(/^\[|\]$|\.$/g, '')
  return isIP(name) === 0 ? LOCAL_NAME.test(name) : !isPublicAddress(name)
}

/**
 * Checks the URL of an endpoint when it is created: null if it is accepted. Names are not looked up
 * here, as they may point elsewhere later; the agent that sends checks their addresses.
 */
export function checkUrl(text: string, policy: UrlPolicy): UrlProblem | null {
  const url = PLAIN_URL.test(text) ? URL.parse(text) : null
  if (url === null || Math.max(text.length, url.href.length) > MAX_LENGTH) return 'invalid_url'
  if (url.username !== '' || url.password !== '') return 'credentials_in_url'
  if (url.protocol !== 'https:' && !policy.allowHttp) return 'https_required'
  if (!policy.allowPrivate && isPrivateHost(url.hostname)) return 'private_address'
  return null
}

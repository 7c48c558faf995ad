import { HOUR_MS } from '@salus/contracts/time-units'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { VendorFailure } from './vendor-client.ts'

const STATUSES = new Set([403, 429, 430, 503])
/** Texts on the pages of services that check for bots. */
const TEXTS = /cloudflare|cf-chl|captcha|incapsula|perimeterx|px-captcha|akamai|access denied/i
/** To programs Cloudflare sends the number of its page only. */
const SHORT = /^error code: 1\d{3}\s*$/
/** Characters of a page that are searched. */
const MOST_SEARCHED = 20_000

/**
 * Returns the failure of a page that a check for bots sent in place of the vendor's answer:
 * `blocked` for the time of `Retry-After`, otherwise for an hour. It says nothing about a user.
 */
export function botCheckFailure(answer: OutboundAnswer): VendorFailure | undefined {
  if (!STATUSES.has(answer.status)) return undefined
  const page = answer.bytes().toString('utf8', 0, MOST_SEARCHED)
  const isHtml = /^text\/html/i.test(answer.header('content-type') ?? '')
  const isPage = isHtml && (answer.header('cf-mitigated') !== undefined || TEXTS.test(page))
  if (!isPage && !SHORT.test(page)) return undefined
  const seconds = Number(answer.header('retry-after') ?? Number.NaN)
  return { kind: 'blocked', retryAfterMs: seconds >= 0 ? seconds * 1000 : HOUR_MS }
}

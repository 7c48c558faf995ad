import { type LabPartner, PartnerFailure } from '@salus/contracts/lab-partners'
import { OutboundError } from '@salus/kernel/outbound/outbound-error'
import type { OutboundAnswer, OutboundRequest } from '@salus/kernel/outbound/request'

/** Sends a request to a partner, or to its emulator. */
export type Send = (request: OutboundRequest) => Promise<OutboundAnswer>

export interface PartnerRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly url: string
  readonly headers?: Record<string, string>
  /** Sent as JSON. */
  readonly body?: object
  readonly signal?: AbortSignal | undefined
}

/** An answer with a status below 500 that is neither 401, 403 nor 429. */
export interface PartnerAnswer {
  status: number
  /** Parsed JSON; null for an empty body. */
  body: unknown
}

/** Clients of our API wait 15 seconds. */
const TIMEOUT_MS = 10_000
/** A long answer of a payor has some 500 KB. */
const MOST_BYTES = 8 * 1024 ** 2
/** A partner that wants callers to wait longer is tried once an hour. */
const LONGEST_WAIT_S = 3600

/**
 * Calls a partner once. Nothing is sent again here.
 * @throws PartnerFailure for everything that the partner or the way to it does wrong; the reason of
 *   `signal` if it aborts
 */
export async function callPartner(
  partner: LabPartner,
  send: Send,
  { method, url, headers, body, signal }: PartnerRequest,
): Promise<PartnerAnswer> {
  const answer = await send({
    method,
    url,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MOST_BYTES,
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    throw error instanceof OutboundError ? failureOf(partner, error) : error
  })
  requireUsable(partner, answer)
  const isEmpty = answer.bytes().length === 0
  return { status: answer.status, body: isEmpty ? null : readJson(partner, answer) }
}

function failureOf(partner: LabPartner, { reason }: OutboundError): PartnerFailure {
  const isMalformed = reason === 'invalid_response' || reason === 'response_too_large'
  return new PartnerFailure(partner, isMalformed ? 'malformed' : 'no_answer')
}

function requireUsable(partner: LabPartner, answer: OutboundAnswer): void {
  const { status } = answer
  const wait = waitOf(answer.header('retry-after'))
  if (status === 401 || status === 403) throw new PartnerFailure(partner, 'unauthorized')
  if (status === 429) throw new PartnerFailure(partner, 'rate_limited', wait)
  if (status < 500) return
  const isMaintenance = status === 503 && answer.header('maintenance-mode') === 'true'
  throw new PartnerFailure(partner, isMaintenance ? 'maintenance' : 'server_error', wait)
}

/** Returns the seconds of a Retry-After header; null without one, and for a date. */
function waitOf(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,9}$/.test(header.trim())) return null
  return Math.min(Number(header), LONGEST_WAIT_S)
}

function readJson(partner: LabPartner, answer: OutboundAnswer): unknown {
  try {
    return answer.json()
  } catch {
    throw new PartnerFailure(partner, 'malformed')
  }
}

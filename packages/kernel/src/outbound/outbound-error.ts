import { errors } from 'undici'
import { ConnectFailure, type ConnectFailureReason } from './connect-failure.ts'

/** Why an attempt brought no status. Constants only: nothing of the remote side is in them. */
export type PostError = ConnectFailureReason | 'timeout' | 'connection' | 'invalid_response'

/** Why a request brought no whole answer. */
export type OutboundFault = PostError | 'response_too_large' | 'refused_redirect'

/**
 * A request without an answer that can be used. It says with whom and why, and nothing that was
 * sent or came back: URLs, headers and bodies hold secrets and people's data.
 */
export class OutboundError extends Error {
  readonly host: string
  readonly reason: OutboundFault
  /** Of an answer that broke off, was too large or not understood. */
  readonly status: number | null

  constructor(host: string, reason: OutboundFault, status: number | null = null) {
    super(`The request to another service failed: ${reason}`)
    this.name = 'OutboundError'
    this.host = host
    this.reason = reason
    this.status = status
  }
}

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])
/** ERR_ASSERTION: the client found an answer that may not occur, such as one with status 099. */
const INVALID_RESPONSES = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_ASSERTION',
])
/** What only we ourselves can do wrong: an impossible header, or the agent destroyed meanwhile. */
const OWN_FAULTS = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_DESTROYED',
])

function readCode(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

/** Whether the caller and not the remote side caused an error. */
export function isOwnFault(error: Error): boolean {
  return OWN_FAULTS.has(readCode(error))
}

/** Names the error of an attempt that brought no status. */
export function classifyError(error: Error): PostError {
  if (error instanceof ConnectFailure) return error.reason
  const code = readCode(error)
  if (TIMEOUTS.has(code)) return 'timeout'
  if (error instanceof errors.HTTPParserError) return 'invalid_response'
  if (INVALID_RESPONSES.has(code)) return 'invalid_response'
  // A status 100 or 101 that nobody asked for; the client gives both this code of a lost socket.
  if (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad ')) return 'invalid_response'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'tls'
  return 'connection'
}

import { errors } from 'undici'
import { ConnectFailure, type ConnectFailureReason } from './connect-failure.ts'

/**
 * Reason for which an attempt had no status. These are constants and contain nothing of the remote
 * side.
 */
export type PostError = ConnectFailureReason | 'timeout' | 'connection' | 'invalid_response'

/** Reason for which a request had no complete answer. */
export type OutboundFault = PostError | 'response_too_large' | 'refused_redirect'

/**
 * A request without a usable answer. It has the host and the reason, and nothing that was sent or
 * received: URLs, headers and bodies contain secrets and personal data.
 */
export class OutboundError extends Error {
  readonly host: string
  readonly reason: OutboundFault
  /** Status of an answer that broke off, was too large or could not be read. */
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
/** ERR_ASSERTION: the client got an answer that may not occur, such as one with status 099. */
const INVALID_RESPONSES = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_ASSERTION',
])
/**
 * Errors that only we can cause: an impossible header, or an agent that was destroyed meanwhile.
 */
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

/** Classifies the error of an attempt that had no status. */
export function classifyError(error: Error): PostError {
  if (error instanceof ConnectFailure) return error.reason
  const code = readCode(error)
  if (TIMEOUTS.has(code)) return 'timeout'
  if (error instanceof errors.HTTPParserError) return 'invalid_response'
  if (INVALID_RESPONSES.has(code)) return 'invalid_response'
  // An unexpected status 100 or 101; the client gives both this code of a lost socket.
  if (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad ')) return 'invalid_response'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'tls'
  return 'connection'
}
